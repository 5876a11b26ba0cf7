/** A customer's last loads, the one under way first. */

import type { Database } from '../database/connection.ts';
import { listRuns, type SyncRun } from '../sync/history.ts';
import { nothing, pill, table, time } from './elements.ts';
import { formatCount, formatTime } from './format.ts';
import { type Html, html } from './html.ts';

const runsShown = 8;

const headings = [
  { label: 'Began' },
  { label: 'State' },
  { label: 'Mode' },
  { label: 'Tables' },
  { label: 'Inserted', isNumber: true },
  { label: 'Updated', isNumber: true },
  { label: 'Deleted', isNumber: true },
] as const;

const stateOf = ({ started_at, ended_at, error }: SyncRun): Html => {
  if (!ended_at) return pill('running', 'warn');
  if (error !== null) return html`${pill('failed', 'bad')} ${error}`;
  return html`${pill('done', 'good')} in ${((ended_at.getTime() - started_at.getTime()) / 1000).toFixed(1)} s`;
};

const tablesOf = ({ tables }: SyncRun): Html =>
  tables.length > 3 ? html`<span title="${tables.join(', ')}">${tables.length} tables</span>` : html`${tables.join(', ')}`;

/** `syncedAt` is when the customer's tables were last synced; null if they never were. */
export const syncRuns = async (database: Database, customer: { readonly id: number }, syncedAt: Date | null): Promise<Html> => {
  const runs = await listRuns(database, customer, runsShown);
  if (runs.length === 0)
    return syncedAt
      ? nothing(`The data is of ${formatTime(syncedAt)}; no record was kept of how it was loaded.`)
      : nothing('Nothing was loaded yet: estate sync <customer> <path…> does.');
  const rows = runs.map((run) => [
    time(run.started_at),
    stateOf(run),
    run.mode,
    tablesOf(run),
    ...[run.inserted, run.updated, run.deleted].map(formatCount),
  ]);
  return table(headings, rows, 'The last syncs');
};
