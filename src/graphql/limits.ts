/**
 * What a document may ask for at most; all of it is checked before anything is executed (contract: document limits).
 *
 * Tokens, depth, aliases, fields and nesting are counted by `parse.ts`, terms, nodes and values by `plan.ts`, reads by
 * `select-levels.ts`.
 */
import { ApiError } from '../errors.ts';

export const limits = {
  tokens: 4_000,
  /** Levels down to the leaf; introspection is exempt. */
  depth: 10,
  aliases: 50,
  /** Fields after fragments are spread. */
  fields: 1_000,
  /** Bytes of the variables. */
  variables: 131_072,
  /** Comparisons in all filters; a step along a relation, in filters and orders, is several (see `plan.ts`). */
  terms: 1_000,
  /** Values in all lists of filters. */
  listed: 10_000,
  /** Levels of `and`, `or`, `not` and relations in a filter. */
  nesting: 20,
  /** A field's `first` times its parents', times how often the answer shows it, summed over the document. */
  nodes: 100_000,
  /** Fields times rows: what the answer shows, names and nulls included. */
  values: 1_000_000,
  /** Fields that an answer about the schema shows; the whole schema has some 90,000. */
  introspected: 200_000,
  /** Connections and relations, each of which is at least one statement. */
  reads: 200,
} as const;

export type Limit = keyof typeof limits;

/** The refusal of a document that asks for too much. */
export const exceeds = (limit: Limit, asked: number): ApiError =>
  new ApiError('limitExceeded', `The document exceeds the limit of ${limits[limit]} for ${limit}: it has ${asked}`);
