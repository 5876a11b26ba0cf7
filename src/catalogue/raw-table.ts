/**
 * Raw tables: the data of the source ERP, loaded unchanged and served under `/raw`.
 *
 * Each has a single integer key, which orders its pages. Columns are declared in SQL. Row types, DDL and the loader's checks are derived
 * from them.
 */
import type { PersonalClass } from './personal.ts';
import type { PropertyOf } from './property-path.ts';
import type { Tier } from './tiers.ts';

type SqlType = 'integer' | 'bigint' | 'text' | 'boolean' | 'date' | 'timestamptz' | `numeric(${number},${number})`;

/** A column declaration in SQL, such as `text` or `numeric(14,2) not null`. */
export type RawColumn = SqlType | `${SqlType} not null`;

/** The type of a declared column, and whether a value is required. */
export const partsOf = (column: RawColumn) => {
  const type = column.replace(/ not null$/, '');
  return { type, required: type !== column };
};

export interface RawTable {
  readonly purpose: string;
  /** The integer key column, which orders pages. */
  readonly key: string;
  readonly tier: Tier;
  /** How rows belong to properties; absent if they do not. */
  readonly property?: PropertyOf;
  readonly columns: Readonly<Record<string, RawColumn>>;
  /** The classes of columns with personal data (contract: personal columns). */
  readonly personal: Readonly<Record<string, PersonalClass>>;
  /** Unique keys besides `key`. */
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

/** A row to load. `not null` columns are required, others are optional. Decimals may be text, which preserves their digits. */
export type RawRowOf<T extends RawTable> = {
  [C in keyof T['columns'] as T['columns'][C] extends `${string} not null` ? C : never]: RawValue<Unquoted<T['columns'][C]>>;
} & {
  [C in keyof T['columns'] as T['columns'][C] extends `${string} not null` ? never : C]?: RawValue<Unquoted<T['columns'][C]>> | null;
};

/** Declares a raw table. Its key and unique keys must be among its columns. */
export const raw = <const C extends Readonly<Record<string, RawColumn>>, const K extends keyof C & string>(table: {
  purpose: string;
  key: K;
  tier: Tier;
  property?: PropertyOf;
  columns: C;
  personal?: { readonly [Name in keyof C & string]?: PersonalClass };
  unique?: readonly (readonly (keyof C & string)[])[];
}) => ({ ...table, personal: (table.personal ?? {}) as Readonly<Record<string, PersonalClass>>, unique: table.unique ?? [] });
