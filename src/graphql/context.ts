/** The GraphQL context: the caller of one request, and the services for resolvers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLError } from 'graphql';
import type { Caller } from '../access/caller.ts';
import type { Quota } from '../access/rate-limit/rate-limit.ts';
import type { Directories } from '../cache/directory.ts';
import type { ResponseCache, TableKey } from '../cache/response-cache.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { LookupName } from '../catalogue/lookups.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import type { FailedChecks } from '../checks/visible.ts';
import type { DatasetState } from '../database/control/datasets.ts';
import type { RequestContext } from '../execute/connections.ts';
import type { Code } from '../execute/lookup.ts';
import type { ReaderContext } from '../execute/reader.ts';
import type { ListedTable } from '../execute/visible.ts';
import { callerOf } from '../http/gate.ts';
import { requestContextOf } from '../http/request-context.ts';

export interface GraphqlServices {
  readonly catalogue: Catalogue;
  readonly directories: Directories;
  readonly reading: ReaderContext;
  readonly responseCache: ResponseCache;
}

export interface GraphqlContext {
  readonly services: GraphqlServices;
  readonly caller: Caller;
  readonly requestContext: RequestContext;
  /** Undefined if limiting is off. */
  readonly quota: Pick<Quota, 'limit' | 'remaining' | 'resetSeconds'> | undefined;
  /** A path of the service as clients see it. */
  readonly publicPath: (path: string) => string;
  /** The number of rows that the request has read. Usage is counted from it. */
  rows: number;
  /** Reports an error to the operator if the client does not see its cause. */
  readonly report: (error: unknown) => void;
  /** Database reads for resolvers. It is set during the execution of a document. */
  reads?: ServiceReads;
}

/** The JSON of the `data` of a response, in memory or on disk. */
export interface WrittenData {
  readonly chunks: readonly Buffer[] | AsyncIterable<Buffer>;
  /** The tables that the response depends on. Undefined if it depends on anything else. */
  readonly tables?: readonly TableKey[] | undefined;
  /** Returns reusable chunks after they have been sent. */
  readonly release?: (() => void) | undefined;
  /** Ends the response when its connection closes. */
  readonly cancel?: (() => void) | undefined;
}

/** Reads that run once per document, even if several fields need them. */
export interface ServiceReads {
  readonly lookup: (name: LookupName) => Promise<readonly Code[]>;
  readonly states: (kind: DatasetKind) => Promise<ReadonlyMap<string, DatasetState>>;
  /** The failed checks of tables that the key may read. */
  readonly failedChecks: (tables: readonly ListedTable[]) => Promise<FailedChecks>;
}

/** The result of a document. `data` is undefined if the document was not executed, and null if a required root field failed. */
export interface Result {
  readonly data?: WrittenData | null;
  readonly errors?: readonly GraphQLError[];
  readonly extensions?: object;
}

export interface ContextOptions {
  readonly services: GraphqlServices;
  /** The message in the log if the client does not see the cause of an error. */
  readonly failure: string;
}

/** The context of the execution for a request. Its rows count for the usage of the key. */
export const createContext = (request: FastifyRequest, reply: FastifyReply, { services, failure }: ContextOptions): GraphqlContext => {
  const context: GraphqlContext = {
    services,
    caller: callerOf(request),
    requestContext: requestContextOf(request, reply),
    quota: request.quota,
    publicPath: (path) => request.server.publicUrl.to(path),
    report: (error) => request.log.error({ reqId: request.id, err: error }, failure),
    rows: 0,
  };
  request.rowsSent = () => context.rows;
  return context;
};
