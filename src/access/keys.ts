/** Operations on API keys: issue, rotate, restrict, disable, revoke (contract: API keys; quota owner). */
import type { Kysely, Selectable } from 'kysely';
import type { ScopeDefinition } from '../catalogue/data-scope.ts';
import { defaultGroups, includesTier, type KeyGroup, type Tier } from '../catalogue/tiers.ts';
import type { Database } from '../database/connections/connection.ts';
import type { Customer } from '../database/control/customers.ts';
import type { ControlTables } from '../database/control-tables.ts';
import { OperatorError } from '../errors.ts';
import { type Actor, commandLine, recordAction } from './audit.ts';
import { keyStateOf } from './key-lookup.ts';
import { apiKeyText, hashKey, publicId, randomKeyId } from './key-text.ts';
import { scopeInWords } from './scope.ts';

export type StoredKey = Selectable<ControlTables['api_keys']>;

/** A key as the operator sees it, without its secret. */
export type KeyRecord = Omit<StoredKey, 'hash' | 'customer_id'> & { readonly customer: string };

/** A new key with its plaintext, which is not available again. */
export type IssuedKey = KeyRecord & { readonly key: string };

export interface NewKey {
  readonly customer: Customer;
  readonly tier: Tier;
  readonly groups?: readonly KeyGroup[];
  /** Null or absent: the key reads all data of its tables. */
  readonly scope?: ScopeDefinition | null;
  readonly name?: string;
  readonly expiresAt?: Date;
  /** The public id, if the caller chose it, so that a repeated request issues one key. */
  readonly id?: string;
}

/** A key with this public id exists. Its text was shown when it was created. */
export class KeyIssuedAlready extends OperatorError {}

/** The rights of a key of the demo. Without groups, it has the default ones. */
export type FixedRights = Pick<NewKey, 'tier' | 'groups'>;

/** The tier and endpoint groups of a key. */
export type KeyRights = Pick<StoredKey, 'tier' | 'groups'>;

type Control = Kysely<ControlTables>;

/** Issues, lists and ends keys of all customers, and records each action of `actor` in the audit log. */
export class KeyStore {
  readonly #control: Control;
  readonly #secret: string;
  readonly #actor: Actor;

  constructor({ control }: Database, secret: string, actor: Actor = commandLine) {
    this.#control = control;
    this.#secret = secret;
    this.#actor = actor;
  }

  /** Issues a key. Throws an `OperatorError` if its tier is above the customer's. */
  async create({
    customer,
    tier,
    groups = defaultGroups,
    scope = null,
    name = '',
    expiresAt,
    id = randomKeyId(),
  }: NewKey): Promise<IssuedKey> {
    refuseTierAbove(customer.slug, customer.tier, tier);
    refuseMixed(groups, scope);
    const row = { id, customer_id: customer.id, lineage: id, name, tier, groups: [...groups], scope, expires_at: expiresAt ?? null };
    return this.#control.transaction().execute(async (transaction) => {
      const issued = await this.#insert(customer.slug, apiKeyText(id), row, transaction);
      await recordAction(
        transaction,
        this.#actor,
        'created key',
        `${id} of ${customer.slug}, ${rightsInWords(row)}${scope ? `, ${scopeInWords(scope)}` : ''}`,
      );
      return issued;
    });
  }

  /** Stores a key with a given text. Only the demo uses it, because the documentation prints the demo keys. */
  async createFixed(customer: Customer, { tier, groups = defaultGroups }: FixedRights, key: string): Promise<IssuedKey> {
    const id = publicId(key);
    if (!id) throw new OperatorError('That is no API key.');
    const fixed = {
      id,
      customer_id: customer.id,
      lineage: id,
      name: 'demo',
      tier,
      groups: [...groups],
      scope: null,
      expires_at: null,
    };
    return this.#insert(customer.slug, key, fixed);
  }

  /**
   * Issues a successor with the same rights, quota and expiry. The old key stays valid for `overlapMs`. The successor has the scope of
   * `change`, or else that of the old key.
   */
  async rotate(id: string, overlapMs: number, successor: string = randomKeyId(), change?: Pick<NewKey, 'scope'>): Promise<IssuedKey> {
    const old = await this.find(id);
    const { customer, lineage, name, tier, groups, customer_id } = old;
    const scope = change ? (change.scope ?? null) : old.scope;
    refuseMixed(groups, scope);
    const state = keyStateOf(old);
    if (state === 'revoked' || state === 'expired') throw new OperatorError(`Key '${id}' is ${state}; create a new one instead.`);
    const end = new Date(Date.now() + overlapMs);
    return this.#control.transaction().execute(async (transaction) => {
      // Without the lock, two concurrent rotations would both create a successor.
      await transaction.selectFrom('api_keys').select('id').where('id', '=', id).forUpdate().execute();
      const newest = await newestOf(transaction, lineage);
      if (newest.id !== id && !newest.revoked_at)
        throw new OperatorError(`Key '${id}' has been rotated already; its successor is '${newest.id}'.`);
      // A rotation shortens the old key's life. The newest key of the family has the intended expiry.
      const row = { id: successor, customer_id, lineage, name, tier, groups, scope, expires_at: newest.expires_at };
      const oldEnd = old.expires_at && old.expires_at < end ? old.expires_at : end;
      await transaction.updateTable('api_keys').set({ expires_at: oldEnd }).where('id', '=', id).execute();
      const issued = await this.#insert(customer, apiKeyText(successor), row, transaction);
      const words = JSON.stringify(scope) === JSON.stringify(old.scope) ? '' : `, now ${scopeInWords(scope)}`;
      await recordAction(
        transaction,
        this.#actor,
        'rotated key',
        `${id} of ${customer} to ${successor}, until ${oldEnd.toISOString()}${words}`,
      );
      return issued;
    });
  }

  /** Revokes a key. This is final. */
  async revoke(id: string): Promise<KeyRecord> {
    return this.#change(id, { revoked_at: new Date() }, 'revoked key');
  }

  /** Disables a key until it is enabled again. */
  async disable(id: string): Promise<KeyRecord> {
    return this.#change(id, { disabled_at: new Date() }, 'disabled key');
  }

  async enable(id: string): Promise<KeyRecord> {
    return this.#change(id, { disabled_at: null }, 'enabled key');
  }

  /** Changes the rights of a key, within its customer's tier. */
  async setRights(id: string, customerTier: Tier, { tier, groups }: KeyRights): Promise<KeyRecord> {
    const { customer, scope } = await this.find(id);
    refuseTierAbove(customer, customerTier, tier);
    refuseMixed(groups, scope);
    return this.#change(id, { tier, groups }, 'changed rights of key', rightsInWords({ tier, groups }));
  }

  /** Keys in creation order; of one customer if `slug` is given. */
  async list(slug?: string): Promise<KeyRecord[]> {
    const query = this.#records().orderBy('api_keys.created_at').orderBy('api_keys.id');
    const rows = await (slug === undefined ? query : query.where('customers.slug', '=', slug)).execute();
    return rows.map(withoutCustomerId);
  }

  /** The key with this public id. Throws an `OperatorError` if there is none. */
  async find(id: string) {
    const row = await this.#records().where('api_keys.id', '=', id).executeTakeFirst();
    if (!row) throw new OperatorError(`There is no key '${id}'.`);
    return row;
  }

  /** Updates a key that is not revoked. */
  async #change(id: string, change: Partial<KeyRights & Pick<StoredKey, 'revoked_at' | 'disabled_at'>>, action: string, words = '') {
    const { customer } = await this.find(id);
    await this.#control.transaction().execute(async (transaction) => {
      const changed = await transaction
        .updateTable('api_keys')
        .set(change)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (changed) await recordAction(transaction, this.#actor, action, `${id} of ${customer}${words && `, ${words}`}`);
    });
    return withoutCustomerId(await this.find(id));
  }

  #records() {
    return this.#control
      .selectFrom('api_keys')
      .innerJoin('customers', 'customers.id', 'api_keys.customer_id')
      .select([...recordColumns, 'customers.slug as customer', 'api_keys.customer_id']);
  }

  async #insert(
    customer: string,
    key: string,
    row: Omit<StoredKey, 'hash' | 'created_at' | 'disabled_at' | 'revoked_at'>,
    control: Pick<Database['control'], 'insertInto'> = this.#control,
  ): Promise<IssuedKey> {
    const stored = await control
      .insertInto('api_keys')
      .values({ ...row, scope: row.scope && JSON.stringify(row.scope), hash: hashKey(this.#secret, key) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning(recordColumns)
      .executeTakeFirst();
    if (!stored) throw new KeyIssuedAlready(`Key '${row.id}' has been issued already.`);
    return { ...stored, customer, key };
  }
}

const recordColumns = [
  'api_keys.id',
  'api_keys.name',
  'api_keys.tier',
  'api_keys.groups',
  'api_keys.scope',
  'api_keys.lineage',
  'api_keys.created_at',
  'api_keys.expires_at',
  'api_keys.disabled_at',
  'api_keys.revoked_at',
] as const;

const newestOf = (control: Control, lineage: string) =>
  control
    .selectFrom('api_keys')
    .select(['id', 'expires_at', 'revoked_at'])
    .where('lineage', '=', lineage)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();

const rightsInWords = ({ tier, groups }: KeyRights): string => `tier ${tier}, ${groups.join(', ') || 'no endpoint group'}`;

const refuseTierAbove = (customer: string, customerTier: Tier, tier: Tier): void => {
  if (!includesTier(customerTier, tier))
    throw new OperatorError(`Customer '${customer}' has tier ${customerTier}; a key of tier ${tier} would be above it.`);
};

/** Throws an `OperatorError` if the groups have `deliveries` and another one: such a key reads nothing. */
export const refuseMixedGroups = (groups: readonly KeyGroup[]): void => {
  if (groups.includes('deliveries') && groups.length > 1)
    throw new OperatorError('A delivery key reads nothing: deliveries goes with no other endpoint group.');
};

const refuseMixed = (groups: readonly KeyGroup[], scope: ScopeDefinition | null): void => {
  refuseMixedGroups(groups);
  if (scope && groups.includes('deliveries')) throw new OperatorError('A delivery key reads nothing, so it has no data scope.');
};

const withoutCustomerId = <T extends { customer_id: number }>({ customer_id: _, ...record }: T): Omit<T, 'customer_id'> => record;
