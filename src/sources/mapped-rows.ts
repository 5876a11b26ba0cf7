/** The rows of one table of a source, mapped to the columns of its raw table. Keys are still those of the source. */

import { rawColumnFacts } from '../catalogue/raw/columns.ts';
import type { RawTableName } from '../catalogue/raw/index.ts';
import { OperatorError } from '../errors.ts';
import { CsvRow, numbersOfField } from '../sync/files/csv-rows.ts';
import { type Reason, Rejection, shown } from '../sync/files/rejections.ts';
import { type ByteValue, byteValue, writeByteValue } from './columns/byte-value.ts';
import { type ColumnValue, columnsOfRule, columnValue, ruleOf } from './columns/column-value.ts';
import { rowFilter } from './columns/conditions.ts';
import { withGroups } from './columns/groups.ts';
import { namedColumns } from './columns/named-columns.ts';
import { RowColumns, RowKeys } from './columns/row-columns.ts';
import { textReader } from './columns/values.ts';
import { FieldWriter, type Missing, noneMissing, type RowFields } from './keys/copy-fields.ts';
import { keyText } from './keys/key-text.ts';
import { rawTableOf } from './keys/key-type.ts';
import { refuseQuestions } from './questions.ts';
import { readWholeList, withLists } from './readers/lists.ts';
import { formatsOf, openLists } from './readers/open-list.ts';
import type { ColumnRule, Formats, Source, TableRule } from './source-file.ts';
import { type SourceList, type SourceRow, widthOf } from './source-rows.ts';
import { needsValue, requiredWithout, type TargetTable } from './target-table.ts';

/** A row for a raw table, before its keys are integers. */
export class MappedRow {
  readonly file: string;
  readonly line: number;
  /** The text of its own key. */
  readonly key: string;
  /** The fields in the order of the target columns; references have the text of the source. */
  readonly fields: RowFields;
  /** The texts of the references, in the order of the mapping. */
  readonly references: readonly (string | null)[];
  /** By which the latest of equal keys is known. */
  readonly order: string | null;
  readonly watermark: string | null;
  readonly isDeleted: boolean;
  /** The row of the export, and its list. */
  readonly source: Pick<SourceRow, 'cells'>;
  readonly list: Pick<RejectedRow, 'columns' | 'facts'>;

  constructor(file: string, line: number, row: Omit<MappedRow, 'cells' | 'file' | 'line'>) {
    this.file = file;
    this.line = line;
    this.key = row.key;
    this.fields = row.fields;
    this.references = row.references;
    this.order = row.order;
    this.watermark = row.watermark;
    this.isDeleted = row.isDeleted;
    this.source = row.source;
    this.list = row.list;
  }

  get cells(): SourceRow['cells'] {
    return this.source.cells;
  }
}

/** A row that cannot be loaded, with the line of the export. */
export interface RejectedRow {
  readonly file: string;
  readonly line: number;
  /** The text of its own key; null if it has none. */
  readonly key: string | null;
  readonly reasons: readonly Reason[];
  readonly columns: SourceList['columns'];
  readonly cells: SourceRow['cells'];
  readonly facts?: SourceList['facts'] | undefined;
}

/** Rows that were read together. */
export type MappedBatch = readonly (MappedRow | RejectedRow)[];

export const isRejected = (row: MappedRow | RejectedRow): row is RejectedRow => !(row instanceof MappedRow);

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
  refuseQuestions(rule);
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

/** How the value of a column is read. */
interface CompiledColumn {
  readonly label: string;
  readonly isRequired: boolean;
  readonly isReference: boolean;
  /** Undefined: this table of the source does not fill the column. */
  readonly value: ColumnValue | undefined;
  /** The cell that is converted from its bytes; -1 if there is none. */
  readonly cell: number;
  readonly fromBytes: ByteValue | undefined;
  /** Whether an empty cell is null. */
  readonly isOptional: boolean;
}

interface Compiled {
  readonly isLoaded: (row: SourceRow) => boolean;
  readonly key: ColumnValue;
  readonly keyLabel: string;
  readonly columns: readonly CompiledColumn[];
  readonly order: ColumnValue;
  readonly watermark: ColumnValue;
  readonly isDeleted: (row: SourceRow) => boolean;
  readonly out: FieldWriter;
}

/** The further list that has a column; undefined if the rows have it themselves. */
const listOfColumn = ({ lists = [] }: TableRule, column: string) => lists.find(({ as }) => column.startsWith(`${as}.`));

/** The formats of the list that a column is read from; of several columns, the first decides. */
const formatsOfColumn = (rule: TableRule, column: ColumnRule, own: Formats): Formats => {
  const [first = ''] = columnsOfRule(column);
  return { ...own, ...listOfColumn(rule, first)?.formats };
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

/** Whether the column identifies a row of this table or of another one, so that its parts are all there or it has no value. */
const namesRow = (table: string, column: string, { key }: TargetTable): boolean => {
  const known = rawTableOf(table);
  if (column === key || !known) return column === key;
  return (
    known.unique.some((unique) => unique.length === 1 && unique[0] === column) ||
    rawColumnFacts(table as RawTableName, column).references !== undefined
  );
};

const plainColumn = (name: string | undefined, columns: RowColumns, formats: Formats): ColumnValue =>
  name === undefined || name === '$position' ? () => null : columnValue({ from: name }, undefined, columns, formats);

const compile = (
  mapping: Mapping,
  list: SourceList,
  keys: RowKeys,
  { formats, missing }: { readonly formats: Formats; readonly missing: Missing },
): { compiled: Compiled; unused: readonly string[] } => {
  const { rule, target, references } = mapping;
  const columns = new RowColumns(list, keys, rule.missingColumns);
  const { deletions } = rule;
  const deletion = deletions && plainColumn(deletions.column, columns, formats);
  const [ownLabel = '', ...labels] = mapping.labels;
  const compiledColumns = mapping.columns.map((name, index): CompiledColumn => {
    const column = rule.columns[name];
    const { type } = target.columns.get(name)!;
    const isReference = references.has(name);
    const common = { label: labels[index]!, isRequired: needsValue(name, target), isReference };
    if (column === undefined) return { ...common, value: undefined, cell: -1, fromBytes: undefined, isOptional: !common.isRequired };
    const own = ruleOf(column);
    const ownFormats = formatsOfColumn(rule, own, formats);
    const value = columnValue(own, isReference ? undefined : type, columns, ownFormats, isReference || namesRow(rule.table, name, target));
    const fromBytes = isReference ? undefined : byteValue(own, type, ownFormats);
    const cell = fromBytes ? columns.indexOf(String(own.from)) : -1;
    return { ...common, value, cell, fromBytes, isOptional: !common.isRequired && own.default === undefined };
  });
  const compiled = {
    isLoaded: rowFilter(rule, columns, formats),
    key: keyValue(mapping, columns, formats),
    keyLabel: ownLabel,
    columns: compiledColumns,
    order: plainColumn(rule.latest, columns, formats),
    watermark: plainColumn(rule.watermark, columns, formats),
    isDeleted: (row: SourceRow) => deletions?.values.includes(deletion?.(row) ?? '') === true,
    out: new FieldWriter(missing),
  };
  return { compiled, unused: columns.unused.filter((name) => !listOfColumn(rule, name)) };
};

/** Counts of the rows of a table. */
export interface RowCounts {
  read: number;
  skipped: number;
  rejected: number;
  /** Of the rows that were mapped. */
  readonly missing: Missing;
}

export const noCounts = (columns: number): RowCounts => ({ read: 0, skipped: 0, rejected: 0, missing: noneMissing(columns) });

/** Adds the counts of further rows of the table. */
export const addCounts = (all: RowCounts, { read, skipped, rejected, missing }: RowCounts): void => {
  all.read += read;
  all.skipped += skipped;
  all.rejected += rejected;
  all.missing.rows += missing.rows;
  for (const [column, rows] of missing.values.entries()) all.missing.values[column]! += rows;
};

/** A list without its rows. */
export type OpenedList = Omit<SourceList, 'rows' | 'close'>;

/** Receives what a check shows. */
export interface Watch {
  readonly counts: RowCounts;
  /** A list with the columns that nothing reads. */
  readonly opened?: (list: OpenedList, unused: readonly string[], table: string) => void;
}

/** The reason of an error that the row caused. Throws every other error. */
const reasonOf = (error: unknown, column?: string): Reason => {
  if (!(error instanceof Rejection)) throw error;
  return { column, reason: error.reason, value: error.value };
};

const rejectedRow = (list: SourceList, row: SourceRow, key: string | null, reasons: readonly Reason[]): RejectedRow => ({
  file: list.name,
  line: row.line,
  key,
  reasons,
  columns: list.columns,
  cells: row.cells,
  facts: list.facts,
});

const noReferences: readonly (string | null)[] = [];

/** Writes a field from the bytes of its cell. False: the value has another form, or it is missing and that is decided elsewhere. */
const writeFromBytes = (
  { cell, fromBytes, isOptional }: CompiledColumn,
  { bytes, at, quote }: CsvRow['fields'],
  first: number,
  out: FieldWriter,
): boolean => {
  const number = first + cell * numbersOfField;
  const start = at[number] as number;
  const end = at[number + 1] as number;
  const isQuoted = at[number + 2] !== 0;
  if (start < end) return (!isQuoted || quote === '"') && writeByteValue(fromBytes!, bytes, start, end, isQuoted, out);
  if (isOptional) out.none(bytes, start);
  return isOptional;
};

/** The text of the row's own key. Throws a `Rejection` if it has none. */
const ownKey = ({ key }: Compiled, row: SourceRow): string => {
  const text = key(row);
  if (text === null) throw new Rejection('a column of the key has no value: skip such rows, or state other columns in primaryKey');
  return text;
};

/** The text of a column. Throws a `Rejection` if it cannot be read, or if it is missing and needed. */
const textOf = ({ value, isRequired }: CompiledColumn, row: SourceRow): string | null => {
  const text = value === undefined ? null : value(row);
  if (text === null && isRequired) throw new Rejection('has no value and needs one: state default');
  return text;
};

const mapRow = (compiled: Compiled, list: SourceList, row: SourceRow): MappedRow | RejectedRow => {
  const { out, columns } = compiled;
  let reasons: Reason[] | undefined;
  let isDeleted = false;
  let key: string | null = null;
  let references: (string | null)[] | undefined;
  try {
    isDeleted = compiled.isDeleted(row);
  } catch (error) {
    reasons = [reasonOf(error)];
  }
  try {
    key = ownKey(compiled, row);
  } catch (error) {
    reasons = [...(reasons ?? []), reasonOf(error, compiled.keyLabel)];
  }
  out.begin();
  const inBytes = row instanceof CsvRow && !isDeleted ? row : undefined;
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index] as CompiledColumn;
    if (inBytes && column.cell >= 0 && column.cell < inBytes.width && writeFromBytes(column, inBytes.fields, inBytes.first, out)) continue;
    let text: string | null = null;
    try {
      if (!isDeleted) text = textOf(column, row);
    } catch (error) {
      reasons = [...(reasons ?? []), reasonOf(error, column.label)];
    }
    if (column.isReference) {
      references ??= [];
      references.push(text);
    }
    out.text(text);
  }
  let order: string | null = null;
  let watermark: string | null = null;
  try {
    order = compiled.order(row);
    watermark = compiled.watermark(row);
  } catch (error) {
    reasons = [...(reasons ?? []), reasonOf(error)];
  }
  if (reasons || key === null) return rejectedRow(list, row, key, reasons ?? []);
  return new MappedRow(list.name, row.line, {
    key,
    fields: out.end(),
    references: references ?? noReferences,
    order,
    watermark,
    isDeleted,
    source: row,
    list,
  });
};

/** Rows with more or fewer values than the list has columns. Further values that are empty do not count. */
const refuseOtherWidth = ({ columns: { length } }: SourceList, row: SourceRow): void => {
  const width = widthOf(row);
  if (width === length) return;
  if (width < length || row.cells.slice(length).some((cell) => cell !== null && cell !== ''))
    throw new Rejection(`the row has ${width} values, and the header ${length} columns`);
};

/** Compiles a table for one list. An option that cannot be read is refused with its table. */
const compileFor = (...given: Parameters<typeof compile>): ReturnType<typeof compile> => {
  const [mapping] = given;
  try {
    return compile(...given);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    throw new OperatorError(
      `${mapping.rule.table}: ${error.value === undefined ? '' : `'${shown(error.value)}' `}${shown(error.reason)}. Correct the source file.`,
    );
  }
};

/** The columns of a list for which the source needs a use and has none. Other tables can read the same list. */
const unknownColumns = ({ tables }: Source, rule: TableRule, unused: readonly string[]): readonly string[] => {
  if (rule.newColumns === 'refuse') return unused;
  if (!rule.knownColumns) return [];
  const isOfList = ({ path, dialect }: TableRule) => path === rule.path && dialect?.sheetName === rule.dialect?.sheetName;
  const named = new Set(tables.filter(isOfList).flatMap((table) => namedColumns(table).map(({ name }) => name)));
  return unused.filter((name) => !named.has(name));
};

/** Maps the rows of one open list. Rows that cannot be loaded come with their reasons. */
export async function* mapList(
  source: Source,
  list: SourceList,
  mapping: Mapping,
  { counts, opened }: Watch,
  keys = new RowKeys(),
): AsyncGenerator<MappedBatch> {
  const { rule } = mapping;
  const { compiled, unused } = compileFor(mapping, list, keys, { formats: formatsOf(source, rule), missing: counts.missing });
  opened?.(list, unused, rule.table);
  const unknown = unknownColumns(source, rule, unused);
  if (unknown.length > 0)
    throw new OperatorError(
      `${shown(list.name)} has columns that the source does not name: ${shown(unknown.join(', '))}. State them, or ${rule.knownColumns ? 'add them to knownColumns' : 'newColumns: ignore'}.`,
    );
  for await (const batch of list.rows) {
    const mapped: (MappedRow | RejectedRow)[] = [];
    for (const row of batch) {
      counts.read++;
      const one = tryRow(compiled, list, row, counts);
      if (one) mapped.push(one);
    }
    if (mapped.length > 0) yield mapped;
  }
}

/** Reads and maps the rows of one table of a source. Rows that cannot be loaded come with their reasons. */
export async function* mappedRows(
  source: Source,
  folder: string,
  mapping: Mapping,
  watch: Watch,
  since?: string,
): AsyncGenerator<MappedBatch> {
  const { rule } = mapping;
  const loaded = await Promise.all((rule.lists ?? []).map((list) => readWholeList(source, folder, list)));
  const keys = new RowKeys();
  for await (const plain of openLists(source, folder, rule, since))
    yield* mapList(source, withLists(source, withGroups(plain, rule), rule, loaded), mapping, watch, keys);
}

const tryRow = (compiled: Compiled, list: SourceList, row: SourceRow, counts: RowCounts): MappedRow | RejectedRow | undefined => {
  try {
    if (!compiled.isLoaded(row)) {
      counts.skipped++;
      return undefined;
    }
    refuseOtherWidth(list, row);
  } catch (error) {
    return rejectedRow(list, row, null, [reasonOf(error)]);
  }
  return mapRow(compiled, list, row);
};
