/**
 * Resolves the references of spooled rows, causes before consequences.
 *
 * A table comes after the tables that it refers to. A row without its target is not loaded, and neither is a row that refers to it. Tables
 * that refer to each other are resolved again until no further row fails.
 */
import { join } from 'node:path';
import { placeInWords, type Reason } from '../../sync/files/rejections.ts';
import type { Mode } from '../../sync/files/source-files.ts';
import { FieldWriter, type Missing, noneMissing } from '../keys/copy-fields.ts';
import { keyInWords } from '../keys/key-text.ts';
import { Spool } from '../keys/spool.ts';
import type { SpooledRow, SpoolPage } from '../keys/spool-pages.ts';
import type { Reference, RowCounts } from '../mapped-rows.ts';
import type { TargetTable } from '../target-table.ts';
import { type Cause, causeAt, type Treatment } from './failed-rows.ts';
import { isShared, type Job, keepEarlier, maxDeletedOf, modeOf, type Spooled } from './load-job.ts';

/** Rows of one raw table with integer keys. */
export interface PreparedTable {
  readonly target: TargetTable;
  /** The key first. */
  readonly columns: readonly string[];
  /** Whether the export has all rows of the table. */
  readonly isWhole: boolean;
  /** Per cent of the rows of the table that the load may delete unasked. Undefined if no entry states it. */
  readonly maxDeleted: number | undefined;
  /** Counts by table of the source. */
  readonly counts: RowCounts;
  /** The columns as messages name them, by rule. */
  readonly labels: readonly (readonly string[])[];
  /** The rows that are loaded, in pages. */
  pages(): AsyncIterable<SpoolPage>;
  /** The values that they lack. */
  readonly missing: Missing;
  /** The keys to delete. */
  readonly deletes: readonly number[];
}

/** The rows of a table that can be loaded. */
interface Resolved {
  readonly spool: Spool;
  readonly missing: Missing;
}

interface Finding {
  readonly reason: Reason;
  readonly cause: Cause | undefined;
}

/** The tables in the order of their references. References in a circle keep the order of the source. */
const inOrder = (tables: readonly Spooled[]): Spooled[] => {
  const ordered = new Set<Spooled>();
  const begun = new Set<Spooled>();
  const visit = (one: Spooled): void => {
    if (begun.has(one)) return;
    begun.add(one);
    for (const { references } of one.mappings)
      for (const { table } of references.values()) for (const other of tables) if (other.target.table === table) visit(other);
    ordered.add(one);
  };
  for (const one of tables) visit(one);
  return [...ordered];
};

/** Whether each key has a row: of this load, or of an earlier one. */
const withoutTarget = async (
  { keys, delivered, failed, staying }: Job,
  fullTables: ReadonlySet<string>,
  { table }: Reference,
  found: readonly number[],
): Promise<Set<number>> => {
  const missing = found.filter((key) => (!delivered.of(table).has(key) || failed.has(table, key)) && !staying.of(table).has(key));
  if (missing.length === 0 || fullTables.has(table)) return new Set(missing);
  const present = new Set(await keys.presentIn(table, missing));
  return new Set(missing.filter((key) => !present.has(key)));
};

/** One pass over the rows of a table. */
class Resolving {
  readonly #job: Job;
  readonly #fullTables: ReadonlySet<string>;
  readonly #spooled: Spooled;
  readonly #isFirst: boolean;
  /** The first row of each repeated key. */
  readonly #places = new Map<number, string>();

  constructor(job: Job, fullTables: ReadonlySet<string>, spooled: Spooled, isFirst: boolean) {
    this.#job = job;
    this.#fullTables = fullTables;
    this.#spooled = spooled;
    this.#isFirst = isFirst;
  }

  /** Whether all rows of the table are loaded as they are. */
  get #isPlain(): boolean {
    const { target, latest, rowKeys, uniques, mappings } = this.#spooled;
    const isResolved = mappings.every(({ references }) => references.size === 0);
    return isResolved && !latest && !rowKeys.hasRepeated && !uniques.hasRepeated && !this.#job.failed.hasAny(target.table);
  }

  /** Gives the rows that can be loaded. */
  async run(): Promise<Resolved> {
    const { target, spool, latest, rowKeys, counts } = this.#spooled;
    if (this.#isPlain) return { spool, missing: counts.missing };
    const missing = noneMissing(this.#spooled.columns.length);
    const out = new FieldWriter(missing);
    const resolved = new Spool(join(this.#job.scratch, `${target.table}.resolved`), this.#spooled.columns.length);
    const { failed } = this.#job;
    for await (const page of spool.read()) {
      const batch = page.rows();
      const counting = latest ? batch.filter(({ key, position }) => latest.has(key, position)) : batch;
      const once = counting.filter((row) => !(latest === undefined && rowKeys.isRepeated(row.key) && this.#repeats(row)));
      const rows = once.filter((row) => !failed.has(target.table, row.key) && !this.#repeatsUnique(row));
      const findings = await this.#resolve(rows);
      for (const [row, found] of findings) this.#fail(row, found);
      const good = findings.size === 0 ? rows : rows.filter((row) => !findings.has(row));
      const placed = good.map((row) => ({ file: row.file, line: row.line, fields: row.write(out) }));
      await resolved.append(placed, { keys: good.map(({ key }) => key), rules: good.map(({ rule }) => rule) });
      await keepEarlier(
        this.#job,
        target.table,
        batch.filter(({ key }) => failed.has(target.table, key)).map(({ key }) => key),
      );
    }
    await resolved.end();
    return { spool: resolved, missing };
  }

  #treatmentOf({ rule }: SpooledRow): Treatment {
    return this.#spooled.treatments[rule]!;
  }

  /** Several rows of one key: none of them is loaded, because either could be meant. Always true. */
  #repeats(row: SpooledRow): boolean {
    if (!this.#isFirst) return true;
    const treatment = this.#treatmentOf(row);
    const { labels } = this.#spooled.mappings[row.rule]!;
    const first = this.#places.get(row.key);
    if (first === undefined) this.#places.set(row.key, placeInWords(row));
    // The first row alone is no error of a load that is refused.
    if (first === undefined && treatment.action === 'refuse') return true;
    const words = first === undefined ? 'is the key of a later row, too' : `is on ${first} already`;
    const text = keyInWords(this.#spooled.rowKeys.textOf(row.key) ?? String(row.key));
    const kind = treatment.add(row, [{ column: labels[0]!, reason: 'is the key of several rows', value: text, words }]);
    this.#job.failed.add(treatment, { key: row.key }, causeAt(row, kind, treatment));
    return true;
  }

  /** Several rows of one value of a unique column: none of them is loaded. Whether the row is one of them. */
  #repeatsUnique(row: SpooledRow): boolean {
    const repeated = this.#spooled.uniques.repeatedIn(row);
    if (!repeated) return false;
    const treatment = this.#treatmentOf(row);
    const { columns, first, value } = repeated;
    // The load is refused by the later row.
    if (first === undefined && treatment.action === 'refuse') return false;
    const { labels } = this.#spooled.mappings[row.rule]!;
    const column = columns.map((index) => labels[index + 1]!).join(', ');
    const words = first === undefined ? 'is in a later row, too' : `is on ${first} already`;
    const kind = treatment.add(row, [{ column, reason: 'is in several rows, and the column is unique', value, words }]);
    this.#job.failed.add(treatment, { key: row.key }, causeAt(row, kind, treatment));
    return true;
  }

  #fail(row: SpooledRow, found: readonly Finding[]): void {
    const treatment = this.#treatmentOf(row);
    const { cause } = found.find((one) => one.cause) ?? { cause: undefined };
    // A consequence is counted at its cause, unless the cause alone would not refuse the load.
    const isOfCause = cause?.kind && found.every((one) => one.cause) && (treatment.action !== 'refuse' || cause.action === 'refuse');
    const kind = treatment.add(
      row,
      found.map(({ reason }) => reason),
      isOfCause ? cause.kind : undefined,
    );
    this.#job.failed.add(treatment, { key: row.key }, causeAt(row, kind, treatment));
  }

  /** Replaces references by integers. Gives the rows whose references have no target. */
  async #resolve(rows: readonly SpooledRow[]): Promise<Map<SpooledRow, Finding[]>> {
    const findings = new Map<SpooledRow, Finding[]>();
    for (const [rule, { references }] of this.#spooled.mappings.entries()) {
      if (references.size === 0) continue;
      const own = rows.filter((row) => row.rule === rule);
      if (own.length === 0) continue;
      for (const [column, reference] of references) await this.#resolveColumn(own, column, reference, findings);
    }
    return findings;
  }

  async #resolveColumn(
    rows: readonly SpooledRow[],
    column: string,
    reference: Reference,
    findings: Map<SpooledRow, Finding[]>,
  ): Promise<void> {
    const { keys, source, failed } = this.#job;
    const { table, label, unresolved } = reference;
    const at = this.#spooled.columns.indexOf(column);
    const texts = rows.map((row) => row.value(at));
    const given = rows.filter((_, index) => texts[index] !== null);
    const found = await keys.find(
      table,
      reference.source,
      texts.filter((text) => text !== null),
    );
    const dangling = await withoutTarget(
      this.#job,
      this.#fullTables,
      reference,
      found.filter((key) => key !== undefined),
    );
    const required = this.#spooled.target.columns.get(column)?.required === true;
    for (const [index, row] of given.entries()) {
      const key = found[index];
      const isResolved = key !== undefined && !dangling.has(key);
      const text = isResolved ? '' : row.value(at)!;
      row.put(at, isResolved ? key : null);
      if (isResolved || (unresolved === 'null' && !required)) continue;
      const cause = reference.source === source.name ? failed.causeOf(table, key, text) : undefined;
      const reason = cause
        ? `is a row of ${table} that is not loaded`
        : `has no row in ${table}: deliver it, or state unresolved${required ? ': assign' : ''}`;
      const words = cause && `${reason} (${cause.place})`;
      const finding = { cause, reason: { column: label, reason, value: keyInWords(text), words } };
      findings.set(row, [...(findings.get(row) ?? []), finding]);
    }
  }
}

/** The keys of rows that a full export no longer holds, if the load as a whole is an upsert. */
const goneKeys = async (job: Job, { target: { table }, rules }: Spooled): Promise<number[]> => {
  const stays = (key: number) => job.delivered.of(table).has(key) || job.staying.of(table).has(key);
  const gone: number[] = [];
  if (!isShared(rules)) {
    for await (const page of job.keys.keysIn(table)) gone.push(...page.filter((key) => !stays(key)));
    return gone;
  }
  for await (const page of job.keys.ownedBy(table, job.source.name))
    gone.push(
      ...(await job.keys.presentIn(
        table,
        page.filter((key) => !stays(key)),
      )),
    );
  return gone;
};

const deletesOf = async (job: Job, mode: Mode, spooled: Spooled): Promise<readonly number[]> => {
  const { rules, latest } = spooled;
  const gone = mode === 'upsert' && modeOf(rules) === 'full' ? await goneKeys(job, spooled) : [];
  return [...new Set([...gone, ...(latest && modeOf(rules) === 'upsert' ? latest.deleted() : [])])];
};

const resolveAll = async (job: Job, tables: readonly Spooled[], fullTables: ReadonlySet<string>): Promise<Map<Spooled, Resolved>> => {
  for (let pass = 1; ; pass++) {
    const before = job.failed.count;
    const resolved = new Map<Spooled, Resolved>();
    for (const one of inOrder(tables)) {
      resolved.set(one, await new Resolving(job, fullTables, one, pass === 1).run());
    }
    if (job.failed.count === before) return resolved;
  }
};

/** The tables with integer keys, in the order of the source, and the mode of the load as a whole. */
export const resolveTables = async (
  job: Job,
  tables: readonly Spooled[],
): Promise<{ readonly mode: Mode; readonly tables: readonly PreparedTable[] }> => {
  const isFull = ({ rules }: Spooled) => modeOf(rules) === 'full' && !isShared(rules);
  for (const { uniques, spool, latest } of tables) await uniques.settle(spool, ({ key, position }) => latest?.has(key, position) ?? true);
  const fullTables = new Set(tables.filter(isFull).map(({ target }) => target.table));
  const resolved = await resolveAll(job, tables, fullTables);
  // A full load would delete the earlier versions of rows that are not loaded.
  const mode = tables.every((one) => isFull(one) && !job.stayingIn.has(one.target.table)) ? 'full' : 'upsert';
  const prepared: PreparedTable[] = [];
  for (const one of tables) {
    const { target, columns, mappings, counts } = one;
    const { spool, missing } = resolved.get(one)!;
    prepared.push({
      target,
      columns: [target.key, ...columns],
      isWhole: modeOf(one.rules) === 'full',
      maxDeleted: maxDeletedOf(one.rules),
      counts,
      labels: mappings.map(({ labels }) => labels),
      pages: () => spool.read(),
      missing,
      deletes: await deletesOf(job, mode, one),
    });
  }
  return { mode, tables: prepared };
};
