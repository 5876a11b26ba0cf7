/**
 * Scalars beside GraphQL's own. A value leaves the database as text of its kind and goes into a plan as such, so a scalar
 * only checks what clients send.
 */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { isDay, parseInstant } from '../catalogue/instant.ts';

const parseDay = (value: unknown): string => {
  if (typeof value === 'string' && isDay(value)) return value;
  throw new GraphQLError('Date takes a calendar day, YYYY-MM-DD');
};

/** Microseconds are kept; `parseInstant` has only checked them. */
const parseDateTime = (value: unknown): string => {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (!instant) throw new GraphQLError('DateTime takes an ISO 8601 date and time, with Z, an offset or none (UTC)');
  const [, micros] = /[.]\d{3}(\d{1,3})/.exec(value as string) ?? [];
  return micros ? instant.toISOString().replace('Z', `${micros}Z`) : instant.toISOString().replace('.000Z', 'Z');
};

/** Numbers that need more than 64 bits are none that a column holds; they match nothing (contract: filters). */
const bigintPattern = /^-?(0|[1-9]\d{0,39})$/;

const parseBigInt = (value: unknown): string => {
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
  description: 'A 64-bit whole number; in JSON a number. Keys stay below 2^53.',
  parseValue: parseBigInt,
  parseLiteral: (node) => {
    if (node.kind === Kind.INT || node.kind === Kind.STRING) return parseBigInt(node.value);
    throw new GraphQLError('BigInt takes a whole number', { nodes: node });
  },
});
