/** Scalars in addition to the built-in ones. Values are text in the database and in plans, so a scalar only checks input. */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { isCalendarDay, parseInstant } from '../../catalogue/instant.ts';

const parseDay = (value: unknown): string => {
  if (typeof value === 'string' && isCalendarDay(value)) return value;
  throw new GraphQLError('Date takes a calendar day, YYYY-MM-DD');
};

/** Preserves microseconds. `parseInstant` checks them but drops them. */
const parseDateTime = (value: unknown): string => {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (!instant) throw new GraphQLError('DateTime takes an ISO 8601 date and time, with Z, an offset or none (UTC)');
  const [, micros = ''] = /[.]\d{3}(\d{1,3})/.exec(value as string) ?? [];
  const text = instant
    .toISOString()
    .replace('Z', () => micros)
    .replace(/[.]000$/, '');
  // An offset can lead to the years 0 and 10000, which ISO and PostgreSQL write differently.
  if (text.startsWith('0000')) return `0001${text.slice(4)} BC`;
  return `${text.replace(/^[+]0/, '')}Z`;
};

/** A number beyond 64 bits is valid input, but no column holds one (contract: filters). */
const bigintPattern = /^-?(0|[1-9]\d{0,39})$/;

const parseBigInt = (value: unknown): string => {
  // The JSON parser has already rounded this number.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new GraphQLError(
      `BigInt takes a JSON number only up to ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits; send it as a string`,
    );
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === 'string' && bigintPattern.test(text)) return text;
  throw new GraphQLError('BigInt takes a whole number of at most 40 digits');
};

export const DateScalar = new GraphQLScalarType<string, string>({
  name: 'Date',
  description: 'A calendar day, `YYYY-MM-DD`.',
  parseValue: parseDay,
});

export const DateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'A point in time in UTC, `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`.',
  parseValue: parseDateTime,
});

export const BigIntScalar = new GraphQLScalarType<string, number>({
  name: 'BigInt',
  description: 'A 64-bit integer, written as a JSON number. Keys are below 2^53.',
  parseValue: parseBigInt,
  parseLiteral: (node) => {
    if (node.kind === Kind.INT || node.kind === Kind.STRING) return parseBigInt(node.value);
    throw new GraphQLError('BigInt takes a whole number', { nodes: node });
  },
});
