/** One request on its way through Yoga. Its plugins share it as a member of Yoga's context. */
import type { GraphqlContext, Result } from '../context.ts';
import type { Prepared } from '../document/documents.ts';
import type { Executable } from '../execution/execute.ts';
import type { ServedSchema } from '../schemas.ts';

/** The media types of answers, in the order of preference for a client that accepts anything. */
export const mediaTypes = ['application/json', 'application/graphql-response+json', 'text/event-stream'] as const;
export type MediaType = (typeof mediaTypes)[number];

export interface Exchange {
  readonly mediaType: MediaType;
  readonly served: ServedSchema;
  readonly context: GraphqlContext;
  /** Executes or translates the valid document. */
  readonly run: (executable: Executable, context: GraphqlContext) => Promise<Result>;
  /** The document of the request, after it was parsed and validated. */
  prepared?: Prepared;
  /** The result, after `run`. Undefined if the request was refused before. */
  result?: Result;
}

/** Yoga copies the context of a request, so the plugins change the exchange in it. */
export interface ServerContext extends Record<string, unknown> {
  readonly exchange: Exchange;
}
