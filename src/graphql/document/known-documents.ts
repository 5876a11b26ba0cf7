/**
 * Executes known documents without Yoga. A document is known if Yoga has accepted it before, in a request of the same form. Yoga converts
 * each request and response to Fetch API objects, which takes longer than all other work for a small response. Yoga still handles unusual
 * requests and responses with errors.
 */
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { JsonBody } from './json-body.ts';
import { limits } from './limits.ts';

/** The parts of a request that Yoga's response depends on, in addition to the document. */
export interface PlainRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly body: JsonBody | undefined;
}

export type AnswerHeaders = Readonly<Record<string, string>>;

export interface ValidatedDocument {
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variableValues: Readonly<Record<string, unknown>> | undefined;
  /** The headers of a response without errors. */
  readonly headers: AnswerHeaders;
}

/** The maximum number of stored `Accept` headers, and their maximum length. */
const maxAccepts = 100;
const longestAccept = 200;

/** The headers that depend only on the `Accept` header. No others are stored. */
const sharedHeaders = ['content-type', 'cache-control'] as const;

const plainTypes: ReadonlySet<string | undefined> = new Set(['application/json', 'application/json; charset=utf-8']);

const isPlain = ({ method, url, contentType, body }: PlainRequest): boolean =>
  method === 'POST' && url === '/graphql' && plainTypes.has(contentType) && body !== undefined && body.text.length <= limits.variables;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parametersOf = (body: JsonBody): Readonly<Record<string, unknown>> | undefined => {
  try {
    const parameters = body.parse();
    return isObject(parameters) ? parameters : undefined;
  } catch {
    return undefined;
  }
};

export class ValidatedDocuments {
  readonly #documents: { get(text: string): DocumentNode | undefined };
  readonly #headers = new LRUCache<string, AnswerHeaders>({ max: maxAccepts });

  /** `documents` holds the valid documents by text. A document that it has evicted is not known. */
  constructor(documents: { get(text: string): DocumentNode | undefined }) {
    this.#documents = documents;
  }

  /** Stores the shared headers of a response without errors. */
  answered(request: PlainRequest, headers: AnswerHeaders): void {
    const { accept = '' } = request;
    if (!isPlain(request) || accept.length > longestAccept) return;
    this.#headers.set(accept, Object.fromEntries(sharedHeaders.flatMap((name) => (name in headers ? [[name, headers[name]!]] : []))));
  }

  /** The known document of a request; undefined if Yoga must handle the request. */
  find(request: PlainRequest): ValidatedDocument | undefined {
    const headers = this.#headers.get(request.accept ?? '');
    if (!headers || !isPlain(request)) return undefined;
    const { query, operationName, variables, ...others } = parametersOf(request.body!) ?? {};
    const document = typeof query === 'string' ? this.#documents.get(query) : undefined;
    if (!document || Object.keys(others).length > 0) return undefined;
    if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return undefined;
    if (variables !== undefined && variables !== null && !isObject(variables)) return undefined;
    return { document, headers, operationName: operationName ?? undefined, variableValues: variables ?? undefined };
  }
}
