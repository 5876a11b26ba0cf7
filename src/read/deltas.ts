/**
 * What changed in a table since a version: rows inserted or updated, and keys deleted, in pages (contract: deltas).
 *
 * The log holds for each key the last version that changed its row, so a walk goes through it by version and key and meets
 * each key once; rows come from the table, in the snapshot in which the log was read. The first page fixes the version that
 * the walk leads to. A row that changes while the walk goes on moves behind that version: this walk may pass it by, and the
 * next one, which begins there, brings it.
 */
import type pg from 'pg';
import { ask, type Dataset, datasetsOf } from '../database/datasets.ts';
import { type EpochState, settleEpochOf, withEpoch } from '../database/epoch.ts';
import { ApiError } from '../errors.ts';
import type { Changes, DeltaPosition, LogEntry } from './asked.ts';
import type { Asker } from './connections.ts';
import type { Cursors } from './cursor.ts';
import { faultOf, violations } from './faults.ts';
import { holdRows } from './json-rows.ts';
import { deltaCursorsOf } from './keyset.ts';
import type { Plan } from './plan.ts';
import { hiddenColumns } from './query.ts';
import { checkOwner, type ReaderContext } from './reader.ts';
import { type BoundStatement, runStatement, statementFor } from './statement.ts';
import type { Page } from './summary.ts';

export interface DeltaPlan {
  /** Whose rows are shown, with which columns, and how many keys at most. */
  readonly rows: Plan;
  readonly key: Changes['key'];
  readonly since: number;
  /** Undefined on the first page. */
  readonly after: DeltaPosition | undefined;
}

export interface DeltaSummary {
  /** Version of the data that the rows are shown at, and the end of its sync. */
  readonly version: number;
  readonly syncedAt: string | undefined;
  /** Version that the walk leads to. */
  readonly to: number;
  /** Deleted keys as JSON values. */
  readonly deletes: readonly string[];
  readonly nextCursor: string | undefined;
}

/** A page of a delta; its body holds the rows inserted or updated. */
export type DeltaPage = DeltaSummary & Pick<Page, 'count' | 'body' | 'cancel' | 'release'>;

interface Reached extends DeltaSummary {
  /** The stretch of the log that the page went through. */
  readonly changes: Changes;
}

type EpochQuery = Awaited<ReturnType<typeof withEpoch>>;

/** What a page of the log is read with. */
interface Log {
  readonly epoch: EpochQuery;
  readonly cursors: Cursors;
}

/** Precedes every entry: versions begin with 1. */
const beginning = { version: 0, key: '' };

/** The data was restored since its versions were made. */
class ForeignEpoch extends Error {}

/** Throws 410 for a version that is older than what is kept or of an earlier epoch, 422 for one that the table has not reached. */
const checkVersion = (
  { since }: DeltaPlan,
  { version, kept_from, is_foreign }: EpochState & Pick<Dataset, 'version' | 'kept_from'>,
): void => {
  if (is_foreign) throw new ForeignEpoch();
  if (since < kept_from && since !== version) throw new ApiError('deltasGone', String(since));
  if (since > version)
    throw new ApiError('invalidParameter', faultOf('since_version', `${violations.above(version)}, the version of the data`));
};

/** The state of the plan's table, whose version must have been checked before anything else is read. */
const readDataset = async (client: pg.ClientBase, plan: DeltaPlan, epoch: EpochQuery) => {
  const { customerId, kind, name } = plan.rows.source;
  const state = datasetsOf(customerId, kind, name).select(['id', 'version', 'kept_from', 'synced_at']);
  const [dataset] = await ask(client, epoch.selectFrom('e').crossJoin(state.as('d')).selectAll(), 'delta dataset');
  if (!dataset) throw new ApiError('deltasGone', String(plan.since));
  checkVersion(plan, dataset);
  return dataset;
};

/** Reads a page of the log. */
const readLog = async (client: pg.ClientBase, plan: DeltaPlan, { cursors, epoch }: Log): Promise<Reached> => {
  const { rows, key, since, after } = plan;
  const { limit } = rows;
  const { id, version, synced_at } = await readDataset(client, plan, epoch);
  const to = after?.to ?? version;
  const changes = { key, dataset: id, since, after: after ?? beginning, to };
  const found = await runStatement<LogEntry & { readonly is_deleted: boolean }>(client, {
    question: 'log',
    plan: rows,
    limit: limit + 1,
    changes,
  });
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  const asJson = (text: string) => (key.kind === 'string' ? JSON.stringify(text) : text);
  return {
    version,
    syncedAt: synced_at?.toISOString(),
    to,
    deletes: entries.filter((entry) => entry.is_deleted).map((entry) => asJson(entry.key)),
    nextCursor: found.length > limit && last ? deltaCursorsOf(cursors, rows.source, since).sign({ ...last, to }) : undefined,
    changes: { ...changes, last: last ?? beginning },
  };
};

/** The rows of the entries that `readLog` went through, in the same order. */
const rowsOf = ({ rows }: DeltaPlan, { changes }: Reached): BoundStatement =>
  statementFor({ question: 'rows', plan: rows, limit: 0, changes });

/** Reads the changes of one customer's tables. Throws 410 for a version older than what is kept, 422 for one newer than the data. */
export class DeltaReader {
  readonly #context: ReaderContext;
  readonly #asker: Asker;

  constructor(context: ReaderContext, asker: Asker) {
    this.#context = context;
    this.#asker = asker;
  }

  /** Reads what the headers of a page say, without its rows. */
  summary(plan: DeltaPlan): Promise<DeltaSummary> {
    return this.#inThisEpoch(plan, (log) =>
      this.#context.connections.inSnapshot('pages', this.#asker, [plan.rows.source], (client) => readLog(client, plan, log)),
    );
  }

  page(plan: DeltaPlan): Promise<DeltaPage> {
    return this.#inThisEpoch(plan, (log) =>
      plan.rows.limit > this.#context.smallPage ? this.#largePage(plan, log) : this.#smallPage(plan, log),
    );
  }

  #smallPage(plan: DeltaPlan, log: Log): Promise<DeltaPage> {
    return this.#context.connections.inSnapshot('pages', this.#asker, [plan.rows.source], async (client) => {
      const reached = await readLog(client, plan, log);
      const { rows, held } = await holdRows(client, rowsOf(plan, reached), { hidden: hiddenColumns.rows, limit: plan.rows.limit });
      return { ...reached, count: rows.count, ...held };
    });
  }

  async #largePage(plan: DeltaPlan, log: Log): Promise<DeltaPage> {
    const { connections, largePages } = this.#context;
    // Refused before a large page is begun, which would cost its connection.
    await connections.run('pages', this.#asker, (client) => readDataset(client, plan, log.epoch));
    return largePages.stream({
      asker: this.#asker,
      places: [plan.rows.source],
      summarise: (client) => readLog(client, plan, log),
      statement: (reached) => rowsOf(plan, reached),
      limit: plan.rows.limit,
    });
  }

  /** Reads what `read` does; in data that was restored, after a new epoch has begun. */
  async #inThisEpoch<T>({ rows }: DeltaPlan, read: (log: Log) => Promise<T>): Promise<T> {
    checkOwner(rows, this.#asker);
    const { database, cursors } = this.#context;
    // Before there is a connection: the embedded database has no second one.
    const log = { cursors, epoch: await withEpoch(database) };
    try {
      return await read(log);
    } catch (error) {
      if (!(error instanceof ForeignEpoch)) throw error;
      await settleEpochOf(database);
      return read(log);
    }
  }
}
