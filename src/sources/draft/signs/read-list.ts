/** A list with its values as numbers and days, and what rules find in them. */
import type { RawTableName } from '../../../catalogue/raw/index.ts';
import { daysIn, plainNumbersOf } from '../forms/read-values.ts';
import type { Conventions } from '../forms/settle.ts';
import type { ColumnProfile, ListProfile } from '../lists/profile.ts';

/** A target of one raw table, or of all that have a column of this name. */
export type TargetPlace = `${RawTableName}.${string}` | string;

export interface FoundSign {
  readonly column: ColumnProfile;
  readonly targets: readonly TargetPlace[];
  readonly points?: number;
  readonly evidence: string;
}

export interface Values<Value> {
  readonly column: ColumnProfile;
  readonly values: readonly (Value | undefined)[];
}

/** A list with its values as numbers and days. */
export interface ReadList {
  readonly list: ListProfile;
  readonly numbers: readonly Values<number>[];
  readonly days: readonly Values<string>[];
}

export const readList = (list: ListProfile, conventions: Conventions): ReadList => ({
  list,
  numbers: list.columns.flatMap((column) => {
    const values = plainNumbersOf(column, list, conventions);
    return values ? [{ column, values: values.map((text) => (text === undefined ? undefined : Number(text))) }] : [];
  }),
  days: list.columns.flatMap((column) => {
    const values = daysIn(column, list, conventions);
    return values ? [{ column, values }] : [];
  }),
});

export const share = <Value>(values: readonly Value[], holds: (value: Value) => boolean): number =>
  values.length === 0 ? 0 : values.filter(holds).length / values.length;

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Rows in which both columns have a value. */
export const both = <One, Other>(one: Values<One>, other: Values<Other>): (readonly [One, Other])[] =>
  one.values.flatMap((value, row) => {
    const second = other.values[row];
    return value !== undefined && second !== undefined ? [[value, second] as const] : [];
  });

export const filledOf = <Value>({ values }: Values<Value>): Value[] => values.flatMap((value) => (value === undefined ? [] : [value]));
