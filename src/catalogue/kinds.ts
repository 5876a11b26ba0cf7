/**
 * What a kind of column is, everywhere: in the database, as a bound parameter, as a filter's text, in JSON, in GraphQL and in
 * the interface description. A kind that forgets one of these does not compile; nor does a loader that forgets a kind.
 */
import type { Kind } from './column.ts';
import { isDay, parseInstant } from './instant.ts';

export interface KindMeaning {
  /** The type as SQL declares it; `digits` are those of a number. */
  readonly ddl: (digits: readonly number[] | undefined) => string;
  /** The type's name as the database shows it. */
  readonly type: string;
  /** An SQL expression without the values that JSON cannot show, which are null there (contract: row values); absent: it has none. */
  readonly shown?: (expression: string) => string;
  /** What a value is bound as: the widest of its kind, so that none fails to convert. */
  readonly parameter: string;
  /** How a value's bytes are written as JSON (`read/json-values.ts`). */
  readonly wire: 'number' | 'text' | 'date' | 'timestamp' | 'boolean';
  /** The scalar that shows it in GraphQL. */
  readonly scalar: string;
  /** Comparisons that its GraphQL filter offers: of order, and of text. */
  readonly isOrdered: boolean;
  readonly isText: boolean;
  /** JSON Schema. */
  readonly schema: { readonly type: string; readonly format?: string };
  /** A filter's text as a value, spelled in one way; undefined if it is no such value (contract: filters). */
  readonly parse: (text: string) => string | undefined;
}

/** Whole numbers as clients write them: sign, then ASCII digits, blanks around (contract: integer parameters). */
export const integerPattern = /^\s*([+-]?)([0-9]+)\s*$/;
const longestInteger = 40;

/** Whether a whole number fits a 64-bit column. */
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

const finite = (expression: string): string => `case when isfinite(${expression}) then ${expression} end`;

const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/;

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
    shown: (expression) => `nullif(${expression}, 'NaN')`,
    parameter: 'numeric',
    wire: 'number',
    scalar: 'Float',
    isOrdered: true,
    isText: false,
    schema: { type: 'number' },
    parse: same((text) => /^[+-]?[0-9]{1,40}(\.[0-9]{1,40})?$/.test(text)),
  },
  string: {
    // Sorts by code point whatever the database's locale (contract: sort order).
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
    shown: finite,
    parameter: 'date',
    wire: 'date',
    scalar: 'Date',
    isOrdered: true,
    isText: false,
    schema: { type: 'string', format: 'date' },
    parse: same(isDay),
  },
  timestamp: {
    ddl: () => 'timestamptz',
    type: 'timestamp with time zone',
    shown: finite,
    parameter: 'timestamptz',
    wire: 'timestamp',
    scalar: 'DateTime',
    isOrdered: true,
    isText: false,
    schema: { type: 'string', format: 'date-time' },
    parse: same((text) => timestampPattern.test(text) && parseInstant(text) !== undefined),
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

/** A type's name as the database shows it. */
export type TypeName = (typeof kinds)[Kind]['type'];

export const kindNames = Object.keys(kinds) as readonly Kind[];
