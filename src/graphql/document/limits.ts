/**
 * The limits of a document. All of them are checked before execution begins (contract: document limits).
 *
 * `json-body.ts` counts the parts of a body before it is parsed: text, names, letters, objects and inputs. `parse.ts` counts lines, tokens,
 * operations, depth, aliases, fields and nesting. `variables.ts` counts inputs again, without the rest of the body. `cost.ts` counts terms,
 * nodes and values. `select.ts` counts reads.
 */
import { ApiError } from '../../errors.ts';
import { costLimits } from '../../plan/cost.ts';
import { limits as pageLimits } from '../../plan/parameters.ts';

export const limits = {
  tokens: 4_000,
  /** Lines of a document. GraphQL counts them for each syntax error. */
  lines: 5_000,
  /** Each operation is validated with all fragments that it spreads. */
  operations: 20,
  /** Levels down to the leaf. Introspection is exempt. */
  depth: 10,
  aliases: 50,
  /** Fields after fragments are spread. */
  fields: 1_000,
  /** Bytes of the variables. */
  variables: 131_072,
  /** Letters of one string in the JSON body, as they are sent. The document is such a string. */
  text: 131_072,
  /** Different property names in the JSON body. The schema has about 600 names of input fields. */
  names: 1_000,
  /** Letters of these names. */
  letters: 16_384,
  /** Objects in the JSON body. A comparison takes two, and `terms` bounds them. */
  objects: 5_000,
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

const page = { standard: 100, min: 1, max: 1_000 } as const;
/** Bounds of `first`, `last` and `offset`. `offset` has the bounds of REST (contract: GraphQL connections). */
export const bounds = { first: page, last: page, offset: pageLimits.offset } as const;

/** The maximum depth of literals and variables. */
const deepest = 3 * limits.nesting;

/**
 * Counts a value and all values inside it, without recursion. It runs before values are coerced. Throws `limitExceeded` for values that are
 * nested too deeply.
 */
export const countValues = <Value>(value: Value, childrenOf: (value: Value) => Iterable<Value>): number => {
  let level = [value];
  let count = 1;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw exceeds('nesting', depth);
    const inner: Value[] = [];
    for (const each of level)
      for (const child of childrenOf(each)) {
        count++;
        // A scalar has no children, and long lists have many.
        if (typeof child === 'object') inner.push(child);
      }
    level = inner;
  }
  return count;
};
