/**
 * Errors in GraphQL responses. Known problems have their kind as `extensions.code`. All other errors are masked (contract: GraphQL errors).
 */
import { type ASTNode, GraphQLError } from 'graphql';
import { ApiError, type ProblemKind, toApiError } from '../errors.ts';
import { clipped } from '../plan/validation-errors.ts';
import type { GraphqlContext } from './context.ts';

/** `missingFilters` → `MISSING_FILTERS`. */
export const errorCodeOf = (kind: ProblemKind): string => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The field of an error. */
interface ErrorField {
  readonly nodes?: readonly ASTNode[] | undefined;
  readonly path?: readonly (string | number)[] | undefined;
}

/** How an error changes the response. */
export interface ErrorHttp {
  readonly status?: number;
  /** Whether the status applies to GraphQL's own media type only. */
  readonly spec?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The status and headers of an error. A refusal before execution has its own status. A response with `data`, even if partial or null, has
 * status 200.
 */
const httpOf = ({ kind, status, headers }: ApiError): ErrorHttp | undefined => {
  if (kind === 'limitExceeded') return { status, spec: true };
  if (kind === 'busy' || kind === 'unavailable') return { status, spec: true, headers };
  return kind === 'timeout' ? { headers } : undefined;
};

/** Turns any thrown value into a GraphQL error. Reports an error to the operator if the client does not see its cause. */
export const asGraphqlError = (error: unknown, report: GraphqlContext['report'], field: ErrorField = {}): GraphQLError => {
  if (error instanceof GraphQLError) return error;
  if (!(error instanceof ApiError)) report(error);
  const known = toApiError(error);
  const http = httpOf(known);
  const extensions = { code: errorCodeOf(known.kind), ...(http && { http }) };
  return new GraphQLError(known.message, { nodes: field.nodes ?? null, path: field.path ?? null, extensions });
};

/** Wraps a resolver so that its failures become GraphQL errors. */
export const surfacing =
  <Args, Result>(resolve: (root: unknown, args: Args, context: GraphqlContext) => Promise<Result>) =>
  async (root: unknown, args: Args, context: GraphqlContext): Promise<Result> => {
    try {
      return await resolve(root, args, context);
    } catch (error) {
      throw asGraphqlError(error, context.report);
    }
  };

/** The error for a request that is not a GraphQL request. Its status is 400 for every media type. */
export const badRequest = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });

/**
 * An error of Yoga as the contract has it. A request that is not a GraphQL request has its status for every media type, and one whose operation does
 * not exist only for GraphQL's own, as GraphQL over HTTP says. Unexpected errors are masked and reported.
 */
export const maskError = (error: unknown, report: GraphqlContext['report']): GraphQLError => {
  if (!(error instanceof GraphQLError)) return asGraphqlError(error, report);
  const { originalError, message, extensions } = error;
  if (originalError && !(originalError instanceof GraphQLError)) return asGraphqlError(originalError, report);
  const { code } = extensions;
  const { spec: _spec, ...http } = (extensions.http ?? {}) as ErrorHttp;
  if (code === 'BAD_REQUEST') return new GraphQLError(message, { extensions: { code, http } });
  return code === 'OPERATION_RESOLUTION_FAILURE' ? refusedBefore([error], code)[0]! : error;
};

/** The maximum number of errors of a document or of its variables. The search ends there. */
export const maxErrors = 5;

/** Errors before execution. Clients that know GraphQL's own media type get a 400. `code` applies to errors without a code. */
export const refusedBefore = (errors: readonly GraphQLError[], code: string): readonly GraphQLError[] =>
  errors.map((error) =>
    Object.assign(error, { extensions: { code, ...error.extensions, http: { status: 400, spec: true, ...error.extensions.http } } }),
  );

/** Limits of a response: characters of a message and of a path, locations per error, and bytes of all errors together. */
const longest = { message: 200, path: 500, locations: 2, errors: 14_000 };

/** An error as it appears in a response. */
const shown = (error: GraphQLError) => {
  const { http: _http, ...extensions } = error.extensions;
  const isShort = JSON.stringify(error.path ?? []).length <= longest.path;
  return {
    message: clipped(error.message, longest.message),
    locations: error.locations?.slice(0, longest.locations),
    path: isShort ? error.path : undefined,
    extensions: Object.keys(extensions).length > 0 ? extensions : undefined,
  };
};

/** The errors as they appear in a response, within the limits of their length (contract: GraphQL errors). */
export const shownErrors = (errors: readonly GraphQLError[]): readonly object[] => {
  let bytes = 0;
  return errors.map(shown).filter((error, index) => {
    bytes += Buffer.byteLength(JSON.stringify(error));
    return index === 0 || bytes <= longest.errors;
  });
};
