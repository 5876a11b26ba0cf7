/**
 * Errors in GraphQL responses. Known problems have their kind as `extensions.code`. All other errors are masked (contract: GraphQL errors).
 */
import { isDeepStrictEqual } from 'node:util';
import { type ASTNode, type ExecutionResult, GraphQLError, type SourceLocation } from 'graphql';
import { ApiError, type ProblemKind, toApiError, withoutStack } from '../errors.ts';
import { clipped } from '../plan/validation-errors.ts';
import type { GraphqlContext } from './context.ts';

/** `missingFilters` → `MISSING_FILTERS`. */
export const codeOf = (kind: ProblemKind): string => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The field of an error. */
interface ErrorField {
  readonly nodes?: readonly ASTNode[] | undefined;
  readonly path?: readonly (string | number)[] | undefined;
}

/**
 * The status and headers of an error. A refusal before execution has its own status. A response with `data`, even if partial or null, has
 * status 200.
 */
const httpOf = ({ kind, status, headers }: ApiError) => {
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
  const extensions = { code: codeOf(known.kind), ...(http && { http }) };
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

/** The maximum number of errors of a document or of its variables. The search ends there. */
export const maxErrors = 5;
/** Limits of a response: characters of a message and of a path, locations per error, and bytes of all errors together. */
const longest = { message: 200, path: 500, locations: 2, errors: 14_000 };

/** Takes locations from tokens. GraphQL would count the lines from the beginning of the text for each error. */
const locationsOf = (error: GraphQLError): readonly SourceLocation[] | undefined => {
  const tokens = error.nodes?.flatMap(({ loc }) => (loc ? [loc.startToken] : []));
  const locations = tokens ? tokens.slice(0, longest.locations).map(({ line, column }) => ({ line, column })) : error.locations;
  return locations && locations.length > 0 ? locations.slice(0, longest.locations) : undefined;
};

/** An error as it appears in a response. */
const shown = (error: GraphQLError) => {
  const { http: _http, ...extensions } = error.extensions;
  const isShort = JSON.stringify(error.path ?? []).length <= longest.path;
  return {
    message: clipped(error.message, longest.message),
    locations: locationsOf(error),
    path: isShort ? error.path : undefined,
    extensions: Object.keys(extensions).length > 0 ? extensions : undefined,
  };
};

/** An error that retains nothing of its document. A stack trace would retain the document through the frames of its validation. */
const bare = ({ message, path, extensions }: GraphQLError): GraphQLError =>
  withoutStack(() => new GraphQLError(clipped(message, longest.message), { path: path ?? null, extensions }));

/**
 * The errors that Yoga takes the status and the headers from: one of each kind, because Yoga copies all of them, which is slow. They retain
 * nothing of the document.
 */
const forYoga = (errors: readonly GraphQLError[]): readonly GraphQLError[] => {
  const [first] = errors;
  return errors.filter((error) => error === first || !isDeepStrictEqual(error.extensions, first?.extensions)).map(bare);
};

type Serialize = (result: ExecutionResult) => string;

export interface BoundedResult extends ExecutionResult {
  /** Yoga calls it to serialize the result. */
  readonly stringify?: Serialize;
}

/** Limits the number and length of the errors of a result (contract: GraphQL errors). `serialize` then makes its text. */
export const bounded = (result: BoundedResult, serialize: Serialize = JSON.stringify): BoundedResult => {
  const { errors = [], stringify } = result;
  if (stringify) return result;
  let bytes = 0;
  const all = errors.map(shown);
  const sent = all.filter((error, index) => {
    bytes += Buffer.byteLength(JSON.stringify(error));
    return index === 0 || bytes <= longest.errors;
  });
  if (sent.length === 0) return { ...result, stringify: serialize };
  const stringifySent: Serialize = (masked) => serialize({ ...masked, errors: sent as unknown as readonly GraphQLError[] });
  return { ...result, errors: forYoga(errors.slice(0, sent.length)), stringify: stringifySent };
};
