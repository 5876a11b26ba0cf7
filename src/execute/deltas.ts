/**
 * Deltas: the rows inserted or updated and the keys deleted since a version, in pages (contract: deltas).
 *
 * The change log has one entry for each key, with the last version that changed its row. A walk reads it by version and key, so it meets
 * each key once. The rows come from the table, in the snapshot of the log. The first page fixes the target version. A row that changes
 * during the walk moves beyond that version. This walk may miss it, and the next walk, which starts at the target version, returns it.
 */
import type pg from 'pg';
import { isNarrowed } from '../catalogue/data-scope.ts';
import { type Dataset, datasetsOf, runControlQuery } from '../database/control/datasets.ts';
import { ensureVersionsOf, isForeign, prepareStateRead, type ReadWithLife } from '../database/control/epoch.ts';
import { ApiError } from '../errors.ts';
import type { Cursors } from '../plan/cursor.ts';
import { deltaCursorsOf } from '../plan/cursor.ts';
import type { PlanSource } from '../plan/plan.ts';
import type { DeltaPlan, LogEntry, LogRange } from '../plan/plan-query.ts';
import { validationMessage, validationTexts } from '../plan/validation-errors.ts';
import { hiddenColumns } from '../sql/query.ts';
import { type BoundStatement, statementFor } from '../sql/statement.ts';
import { bufferRows } from '../wire/json-rows.ts';
import { runStatement } from '../wire/read-rows.ts';
import type { RequestContext } from './connections.ts';
import { checkOwner, type ReaderContext } from './reader.ts';
import type { SummarizedPage } from './summary.ts';

export interface DeltaSummary {
  /** The version of the rows, and the time of its sync. */
  readonly version: number;
  readonly syncedAt: string | undefined;
  /** The target version of the walk. */
  readonly to: number;
  /** Deleted keys as JSON values. */
  readonly deletes: readonly string[];
  readonly nextCursor: string | undefined;
}

/** A page of a delta. The body has the inserted and updated rows. */
export type DeltaPage = DeltaSummary & Pick<SummarizedPage, 'count' | 'body' | 'cancel' | 'release'>;

interface Reached extends DeltaSummary {
  /** The range of the change log that the page covers. */
  readonly changes: LogRange;
}

/** The inputs for reading a page of the log. */
interface Log {
  readonly readState: ReadWithLife;
  readonly cursors: Cursors;
}

/** Sorts before every entry, because versions start at 1. */
const beginning = { version: 0, key: '' };

/** The versions belong to an earlier epoch. */
class ForeignEpoch extends Error {}

/** Throws 410 for a version before the retention time or of an earlier epoch, and 422 for a version that does not exist yet. */
const checkVersion = ({ since }: DeltaPlan, { version, kept_from }: Pick<Dataset, 'version' | 'kept_from'>): void => {
  if (since < kept_from && since !== version) throw new ApiError('deltasGone', String(since));
  if (since > version)
    throw new ApiError(
      'invalidParameter',
      validationMessage('since_version', `${validationTexts.above(version)}, the version of the data`),
    );
};

/** The state of the plan's table. Its version is checked before anything else is read. */
const readDataset = async (client: pg.ClientBase, plan: DeltaPlan, readState: ReadWithLife) => {
  const { schema, kind, name } = plan.rows.source;
  const state = datasetsOf(schema, kind, name).select(['id', 'version', 'kept_from', 'synced_at']);
  const [found] = await readState(state, `delta dataset ${schema}`, (query, name) => runControlQuery(client, query, name));
  if (found && isForeign(found)) throw new ForeignEpoch();
  if (!found || found.id === null) throw new ApiError('deltasGone', String(plan.since));
  const dataset = found as typeof found & Pick<Dataset, 'id' | 'version' | 'kept_from' | 'synced_at'>;
  checkVersion(plan, dataset);
  return dataset;
};

/** Reads a page of the log. */
const readLog = async (client: pg.ClientBase, plan: DeltaPlan, { cursors, readState }: Log): Promise<Reached> => {
  const { rows, key, since, after } = plan;
  const { limit } = rows;
  const { id, version, synced_at } = await readDataset(client, plan, readState);
  const to = after?.to ?? version;
  const changes = { key, dataset: id, since, after: after ?? beginning, to };
  const found = await runStatement<LogEntry & { readonly is_deleted: boolean }>(client, {
    queryKind: 'log',
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

/** The rows of the log entries of `readLog`, in the same order. */
const rowsOf = ({ rows }: DeltaPlan, { changes }: Reached): BoundStatement =>
  statementFor({ queryKind: 'rows', plan: rows, limit: 0, changes });

/**
 * Throws `deltasOfPart` if the data scope may include a part of the rows only. The change log has keys without properties, so it cannot show
 * which rows left the scope, and its deletions would show keys of other properties (contract: property sets).
 */
export const refusePartialDeltas = ({ scope, kind, name }: PlanSource): void => {
  if (isNarrowed(scope, kind, name)) throw new ApiError('deltasOfPart', name);
};

/** Reads the deltas of one customer's tables. Throws 410 for a version before the retention time, and 422 for one newer than the data. */
export class DeltaReader {
  readonly #context: ReaderContext;
  readonly #requestContext: RequestContext;

  constructor(context: ReaderContext, requestContext: RequestContext) {
    this.#context = context;
    this.#requestContext = requestContext;
  }

  /** Reads the values of the headers, without rows. */
  summary(plan: DeltaPlan): Promise<DeltaSummary> {
    return this.#inThisEpoch(plan, (log) =>
      this.#context.connections.inSnapshot('pages', this.#requestContext, [plan.rows.source], (client) => readLog(client, plan, log)),
    );
  }

  page(plan: DeltaPlan): Promise<DeltaPage> {
    return this.#inThisEpoch(plan, (log) =>
      plan.rows.limit > this.#context.smallPage ? this.#largePage(plan, log) : this.#smallPage(plan, log),
    );
  }

  #smallPage(plan: DeltaPlan, log: Log): Promise<DeltaPage> {
    return this.#context.connections.inSnapshot('pages', this.#requestContext, [plan.rows.source], async (client) => {
      const reached = await readLog(client, plan, log);
      const { rows, held } = await bufferRows(client, rowsOf(plan, reached), { hidden: hiddenColumns.rows, limit: plan.rows.limit });
      return { ...reached, count: rows.count, ...held };
    });
  }

  async #largePage(plan: DeltaPlan, log: Log): Promise<DeltaPage> {
    const { connections, largePages } = this.#context;
    // Checks the version before it takes a connection for a large page.
    await connections.run('pages', this.#requestContext, (client) => readDataset(client, plan, log.readState));
    return largePages.stream({
      requestContext: this.#requestContext,
      tables: [plan.rows.source],
      summarise: (client) => readLog(client, plan, log),
      statement: (reached) => rowsOf(plan, reached),
      limit: plan.rows.limit,
    });
  }

  /** Runs `read`. If the data was restored, it raises the versions and retries. */
  async #inThisEpoch<T>({ rows }: DeltaPlan, read: (log: Log) => Promise<T>): Promise<T> {
    checkOwner(rows, this.#requestContext);
    refusePartialDeltas(rows.source);
    const { database, cursors } = this.#context;
    // Before a connection is taken, because the embedded database has only one.
    const { customerId, schema } = rows.source;
    const customer = { id: customerId, schema };
    const log = async () => ({ cursors, readState: await prepareStateRead(database, customer) });
    try {
      return await read(await log());
    } catch (error) {
      if (!(error instanceof ForeignEpoch)) throw error;
      await ensureVersionsOf(database, customer);
      return read(await log());
    }
  }
}
