/**
 * Parses documents within the limits, validates them, and caches the valid ones, and the refused ones for a minute. An unknown document waits for
 * its customer's turn (contract: waiting).
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
export type Prepared = { readonly document: DocumentNode } | Refused;

const mebibyte = 2 ** 20;
/** The maximum memory of one token in bytes, with its nodes and location. Measurements gave 370 and 490. */
const bytesPerToken = 600;

/** The approximate memory of a parsed document in bytes. It depends on tokens: short words take several times as much as long ones. */
export const sizeOf = ({ tokenCount = 0, loc }: DocumentNode): number => tokenCount * bytesPerToken + (loc?.end ?? 0);

/** A client that repeats a refused document does so at once. */
const refusedMs = 60_000;
/** The maximum memory of one error in bytes, with its message and places. */
const bytesPerError = 2_000;

interface Refused {
  readonly document?: DocumentNode;
  readonly errors: readonly GraphQLError[];
}

/** The approximate memory of a refused document in bytes. Its errors hold its text. */
const sizeOfRefused = ({ document, errors }: Refused): number =>
  errors.length * bytesPerError + (document ? sizeOf(document) : 2 * (errors[0]?.source?.body.length ?? 0));

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
  /** Apart from the valid ones, so that refused documents evict none of them. */
  readonly #refused = new LRUCache<string, Refused>({
    maxSize: 8 * mebibyte,
    maxEntrySize: 1.25 * mebibyte,
    sizeCalculation: sizeOfRefused,
    ttl: refusedMs,
  });

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Prepares a document. Throws `abandoned` if the client disconnects before the customer's turn. */
  async prepare(text: string, { customerId, signal }: Pick<RequestContext, 'customerId' | 'signal'>): Promise<Prepared> {
    const key = hash('sha256', text, 'base64url');
    const known = this.#known.get(key);
    if (known) return { document: known };
    const refused = this.#refused.get(key);
    if (refused) return refused;
    const inTurn = (step: () => Prepared) =>
      runInSlice(customerId, () => {
        if (signal?.aborted) throw new ApiError('abandoned');
        return step();
      });
    const unchecked = await inTurn(() => parsed(text));
    const prepared = 'errors' in unchecked ? unchecked : await inTurn(() => validated(this.#schema, unchecked.document));
    if ('errors' in prepared) this.#refused.set(key, prepared);
    else this.#known.set(key, prepared.document);
    return prepared;
  }
}
