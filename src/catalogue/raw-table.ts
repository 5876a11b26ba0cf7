/**
 * Raw tables: what the source ERP delivers, loaded as it is and served by `/raw`.
 *
 * Each has a single integer key, by which it pages. Columns are written as SQL writes them; everything else that is needed
 * (row types, DDL, the loader's checks) is read from that.
 */
import type { Tier } from './tiers.ts';

type SqlType = 'integer' | 'bigint' | 'text' | 'boolean' | 'date' | 'timestamptz' | `numeric(${number},${number})`;

/** A column as SQL declares it, such as `text` or `numeric(14,2) not null`. */
export type RawColumn = SqlType | `${SqlType} not null`;

/** A declared column's type, and whether a value is required. */
export const partsOf = (column: RawColumn) => {
  const type = column.replace(/ not null$/, '');
  return { type, required: type !== column };
};

export interface RawTable {
  readonly purpose: string;
  /** The integer column that the table pages by. */
  readonly key: string;
  readonly tier: Tier;
  readonly columns: Readonly<Record<string, RawColumn>>;
  /** Unique keys beside `key`. */
  readonly unique: readonly (readonly string[])[];
}

type Unquoted<C extends RawColumn> = C extends `${infer S} not null` ? S : C;
type RawValue<S> = S extends 'integer' | 'bigint'
  ? number
  : S extends 'boolean'
    ? boolean
    : S extends `numeric${string}`
      ? string | number
      : string;

/** A row to load: what is `not null` must be there, the rest may be left out. Decimals may be text, so that digits survive. */
export type RawRowOf<T extends RawTable> = {
  [C in keyof T['columns'] as T['columns'][C] extends `${string} not null` ? C : never]: RawValue<Unquoted<T['columns'][C]>>;
} & {
  [C in keyof T['columns'] as T['columns'][C] extends `${string} not null` ? never : C]?: RawValue<Unquoted<T['columns'][C]>> | null;
};

/** Declares a raw table; its key and unique keys must be columns of it. */
export const raw = <const C extends Readonly<Record<string, RawColumn>>, const K extends keyof C & string>(table: {
  purpose: string;
  key: K;
  tier: Tier;
  columns: C;
  unique?: readonly (readonly (keyof C & string)[])[];
}) => ({ ...table, unique: table.unique ?? [] });
