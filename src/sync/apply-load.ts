/** What a load does inside its transaction: raw tables first, then every category table that they reach. */

import type { Table } from '../catalogue/table.ts';
import type { DatasetKind } from '../database/control.ts';
import { createJoinIndexes } from '../database/ddl.ts';
import { findDataset, makeVersion, trimChanges } from './change-log.ts';
import { reads } from './dependants.ts';
import { total } from './differences.ts';
import { type Published, publishChanges, unchanged } from './publish.ts';
import { applyRaw, type RawChange } from './raw-changes.ts';
import { stateOf } from './refusal.ts';
import type { Load, TableResult } from './request.ts';
import { refuseUnpublishable } from './unpublishable.ts';

const notNullViolation = '23502';

export interface Applied {
  readonly results: readonly TableResult[];
  /** Ids of the datasets that are up to date with the load, and of those that it changed. */
  readonly synced: readonly number[];
  readonly made: readonly number[];
}

/** Collects what became of each table and gives those that changed their versions. */
class Outcome implements Applied {
  readonly results: TableResult[] = [];
  readonly synced: number[] = [];
  readonly made: number[] = [];
  /** Whether a table got its first rows. */
  hasFirst = false;
  readonly #load: Load;

  constructor(load: Load) {
    this.#load = load;
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

const publish = async (load: Load, changes: readonly RawChange[], outcome: Outcome): Promise<void> => {
  const { session, catalogue, progress } = load;
  const { client, customer } = session;
  const differing = changes.filter(({ counts }) => total(counts) > 0);
  const changed = new Map(differing.map(({ staged, comparison }) => [staged.target.table, comparison.changed]));
  for (const table of tablesOf(load, changes)) {
    const dataset = await findDataset(client, customer.id, 'category', table.name);
    // A table that the customer does not have is not offered either.
    if (!dataset) continue;
    progress('publish', table.name);
    const isReached = [...changed.keys()].some((raw) => reads(table, raw));
    await outcome.add(
      'category',
      table.name,
      isReached ? await publishChanges(session, catalogue, table, { dataset, changed }) : unchanged,
    );
  }
};

/** Publishes what can be published; else says which delivered rows stand in the way. */
const publishOrExplain = async (load: Load, changes: readonly RawChange[], outcome: Outcome): Promise<void> => {
  const { client, customer } = load.session;
  await client.query('savepoint publishing');
  try {
    await publish(load, changes, outcome);
  } catch (error) {
    if (stateOf(error) !== notNullViolation) throw error;
    await client.query('rollback to savepoint publishing');
    const offered: Table[] = [];
    for (const table of tablesOf(load, changes)) if (await findDataset(client, customer.id, 'category', table.name)) offered.push(table);
    await refuseUnpublishable(load, offered, changes);
    throw error;
  }
};

/** Applies and publishes the changes. */
export const applyLoad = async (load: Load, changes: readonly RawChange[]): Promise<Applied> => {
  const { session, catalogue, request, progress } = load;
  const { client, customer } = session;
  const outcome = new Outcome(load);
  for (const change of changes) {
    const { table } = change.staged.target;
    progress('apply', table);
    await applyRaw(session, change);
    await outcome.add('raw', table, { counts: change.counts, changed: change.comparison.changed });
  }
  // A table's first rows come before its indexes.
  if (outcome.hasFirst) for (const statement of createJoinIndexes(catalogue, customer.schema_name)) await client.query(statement);
  await publishOrExplain(load, changes, outcome);
  await trimChanges(client, customer.id, request.retentionHours);
  return outcome;
};
