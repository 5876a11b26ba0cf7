/**
 * GraphQL Yoga with the service's plugins: one server for the schemas of all callers. The gate, the response cache and the reply are Fastify's
 * (`routes.ts`).
 */
import { createYoga } from 'graphql-yoga';
import { maskError } from '../errors.ts';
import { useDocuments, useEngine } from './engine.ts';
import type { Exchange, ServerContext } from './exchange.ts';
import { useParameters } from './parameters.ts';
import { type PersistedOptions, usePersisted } from './persisted-operations.ts';
import { useBytes } from './results.ts';

export interface GraphqlRequest {
  readonly method: string;
  /** The target of the request. Yoga reads its query string. */
  readonly target: string;
  /** Undefined for a GET. */
  readonly body: string | undefined;
}

/** Answers requests. `report` receives errors whose cause no client sees. */
export type GraphqlServer = (request: GraphqlRequest, exchange: Exchange) => Promise<Response>;

const endpoint = '/graphql';

/** The address without a host and a path of the client, because nothing depends on them. */
const addressOf = (target: string): string => {
  const at = target.indexOf('?');
  return `http://localhost${endpoint}${at < 0 ? '' : target.slice(at)}`;
};

export const createGraphqlServer = (persisted: PersistedOptions, report: (error: unknown) => void): GraphqlServer => {
  const yoga = createYoga<ServerContext>({
    schema: ({ exchange }) => exchange.served.schema,
    graphqlEndpoint: endpoint,
    plugins: [useParameters(), usePersisted(persisted), useDocuments(), useEngine(), useBytes()],
    maskedErrors: { maskError: (error) => maskError(error, report) },
    // `Documents` caches documents within its limits.
    parserAndValidationCache: false,
    batching: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    // An address never ends with a space, so no request is a health check.
    healthCheckEndpoint: ' ',
    logging: false,
    // Fastify has read the body and limited its size.
    maxRequestBodySize: false,
  });
  return async ({ method, target, body }, exchange) => {
    const headers = { accept: exchange.mediaType, 'content-type': 'application/json' };
    return yoga.fetch(addressOf(target), { method, headers, ...(body !== undefined && { body }) }, { exchange });
  };
};
