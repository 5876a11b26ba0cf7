/** The GraphQL context: the caller of one request, and the services for resolvers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { Quota } from '../access/rate-limit/rate-limit.ts';
import type { Directories } from '../cache/directory.ts';
import type { ResponseCache, TableName } from '../cache/response-cache.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { LookupName } from '../catalogue/lookups.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import type { DatasetState } from '../database/control/datasets.ts';
import type { RequestContext } from '../execute/connections.ts';
import type { LookupValue } from '../execute/lookup.ts';
import type { ReaderContext } from '../execute/reader.ts';
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
  /** Receives the number of rows that the request reads. Usage is counted from it. */
  readonly onRows: (count: number) => void;
  /** Reports an error to the operator if the client does not see its cause. */
  readonly report: (error: unknown) => void;
  /** Receives the JSON of `data`. Yoga writes the rest of the response. */
  readonly onData: (data: WrittenData) => void;
  /** Database reads for resolvers. It is set during the execution of a document. */
  reads?: ServiceReads;
}

/** The JSON of the `data` of a response, in memory or on disk. */
export interface WrittenData {
  readonly chunks: readonly Buffer[] | AsyncIterable<Buffer>;
  /** The tables that the response depends on. Undefined if it depends on anything else. */
  readonly tables?: readonly TableName[] | undefined;
  /** Returns reusable chunks after they have been sent. */
  readonly release?: (() => void) | undefined;
  /** Ends the response when its connection closes. */
  readonly cancel?: (() => void) | undefined;
}

/** Reads that run once per document, even if several fields need them. */
export interface ServiceReads {
  readonly lookup: (name: LookupName) => Promise<readonly LookupValue[]>;
  readonly states: (kind: DatasetKind) => Promise<ReadonlyMap<string, DatasetState>>;
}

/** What the execution of a document has read and written. */
export interface Execution {
  rows: number;
  /** Undefined if the response has no data. */
  data: WrittenData | undefined;
}

export interface ContextOptions {
  readonly services: GraphqlServices;
  /** The message in the log if the client does not see the cause of an error. */
  readonly failure: string;
}

/**
 * The context of the execution for a request, and its result. The rows count for the usage of the key. The data is cancelled when the
 * connection closes, also after a failure.
 */
export const createExecution = (
  request: FastifyRequest,
  reply: FastifyReply,
  { services, failure }: ContextOptions,
): { readonly context: GraphqlContext; readonly execution: Execution } => {
  const execution: Execution = { rows: 0, data: undefined };
  request.rowsSent = () => execution.rows;
  const context: GraphqlContext = {
    services,
    caller: callerOf(request),
    requestContext: requestContextOf(request, reply),
    quota: request.quota,
    report: (error) => request.log.error({ reqId: request.id, err: error }, failure),
    onRows: (count) => {
      execution.rows += count;
    },
    onData: (data) => {
      execution.data = data;
      const { cancel } = data;
      if (!cancel) return;
      reply.raw.once('close', cancel);
      if (reply.raw.destroyed) cancel();
    },
  };
  return { context, execution };
};
