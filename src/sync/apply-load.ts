/** What a load does inside its transaction: raw tables first, then every category table that they reach. */
import { reads, type Table } from '../catalogue/table.ts';
import type { DatasetKind } from '../database/control.ts';
import { findDataset } from '../database/datasets.ts';
import { createCategoryIndexes, createJoinIndexes } from '../database/ddl.ts';
import { makeVersion, trimChanges } from './change-log.ts';
import { total } from './differences.ts';
import { type Published, publishChanges, unchanged } from './publish.ts';
import { applyRaw, type RawChange } from './raw-changes.ts';
import { notNullViolation, stateOf } from './refusal.ts';
import { Replacements } from './replacements.ts';
import type { Load, TableResult } from './request.ts';
import { refuseUnpublishable } from './unpublishable.ts';

export interface Applied {
  readonly results: readonly TableResult[];
  /** Ids of the datasets that are up to date with the load, and of those that it changed. */
  readonly synced: readonly number[];
  readonly made: readonly number[];
  /** New tables that are to take their places. */
  readonly replacements: Replacements;
}

/** Collects what became of each table and gives those that changed their versions. */
class AppliedTables implements Applied {
  readonly results: TableResult[] = [];
  readonly synced: number[] = [];
  readonly made: number[] = [];
  /** Whether a table got its first rows. */
  hasFirst = false;
  readonly replacements: Replacements;
  readonly #load: Load;

  constructor(load: Load) {
    this.#load = load;
    this.replacements = new Replacements(load.session, load.request.replacing);
  }

  async add(kind: DatasetKind, table: string, { counts, changed }: Published): Promise<void> {
    const { client, customer } = this.#load.session;
    const dataset = await findDataset(client, customer.id, kind, table);
    if (!dataset) return;
    const version = await makeVersion(client, dataset, changed, counts);
    this.synced.push(dataset.id);
    if (version > dataset.version) {
      this.made.push(dataset.id);
      this.hasFirst ||= dataset.version === 0;
    }
    this.results.push({ kind, table, ...counts, version });
  }
}

/** The category tables that read a raw table of the load. */
const tablesOf = ({ catalogue }: Load, changes: readonly RawChange[]): Table[] =>
  [...catalogue.tables.values()].filter((table) => changes.some(({ staged }) => reads(table, staged.target.table)));

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
    const dataset = await findDataset(client, customer.id, 'category', table.name);
    // A table that the customer does not have is not offered either.
    if (!dataset) continue;
    progress('publish', table.name);
    const isReached = [...changed.keys()].some((raw) => reads(table, raw));
    await applied.add(
      'category',
      table.name,
      isReached ? await publishChanges(session, catalogue, table, { dataset, changed, replacements }) : unchanged,
    );
    // Indexes that the catalogue has got since the table was made; those that stand cost one look each.
    await client.query(createCategoryIndexes(catalogue, customer.schema_name, table).join('; '));
  }
};

/** Publishes what can be published; else says which delivered rows stand in the way. */
const publishOrExplain = async (load: Load, changes: readonly RawChange[], applied: AppliedTables): Promise<void> => {
  const { client, customer } = load.session;
  await client.query('savepoint publishing');
  try {
    await publish(load, changes, applied);
  } catch (error) {
    if (stateOf(error) !== notNullViolation) throw error;
    await client.query('rollback to savepoint publishing');
    const offered: Table[] = [];
    for (const table of tablesOf(load, changes)) if (await findDataset(client, customer.id, 'category', table.name)) offered.push(table);
    await refuseUnpublishable(client, applied.replacements.place, offered, changes);
    throw error;
  }
};

const indexJoins = async ({ session: { client, customer }, catalogue }: Load): Promise<void> => {
  for (const statement of createJoinIndexes(catalogue, customer.schema_name)) await client.query(statement);
};

/** Applies and publishes the changes. */
export const applyLoad = async (load: Load, changes: readonly RawChange[]): Promise<Applied> => {
  const { session, request, progress } = load;
  const { client, customer } = session;
  const applied = new AppliedTables(load);
  for (const change of changes) {
    const { table } = change.staged.target;
    progress('apply', table);
    const dataset = await findDataset(client, customer.id, 'raw', table);
    // While the table is empty they cost nothing, and one that is written beside it inherits them.
    if (dataset?.version === 0 && applied.replacements.pays(total(change.counts), 0)) await indexJoins(load);
    await applyRaw(session, change, applied.replacements, dataset);
    await applied.add('raw', table, { counts: change.counts, changed: change.comparison?.changed ?? '' });
  }
  // A table's first rows come before its indexes.
  if (applied.hasFirst) await indexJoins(load);
  await publishOrExplain(load, changes, applied);
  await trimChanges(client, customer.id, request.retentionHours);
  return applied;
};
