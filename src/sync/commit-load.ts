/** The transaction of a load. */
import { pathOfTable } from '../catalogue/table.ts';
import { allowWaiting } from '../database/connections/transaction.ts';
import { OperatorError } from '../errors.ts';
import { recordEvent } from '../webhooks/events.ts';
import { inAnnouncedTransaction } from './announced.ts';
import { applyLoad } from './apply-load.ts';
import { dateVersions } from './changes/change-log.ts';
import { type Counts, noChanges, total } from './changes/differences.ts';
import { type RawChange, refuseCollisions } from './changes/raw-changes.ts';
import { type Checked, checkTried, refuseFailedChecks } from './data-checks.ts';
import { figuresOfTried, type PropertyFigures } from './figures.ts';
import { endRun } from './history.ts';
import { type KeptProfile, keepProfiles } from './profiles/kept-profiles.ts';
import { blamesData, brokenKey, refusalWords, stateOf, uniqueViolation } from './refusal.ts';
import type { Load, TableResult } from './request.ts';
import { recordDelivery } from './staging/deliveries.ts';

const sum = (counts: readonly Counts[]): Counts =>
  counts.reduce(
    (all, one) => ({ inserted: all.inserted + one.inserted, updated: all.updated + one.updated, deleted: all.deleted + one.deleted }),
    noChanges,
  );

/** Describes a violated constraint for the operator: table and columns. The name of a staging table begins with that of its target. */
const explain = (error: unknown): unknown => {
  if (!blamesData(error)) return error;
  const { table, column } = error as { table?: string; column?: string };
  const columns = column === undefined ? brokenKey(error) : [column];
  const place = [table?.replace(/ .*$/, ''), ...(columns.length > 0 ? [`column ${columns.join(', ')}`] : [])].join(', ');
  return new OperatorError(`${place}: ${refusalWords(error)}`);
};

/** Stores the event of the load, unless nothing changed. */
const reportChanges = async (
  { session: { client, customer }, catalogue }: Load,
  results: readonly TableResult[],
  at: Date,
): Promise<void> => {
  const tables = results
    .filter((table) => total(table) > 0)
    .map(({ kind, table: name, version }) => {
      const category = kind === 'raw' ? kind : (catalogue.tables.get(name)?.category ?? kind);
      return { category, table: name, endpoint_url: pathOfTable({ category, name }), version };
    });
  if (tables.length > 0) await recordEvent(client, { customer, type: 'data.changed', data: { loaded_at: at, tables } });
};

/** Applies, publishes and dates the changes, and ends the run, in one transaction. `profiles` are those of the deliveries. */
export const commitLoad = async (
  load: Load,
  changes: readonly RawChange[],
  { run, profiles }: { readonly run: number; readonly profiles: readonly KeptProfile[] },
): Promise<{ readonly tables: readonly TableResult[]; readonly at: Date }> => {
  const { session, request, progress } = load;
  const { client, customer } = session;
  const { signal } = request;
  try {
    return await inAnnouncedTransaction(session, request, async (untilKnown) => {
      const { results, synced, made, replacements } = await applyLoad(load, changes);
      await refuseFailedChecks(load, results, replacements);
      await untilKnown();
      progress('publish', customer.slug);
      await replacements.moveIntoPlace(signal);
      for (const { staged } of changes)
        if (request.mode === 'full' && staged.delivery) await recordDelivery(client, customer, staged.target.table, staged.delivery);
      await keepProfiles(client, customer.schema_name, profiles, run);
      await request.record?.(client);
      const at = await dateVersions(client, customer.schema_name, synced, made);
      await endRun(client, run, sum(changes.map(({ counts }) => counts)));
      await reportChanges(load, results, at);
      return { tables: results, at };
    });
  } catch (error) {
    if (stateOf(error) === uniqueViolation) await refuseCollisions(client, customer.schema_name, changes);
    throw explain(error);
  }
};

/** Applies, publishes and checks the changes, and rolls back. Returns what each table would have. Replacements are not moved into place. */
export const tryLoad = async (
  load: Load,
  changes: readonly RawChange[],
): Promise<{ readonly tables: readonly TableResult[]; readonly checked: Checked; readonly figures?: readonly PropertyFigures[] }> => {
  const { client, customer } = load.session;
  try {
    await client.query('begin');
    await allowWaiting(client);
    const { results, replacements } = await applyLoad(load, changes);
    await refuseFailedChecks(load, results, replacements);
    const figures = load.request.givesFigures ? await figuresOfTried(client, replacements.place) : undefined;
    const checked = await checkTried(load, results, replacements);
    await client.query('rollback');
    return { tables: results, checked, ...(figures && { figures }) };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (stateOf(error) === uniqueViolation) await refuseCollisions(client, customer.schema_name, changes);
    throw explain(error);
  }
};
