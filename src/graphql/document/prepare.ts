/**
 * Prepares documents for execution: parses them within the limits, validates them and caches them by text. An unknown document waits for
 * its customer's turn and is prepared in time slices (contract: waiting).
 *
 * The limit of the caches is their memory, which depends on tokens: a document of short words takes several times as much as one of long
 * words.
 */
import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../errors.ts';
import type { RequestContext } from '../../execute/connections.ts';
import { runInSlices } from '../../scheduling/time-slices.ts';
import { asGraphqlError, type BoundedResult, bounded } from '../errors.ts';
import { parseWithin } from './parse.ts';
import { validateDocument } from './validate.ts';

/** A document that can be executed, or the result that explains the refusal. */
export type Prepared = { readonly document: DocumentNode } | { readonly refusal: BoundedResult };

/** The result for a document that is not executed. Clients that know GraphQL's own media type get a 400. */
const refuse = (errors: readonly GraphQLError[], code: string): Prepared => ({
  refusal: bounded({
    errors: errors.map((error) => Object.assign(error, { extensions: { code, http: { status: 400, spec: true }, ...error.extensions } })),
  }),
});

/** Parses and validates, with pauses between the steps. */
function* prepare(schema: GraphQLSchema, text: string): Generator<void, Prepared> {
  let document: DocumentNode;
  try {
    document = parseWithin(text);
  } catch (error) {
    if (!(error instanceof GraphQLError || error instanceof ApiError)) throw error;
    return refuse([asGraphqlError(error, () => {})], 'GRAPHQL_PARSE_FAILED');
  }
  yield;
  const errors = yield* validateDocument(schema, document);
  return errors.length === 0 ? { document } : refuse(errors, 'GRAPHQL_VALIDATION_FAILED');
}

const mebibyte = 2 ** 20;
/** The maximum memory of one token in bytes, with its nodes and location. Measurements gave 370 and 490. */
const bytesPerToken = 600;
const maxBytes = { documents: 32 * mebibyte, errors: 4 * mebibyte };
/** A larger document is not cached. */
const maxOfOne = 1.25 * mebibyte;

/** The approximate size of a parsed document in bytes. */
export const sizeOf = ({ loc }: DocumentNode, text: string): number => {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens++;
  return text.length + tokens * bytesPerToken;
};

/** Caches valid documents by text. */
export const createDocumentCache = () => {
  const cache = new LRUCache<string, DocumentNode>({ maxSize: maxBytes.documents, maxEntrySize: maxOfOne, sizeCalculation: sizeOf });
  return { get: (text: string) => cache.get(text), set: (text: string, document: DocumentNode) => void cache.set(text, document) };
};

const bytesPerError = 2_000;

/** Caches the errors of invalid documents by text. A result has no reference to its document. */
const createRefusalCache = () => {
  const cache = new LRUCache<string, BoundedResult>({
    maxSize: maxBytes.errors,
    maxEntrySize: maxOfOne,
    sizeCalculation: ({ errors = [] }, text) => text.length + errors.length * bytesPerError,
  });
  return { get: (text: string) => cache.get(text), set: (text: string, refusal: BoundedResult) => void cache.set(text, refusal) };
};

export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #valid = createDocumentCache();
  readonly #refused = createRefusalCache();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** A valid document in the cache. */
  get(text: string): DocumentNode | undefined {
    return this.#valid.get(text);
  }

  /** Prepares a document when it is the customer's turn. Throws `abandoned` after the client has disconnected. */
  async prepare(text: string, { customerId, signal }: Pick<RequestContext, 'customerId' | 'signal'>): Promise<Prepared> {
    const document = this.#valid.get(text);
    if (document) return { document };
    const refusal = this.#refused.get(text);
    if (refusal) return { refusal };
    let prepared: Prepared | undefined;
    const work = function* (schema: GraphQLSchema) {
      prepared = yield* prepare(schema, text);
    };
    await runInSlices(customerId, work(this.#schema), signal);
    if ('document' in prepared!) this.#valid.set(text, prepared.document);
    else this.#refused.set(text, prepared!.refusal);
    return prepared!;
  }
}
