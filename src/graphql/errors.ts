/**
 * Errors as GraphQL shows them: what the table of problems knows, with its kind as `extensions.code`; everything else is
 * masked (contract: GraphQL errors).
 */
import { type ASTNode, GraphQLError } from 'graphql';
import { ApiError, type ProblemKind } from '../errors.ts';
import type { RequestContext } from './context.ts';

/** `missingFilters` → `MISSING_FILTERS`. */
export const codeOf = (kind: ProblemKind): string => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

interface Place {
  readonly nodes?: readonly ASTNode[] | undefined;
  readonly path?: readonly (string | number)[] | undefined;
}

/** Any thrown value as a GraphQL error; the operator is told of those that the client is told nothing about. */
export const asGraphqlError = (error: unknown, report: RequestContext['report'], place: Place = {}): GraphQLError => {
  if (error instanceof GraphQLError) return error;
  if (!(error instanceof ApiError)) report(error);
  const { message, kind, status } = error instanceof ApiError ? error : new ApiError('internal');
  // A refusal before execution has a status of its own; with data to show, partial or null, the answer is a 200.
  const isRefusal = kind === 'limitExceeded' || kind === 'busy';
  const http = { status, spec: true, ...(error instanceof ApiError && kind === 'busy' && { headers: error.headers }) };
  const extensions = { code: codeOf(kind), ...(isRefusal && { http }) };
  return new GraphQLError(message, { nodes: place.nodes ?? null, path: place.path ?? null, extensions });
};

/** A resolver whose failures become GraphQL errors. */
export const surfacing =
  <Args, Result>(resolve: (root: unknown, args: Args, context: RequestContext) => Promise<Result>) =>
  async (root: unknown, args: Args, context: RequestContext): Promise<Result> => {
    try {
      return await resolve(root, args, context);
    } catch (error) {
      throw asGraphqlError(error, context.report);
    }
  };
