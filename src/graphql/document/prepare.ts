/**
 * Prepares documents for execution: parses them within the limits, validates them and caches them by text. An unknown document waits for
 * its customer's turn and is prepared in time slices (contract: waiting).
 *
 * The limit of the caches is their memory, which depends on tokens: a document of short words takes several times as much as one of long
 * words.
 */
import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { textKey } from '../../cache/text-key.ts';
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

/** A cache by the keys of texts. `size` is the approximate memory of a value and its text in bytes. */
const createCache = <Value extends object>(maxSize: number, size: (value: Value, text: string) => number) => {
  const cache = new LRUCache<string, Value>({ maxSize, maxEntrySize: maxOfOne });
  return {
    get: (key: string) => cache.get(key),
    set: (key: string, value: Value, text: string) => void cache.set(key, value, { size: size(value, text) }),
  };
};

/** Caches valid documents. */
export const createDocumentCache = () => createCache(maxBytes.documents, sizeOf);

const bytesPerError = 2_000;

/**
 * Caches the errors of invalid documents. A result has no reference to its document, but a part of a text in a message retains the whole
 * text.
 */
const createRefusalCache = () =>
  createCache<BoundedResult>(maxBytes.errors, ({ errors = [] }, text) => text.length + errors.length * bytesPerError);

export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #valid = createDocumentCache();
  readonly #refused = createRefusalCache();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** A valid document in the cache. */
  get(text: string): DocumentNode | undefined {
    return this.#valid.get(textKey(text));
  }

  /** Prepares a document when it is the customer's turn. Throws `abandoned` after the client has disconnected. */
  async prepare(text: string, { customerId, signal }: Pick<RequestContext, 'customerId' | 'signal'>): Promise<Prepared> {
    const key = textKey(text);
    const document = this.#valid.get(key);
    if (document) return { document };
    const refusal = this.#refused.get(key);
    if (refusal) return { refusal };
    let prepared: Prepared | undefined;
    const work = function* (schema: GraphQLSchema) {
      prepared = yield* prepare(schema, text);
    };
    await runInSlices(customerId, work(this.#schema), signal);
    if ('document' in prepared!) this.#valid.set(key, prepared.document, text);
    else this.#refused.set(key, prepared!.refusal, text);
    return prepared!;
  }
}
