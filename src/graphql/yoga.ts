/**
 * GraphQL over HTTP: Yoga with the schema of one tier. Documents are parsed and validated once per text and tier, within
 * the limits; operations are executed by `execute.ts`.
 */
import { type DocumentNode, GraphQLError, type Source } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Catalogue } from '../catalogue/index.ts';
import type { Tier } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import type { RequestContext } from './context.ts';
import { asGraphqlError } from './errors.ts';
import { execute } from './execute.ts';
import { exceeds, limits } from './limits.ts';
import { parseWithin } from './parse.ts';
import { createDocumentCache, createErrorCache } from './parse-cache.ts';
import { type PersistedOptions, usePersisted } from './persisted.ts';
import { createSchema } from './schema.ts';

/** What a request brings along: its context, and its body as text, read and bounded by the server. */
export interface ServerContext extends RequestContext {
  readonly body: string | undefined;
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

const useReading = (): Plugin => ({
  onExecute: ({ setExecuteFn }) => setExecuteFn(execute as Parameters<typeof setExecuteFn>[0]),
});

/** Errors of resolvers are masked where they arise; what is left are those of GraphQL itself and of nobody's foresight. */
const maskError = (error: unknown, report: (error: unknown) => void): Error => {
  const cause = error instanceof GraphQLError ? error.originalError : error;
  return error instanceof GraphQLError && (!cause || cause instanceof GraphQLError) ? error : asGraphqlError(cause, report);
};

export interface YogaOptions {
  readonly catalogue: Catalogue;
  readonly persisted: PersistedOptions;
  readonly report: (error: unknown) => void;
}

/** The handler of one tier's requests. */
export const createTierHandler = (tier: Tier, { catalogue, persisted, report }: YogaOptions) =>
  createYoga<ServerContext>({
    schema: createSchema(catalogue, tier),
    plugins: [useBody(), ...usePersisted(persisted), useLimits(), useReading()],
    maskedErrors: { maskError: (error) => maskError(error, report) },
    parserAndValidationCache: { documentCache: createDocumentCache(), errorCache: createErrorCache() },
    batching: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    // The server has read the body, within its own bound.
    maxRequestBodySize: false,
  });

export type TierHandler = ReturnType<typeof createTierHandler>;
