/** Random exports of rows, and the sources that are their inverse. */
import { createHash } from 'node:crypto';
import { rawColumnFacts } from '../../../src/catalogue/raw/columns.ts';
import type { RawTableName } from '../../../src/catalogue/raw/index.ts';
import type { ColumnRule, KeyPart, ListRule, Source, TableRule } from '../../../src/sources/source-file.ts';
import { type Cell, type Exported, exportAddress, exportColumn, type Writing, type WrittenColumn, written } from './columns.ts';
import { ExportFiles, type Format, formats, type List } from './formats.ts';
import { columnsOf, isNeeded, isRequired, type Row, type Rows, rawTable, typeOf } from './rows.ts';
import { formatsOf, once, pick, type Random, randomStyle, type Style, shuffled } from './style.ts';

const keyForms = ['integer', 'integer', 'padded', 'text', 'guid', 'pair', 'constant'] as const;
type KeyForm = (typeof keyForms)[number];

const guid = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The parts of a key in the export. */
const keyParts = (form: KeyForm, table: string, key: string): readonly string[] => {
  switch (form) {
    case 'integer':
      return [key];
    case 'padded':
      return [key.padStart(key.length + 2, '0')];
    case 'text':
      return [`${table.slice(0, 2).toUpperCase()}-${key}`];
    case 'guid':
      return [guid(`${table} ${key}`)];
    case 'pair':
      return [String(Math.floor(Number(key) / 7)), `${'ABCDEFG'[Number(key) % 7]}`];
    case 'constant':
      return ['K', key];
  }
};

const width = (form: KeyForm): number => (form === 'pair' || form === 'constant' ? 2 : 1);
const isInteger = (form: KeyForm): boolean => form === 'integer' || form === 'padded';

export interface RandomExport {
  readonly source: Source;
  readonly files: ReadonlyMap<string, Buffer>;
  /** The tables that are not exported, although rows refer to them. */
  readonly left: ReadonlySet<RawTableName>;
  /** The columns `table.column` that the export lacks and that get the time of the load. */
  readonly ofLoad: ReadonlySet<string>;
  /** The text of a key of a table among the keys of the source; undefined if the integer stays. */
  keyText(table: RawTableName, key: string): string | undefined;
}

interface Job {
  readonly random: Random;
  readonly files: ExportFiles;
  readonly rows: Rows;
  readonly left: ReadonlySet<RawTableName>;
  readonly forms: ReadonlyMap<RawTableName, KeyForm>;
  readonly ofLoad: ReadonlySet<string>;
}

const formOf = ({ forms }: Job, table: RawTableName): KeyForm => forms.get(table) ?? 'integer';

/** The columns of keys in the export. */
const writeKeys = (form: KeyForm, table: RawTableName, keys: readonly (string | null)[], isTyped: boolean): WrittenColumn[] =>
  Array.from({ length: width(form) }, (_, part) =>
    written(
      keys.map((key): Cell => {
        if (key === null) return null;
        const text = keyParts(form, table, key)[part]!;
        return isTyped && form === 'integer' ? { type: 'bigint', text } : text;
      }),
    ),
  );

const exportReference = (job: Job, writing: Writing, target: RawTableName, values: readonly (string | null)[]): Exported => {
  const form = formOf(job, target);
  const columns = writeKeys(form, target, values, writing.isTyped);
  const isPlain = form === 'integer' && once(job.random, 2);
  return {
    written: columns,
    rule: () => ({
      ...(columns.length === 1 ? { from: columns[0]!.name } : { join: columns.map(({ name }) => name) }),
      ...(!isPlain && { references: target, ...(job.left.has(target) && { unresolved: 'assign' as const }) }),
    }),
  };
};

/** The columns of a raw table without its key. */
const exportColumns = (
  job: Job,
  writingOf: (column: string) => Writing,
  table: RawTableName,
  rows: readonly Row[],
): ReadonlyMap<string, Exported> => {
  const columns = columnsOf(table).filter((name) => name !== rawTable(table).key && !job.ofLoad.has(`${table}.${name}`));
  const valuesOf = (name: string) => {
    const at = columnsOf(table).indexOf(name);
    return at < 0 ? undefined : rows.map((row) => row[at] ?? null);
  };
  const address = rows.length > 0 && once(job.random, 2) ? exportAddress(valuesOf) : undefined;
  return new Map(
    columns.map((name) => {
      const target = rawColumnFacts(table, name).references;
      const isKey = target !== undefined && target.column === rawTable(target.table).key;
      const type = typeOf(table, name);
      const identifies = target !== undefined || rawTable(table).unique.some((unique) => unique.length === 1 && unique[0] === name);
      const exported =
        address?.get(name) ??
        (isKey
          ? exportReference(job, writingOf(name), target.table, valuesOf(name)!)
          : exportColumn({ ...writingOf(name), identifies }, type, valuesOf(name)!));
      return [name, exported];
    }),
  );
};

const words = ['Feld', 'Wert', 'Größe m²', 'Betrag [EUR]', 'Kz.', "Objekt's", 'a/b', 'NAME'];

/** Gives columns different names. Of some formats, a name may be there twice, and a member may be within an object. */
const giveNames = (random: Random, columns: readonly WrittenColumn[], format: Format, prefix = ''): void => {
  let repeated = 1;
  for (const [index, column] of columns.entries()) {
    const isRepeated = (format === 'csv' || format === 'xlsx') && once(random, 8);
    const isWithin = (format === 'ndjson' || format === 'json') && once(random, 5);
    if (isRepeated) column.name = `${prefix}Mehrfach${repeated === 1 ? '' : ` (${repeated})`}`;
    else column.name = `${prefix}${isWithin ? `in${index % 3}.` : ''}${pick(random, words)} ${index}`;
    if (isRepeated) repeated++;
  }
};

const listOf = (columns: readonly WrittenColumn[], rows: number, prefix = ''): List => ({
  names: columns.map(({ name }) => name.slice(prefix.length)),
  columns: columns.map(({ cells }) => cells),
  rows,
});

const partOf = (columns: readonly WrittenColumn[], start: number, end: number): List => ({
  names: columns.map(({ name }) => name),
  columns: columns.map(({ cells }) => cells.slice(start, end)),
  rows: end - start,
});

const styleOf = (random: Random, table: RawTableName, rows: readonly Row[]): Style => {
  const types = columnsOf(table).map((column) => typeOf(table, column));
  const days = rows.flatMap((row) => row.filter((value, index) => value !== null && /^date|^time/.test(types[index]!)) as string[]);
  const texts = new Set(rows.flatMap((row) => row.filter((value, index) => value !== null && types[index] === 'text') as string[]));
  return randomStyle(random, { days, texts: new Set([...texts].map((text) => text.trim())) });
};

interface OtherRows {
  /** The column that tells them. */
  readonly mark: WrittenColumn;
  readonly count: number;
  readonly condition: () => Pick<TableRule, 'keep' | 'skip'>;
}

/** Adds rows that the source leaves out. */
const addOtherRows = (random: Random, columns: readonly WrittenColumn[], rows: number): OtherRows => {
  const isKeep = once(random, 2);
  const mark = written(Array.from({ length: rows }, () => (isKeep ? pick(random, ['aktiv', 'neu']) : 'Zeile')));
  let count = rows;
  for (let more = random(3); more > 0; more--, count++) {
    const at = random(count + 1);
    for (const { cells } of columns) cells.splice(at, 0, null);
    mark.cells.splice(at, 0, isKeep ? 'alt' : `Summe ${more}`);
  }
  return {
    mark,
    count,
    condition: () =>
      isKeep ? { keep: [{ column: mark.name, in: ['aktiv', 'neu'] }] } : { skip: [{ column: mark.name, startsWith: 'Summe' }] },
  };
};

/** Exports rows of one table as one rule of the source. */
const exportRows = (job: Job, table: RawTableName, name: string, rows: readonly Row[]): TableRule => {
  const { random, files } = job;
  const { key } = rawTable(table);
  const style = styleOf(random, table, rows);
  const format = pick(random, formats);
  const writing: Writing = { random, style, isTyped: format !== 'csv' };
  const form = formOf(job, table);
  const keys = rows.map((row) => row[columnsOf(table).indexOf(key)]!);
  const keyColumns = writeKeys(form, table, keys, writing.isTyped);
  // A second list has some of the columns in another style.
  const inSecond = new Set(format === 'csv' && rows.length > 0 && once(random, 4) ? columnsOf(table).filter(() => once(random, 3)) : []);
  const secondStyle = styleOf(random, table, rows);
  const exported = exportColumns(job, (name) => (inSecond.has(name) ? { ...writing, style: secondStyle } : writing), table, rows);
  const all = [...exported.values()].flatMap((one) => one.written);
  const second = [...exported].flatMap(([name, one]) => (inSecond.has(name) ? one.written : []));
  const own = [...keyColumns, ...all.filter((column) => !second.includes(column))];
  const secondKeys = writeKeys(form, table, keys, false);
  const others = rows.length > 0 && second.length === 0 && once(random, 3) ? addOtherRows(random, own, rows.length) : undefined;
  const unused = once(random, 3)
    ? [written(Array.from({ length: others?.count ?? rows.length }, () => pick(random, ['x', null, '"'])))]
    : [];
  const columns = shuffled(random, [...own, ...(others ? [others.mark] : []), ...unused]);
  giveNames(random, columns, format);
  const count = others?.count ?? rows.length;
  const cut = count > 1 && once(random, 5) ? 1 + random(count - 1) : count;
  const parts = cut === count ? [listOf(columns, count)] : [partOf(columns, 0, cut), partOf(columns, cut, count)];
  const lists: ListRule[] = [];
  if (second.length > 0) {
    const secondColumns = shuffled(random, [...second, ...secondKeys]);
    giveNames(random, secondColumns, 'csv', 'mehr.');
    const origin = files.add('csv', `mehr_${name}`, secondStyle, [listOf(secondColumns, rows.length, 'mehr.')]);
    const on = Object.fromEntries(keyColumns.map((column, index) => [column.name, secondKeys[index]!.name.slice('mehr.'.length)]));
    lists.push({ ...origin, as: 'mehr', on, formats: formatsOf(secondStyle) });
  }
  const isOwnColumn = keyColumns.length === 1 && once(random, 4);
  const rules: Record<string, string | ColumnRule> = isOwnColumn ? { [key]: keyColumns[0]!.name } : {};
  for (const [column, { rule }] of exported) {
    const one = rule();
    if (one !== undefined) rules[column] = one;
  }
  const primaryKey: KeyPart[] = keyColumns.map((column, index) =>
    form === 'constant' && index === 0 && once(random, 2) ? { constant: 'K' } : column.name,
  );
  return {
    table,
    ...files.add(format, name, style, parts),
    formats: formatsOf(style),
    ...(!isOwnColumn && { primaryKey: primaryKey.length === 1 && typeof primaryKey[0] === 'string' ? primaryKey[0] : primaryKey }),
    columns: rules,
    ...others?.condition(),
    ...(lists.length > 0 && { lists }),
    // A list without rows has no columns in some formats.
    ...(rows.length === 0 && { missingColumns: 'null' as const }),
    ...(once(random, 3) && { newColumns: 'ignore' as const }),
  };
};

/**
 * Exports rows in random forms. Keys are texts of different forms, and some tables are in several lists. `before`: the tables that have rows
 * now, which are always exported.
 */
export const randomExport = (random: Random, rows: Rows, before: ReadonlySet<RawTableName>): RandomExport => {
  const tables = [...rows.keys()];
  const left = new Set(tables.filter((table) => !before.has(table) && !isNeeded(rows, table) && once(random, 12)));
  if (left.size === tables.length) left.clear();
  const forms = new Map(tables.map((table) => [table, pick(random, keyForms)]));
  const ofLoad = new Set(
    tables.flatMap((table) =>
      columnsOf(table).flatMap((column) =>
        /^(?:created|changed)_at$/.test(column) && isRequired(table, column) && once(random, 10) ? [`${table}.${column}`] : [],
      ),
    ),
  );
  const files = new ExportFiles(random);
  const job: Job = { random, files, rows, left, forms, ofLoad };
  const rules = shuffled(
    random,
    tables.filter((table) => !left.has(table)),
  ).flatMap((table) => {
    const all = shuffled(random, rows.get(table)!);
    const cut = all.length > 1 && once(random, 6) ? 1 + random(all.length - 1) : 0;
    if (cut === 0) return [exportRows(job, table, table, all)];
    return [exportRows(job, table, `${table}_a`, all.slice(0, cut)), exportRows(job, table, `${table}_b`, all.slice(cut))];
  });
  return {
    source: { name: 'random', tables: rules },
    files: files.end(),
    left,
    ofLoad,
    keyText: (table, key) => {
      const form = forms.get(table) ?? 'integer';
      return isInteger(form) ? undefined : keyParts(form, table, key).join('\u001f');
    },
  };
};
