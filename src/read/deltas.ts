/**
 * What changed in a table since a version: rows inserted or updated, and keys deleted, in pages (contract: deltas).
 *
 * The log holds for each key the last version that changed its row, so a walk goes through it by version and key and meets
 * each key once; rows come from the table, in the snapshot in which the log was read. The first page fixes the version that
 * the walk leads to. A row that changes while the walk goes on moves behind that version: this walk may pass it by, and the
 * next one, which begins there, brings it.
 */
import type pg from 'pg';
import type { Kind } from '../catalogue/column.ts';
import type { Database } from '../database/connection.ts';
import { controlSchema } from '../database/control.ts';
import { type EpochState, epochQuery, settleEpochOf } from '../database/epoch.ts';
import { qualify } from '../database/identifier.ts';
import { ApiError } from '../errors.ts';
import type { Asker } from './connections.ts';
import { faultOf, violations } from './faults.ts';
import { holdRows } from './held-rows.ts';
import type { Source } from './plan.ts';
import { hiddenColumns } from './query.ts';
import type { ReaderContext } from './reader.ts';
import { type BoundStatement, statementFor } from './statement.ts';
import type { Page } from './summary.ts';

/** Behind which entry of the log a page begins, and which version its walk leads to. */
export interface DeltaPosition {
  readonly to: number;
  readonly version: number;
  readonly key: string;
}

export interface DeltaPlan {
  readonly source: Source;
  readonly key: { readonly column: string; readonly kind: Kind };
  readonly columns: readonly string[];
  readonly since: number;
  /** Undefined on the first page. */
  readonly after: DeltaPosition | undefined;
  readonly limit: number;
}

interface Entry {
  readonly version: number;
  readonly key: string;
  readonly is_deleted: boolean;
}

export interface DeltaSummary {
  /** Version of the data that the rows are shown at, and the end of its sync. */
  readonly version: number;
  readonly syncedAt: string | undefined;
  /** Version that the walk leads to. */
  readonly to: number;
  /** Deleted keys as JSON values. */
  readonly deletes: readonly string[];
  readonly next: DeltaPosition | undefined;
}

interface Reached extends DeltaSummary {
  readonly dataset: number;
  /** The last entry of this page. */
  readonly last: Entry | undefined;
}

/** A page of a delta; its body holds the rows inserted or updated. */
export type DeltaPage = DeltaSummary & Pick<Page, 'count' | 'body' | 'cancel'>;

const changedKeys = qualify(controlSchema, 'changed_keys');
/** Precedes every entry: versions begin with 1. */
const beginning = { version: 0, key: '' };

interface DatasetRow extends EpochState {
  readonly id: number;
  readonly version: number;
  readonly kept_from: number;
  readonly synced_at: Date | null;
}

/** The data was restored since its versions were made. */
class ForeignEpoch extends Error {}

/** Reads what `read` does; in data that was restored, after a new epoch has begun. */
const inThisEpoch = async <T>(database: Database, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ForeignEpoch)) throw error;
    await settleEpochOf(database);
    return read();
  }
};

/** Throws 410 for a version that is older than what is kept or of an earlier epoch, 422 for one that the table has not reached. */
const checkVersion = ({ since }: DeltaPlan, { version, kept_from, is_foreign }: DatasetRow): void => {
  if (is_foreign) throw new ForeignEpoch();
  if (since < kept_from && since !== version) throw new ApiError('deltasGone', String(since));
  if (since > version)
    throw new ApiError('invalidParameter', faultOf('since_version', `${violations.above(version)}, the version of the data`));
};

/** `epoch` is the query that tells whether the data was restored. */
const readDataset = async (client: pg.ClientBase, { source, since }: DeltaPlan, epoch: string): Promise<DatasetRow> => {
  const { rows } = await client.query<DatasetRow>({
    name: 'delta dataset',
    text: `select d.id, d.version, d.kept_from, d.synced_at, e.epoch, e.is_foreign
      from ${qualify(controlSchema, 'datasets')} d cross join (${epoch}) e where d.customer_id = $1 and d.kind = $2 and d.name = $3`,
    values: [source.customerId, source.kind, source.name],
  });
  const [dataset] = rows;
  if (!dataset) throw new ApiError('deltasGone', String(since));
  return dataset;
};

/** Reads a page of the log. */
const readLog = async (client: pg.ClientBase, plan: DeltaPlan, epoch: string): Promise<Reached> => {
  const dataset = await readDataset(client, plan, epoch);
  checkVersion(plan, dataset);
  const { id, version, synced_at } = dataset;
  const after = plan.after ?? beginning;
  const to = plan.after?.to ?? version;
  const { rows } = await client.query<Entry>({
    name: 'delta keys',
    text: `select version, key, is_deleted from ${changedKeys}
      where dataset_id = $1 and version > $2 and version <= $3 and (version, key) > ($4, $5)
      order by version, key limit $6::bigint + 1`,
    values: [id, plan.since, to, after.version, after.key, plan.limit],
  });
  const entries = rows.slice(0, plan.limit);
  const last = entries.at(-1);
  const asJson = (key: string) => (plan.key.kind === 'string' ? JSON.stringify(key) : key);
  return {
    dataset: id,
    version,
    syncedAt: synced_at?.toISOString(),
    to,
    deletes: entries.filter((entry) => entry.is_deleted).map(({ key }) => asJson(key)),
    last,
    next: rows.length > plan.limit && last ? { to, version: last.version, key: last.key } : undefined,
  };
};

/** The rows of the entries that `readLog` went through, in the same order. */
const rowsOf = ({ source, columns, key, since, after, limit }: DeltaPlan, { dataset, last }: Reached): BoundStatement =>
  statementFor({
    question: 'rows',
    plan: { source, columns, where: undefined, order: [], after: undefined, offset: 0, limit, along: [] },
    limit: 0,
    changes: { key, dataset, since, after: after ?? beginning, last: last ?? beginning },
  });

/** What the headers of a page say, without its rows. Throws 410 and 422 as `readDeltas` does. */
export const readDeltaSummary = async ({ database, connections }: ReaderContext, asker: Asker, plan: DeltaPlan): Promise<DeltaSummary> => {
  const epoch = await epochQuery(database);
  return inThisEpoch(database, () => connections.inSnapshot('pages', asker, (client) => readLog(client, plan, epoch)));
};

/**
 * Reads a page. Throws 410 for a version older than what is kept, 422 for one newer than the data, and what `connections.ts`
 * does.
 */
export const readDeltas = async (context: ReaderContext, asker: Asker, plan: DeltaPlan): Promise<DeltaPage> => {
  const epoch = await epochQuery(context.database);
  return inThisEpoch(context.database, () => readPage(context, asker, plan, epoch));
};

const readPage = async (
  { connections, largePages, smallPage }: ReaderContext,
  asker: Asker,
  plan: DeltaPlan,
  epoch: string,
): Promise<DeltaPage> => {
  const { limit } = plan;
  if (limit > smallPage) {
    // Refused before a large page is begun, which would cost its connection.
    await connections.run('pages', asker, async (client) => checkVersion(plan, await readDataset(client, plan, epoch)));
    return largePages.stream({
      asker,
      summarise: (client) => readLog(client, plan, epoch),
      statement: (reached) => rowsOf(plan, reached),
      limit,
    });
  }
  return connections.inSnapshot('pages', asker, async (client) => {
    const reached = await readLog(client, plan, epoch);
    const { rows, body } = await holdRows(client, rowsOf(plan, reached), { hidden: hiddenColumns.rows, limit });
    return { ...reached, count: rows.count, body };
  });
};
