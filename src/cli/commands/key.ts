/** `estate key …` */
import { stateOf } from '../../access/key-lookup.ts';
import { type IssuedKey, type KeyRecord, KeyStore } from '../../access/keys.ts';
import type { EndpointGroup, Tier } from '../../catalogue/tiers.ts';
import { findCustomer } from '../../database/control/customers.ts';
import { OperatorError } from '../../errors.ts';
import { columns, report, withSession } from '../session.ts';

interface Options {
  readonly json?: boolean;
}
interface CreateOptions extends Options {
  readonly customer: string;
  readonly tier: Tier;
  readonly groups?: readonly EndpointGroup[];
  readonly name?: string;
  readonly expires?: Date;
}

const onceWords = ({ key, id }: IssuedKey) => `Key ${id}, shown this once:\n${key}`;

export const createKey = (options: CreateOptions) =>
  withSession(async ({ database, secret }) => {
    const { tier, groups, name, expires } = options;
    const customer = await findCustomer(database, options.customer);
    const issued = await new KeyStore(database, secret).create({
      customer,
      tier,
      ...(groups && { groups }),
      ...(name !== undefined && { name }),
      ...(expires && { expiresAt: expires }),
    });
    report(issued, options, () => onceWords(issued));
  });

export const listKeys = (options: Options & { customer?: string }) =>
  withSession(async ({ database, secret }) => {
    if (options.customer !== undefined) await findCustomer(database, options.customer);
    const keys = await new KeyStore(database, secret).list(options.customer);
    const rows = keys.map((key) => [
      key.id,
      key.customer,
      key.tier,
      key.groups.join(','),
      stateOf(key),
      key.created_at.toISOString(),
      key.expires_at?.toISOString() ?? '',
      key.name,
    ]);
    report(keys, options, () => columns(['id', 'customer', 'tier', 'groups', 'state', 'created', 'expires', 'name'], rows));
  });

export const rotateKey = (id: string, options: Options & { overlap: number }) =>
  withSession(async ({ database, secret }) => {
    const issued = await new KeyStore(database, secret).rotate(id, options.overlap);
    report(issued, options, () => onceWords(issued));
  });

/** Changes a key and reports it. */
const changed = (options: Options, words: string, change: (keys: KeyStore) => Promise<KeyRecord>) =>
  withSession(async ({ database, secret }) => {
    const key = await change(new KeyStore(database, secret));
    report(key, options, () => `Key ${key.id} ${words}`);
  });

export const revokeKey = (id: string, options: Options) =>
  changed(options, 'is revoked; within 5 s no instance takes it any more.', (keys) => keys.revoke(id));

/** Throws an `OperatorError` if the key is revoked, because revocation is final. */
const notRevoked = (key: KeyRecord): KeyRecord => {
  if (key.revoked_at) throw new OperatorError(`Key '${key.id}' is revoked; create a new one instead.`);
  return key;
};

export const disableKey = (id: string, options: Options) =>
  changed(options, 'is disabled; within 5 s no instance takes it any more.', async (keys) => notRevoked(await keys.disable(id)));

export const enableKey = (id: string, options: Options) =>
  changed(options, 'is enabled again.', async (keys) => notRevoked(await keys.enable(id)));
