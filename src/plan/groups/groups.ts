/**
 * Groups of a plan's rows, as plain data: the keys, the values of each group, and a condition on groups (contract: groups). The rows of
 * such a plan are its groups. The plan's own condition still applies to the rows within the groups.
 */
import type { Column, Kind } from '../../catalogue/column.ts';
import { catalogue } from '../../catalogue/index.ts';
import { isSeriesDay, type SeriesDay } from '../../catalogue/measures/measure-formula.ts';
import type { Table } from '../../catalogue/table.ts';
import type { Condition } from '../condition.ts';
import type { Path, RelationStep } from '../paths.ts';
import type { Bucket } from '../vocabulary/keys.ts';
import { type Aggregate, aggregates, kindOfAggregate, type RowFunction, rowFunctions } from '../vocabulary/values.ts';
import type { Band } from './bands.ts';
import type { ComputedValue } from './computed.ts';
import type { DaySeries } from './series.ts';

/** The bounds of the number of groups per page. */
export const groupBounds = { min: 1, max: 10_000 } as const;
/** The maximum number of to-one relations in one grouping. With more, the database would no longer choose the order of joins. */
export const maxJoins = 8;

export interface GroupKey extends Path {
  /** The name of the key's value in a group. Orders, conditions and columns of a plan use it. */
  readonly name: string;
  readonly kind: Kind;
  readonly isNullable: boolean;
  readonly bucket?: Bucket | undefined;
  /** The key is then the number or the lower bound of the band, and its label is a column with the name `labelColumn`. */
  readonly band?: Band | undefined;
  /** The key is a day of the series, and not the column, which is the first day of the validity. */
  readonly series?: DaySeries | undefined;
}

/** The name of the label of a key with bands. */
export const labelColumn = (name: string): string => `${name} label`;

/** SQL over the rows of a group, from the catalogue. Its other parts are the columns that it reads, and the day of the series. */
export type Formula = readonly (string | Path | SeriesDay)[];

/**
 * The rows of another table whose groups are put side by side with those of the plan's table. Keys and conditions begin with a shared column, so they are
 * the same for both tables (contract: measures over another table).
 */
export interface OtherTable {
  readonly table: string;
  readonly shared: readonly string[];
  /** The condition on the rows that form groups. */
  readonly where: Formula;
}

interface OverRows {
  readonly kind: Kind;
  readonly scale: number;
  /** Only rows that meet this condition count. */
  readonly where?: Condition | undefined;
}

/** A column of each row, or of the row that relations lead to. */
export interface OverColumn extends OverRows {
  readonly via?: readonly RelationStep[];
  readonly column: string;
}

/** A function of columns of each row. */
export interface OverFunction extends OverRows {
  readonly call: RowFunction;
  readonly of: readonly (Path & { readonly kind: Kind })[];
}

/** The number of rows, or an aggregate of a value of each row. */
export type RowsExpression =
  | { readonly is: 'count'; readonly where?: Condition | undefined }
  | ({ readonly is: Exclude<Aggregate, 'percentile' | 'sum_once'> } & (OverColumn | OverFunction))
  | ({ readonly is: 'percentile'; readonly percent: number } & (OverColumn | OverFunction));

/** An expression over the rows of a group. */
export type GroupExpression =
  | RowsExpression
  | ({ readonly is: 'sum_once' } & OverColumn & Path)
  | {
      readonly is: 'measure';
      readonly formula: Formula;
      readonly scale: number;
      readonly over?: OtherTable | undefined;
      readonly isZeroWithoutRows?: true;
    };
export type GroupValue = GroupExpression & { readonly name: string };

/** The first groups, in the plan's order, for each combination of some keys. */
export interface Top {
  readonly by: readonly string[];
  readonly first: number;
}

export interface Groups {
  readonly keys: readonly GroupKey[];
  /** Values in addition to the number of rows, which is always present. */
  readonly values: readonly GroupValue[];
  /** Values that are computed from other values. */
  readonly computed?: readonly ComputedValue[];
  /** The names of keys whose empty buckets are groups as well. */
  readonly filled?: readonly string[];
  /** A condition on the names of keys and values. */
  readonly having: Condition | undefined;
  readonly top: Top | undefined;
  /** If set, each group has the total number of groups. */
  readonly isCounted: boolean;
  /** Whether the groups depend on the present day. */
  readonly isOfToday?: true;
}

/** Names of the number of rows in a group, and of the total number of groups. */
export const countName = 'count';
export const totalName = 'total';

/** A key or value of a group as a term of an order or a condition. */
export interface GroupTerm {
  readonly column: string;
  readonly kind: Kind;
  readonly isNullable: boolean;
}

/** A key in an order. Bands are ordered by their numbers or lower bounds. */
export const keyTerm = ({ name, kind, band, isNullable }: GroupKey): GroupTerm => {
  const orderKind = band ? (band.is === 'width' ? 'number' : 'integer') : kind;
  return { column: name, kind: orderKind, isNullable };
};
/** A key as groups show it. Conditions on groups apply to it. */
export const shownTerm = (key: GroupKey): GroupTerm =>
  key.band ? { column: labelColumn(key.name), kind: 'string', isNullable: key.isNullable } : keyTerm(key);
export const countTerm: GroupTerm = { column: countName, kind: 'bigint', isNullable: false };
export const valueTerm = (value: GroupValue): GroupTerm => {
  const { is, name: column } = value;
  return { column, kind: kindOfExpression(value), isNullable: is !== 'count' && is !== 'distinct' };
};

/** The kind of the value of an expression. */
export const kindOfExpression = (value: GroupExpression): Kind => kindOfAggregate(value.is, 'kind' in value ? value.kind : 'number');

/** A computed value. It can be compared with any number, also if it is a whole number itself. */
export const computedTerm = ({ name }: Pick<ComputedValue, 'name'>): GroupTerm => ({ column: name, kind: 'number', isNullable: true });

const isQuantity = (table: Table, name: string, { kind, references, lookup }: Column): boolean => {
  if (kind === 'number') return true;
  if ((kind !== 'integer' && kind !== 'bigint') || references || lookup) return false;
  // A key with a data scope may not see the target of a relation. Its column refers all the same.
  const { relations } = catalogue.tables.get(table.name) ?? table;
  const refers = Object.values(relations).some(({ column }) => column === name);
  return !refers && name !== table.key && !table.unique.includes(name) && !/_id$/.test(name);
};

const aggregatable = new WeakMap<Table, Map<Aggregate, readonly string[]>>();

/**
 * Columns of a table that an aggregate of its rows applies to, in catalogue order. Sums, averages and statistics apply only to columns that
 * count or measure something. `sum_once` applies to columns of other tables.
 */
export const aggregatableColumns = (table: Table, aggregate: Aggregate): readonly string[] => {
  const known = aggregatable.get(table) ?? new Map<Aggregate, readonly string[]>();
  aggregatable.set(table, known);
  const names = known.get(aggregate) ?? columnsFor(table, aggregate);
  known.set(aggregate, names);
  return names;
};

const isAggregatable = (over: (typeof aggregates)[Aggregate]['over'], table: Table, name: string, column: Column): boolean => {
  if (over === 'all') return true;
  return over === 'ordered' ? column.kind !== 'boolean' : over === 'quantities' && isQuantity(table, name, column);
};

const columnsFor = (table: Table, aggregate: Aggregate): readonly string[] =>
  Object.entries(table.columns)
    .filter(([name, column]) => isAggregatable(aggregates[aggregate].over, table, name, column))
    .map(([name]) => name);

/** Whether a column can have buckets. */
export const hasBuckets = ({ kind }: Pick<Column, 'kind'>): boolean => kind === 'date' || kind === 'timestamp';

/** The columns of a table that a row function applies to. */
export const operandColumns = (table: Table, call: RowFunction): readonly string[] =>
  rowFunctions[call].over === 'quantities'
    ? aggregatableColumns(table, 'avg')
    : Object.entries(table.columns).flatMap(([name, column]) => (hasBuckets(column) ? [name] : []));

/** The maximum number of groups with empty buckets, before conditions on groups. */
export const maxFilled = 100_000;

/** Whether the empty buckets of a key can be filled. */
export const canFill = ({ bucket, band }: GroupKey): boolean => (bucket ?? band) !== undefined;

/** The columns that an aggregate reads in each row. */
export const pathsOver = (value: GroupExpression): readonly Path[] => {
  if (value.is === 'count' || value.is === 'measure') return [];
  return 'call' in value ? value.of : [{ via: value.via ?? [], column: value.column }];
};

/** The paths of the keys and of the values, from the plan's table. */
export const pathsOf = ({ keys, values }: Groups): readonly Path[] => [...keys, ...values.flatMap(pathsOver), ...formulaPaths(values)];

/** The columns that a formula reads. */
export const pathsIn = (formula: Formula): readonly Path[] =>
  formula.flatMap((part) => (typeof part === 'string' || isSeriesDay(part) ? [] : [part]));

/** The paths of formulas over the rows of the plan's table. */
export const formulaPaths = (values: Groups['values']): readonly Path[] =>
  values.flatMap((value) => (value.is === 'measure' && !value.over ? pathsIn(value.formula) : []));

/** The value of groups without rows: 0 with the digits of the value, or null. */
export const withoutRows = (value: GroupExpression): string => {
  if (value.is === 'count' || value.is === 'distinct') return '0';
  return value.is === 'measure' && value.isZeroWithoutRows ? (0).toFixed(value.scale) : 'null';
};

/** The table whose rows a value is over, if it is not the plan's. */
export const otherTableOf = (value: GroupValue): string | undefined => (value.is === 'measure' ? value.over?.table : undefined);

/** The rows of each other table that values are over, with the paths that the values need from them. */
export const othersOf = (values: Groups['values']): readonly (OtherTable & { readonly paths: readonly Path[] })[] => {
  const measures = values.flatMap((value) => (value.is === 'measure' && value.over ? [{ ...value.over, formula: value.formula }] : []));
  const tables = new Map(measures.map((other) => [other.table, other]));
  return [...tables.values()].map(({ formula, ...other }) => {
    const formulas = measures.flatMap((each) => (each.table === other.table ? [each.formula] : []));
    return { ...other, paths: [other.where, ...formulas].flatMap(pathsIn) };
  });
};

/** A sum over related rows. */
export type SumOnce = Extract<GroupValue, { is: 'sum_once' }>;
export const onceOf = (values: Groups['values']): readonly SumOnce[] => values.filter((value) => value.is === 'sum_once');
