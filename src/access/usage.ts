/**
 * Counts what every key is used for, by the hour, and writes it to the database once a minute in one statement.
 *
 * Counting happens in memory, so that a request costs the database nothing. What a process has counted and not yet written is
 * lost if it is killed; an orderly end writes it.
 */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/connection.ts';
import { type ControlTables, controlSchema } from '../database/control.ts';

/** One answered request. */
export interface Use {
  readonly keyId: string;
  readonly status: number;
  readonly rows: number;
  readonly bytes: number;
}

/** What is counted of a key in an hour. */
export const measures = ['requests', 'rows', 'bytes', 'errors', 'limited'] as const;
export type Measure = (typeof measures)[number];

interface Count extends Record<Measure, number> {
  readonly keyId: string;
  readonly hour: Date;
  lastAt: Date;
}

export const hourMs = 3_600_000;
const flushMs = 60_000;
export const daysKept = 30;

export const hourOf = (time: number): Date => new Date(time - (time % hourMs));

export class UsageCounter {
  readonly #control: Kysely<ControlTables>;
  #counts = new Map<string, Count>();
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #onError: (error: unknown) => void = () => {};
  #purgedAt = 0;

  constructor({ control }: Database) {
    this.#control = control;
  }

  count(use: Use): void {
    const now = Date.now();
    const hour = hourOf(now);
    const { keyId, rows, bytes, status } = use;
    const limited = status === 429 ? 1 : 0;
    const errors = status >= 400 && !limited ? 1 : 0;
    this.#add({ keyId, hour, requests: 1, rows, bytes, errors, limited, lastAt: new Date(now) });
  }

  /** Writes once a minute from now on; `onError` hears of writes that failed, which the next one makes up for. */
  start(onError: (error: unknown) => void): void {
    this.#onError = onError;
    this.#timer = setInterval(() => void this.flush().catch(onError), flushMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch(this.#onError);
  }

  /** Writes what has been counted. Writes of one process follow one another. */
  flush(): Promise<void> {
    const write = this.#writing.then(() => this.#write());
    this.#writing = write.catch(() => {});
    return write;
  }

  #add(more: Count): void {
    const name = `${more.keyId} ${more.hour.getTime()}`;
    const count = this.#counts.get(name);
    if (!count) {
      this.#counts.set(name, more);
      return;
    }
    for (const measure of measures) count[measure] += more[measure];
    if (more.lastAt > count.lastAt) count.lastAt = more.lastAt;
  }

  async #write(): Promise<void> {
    const counts = this.#counts;
    if (counts.size > 0) {
      this.#counts = new Map();
      try {
        await upsert([...counts.values()]).execute(this.#control);
      } catch (error) {
        for (const count of counts.values()) this.#add(count);
        throw error;
      }
    }
    if (Date.now() - this.#purgedAt < hourMs) return;
    this.#purgedAt = Date.now();
    await purge(new Date(Date.now() - daysKept * 24 * hourMs)).execute(this.#control);
  }
}

const usage = sql.id(controlSchema, 'usage');

/** In the order of the primary key, so that two instances that write at once never wait for each other in a circle. */
const upsert = (counts: readonly Count[]) => {
  const column = <T>(value: (count: Count) => T) => counts.map(value);
  return sql`
    insert into ${usage} as u (key_id, hour, requests, rows, bytes, errors, limited, last_at)
    select d.* from unnest(
      ${column((c) => c.keyId)}::text[], ${column((c) => c.hour)}::timestamptz[], ${column((c) => c.requests)}::bigint[],
      ${column((c) => c.rows)}::bigint[], ${column((c) => c.bytes)}::bigint[], ${column((c) => c.errors)}::bigint[],
      ${column((c) => c.limited)}::bigint[], ${column((c) => c.lastAt)}::timestamptz[]
    ) as d (key_id, hour, requests, rows, bytes, errors, limited, last_at)
    where exists (select from ${sql.id(controlSchema, 'api_keys')} k where k.id = d.key_id)
    order by d.key_id, d.hour
    on conflict (key_id, hour) do update set
      requests = u.requests + excluded.requests, rows = u.rows + excluded.rows, bytes = u.bytes + excluded.bytes,
      errors = u.errors + excluded.errors, limited = u.limited + excluded.limited, last_at = greatest(u.last_at, excluded.last_at)`;
};

/** The newest row of each key stays: it says when the key was last used. */
const purge = (before: Date) => sql`
  delete from ${usage} old where old.hour < ${before}
    and exists (select from ${usage} newer where newer.key_id = old.key_id and newer.hour > old.hour)`;
