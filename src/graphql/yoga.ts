/**
 * GraphQL over HTTP: Yoga with the schema of one tier. Documents are parsed and validated once per text and tier, within
 * the limits; operations are executed by `execute.ts`.
 */
import type { IncomingMessage } from 'node:http';
import { type DocumentNode, type ExecutionResult, GraphQLError, type Source } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Catalogue } from '../catalogue/index.ts';
import type { Tier } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import type { RequestContext } from './context.ts';
import { asGraphqlError } from './errors.ts';
import { execute } from './execute.ts';
import { type AnswerHeaders, KnownDocuments } from './known-documents.ts';
import { exceeds, limits } from './limits.ts';
import { parseWithin } from './parse.ts';
import { createDocumentCache, createErrorCache } from './parse-cache.ts';
import { type PersistedOptions, usePersisted } from './persisted.ts';
import { createSchema } from './schema.ts';

/** What a request brings along: its context, and its body as text, read and bounded by the server. */
export interface ServerContext extends RequestContext {
  readonly body: string | undefined;
  /** Of a known document: Yoga is left to tell of its errors. */
  readonly result: ExecutionResult | undefined;
}

/** The body has been read already; Yoga's parser for its type takes it from there. */
const useBody = (): Plugin<ServerContext> => ({
  onRequestParse: ({ requestParser, setRequestParser, serverContext }) => {
    const { body } = serverContext as unknown as ServerContext;
    if (body === undefined || !requestParser) return;
    setRequestParser(() => requestParser({ json: async () => JSON.parse(body) } as Request));
  },
  onParams: ({ params: { variables }, context }) => {
    const { body = '' } = context as unknown as ServerContext;
    // Nothing in a short body can be too long.
    if (body.length <= limits.variables || !variables) return;
    const bytes = Buffer.byteLength(JSON.stringify(variables));
    if (bytes > limits.variables) throw asGraphqlError(exceeds('variables', bytes), () => {});
  },
});

const parseOrRefuse = (source: string | Source): DocumentNode => {
  try {
    return parseWithin(source);
  } catch (error) {
    throw error instanceof ApiError ? asGraphqlError(error, () => {}) : error;
  }
};

const useLimits = (): Plugin => ({ onParse: ({ setParseFn }) => setParseFn(parseOrRefuse) });

const useReading = (known: KnownDocuments): Plugin<ServerContext> => ({
  onExecute: ({ args, setExecuteFn }) => {
    const { result } = args.contextValue as unknown as ServerContext;
    known.add(args.document);
    setExecuteFn((result ? () => result : execute) as Parameters<typeof setExecuteFn>[0]);
  },
});

/** Errors of resolvers are masked where they arise; what is left are those of GraphQL itself and of nobody's foresight. */
const maskError = (error: unknown, report: (error: unknown) => void): Error => {
  const cause = error instanceof GraphQLError ? error.originalError : error;
  return error instanceof GraphQLError && (!cause || cause instanceof GraphQLError) ? error : asGraphqlError(cause, report);
};

/** An answer; the `data` that it was given is empty, and stands elsewhere. */
export interface Executed {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
}

export interface YogaOptions {
  readonly catalogue: Catalogue;
  readonly persisted: PersistedOptions;
  readonly report: (error: unknown) => void;
}

/** The handler of one tier's requests: a known document is executed at once, all else is Yoga's. */
export const createTierHandler = (tier: Tier, { catalogue, persisted, report }: YogaOptions) => {
  const schema = createSchema(catalogue, tier);
  const documentCache = createDocumentCache();
  // Where only persisted operations are executed, no text is known by itself.
  const known = new KnownDocuments(persisted.isRequired ? { get: () => undefined } : documentCache);
  const yoga = createYoga<ServerContext>({
    schema,
    plugins: [useBody(), ...usePersisted(persisted), useLimits(), useReading(known)],
    maskedErrors: { maskError: (error) => maskError(error, report) },
    parserAndValidationCache: { documentCache, errorCache: createErrorCache() },
    batching: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    // The server has read the body, within its own bound.
    maxRequestBodySize: false,
  });
  return async (request: IncomingMessage, body: string | undefined, context: RequestContext): Promise<Executed> => {
    const { method, url, headers } = request;
    const plain = { method, url, contentType: headers['content-type'], accept: headers.accept, body };
    const found = known.find(plain);
    const result = found && (await execute({ schema, contextValue: context, ...found }));
    if (found && !result?.errors) return { status: 200, headers: found.headers, text: JSON.stringify(result) };
    const response = await yoga.handleNodeRequest(request, { ...context, body, result });
    const told = Object.fromEntries([...response.headers].filter(([name]) => name !== 'content-length'));
    if (response.ok) {
      told['cache-control'] = 'private, no-cache';
      known.answered(plain, told);
    }
    return { status: response.status, headers: told, text: await response.text() };
  };
};

export type TierHandler = ReturnType<typeof createTierHandler>;
