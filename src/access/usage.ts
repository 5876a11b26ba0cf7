/**
 * Counts the usage of each key by the hour, and writes it to the database once a minute in one statement.
 *
 * Counting happens in memory, so a request costs the database nothing. If the process is killed, unwritten counts are lost. A clean
 * shutdown writes them.
 */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/connections/connection.ts';
import { type ControlTables, controlSchema } from '../database/control-tables.ts';

/** One finished request. */
export interface Use {
  readonly keyId: string;
  readonly status: number;
  readonly rows: number;
  readonly bytes: number;
}

/** The counters of a key in one hour. */
export const usageMeasures = ['requests', 'rows', 'bytes', 'errors', 'limited'] as const;
export type UsageMeasure = (typeof usageMeasures)[number];

/** Unix times in milliseconds. */
interface Count extends Record<UsageMeasure, number> {
  readonly keyId: string;
  readonly hour: number;
  lastAt: number;
}

export const hourMs = 3_600_000;
const flushMs = 60_000;
export const retentionDays = 30;

export const hourOf = (time: number): number => time - (time % hourMs);

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

  count({ keyId, rows, bytes, status }: Use): void {
    const now = Date.now();
    const count = this.#countOf(keyId, hourOf(now));
    count.requests++;
    count.rows += rows;
    count.bytes += bytes;
    if (status === 429) count.limited++;
    else if (status >= 400) count.errors++;
    count.lastAt = now;
  }

  /** Writes once a minute from now on. `onError` receives failed writes, which the next write repeats. */
  start(onError: (error: unknown) => void): void {
    this.#onError = onError;
    this.#timer = setInterval(() => void this.flush().catch(onError), flushMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch(this.#onError);
  }

  /** Writes the current counts. Writes of one process run one after the other. */
  flush(): Promise<void> {
    const write = this.#writing.then(() => this.#write());
    this.#writing = write.catch(() => {});
    return write;
  }

  #countOf(keyId: string, hour: number): Count {
    const name = `${keyId} ${hour}`;
    const known = this.#counts.get(name);
    if (known) return known;
    const count = { keyId, hour, requests: 0, rows: 0, bytes: 0, errors: 0, limited: 0, lastAt: 0 };
    this.#counts.set(name, count);
    return count;
  }

  #addBack(uncounted: Count): void {
    const count = this.#countOf(uncounted.keyId, uncounted.hour);
    for (const measure of usageMeasures) count[measure] += uncounted[measure];
    count.lastAt = Math.max(count.lastAt, uncounted.lastAt);
  }

  async #write(): Promise<void> {
    const counts = this.#counts;
    if (counts.size > 0) {
      this.#counts = new Map();
      try {
        await write(this.#control, [...counts.values()]);
      } catch (error) {
        for (const count of counts.values()) this.#addBack(count);
        throw error;
      }
    }
    if (Date.now() - this.#purgedAt < hourMs) return;
    this.#purgedAt = Date.now();
    await purge(this.#control, new Date(Date.now() - retentionDays * 24 * hourMs));
  }
}

const [usage, totals, keys] = ['usage', 'usage_totals', 'api_keys'].map((name) => sql.id(controlSchema, name));
const names = sql.join(usageMeasures.map((measure) => sql.id(measure)));
const added = sql.join(usageMeasures.map((measure) => sql`${sql.id(measure)} = u.${sql.id(measure)} + excluded.${sql.id(measure)}`));

/** The counts as rows `d`. Counts of removed keys are dropped. */
const given = (counts: readonly Count[]) => {
  const column = <T>(value: (count: Count) => T) => counts.map(value);
  const values = sql.join(usageMeasures.map((measure) => sql`${column((count) => count[measure])}::bigint[]`));
  return sql`unnest(${column((c) => c.keyId)}::text[], ${column((c) => new Date(c.hour))}::timestamptz[], ${values}, ${column((c) => new Date(c.lastAt))}::timestamptz[])
    as d (key_id, hour, ${names}, last_at) where exists (select from ${keys} k where k.id = d.key_id)`;
};

/** Ordered by primary key, totals last, so that two instances that write at once cannot deadlock. */
const write = (control: Kysely<ControlTables>, counts: readonly Count[]) =>
  control.transaction().execute(async (transaction) => {
    await sql`insert into ${usage} as u (key_id, hour, ${names}, last_at) select d.* from ${given(counts)} order by d.key_id, d.hour
      on conflict (key_id, hour) do update set ${added}, last_at = greatest(u.last_at, excluded.last_at)`.execute(transaction);
    const sums = sql.join(usageMeasures.map((measure) => sql`sum(d.${sql.id(measure)})`));
    await sql`insert into ${totals} as u (hour, ${names}) select d.hour, ${sums} from ${given(counts)} group by d.hour order by d.hour
      on conflict (hour) do update set ${added}`.execute(transaction);
  });

/** The newest row of each key stays, because it shows when the key was last used. */
const purge = async (control: Kysely<ControlTables>, before: Date) => {
  await sql`delete from ${usage} old where old.hour < ${before}
    and exists (select from ${usage} newer where newer.key_id = old.key_id and newer.hour > old.hour)`.execute(control);
  await sql`delete from ${totals} where hour < ${before}`.execute(control);
};
