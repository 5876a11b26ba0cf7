/**
 * Parses documents within the limits, validates them, and caches valid ones. An unknown document waits for its customer's turn (contract:
 * waiting).
 */
import { hash } from 'node:crypto';
import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../errors.ts';
import type { RequestContext } from '../../execute/connections.ts';
import { runInSlice } from '../../scheduling/time-slices.ts';
import { asGraphqlError, refusedBefore } from '../errors.ts';
import { parseWithin } from './parse.ts';
import { validateWithin } from './validate.ts';

/** A document that can be executed, or the reasons why it cannot. A document that was parsed but is not valid has both. */
export type Prepared = { readonly document: DocumentNode } | { readonly document?: DocumentNode; readonly errors: readonly GraphQLError[] };

const mebibyte = 2 ** 20;
/** The maximum memory of one token in bytes, with its nodes and location. Measurements gave 370 and 490. */
const bytesPerToken = 600;

/** The approximate memory of a parsed document in bytes. It depends on tokens: short words take several times as much as long ones. */
export const sizeOf = ({ tokenCount = 0, loc }: DocumentNode): number => tokenCount * bytesPerToken + (loc?.end ?? 0);

const parsed = (text: string): Prepared => {
  try {
    return { document: parseWithin(text) };
  } catch (error) {
    if (!(error instanceof GraphQLError || error instanceof ApiError)) throw error;
    return { errors: refusedBefore([asGraphqlError(error, () => {})], 'GRAPHQL_PARSE_FAILED') };
  }
};

const validated = (schema: GraphQLSchema, document: DocumentNode): Prepared => {
  const errors = validateWithin(schema, document);
  return errors.length === 0 ? { document } : { document, errors: refusedBefore(errors, 'GRAPHQL_VALIDATION_FAILED') };
};

export class Documents {
  readonly #schema: GraphQLSchema;
  /** Valid documents by the hash of their text. A larger document than the maximum is not cached. */
  readonly #known = new LRUCache<string, DocumentNode>({ maxSize: 32 * mebibyte, maxEntrySize: 1.25 * mebibyte, sizeCalculation: sizeOf });

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Prepares a document. Throws `abandoned` if the client disconnects before the customer's turn. */
  async prepare(text: string, { customerId, signal }: Pick<RequestContext, 'customerId' | 'signal'>): Promise<Prepared> {
    const key = hash('sha256', text, 'base64url');
    const known = this.#known.get(key);
    if (known) return { document: known };
    const inTurn = (step: () => Prepared) =>
      runInSlice(customerId, () => {
        if (signal?.aborted) throw new ApiError('abandoned');
        return step();
      });
    const unchecked = await inTurn(() => parsed(text));
    if ('errors' in unchecked) return unchecked;
    const prepared = await inTurn(() => validated(this.#schema, unchecked.document));
    if (!('errors' in prepared)) this.#known.set(key, prepared.document);
    return prepared;
  }
}
