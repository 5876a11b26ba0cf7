/** The rows of one table of a source, mapped to the columns of its raw table. Keys are still those of the source. */
import { OperatorError } from '../errors.ts';
import { type ColumnValue, columnsOfRule, columnValue, ruleOf } from './columns/column-value.ts';
import { rowFilter } from './columns/conditions.ts';
import { RowColumns, RowKeys } from './columns/row-columns.ts';
import { textReader } from './columns/values.ts';
import { keyText } from './keys/key-text.ts';
import { loadList, withLists } from './readers/lists.ts';
import { formatsOf, openLists } from './readers/open-list.ts';
import { Rejection, type Rejections, shown } from './rejections.ts';
import type { ColumnRule, Formats, Source, TableRule } from './source-file.ts';
import type { SourceList, SourceRow } from './source-rows.ts';
import { needsValue, requiredWithout, type TargetTable } from './target-table.ts';

/** A row for a raw table, before its keys are integers. */
export interface MappedRow {
  readonly file: string;
  readonly line: number;
  /** The text of its own key. */
  readonly key: string;
  /** Texts in the order of the target columns; references have the text of the source. */
  readonly values: readonly (string | null)[];
  /** By which the latest of equal keys is known. */
  readonly order: string | null;
  readonly watermark: string | null;
  readonly isDeleted: boolean;
  /** The row of the export, for people. */
  readonly cells: SourceRow['cells'];
}

/** A column of the raw table with an integer that a key of the source determines. */
export interface Reference {
  /** The column in messages. */
  readonly label: string;
  readonly table: string;
  readonly source: string;
  readonly unresolved: 'refuse' | 'null' | 'assign';
}

/** A table of the source and its raw table, checked against each other. */
export interface Mapping {
  readonly rule: TableRule;
  readonly target: TargetTable;
  /** The columns of the raw table that the source fills, without the key. */
  readonly columns: readonly string[];
  readonly references: ReadonlyMap<string, Reference>;
  /** The key and the columns as messages name them: `Ort → city`. */
  readonly labels: readonly string[];
}

const isInteger = (type: string | undefined): boolean => type === 'integer' || type === 'bigint';

/** The columns of the export that a column is read from, for messages. */
const labelOf = (target: string, rule: ColumnRule): string => {
  const from = columnsOfRule(rule);
  return from.length === 0 ? target : `${from.join(rule.join ? ' + ' : ' or ')} → ${target}`;
};

const keyLabel = ({ columns, primaryKey }: TableRule, { key }: TargetTable): string => {
  const own = columns[key];
  if (own !== undefined) return labelOf(key, ruleOf(own));
  const parts = [primaryKey ?? []].flat().filter((part) => typeof part === 'string');
  return parts.length === 0 ? key : `${parts.join(' + ')} → ${key}`;
};

const referenceOf = (source: Source, target: string, rule: ColumnRule, type: string | undefined): Reference | undefined =>
  rule.references !== undefined && isInteger(type)
    ? {
        label: labelOf(target, rule),
        table: rule.references,
        source: rule.referenceSource ?? source.name,
        unresolved: rule.unresolved ?? 'refuse',
      }
    : undefined;

/** Checks a table of the source. `fills`: all columns that the tables of the source fill in this raw table. */
export const mappingOf = (source: Source, rule: TableRule, target: TargetTable, fills: readonly string[]): Mapping => {
  const unknown = Object.keys(rule.columns).filter((name) => !target.columns.has(name));
  if (unknown.length > 0)
    throw new OperatorError(
      `${rule.table} has no column ${unknown.map((name) => `'${shown(name)}'`).join(', ')}. It has: ${[...target.columns.keys()].join(', ')}.`,
    );
  const missing = requiredWithout(rule, target);
  if ((rule.mode ?? 'full') === 'full' && missing.length > 0)
    throw new OperatorError(`${rule.table} needs ${missing.join(', ')}: state where the values come from, or a constant.`);
  if (rule.primaryKey === undefined && !(target.key in rule.columns))
    throw new OperatorError(`${rule.table} needs primaryKey: the columns that identify a row, or $row if none do.`);
  const references = new Map(
    Object.entries(rule.columns).flatMap(([name, column]) => {
      const reference = referenceOf(source, name, ruleOf(column), target.columns.get(name)?.type);
      return reference ? [[name, reference] as const] : [];
    }),
  );
  const labels = fills.map((name) => {
    const column = rule.columns[name];
    return column === undefined ? name : labelOf(name, ruleOf(column));
  });
  return { rule, target, columns: fills, references, labels: [keyLabel(rule, target), ...labels] };
};

interface Compiled {
  readonly isLoaded: (row: SourceRow) => boolean;
  readonly key: ColumnValue;
  readonly keyLabel: string;
  readonly values: readonly (readonly [label: string, required: boolean, value: ColumnValue | undefined])[];
  readonly order: ColumnValue;
  readonly watermark: ColumnValue;
  readonly isDeleted: (row: SourceRow) => boolean;
}

/** The formats of the list that a column is read from; of several columns, the first decides. */
const formatsOfColumn = ({ lists = [] }: TableRule, column: ColumnRule, own: Formats): Formats => {
  const [first = ''] = columnsOfRule(column);
  return { ...own, ...lists.find(({ as }) => first.startsWith(`${as}.`))?.formats };
};

/** The text of a row's own key. Throws a `Rejection` if a part is missing. */
const keyValue = ({ rule, target }: Mapping, columns: RowColumns, formats: Formats): ColumnValue => {
  const own = rule.columns[target.key];
  if (own !== undefined) return columnValue(ruleOf(own), undefined, columns, formats);
  const toText = textReader(formats);
  const parts = [rule.primaryKey ?? []].flat().map((part) => {
    if (typeof part === 'object') return () => part.constant;
    const read = columns.find(part);
    return (row: SourceRow) => toText(read(row));
  });
  return (row) => keyText(parts.map((part) => part(row)));
};

const plainColumn = (name: string | undefined, columns: RowColumns, formats: Formats): ColumnValue =>
  name === undefined || name === '$position' ? () => null : columnValue({ from: name }, undefined, columns, formats);

const compile = (
  mapping: Mapping,
  list: SourceList,
  keys: RowKeys,
  formats: Formats,
): { compiled: Compiled; unused: readonly string[] } => {
  const { rule, target, references } = mapping;
  const columns = new RowColumns(list, keys, rule.missingColumns);
  const { deletions } = rule;
  const deletion = deletions && plainColumn(deletions.column, columns, formats);
  const [ownLabel = '', ...labels] = mapping.labels;
  const values = mapping.columns.map((name, index) => {
    const column = rule.columns[name];
    const { type } = target.columns.get(name)!;
    const label = labels[index]!;
    const required = needsValue(name, target);
    if (column === undefined) return [label, required, undefined] as const;
    const own = formatsOfColumn(rule, ruleOf(column), formats);
    return [label, required, columnValue(ruleOf(column), references.has(name) ? undefined : type, columns, own)] as const;
  });
  const compiled = {
    isLoaded: rowFilter(rule, columns, formats),
    key: keyValue(mapping, columns, formats),
    keyLabel: ownLabel,
    values,
    order: plainColumn(rule.latest, columns, formats),
    watermark: plainColumn(rule.watermark, columns, formats),
    isDeleted: (row: SourceRow) => deletions?.values.includes(deletion?.(row) ?? '') === true,
  };
  return { compiled, unused: columns.unused };
};

/** Counts that the check shows. */
export interface RowCounts {
  read: number;
  skipped: number;
  rejected: number;
}

/** Receives what a check shows. */
export interface Watch {
  readonly rejections: Rejections;
  readonly counts: RowCounts;
  /** A list with the columns that nothing reads. */
  readonly opened?: (list: SourceList, unused: readonly string[], table: string) => void;
}

const mapRow = (compiled: Compiled, list: SourceList, row: SourceRow, rejections: Rejections): MappedRow | undefined => {
  const { line, cells } = row;
  let isRejected = false;
  const reject = (error: unknown, column?: string): null => {
    if (!(error instanceof Rejection)) throw error;
    isRejected = true;
    rejections.add({ file: list.name, line, ...(column !== undefined && { column }) }, error);
    return null;
  };
  let isDeleted = false;
  try {
    isDeleted = compiled.isDeleted(row);
  } catch (error) {
    reject(error);
  }
  let key: string | null;
  try {
    key = compiled.key(row);
    if (key === null) throw new Rejection('a column of the key has no value: skip such rows, or state other columns in primaryKey');
  } catch (error) {
    key = reject(error, compiled.keyLabel);
  }
  const values = compiled.values.map(([label, required, value]) => {
    if (isDeleted || !value) return null;
    try {
      const text = value(row);
      if (text === null && required) throw new Rejection('has no value and needs one: state default');
      return text;
    } catch (error) {
      return reject(error, label);
    }
  });
  let order: string | null = null;
  let watermark: string | null = null;
  try {
    order = compiled.order(row);
    watermark = compiled.watermark(row);
  } catch (error) {
    reject(error);
  }
  return isRejected || key === null ? undefined : { file: list.name, line, key, values, order, watermark, isDeleted, cells };
};

/** Rows with more or fewer values than the list has columns. Further values that are empty do not count. */
const refuseOtherWidth = ({ columns }: SourceList, { cells }: SourceRow): void => {
  const { length } = columns;
  if (cells.length < length || cells.slice(length).some((cell) => cell !== null && cell !== ''))
    throw new Rejection(`the row has ${cells.length} values, and the header ${length} columns`);
};

/** Reads and maps the rows of one table of a source. Rows that are rejected are counted and left out. */
export async function* mappedRows(
  source: Source,
  folder: string,
  mapping: Mapping,
  { rejections, counts, opened }: Watch,
  since?: string,
): AsyncGenerator<MappedRow> {
  const { rule } = mapping;
  const formats = formatsOf(source, rule);
  const loaded = await Promise.all((rule.lists ?? []).map((list) => loadList(source, folder, list)));
  const keys = new RowKeys();
  for await (const plain of openLists(source, folder, rule, since)) {
    const list = withLists(source, plain, rule, loaded);
    const { compiled, unused } = compile(mapping, list, keys, formats);
    opened?.(list, unused, rule.table);
    if (rule.newColumns === 'refuse' && unused.length > 0)
      throw new OperatorError(
        `${shown(list.name)} has columns that the source does not name: ${shown(unused.join(', '))}. State them, or newColumns: ignore.`,
      );
    for await (const row of list.rows) {
      counts.read++;
      const mapped = tryRow(compiled, list, row, rejections, counts);
      if (mapped) yield mapped;
    }
  }
}

const tryRow = (compiled: Compiled, list: SourceList, row: SourceRow, rejections: Rejections, counts: RowCounts): MappedRow | undefined => {
  try {
    if (!compiled.isLoaded(row)) {
      counts.skipped++;
      return undefined;
    }
    refuseOtherWidth(list, row);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    counts.rejected++;
    rejections.add({ file: list.name, line: row.line }, error);
    return undefined;
  }
  const mapped = mapRow(compiled, list, row, rejections);
  if (!mapped) counts.rejected++;
  return mapped;
};
