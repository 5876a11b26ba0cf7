/**
 * Documents that Yoga has let through before, asked for in the same way: they are executed at once. Reading a request into Fetch
 * API objects and writing one out of them takes longer than all else of a small answer; whatever is not as plain as what clients
 * send all day, or has errors to tell of, stays Yoga's.
 */
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { limits } from './limits.ts';

/** What Yoga's answer depends on, beside the document. */
export interface PlainRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly body: string | undefined;
}

export type AnswerHeaders = Readonly<Record<string, string>>;

export interface KnownDocument {
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variableValues: Readonly<Record<string, unknown>> | undefined;
  /** Those of an answer without errors. */
  readonly headers: AnswerHeaders;
}

/** Different `Accept` headers that are remembered, and how long they may be. */
const acceptsKept = 100;
const longestAccept = 200;

const plainTypes: ReadonlySet<string | undefined> = new Set(['application/json', 'application/json; charset=utf-8']);

const isPlain = ({ method, url, contentType, body }: PlainRequest): boolean =>
  method === 'POST' && url === '/graphql' && plainTypes.has(contentType) && body !== undefined && body.length <= limits.variables;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (body: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const parameters: unknown = JSON.parse(body);
    return isObject(parameters) ? parameters : undefined;
  } catch {
    return undefined;
  }
};

export class KnownDocuments {
  readonly #documents: { get(text: string): DocumentNode | undefined };
  readonly #valid = new WeakSet<DocumentNode>();
  readonly #headers = new LRUCache<string, AnswerHeaders>({ max: acceptsKept });

  /** Over the parsed documents by their text; a document that is no longer kept there is not known. */
  constructor(documents: { get(text: string): DocumentNode | undefined }) {
    this.#documents = documents;
  }

  /** Hears of a document that is about to be executed, so it is valid. */
  add(document: DocumentNode): void {
    this.#valid.add(document);
  }

  /** Hears of the headers of an answer without errors. */
  answered(request: PlainRequest, headers: AnswerHeaders): void {
    const { accept = '' } = request;
    if (isPlain(request) && accept.length <= longestAccept) this.#headers.set(accept, headers);
  }

  /** What a request asks to have executed; undefined if Yoga has to see it. */
  find(request: PlainRequest): KnownDocument | undefined {
    const headers = this.#headers.get(request.accept ?? '');
    if (!headers || !isPlain(request)) return undefined;
    const { query, operationName, variables, ...others } = parse(request.body!) ?? {};
    const document = typeof query === 'string' ? this.#documents.get(query) : undefined;
    if (!document || !this.#valid.has(document) || Object.keys(others).length > 0) return undefined;
    if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return undefined;
    if (variables !== undefined && variables !== null && !isObject(variables)) return undefined;
    return { document, headers, operationName: operationName ?? undefined, variableValues: variables ?? undefined };
  }
}
