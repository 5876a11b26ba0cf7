/**
 * Groups of a plan's rows, as plain data: what puts rows together, what is told of each group, and which groups are shown
 * (contract: groups). The rows of such a plan are its groups; its own condition stays that on the rows that are put together.
 */
import type { Column, Kind } from '../catalogue/column.ts';
import type { Table } from '../catalogue/table.ts';
import type { Condition } from './condition.ts';
import { type Path, targetsOf } from './paths.ts';

/** Stretches of time, each named by its first day; a week begins on Monday (contract: buckets). */
export const buckets = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Bucket = (typeof buckets)[number];

/** The bounds of how many groups are asked for at once. */
export const groupBounds = { least: 1, most: 10_000 } as const;
/** The most to-one relations that one grouping follows; of more, the server would no longer choose the order of joins. */
export const mostJoins = 8;

export interface GroupKey extends Path {
  /** Of the group's value; by it orders, conditions and columns of a plan speak of the key. */
  readonly name: string;
  readonly kind: Kind;
  readonly isNullable: boolean;
  readonly bucket?: Bucket | undefined;
}

/** What becomes of the values of one column: null, but for the number of distinct ones, where all of them are null. */
export const folds = ['sum', 'avg', 'min', 'max', 'distinct'] as const;
export type Fold = (typeof folds)[number];

/** SQL over a group's rows, of the catalogue's making, with the columns that it reads. */
export type Formula = readonly (string | Path)[];

/** What is computed of a group's rows. */
export type Figure =
  | { readonly is: Fold; readonly column: string; readonly kind: Kind; readonly scale: number }
  | { readonly is: 'measure'; readonly formula: Formula };
export type GroupValue = Figure & { readonly name: string };

/** The first groups, in the plan's order, for each value of some keys. */
export interface Top {
  readonly by: readonly string[];
  readonly first: number;
}

export interface Groups {
  readonly keys: readonly GroupKey[];
  /** Beside the number of rows, which is always there. */
  readonly values: readonly GroupValue[];
  /** A condition on the names of keys and values. */
  readonly having: Condition | undefined;
  readonly top: Top | undefined;
  /** Each group tells how many there are. */
  readonly isCounted: boolean;
}

/** Names of what every group has: its rows, and how many groups there are. */
export const countName = 'count';
export const totalName = 'total';

/** What a group's value is as a term of an order or a condition. */
export interface Term {
  readonly column: string;
  readonly kind: Kind;
  readonly isNullable: boolean;
}

export const keyTerm = ({ name, kind, isNullable }: GroupKey): Term => ({ column: name, kind, isNullable });
export const countTerm: Term = { column: countName, kind: 'bigint', isNullable: false };
export const valueTerm = (value: GroupValue): Term => {
  const { name: column } = value;
  if (value.is === 'distinct') return { column, kind: 'bigint', isNullable: false };
  return { column, kind: value.is === 'min' || value.is === 'max' ? value.kind : 'number', isNullable: true };
};

/** An order that was asked for, made unique by the keys; there is but one group without any. */
export const groupOrder = <T extends Term & { readonly isDescending: boolean }>(keys: readonly GroupKey[], asked: readonly T[]) => {
  const terms = [...asked, ...(keys.length > 0 ? keys.map(keyTerm) : [countTerm]).map((each) => ({ ...each, isDescending: false }))];
  return terms.filter(({ column }, index) => terms.findIndex((other) => other.column === column) === index);
};

const isQuantity = (table: Table, name: string, { kind, references, lookup }: Column): boolean => {
  if (kind === 'number') return true;
  if ((kind !== 'integer' && kind !== 'bigint') || references || lookup) return false;
  const refers = Object.values(table.relations).some(({ column }) => column === name);
  return !refers && name !== table.key && !table.unique.includes(name) && !/_id$/.test(name);
};

/** Columns that a fold can be asked of, in catalogue order: sums and averages are of what counts or measures something. */
export const foldable = (table: Table, fold: Fold): readonly string[] =>
  Object.entries(table.columns)
    .filter(([name, column]) => {
      if (fold === 'sum' || fold === 'avg') return isQuantity(table, name, column);
      return fold === 'distinct' || column.kind !== 'boolean';
    })
    .map(([name]) => name);

/** Whether a column can be put into buckets. */
export const hasBuckets = ({ kind }: Pick<Column, 'kind'>): boolean => kind === 'date' || kind === 'timestamp';

/** A fold of a table's column. */
export const foldOf = (table: Table, is: Fold, column: string): Figure => {
  const { kind, digits } = table.columns[column]!;
  return { is, column, kind, scale: digits?.[1] ?? 0 };
};
export const measureOf = (formula: Formula): Figure => ({ is: 'measure', formula });

/** Formulas are made once for a request, so that one measure has one. */
const isSame = (one: Figure, other: Figure): boolean => {
  if (one.is === 'measure') return other.is === 'measure' && one.formula === other.formula;
  return other.is === one.is && one.column === other.column;
};

/** The name of a figure among values, to which it is added if it is not there yet. */
export const nameOf = (values: GroupValue[], figure: Figure): string => {
  const known = values.find((value) => isSame(value, figure));
  if (known) return known.name;
  const name = `v${values.length}`;
  values.push({ ...figure, name });
  return name;
};

/** The paths that a grouping follows. */
export const pathsOf = ({ keys, values }: Groups): readonly Path[] => [
  ...keys,
  ...values.flatMap((value) => (value.is === 'measure' ? value.formula.filter((part) => typeof part !== 'string') : [])),
];

/** The tables beside its own that a grouping reads. */
export const tablesBeside = (groups: Groups | undefined): readonly string[] => (groups ? targetsOf(pathsOf(groups)) : []);
