/**
 * The limits of a document. All of them are checked before execution begins (contract: document limits).
 *
 * `parse.ts` counts lines, tokens, operations, depth, aliases, selections, pairs and objects. `variables.ts` counts inputs. `cost.ts` counts terms,
 * nodes and values. `select.ts` counts reads.
 */
import { ApiError } from '../../errors.ts';
import { costLimits } from '../../plan/cost.ts';
import { pageLimits } from '../../query/parameters.ts';

export const limits = {
  tokens: 4_000,
  /** Lines of a document. GraphQL counts them for each error. */
  lines: 5_000,
  /** Each operation is validated with all fragments that it spreads. */
  operations: 20,
  /** Levels down to the leaf. Introspection is exempt. */
  depth: 10,
  aliases: 50,
  /** Fields and fragments, after fragments are spread. */
  selections: 2_000,
  /** Pairs of fields with one response name, and pairs of fragments. GraphQL compares each pair. */
  pairs: 20_000,
  /** Input objects in the document itself. GraphQL visits all fields of the type for each: 25 µs for a filter. */
  objects: 500,
  /** Values of the variables, lists and objects included. */
  inputs: 20_000,
  /** Comparisons in all filters and values in their lists. */
  ...costLimits,
  /** Levels of `and`, `or`, `not` and relations in a filter. */
  nesting: 20,
  /** The product of a field's `first` and its parents' rows and its number of lists, summed over the document. */
  nodes: 100_000,
  /** Fields times rows in the response, including names and nulls. */
  values: 1_000_000,
  /** Fields in a response about the schema. The whole schema has about 90,000. */
  introspected: 200_000,
  /** Connections and relations. Each needs at least one statement. */
  reads: 200,
} as const;

export type Limit = keyof typeof limits;

/** The error for a document that exceeds a limit. */
export const exceeds = (limit: Limit, count: number): ApiError =>
  new ApiError('limitExceeded', `The document exceeds the limit of ${limits[limit]} for ${limit}: it has ${count}`);

const page = { defaultValue: 100, min: 1, max: 1_000 } as const;
/** Bounds of `first`, `last` and `offset`. `offset` has the bounds of REST (contract: GraphQL connections). */
export const bounds = { first: page, last: page, offset: pageLimits.offset } as const;
