/**
 * The kinds of columns that a category table can have, and how one is declared.
 *
 * A column says what it means, where its value comes from in the raw tables and which list its codes are taken from.
 * Whether it is null, filtered on or a key is said by the table, once.
 */

import type { LookupName } from './lookups.ts';

/** What a value is in SQL and in JSON; `number` is `numeric(precision, scale)`. */
export type Kind = 'integer' | 'bigint' | 'number' | 'string' | 'date' | 'timestamp' | 'boolean';

export interface ColumnOptions {
  /** Never null. */
  readonly required?: true;
  /** Where the value comes from: a column of the driving raw table if it is a bare name, else an SQL expression over the
   *  joins; absent: the driving table's column of the same name. */
  readonly from?: string;
  /** The list in `lookups.ts` that the codes of this column are taken from. */
  readonly lookup?: LookupName;
  /** `table.column` that the value refers to where no relation says so, often of a raw table. */
  readonly references?: string;
  /** A value that documentation shows. */
  readonly example?: string | number | boolean;
}

export interface Column<K extends Kind = Kind> extends ColumnOptions {
  readonly kind: K;
  readonly meaning: string;
  /** Digits in all and behind the point, of a `number`. */
  readonly digits?: readonly [precision: number, scale: number];
}

/** The value of a column as GraphQL and TypeScript callers see it; numbers beyond 2^53 do not occur (dictionary, types). */
export type ValueOf<K extends Kind> = K extends 'integer' | 'bigint' | 'number' ? number : K extends 'boolean' ? boolean : string;

type Declared<K extends Kind, O extends ColumnOptions> = Column<K> & O;

const declare =
  <K extends Kind>(kind: K) =>
  <const O extends ColumnOptions = object>(meaning: string, options?: O): Declared<K, O> =>
    ({ kind, meaning, ...options }) as Declared<K, O>;

/** A 32-bit integer. */
export const integer = declare('integer');
/** A 64-bit integer. */
export const bigint = declare('bigint');
/** Text; sorts and compares by code point. */
export const string = declare('string');
/** A calendar day, `YYYY-MM-DD`. */
export const date = declare('date');
/** A point in time, shown in UTC. */
export const timestamp = declare('timestamp');
/** true or false. */
export const boolean = declare('boolean');

/** An exact decimal number, `numeric(precision, scale)`; the digits are kept as the database holds them. */
export const number = <const O extends ColumnOptions = object>(precision: number, scale: number, meaning: string, options?: O) =>
  ({ kind: 'number', meaning, digits: [precision, scale], ...options }) as Declared<'number', O>;

/** Option of a column that is never null. */
export const required = true as const;
