/** The work of a load in its transaction: it applies the changes of raw tables, then publishes every dependent category table. */
import type { DatasetKind } from '../catalogue/table.ts';
import { isPublishedFrom, type Table } from '../catalogue/table.ts';
import { citusOf } from '../database/cluster/citus.ts';
import { findDataset } from '../database/control/datasets.ts';
import { createCategoryIndexes, createRawIndexes } from '../database/ddl.ts';
import { makeVersion, trimChanges } from './changes/change-log.ts';
import { total } from './changes/differences.ts';
import { type Published, publishChanges, unchanged } from './changes/publish.ts';
import { applyRaw, type RawChange } from './changes/raw-changes.ts';
import { Replacements } from './changes/replacements.ts';
import { refuseUnpublishable } from './changes/unpublishable.ts';
import { notNullViolation, stateOf } from './refusal.ts';
import type { Load, TableResult } from './request.ts';

interface Applied {
  readonly results: readonly TableResult[];
  /** Ids of the datasets that the load covers, and of those that it changed. */
  readonly synced: readonly number[];
  readonly made: readonly number[];
  /** New tables that will replace the current ones. */
  readonly replacements: Replacements;
}

/** Collects the result for each table and increases the version of changed tables. */
class AppliedTables implements Applied {
  readonly results: TableResult[] = [];
  readonly synced: number[] = [];
  readonly made: number[] = [];
  readonly replacements: Replacements;
  readonly #load: Load;

  constructor(load: Load) {
    this.#load = load;
    this.replacements = new Replacements(load.session, load.request.replacing);
  }

  async add(kind: DatasetKind, table: string, { counts, changed }: Published): Promise<void> {
    const { client, customer } = this.#load.session;
    const dataset = await findDataset(client, customer.schema_name, kind, table);
    if (!dataset) return;
    const version = await makeVersion(client, customer.schema_name, dataset, changed, counts);
    this.synced.push(dataset.id);
    if (version > dataset.version) this.made.push(dataset.id);
    this.results.push({ kind, table, ...counts, version });
  }
}

/** The category tables that are derived from a raw table of the load. */
const tablesOf = ({ catalogue }: Load, changes: readonly RawChange[]): Table[] =>
  [...catalogue.tables.values()].filter((table) => changes.some(({ staged }) => isPublishedFrom(table, staged.target.table)));

const publish = async (load: Load, changes: readonly RawChange[], applied: AppliedTables): Promise<void> => {
  const { session, catalogue, progress } = load;
  const { client, customer } = session;
  const { replacements } = applied;
  const changed = new Map(
    changes.flatMap(({ staged, comparison, counts }) =>
      comparison && total(counts) > 0 ? [[staged.target.table, { noted: comparison.changed, counts }]] : [],
    ),
  );
  for (const table of tablesOf(load, changes)) {
    const dataset = await findDataset(client, customer.schema_name, 'category', table.name);
    // The service does not offer a table that the customer does not have.
    if (!dataset) continue;
    progress('publish', table.name);
    const isReached = [...changed.keys()].some((raw) => isPublishedFrom(table, raw));
    await applied.add(
      'category',
      table.name,
      isReached ? await publishChanges(session, catalogue, table, { dataset, changed, replacements }) : unchanged,
    );
    // Creates indexes that a newer catalogue added. Checking an existing index is cheap.
    await citusOf(session.database).define(client, createCategoryIndexes(catalogue, customer.schema_name, table));
  }
};

/** Publishes the category tables. If their constraints fail, it reports the delivered rows that are the cause. */
const publishOrExplain = async (load: Load, changes: readonly RawChange[], applied: AppliedTables): Promise<void> => {
  const { client, customer } = load.session;
  await client.query('savepoint publishing');
  try {
    await publish(load, changes, applied);
  } catch (error) {
    if (stateOf(error) !== notNullViolation) throw error;
    await client.query('rollback to savepoint publishing');
    const offered: Table[] = [];
    for (const table of tablesOf(load, changes))
      if (await findDataset(client, customer.schema_name, 'category', table.name)) offered.push(table);
    await refuseUnpublishable(client, applied.replacements.place, offered, changes);
    throw error;
  }
};

/** Creates the missing indexes of the raw tables of a load. */
const indexRaw = async ({ session: { client, customer }, catalogue }: Load, changes: readonly RawChange[]): Promise<void> => {
  const tables = changes.map(({ staged }) => staged.target.table);
  for (const statement of createRawIndexes(catalogue, customer.schema_name, tables)) await client.query(statement);
};

/** Applies and publishes the changes. */
export const applyLoad = async (load: Load, changes: readonly RawChange[]): Promise<Applied> => {
  const { session, request, progress } = load;
  const { client, customer } = session;
  const applied = new AppliedTables(load);
  for (const change of changes) {
    const { table } = change.staged.target;
    progress('apply', table);
    const dataset = await findDataset(client, customer.schema_name, 'raw', table);
    // Indexes on an empty table cost nothing, and a replacement table inherits them.
    if (dataset?.version === 0 && applied.replacements.isWorthwhile(total(change.counts), 0)) await indexRaw(load, changes);
    await applyRaw(session, change, applied.replacements, dataset);
    await applied.add('raw', table, { counts: change.counts, changed: change.comparison?.changed ?? '' });
  }
  // The first rows are written before the indexes are built. Later loads create those that a newer catalogue added.
  await indexRaw(load, changes);
  await publishOrExplain(load, changes, applied);
  await trimChanges(client, customer.schema_name, request.retentionHours);
  return applied;
};
