/**
 * Kinds of columns of category tables, and how to declare a column.
 *
 * A column declares its meaning, its source in the raw tables, and its code list. The table declares whether it is nullable, a filter or a
 * key.
 */
import type { LookupName } from './lookups.ts';
import type { PersonalClass } from './personal.ts';

/** The type of a value in SQL and JSON; `number` is `numeric(precision, scale)`. */
export type Kind = 'integer' | 'bigint' | 'number' | 'string' | 'date' | 'timestamp' | 'boolean';

export interface ColumnOptions {
  /** Never null. */
  readonly required?: true;
  /**
   * The source of the value: a column of the driving raw table if it is a plain name, otherwise an SQL expression over the joined tables.
   * Default: the column with the same name.
   */
  readonly from?: string;
  /** The code list in `lookups.ts`. */
  readonly lookup?: LookupName;
  /** The referenced `table.column` where no relation declares it, often of a raw table. */
  readonly references?: string;
  /** The class of personal data. A key may be limited to some of the classes (contract: personal columns). */
  readonly personal?: PersonalClass;
  /** A rate, a price, a duration or a coordinate, so its sum over rows has no meaning. */
  readonly isRate?: true;
  /** An example for the documentation. */
  readonly example?: string | number | boolean;
}

export interface Column<K extends Kind = Kind> extends ColumnOptions {
  readonly kind: K;
  readonly meaning: string;
  /** The key may not read it. Set in the catalogue of a key with a data scope (`data-scope.ts`). */
  readonly isHidden?: boolean;
  /** Precision and scale of a `number`. */
  readonly digits?: readonly [precision: number, scale: number];
}

/** The TypeScript type of a column's value. Numbers beyond 2^53 do not occur (dictionary, types). */
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
/** A point in time, returned in UTC. */
export const timestamp = declare('timestamp');
/** true or false. */
export const boolean = declare('boolean');

/** An exact decimal number, `numeric(precision, scale)`. Responses have the digits of the database. */
export const number = <const O extends ColumnOptions = object>(precision: number, scale: number, meaning: string, options?: O) =>
  ({ kind: 'number', meaning, digits: [precision, scale], ...options }) as Declared<'number', O>;

/** The option for a column that is never null. */
export const required = true as const;
