/** The endpoints of customers, as operators manage them (contract: webhooks). Each change is recorded in the audit log. */
import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { type Actor, commandLine, recordAction } from '../access/audit.ts';
import type { Database } from '../database/connections/connection.ts';
import { findCustomer } from '../database/control/customers.ts';
import type { ControlTables } from '../database/control-tables.ts';
import { OperatorError } from '../errors.ts';
import { type EventType, eventTypes, testType, webhookTables } from './events.ts';
import { bodyOf } from './message.ts';
import { type Attempt, parseEndpoint, post, type WebhookReach } from './post.ts';
import { newSecret, seal, secretText, signedHeaders, unseal } from './secrets.ts';

/** The maximum number of endpoints of a customer. */
export const maxEndpoints = 5;

type Row = Selectable<ControlTables['webhook_endpoints']>;

/** An endpoint without its secrets. */
export type Endpoint = Omit<Row, 'secret' | 'old_secret' | 'customer_id'> & {
  readonly customer: string;
  /** Events that wait for their delivery. */
  readonly waiting: number;
};

/** A new secret, which is not available again. */
export interface IssuedSecret {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

/** What became of an event at an endpoint. */
export interface AttemptedDelivery {
  readonly type: string;
  readonly created_at: Date;
  readonly state: string;
  readonly attempts: number;
  readonly last_at: Date | null;
  readonly status: number | null;
  readonly note: string | null;
}

export interface EndpointStoreOptions {
  /** The service's secret, under which the secrets of endpoints are stored. */
  readonly secret: string;
  readonly reach: WebhookReach;
  readonly actor?: Actor;
}

const parseEvents = (names: readonly string[]): EventType[] => {
  const unknown = names.find((name) => !(eventTypes as readonly string[]).includes(name));
  if (unknown !== undefined) throw new OperatorError(`'${unknown}' is no event. Events are ${eventTypes.join(', ')}.`);
  return eventTypes.filter((type) => names.includes(type));
};

export class EndpointStore {
  readonly #database: Database;
  readonly #secret: string;
  readonly #reach: WebhookReach;
  readonly #actor: Actor;

  constructor(database: Database, { secret, reach, actor = commandLine }: EndpointStoreOptions) {
    this.#database = database;
    this.#secret = secret;
    this.#reach = reach;
    this.#actor = actor;
  }

  /** Adds an endpoint for the named events, all if there are none. Throws an `OperatorError` for a wrong address, event or number. */
  async add(slug: string, address: string, events: readonly string[] = []): Promise<IssuedSecret> {
    const { id: customer_id } = await findCustomer(this.#database, slug);
    const url = parseEndpoint(address, this.#reach).href;
    const wanted = events.length > 0 ? parseEvents(events) : [...eventTypes];
    const [id, secret] = [`we_${randomBytes(9).toString('hex')}`, newSecret()];
    await this.#database.control.transaction().execute(async (transaction) => {
      // Without the lock, two operators could pass the limit together.
      await transaction.selectFrom('customers').select('id').where('id', '=', customer_id).forUpdate().execute();
      const { count } = await transaction
        .selectFrom('webhook_endpoints')
        .select(sql<number>`count(*)::integer`.as('count'))
        .where('customer_id', '=', customer_id)
        .executeTakeFirstOrThrow();
      if (count >= maxEndpoints) throw new OperatorError(`A customer has at most ${maxEndpoints} webhooks.`);
      const row = { id, customer_id, url, events: wanted, secret: seal(this.#secret, secret) };
      await transaction.insertInto('webhook_endpoints').values(row).execute();
      await recordAction(transaction, this.#actor, 'added webhook', `${id} of ${slug}, ${hostOf(url)}`);
    });
    return { id, url, secret: secretText(secret) };
  }

  async list(slug?: string): Promise<Endpoint[]> {
    const customer = slug === undefined ? undefined : await findCustomer(this.#database, slug);
    return this.#endpoints()
      .$if(customer !== undefined, (all) => all.where('e.customer_id', '=', customer?.id ?? 0))
      .orderBy('c.slug')
      .orderBy('e.created_at')
      .execute();
  }

  /** Throws an `OperatorError` if there is no such endpoint. */
  async find(id: string): Promise<Endpoint> {
    const found = await this.#endpoints().where('e.id', '=', id).executeTakeFirst();
    return found ?? noEndpoint(id);
  }

  /** Gives an endpoint another secret. The old one signs as well for a day. */
  async rotate(id: string): Promise<IssuedSecret> {
    const secret = newSecret();
    const { url, customer } = await this.find(id);
    await this.#database.control.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('webhook_endpoints')
        .set((old) => ({
          old_secret: old.ref('secret'),
          old_secret_until: sql<Date>`now() + interval '1 day'`,
          secret: seal(this.#secret, secret),
        }))
        .where('id', '=', id)
        .execute();
      await recordAction(transaction, this.#actor, 'rotated webhook', `${id} of ${customer}`);
    });
    return { id, url, secret: secretText(secret) };
  }

  /** Removes an endpoint with its deliveries. */
  async remove(id: string): Promise<Endpoint> {
    const endpoint = await this.find(id);
    await this.#database.control.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
      await recordAction(transaction, this.#actor, 'removed webhook', `${id} of ${endpoint.customer}, ${hostOf(endpoint.url)}`);
    });
    return endpoint;
  }

  /** Sends a test event at once, ahead of those that wait. A disabled endpoint that takes it is enabled again. */
  async test(id: string): Promise<Attempt> {
    const { control } = this.#database;
    const row = await control.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return noEndpoint(id);
    const { customer } = await this.find(id);
    const data = JSON.stringify({ customer });
    const event = await control
      .insertInto('webhook_events')
      .values({ customer_id: row.customer_id, type: testType, data })
      .returning(['id', 'uid', 'type', 'data', 'created_at'])
      .executeTakeFirstOrThrow();
    const secrets = secretsOf(row, this.#secret);
    const message = { id: `msg_${event.uid}`, body: bodyOf(event) };
    const attempt = await post(row.url, { headers: signedHeaders(secrets, message), body: message.body }, this.#reach);
    await control.transaction().execute(async (transaction) => {
      const { isDelivered, status = null, note = null } = attempt;
      const result = { state: isDelivered ? 'delivered' : 'dropped', attempts: 1, last_at: new Date(), status, note };
      await transaction
        .insertInto('webhook_deliveries')
        .values({ endpoint_id: id, event_id: event.id, ...result })
        .execute();
      await recordAction(transaction, this.#actor, 'tested webhook', `${id} of ${customer}: ${note ?? 'delivered'}`);
      if (!isDelivered || !row.disabled_at) return;
      const enabled = { disabled_at: null, failing_since: null, failures: 0, next_at: new Date() };
      await transaction.updateTable('webhook_endpoints').set(enabled).where('id', '=', id).execute();
      await recordAction(transaction, this.#actor, 'enabled webhook', `${id} of ${customer}`);
    });
    return attempt;
  }

  /** The last deliveries of an endpoint, newest events first. */
  async deliveries(id: string, limit = 50): Promise<AttemptedDelivery[]> {
    return this.#database.control
      .selectFrom('webhook_deliveries as d')
      .innerJoin('webhook_events as v', 'v.id', 'd.event_id')
      .select(['v.type', 'v.created_at', 'd.state', 'd.attempts', 'd.last_at', 'd.status', 'd.note'])
      .where('d.endpoint_id', '=', id)
      .orderBy('d.event_id', 'desc')
      .limit(limit)
      .execute();
  }

  #endpoints() {
    return this.#database.control
      .selectFrom('webhook_endpoints as e')
      .innerJoin('customers as c', 'c.id', 'e.customer_id')
      .select(['e.id', 'e.url', 'e.events', 'e.old_secret_until', 'e.created_at', 'e.next_at', 'e.failures'])
      .select(['e.failing_since', 'e.disabled_at', 'c.slug as customer'])
      .select(
        sql<number>`(select count(*)::integer from ${sql.raw(webhookTables.deliveries)} d where d.endpoint_id = e.id and d.state = 'waiting')`.as(
          'waiting',
        ),
      );
  }
}

const noEndpoint = (id: string): never => {
  throw new OperatorError(`There is no webhook '${id}'.`);
};

/** The audit log is kept for good, so it does not hold the path, which may hold a token of the receiver. */
const hostOf = (url: string): string => new URL(url).host;

/** The secrets that sign now. Throws if `KEY_SECRET` has changed. */
export const secretsOf = (row: Pick<Row, 'secret' | 'old_secret' | 'old_secret_until'>, keySecret: string): Buffer[] => {
  const { secret, old_secret, old_secret_until } = row;
  const old = old_secret && old_secret_until && old_secret_until.getTime() > Date.now() ? [old_secret] : [];
  return [secret, ...old].map((sealed) => unseal(keySecret, sealed));
};
