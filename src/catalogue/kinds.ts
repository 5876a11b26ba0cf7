/**
 * The kinds of columns: their form in the database, as a bind parameter, in filters, in JSON, in GraphQL and in the OpenAPI document. A kind
 * without one of these does not compile, and neither does a loader without one of the kinds.
 */
import type { Kind } from './column.ts';
import { isCalendarDay, parseTimestamp } from './instant.ts';

export interface KindMeaning {
  /** The type in SQL declarations. `digits` are precision and scale of a number. */
  readonly ddl: (digits: readonly number[] | undefined) => string;
  /** The name of the type in the database's catalog. */
  readonly type: string;
  /** SQL that gives null for NaN and infinities, to be joined by the expression (contract: values that are not finite). */
  readonly finite?: readonly string[];
  /** The type of bind parameters: the widest of its kind, so that every value converts. */
  readonly parameter: string;
  /** How the bytes of a value become JSON (`wire/json-values.ts`). */
  readonly wire: 'number' | 'text' | 'date' | 'timestamp' | 'boolean';
  /** The GraphQL scalar. */
  readonly scalar: string;
  /** The comparisons of its GraphQL filter: by order, and of text. */
  readonly isOrdered: boolean;
  readonly isText: boolean;
  /** JSON Schema. */
  readonly schema: { readonly type: string; readonly format?: string };
  /** Parses the text of a filter into the canonical value. Undefined if it is invalid (contract: filters). */
  readonly parse: (text: string) => string | undefined;
}

/** Integers in requests: optional blanks, a sign and ASCII digits (contract: integer parameters). */
export const integerPattern = /^\s*([+-]?)([0-9]+)\s*$/;
const longestInteger = 40;

/** Whether an integer fits into a 64-bit column. */
export const fits64Bits = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

const parseInteger = (text: string): string | undefined => {
  const [, sign, digits = ''] = integerPattern.exec(text) ?? [];
  if (sign === undefined || digits.length > longestInteger) return undefined;
  const value = BigInt(digits) * (sign === '-' ? -1n : 1n);
  return fits64Bits(value) ? String(value) : undefined;
};

const same =
  (isValue: (text: string) => boolean) =>
  (text: string): string | undefined =>
    isValue(text) ? text : undefined;

const finiteTime = ['case when isfinite(', ') then ', ' end'] as const;

export const kinds = {
  integer: {
    ddl: () => 'integer',
    type: 'integer',
    parameter: 'bigint',
    wire: 'number',
    scalar: 'Int',
    isOrdered: true,
    isText: false,
    schema: { type: 'integer', format: 'int32' },
    parse: parseInteger,
  },
  bigint: {
    ddl: () => 'bigint',
    type: 'bigint',
    parameter: 'bigint',
    wire: 'number',
    scalar: 'BigInt',
    isOrdered: true,
    isText: false,
    schema: { type: 'integer', format: 'int64' },
    parse: parseInteger,
  },
  number: {
    ddl: (digits) => `numeric(${digits?.join(',')})`,
    type: 'numeric',
    finite: ['nullif(', ", 'NaN')"],
    parameter: 'numeric',
    wire: 'number',
    scalar: 'Float',
    isOrdered: true,
    isText: false,
    schema: { type: 'number' },
    parse: same((text) => /^[+-]?[0-9]{1,40}(\.[0-9]{1,40})?$/.test(text)),
  },
  string: {
    // Sorts by code point in every locale of the database (contract: sort order).
    ddl: () => 'text collate "C"',
    type: 'text',
    parameter: 'text',
    wire: 'text',
    scalar: 'String',
    isOrdered: true,
    isText: true,
    schema: { type: 'string' },
    parse: same((text) => !text.includes('\0')),
  },
  date: {
    ddl: () => 'date',
    type: 'date',
    finite: finiteTime,
    parameter: 'date',
    wire: 'date',
    scalar: 'Date',
    isOrdered: true,
    isText: false,
    schema: { type: 'string', format: 'date' },
    parse: same(isCalendarDay),
  },
  timestamp: {
    ddl: () => 'timestamptz',
    type: 'timestamp with time zone',
    finite: finiteTime,
    parameter: 'timestamptz',
    wire: 'timestamp',
    scalar: 'DateTime',
    isOrdered: true,
    isText: false,
    schema: { type: 'string', format: 'date-time' },
    parse: parseTimestamp,
  },
  boolean: {
    ddl: () => 'boolean',
    type: 'boolean',
    parameter: 'boolean',
    wire: 'boolean',
    scalar: 'Boolean',
    isOrdered: false,
    isText: false,
    schema: { type: 'boolean' },
    parse: same((text) => text === 'true' || text === 'false'),
  },
} as const satisfies Record<Kind, KindMeaning>;

/** The name of a type in the database's catalog. */
export type TypeName = (typeof kinds)[Kind]['type'];

export const kindNames = Object.keys(kinds) as readonly Kind[];
