/**
 * Sends the stored events to their endpoints, in each process of the service (decision 100).
 *
 * A process claims endpoints with due events by moving their next attempt into the future. So no other process sends to them, and no connection
 * is held during an attempt. A process that dies lets its claims run out. Each endpoint has one attempt at a time, which keeps the order.
 */
import type { Selectable } from 'kysely';
import type pg from 'pg';
import { type ControlTables, controlSchema } from '../database/control-tables.ts';
import { qualify } from '../database/identifier.ts';
import { webhookAttempts } from '../metrics.ts';
import { secretsOf } from './endpoints.ts';
import { runBounded, webhookTables } from './events.ts';
import { bodyOf, withPublicPaths } from './message.ts';
import { type Attempt, post, type WebhookReach } from './post.ts';
import { recordReminders, trimEvents } from './reminders.ts';
import { signedHeaders } from './secrets.ts';

const { endpoints, events, deliveries } = webhookTables;
const [customers, auditLog] = ['customers', 'audit_log'].map((name) => qualify(controlSchema, name));

/** The time between two looks for due events. */
const lookMs = 1_000;
/** The time between two looks for old data, keys that expire, and events that are no longer kept. */
const remindMs = 60_000;
/** Attempts at once in a process. A customer has at most `maxEndpoints` of them, so slow receivers leave room for those of others. */
const maxAttempts = 64;
/** Longer than an attempt may take. */
const claimSeconds = 30;
/** The receiver wants no more events (Standard Webhooks). */
const gone = 410;

const [firstRetryMs, lastRetryMs] = [5_000, 3_600_000];

/** The time before the next attempt, after a number of failures in succession. */
export const retryAfterMs = (failures: number, random: number = Math.random()): number =>
  Math.round(Math.min(lastRetryMs, firstRetryMs * 2 ** (failures - 1)) * (0.5 + random / 2));

type Endpoint = Pick<
  Selectable<ControlTables['webhook_endpoints']>,
  'id' | 'customer_id' | 'url' | 'secret' | 'old_secret' | 'old_secret_until' | 'failures'
>;
type Event = Pick<Selectable<ControlTables['webhook_events']>, 'uid' | 'type' | 'data' | 'created_at'>;
/** An endpoint with its next event. `claim` identifies the claim. */
type Claimed = Endpoint & Event & { readonly event_id: number; readonly claim: string };

const claimQuery = `with due as (
    select e.id, next.event_id from ${endpoints} e
      join ${customers} c on c.id = e.customer_id and c.suspended_at is null
      cross join lateral (select event_id from ${deliveries} d where d.endpoint_id = e.id and d.state = 'waiting' order by event_id limit 1) next
    where e.disabled_at is null and e.next_at <= clock_timestamp()
    order by e.next_at limit $1 for update of e skip locked)
  update ${endpoints} e set next_at = clock_timestamp() + interval '${claimSeconds} seconds'
  from due join ${events} v on v.id = due.event_id where e.id = due.id
  returning e.id, e.customer_id, e.url, e.secret, e.old_secret, e.old_secret_until, e.failures, e.next_at::text as claim,
    v.id as event_id, v.uid, v.type, v.data, v.created_at`;

const deliveredQuery = `with endpoint as (
    update ${endpoints} set next_at = clock_timestamp(), failures = 0, failing_since = null where id = $1 and next_at = $2::timestamptz)
  update ${deliveries} set state = 'delivered', attempts = attempts + 1, last_at = clock_timestamp(), status = $4, note = null
  where endpoint_id = $1 and event_id = $3`;

/** After a day of failures the endpoint is disabled, and what waits for it is dropped. */
const failedQuery = `with failed as (
    update ${endpoints} set failures = failures + 1, failing_since = coalesce(failing_since, clock_timestamp()),
      next_at = clock_timestamp() + $6 * interval '1 millisecond',
      disabled_at = case when $4 = ${gone} or failing_since < clock_timestamp() - interval '1 day' then clock_timestamp() end
    where id = $1 and next_at = $2::timestamptz returning id, customer_id, disabled_at),
  logged as (
    insert into ${auditLog} (actor, action, subject)
    select 'webhooks', 'disabled webhook', f.id || ' of ' || c.slug || ': ' || $5 from failed f join ${customers} c on c.id = f.customer_id
    where f.disabled_at is not null)
  update ${deliveries} d set state = case when failed.disabled_at is null then 'waiting' else 'dropped' end,
    attempts = d.attempts + (d.event_id = $3)::integer,
    last_at = case when d.event_id = $3 then clock_timestamp() else d.last_at end,
    status = case when d.event_id = $3 then $4 else d.status end, note = case when d.event_id = $3 then $5 else d.note end
  from failed where d.endpoint_id = failed.id and d.state = 'waiting' and (d.event_id = $3 or failed.disabled_at is not null)`;

const releasedQuery = `update ${endpoints} set next_at = clock_timestamp() where id = $1 and next_at = $2::timestamptz`;

export interface SenderOptions {
  readonly pool: pg.Pool;
  /** The service's secret. */
  readonly secret: string;
  readonly reach: WebhookReach;
  /** The age in hours from which data is stale. */
  readonly staleHours: number;
  /** A path of the service as clients see it. */
  readonly publicPath: (path: string) => string;
  readonly onError: (error: unknown) => void;
}

export class WebhookSender {
  readonly #options: SenderOptions;
  readonly #stop = new AbortController();
  readonly #attempts = new Set<Promise<void>>();
  #look: Promise<void> | undefined;
  /** Whether to look again after the look in progress. */
  #isDue = false;
  #isFailing = false;
  #timer: NodeJS.Timeout | undefined;
  #remindedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Looks for due events now, and then regularly. */
  start(): void {
    this.#isDue = true;
    this.#look ??= this.#lookWhileDue().finally(() => {
      this.#look = undefined;
      if (!this.#stop.signal.aborted) this.#timer = setTimeout(() => this.start(), lookMs).unref();
    });
  }

  /** Ends the attempts in flight, whose events are sent again by another process. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#look;
    await Promise.all(this.#attempts);
  }

  async #lookWhileDue(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      while (this.#isDue && !this.#stop.signal.aborted) {
        this.#isDue = false;
        await this.#claim();
      }
      this.#isFailing = false;
    } catch (error) {
      // A database that is lost is reported once.
      if (!this.#isFailing) this.#options.onError(error);
      this.#isFailing = true;
    }
  }

  async #claim(): Promise<void> {
    const { pool, staleHours, onError } = this.#options;
    if (performance.now() - this.#remindedAt > remindMs) {
      await recordReminders(pool, staleHours);
      await trimEvents(pool);
      this.#remindedAt = performance.now();
    }
    const free = maxAttempts - this.#attempts.size;
    if (free === 0) return;
    for (const claimed of await runBounded<Claimed>(pool, claimQuery, [free])) {
      const attempt = this.#attempt(claimed)
        .catch(onError)
        .finally(() => {
          this.#attempts.delete(attempt);
          if (!this.#stop.signal.aborted) this.start();
        });
      this.#attempts.add(attempt);
    }
  }

  async #attempt(claimed: Claimed): Promise<void> {
    const { pool } = this.#options;
    const { id, claim, event_id, failures } = claimed;
    const { isDelivered, status = null, note } = await this.#post(claimed);
    if (!isDelivered && this.#stop.signal.aborted) return void (await runBounded(pool, releasedQuery, [id, claim]));
    webhookAttempts.inc({ result: isDelivered ? 'delivered' : 'failed' });
    if (isDelivered) await runBounded(pool, deliveredQuery, [id, claim, event_id, status]);
    else await runBounded(pool, failedQuery, [id, claim, event_id, status, note, retryAfterMs(failures + 1)]);
  }

  async #post(claimed: Claimed): Promise<Attempt> {
    const { secret, reach, publicPath } = this.#options;
    const data = withPublicPaths(claimed.data, publicPath);
    const message = { id: `msg_${claimed.uid}`, body: bodyOf({ ...claimed, data }) };
    let headers: Record<string, string>;
    try {
      headers = signedHeaders(secretsOf(claimed, secret), message);
    } catch {
      return { isDelivered: false, note: 'KEY_SECRET has changed: rotate the secret of the webhook' };
    }
    return post(claimed.url, { headers, body: message.body }, reach, this.#stop.signal);
  }
}
