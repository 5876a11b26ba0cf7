/** The parameters of a GraphQL request: those of the query string of a GET, or of the JSON body of a POST (contract: GraphQL requests). */
import { GraphQLError } from 'graphql';
import { clipped } from '../../plan/validation-errors.ts';
import { spend } from '../../scheduling/time-slices.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface Parameters {
  readonly query?: string;
  readonly operationName?: string;
  readonly variables?: Values;
  readonly extensions?: Values;
}

const kinds = { query: 'a string', operationName: 'a string', variables: 'an object', extensions: 'an object' } as const;
const names = Object.keys(kinds) as (keyof typeof kinds)[];
/** The maximum length of a name of the client in a message. */
const longestName = 50;

/** The error for a request that is not a GraphQL request. Its status is 400 for every media type. */
export const badRequest = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });

/** JSON in UTF-8, which is the default. A form on another website can send some other types, but not this one. */
export const isJson = (contentType = ''): boolean =>
  /^\s*application\/json\s*(?:;|$)/i.test(contentType) && !/;\s*charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i.test(contentType);

export const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (what: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`The ${what} is not JSON`);
  }
};

/** Null means the same as no parameter. */
const checked = (given: Values): Parameters => {
  const parameters: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (!Object.hasOwn(kinds, name)) throw badRequest(`Unexpected parameter "${clipped(name, longestName)}"`);
    const kind = kinds[name as keyof typeof kinds];
    if (kind === 'a string' ? typeof value !== 'string' : !isObject(value)) throw badRequest(`The parameter "${name}" must be ${kind}`);
    parameters[name] = value;
  }
  return parameters;
};

/** The parameters of a body. Throws `BAD_REQUEST` for a body that is not a GraphQL request. */
export const parametersOfBody = (body = ''): Parameters => {
  const given = spend(() => parsed('request body', body));
  if (!isObject(given)) throw badRequest('The request body must be a JSON object');
  return checked(given);
};

/** The parameters of a query string. Others are ignored, an empty one is none, and of a repeated one the last counts. */
export const parametersOfQuery = (query: URLSearchParams): Parameters => {
  const given: Record<string, unknown> = {};
  for (const name of names) {
    const text = query.getAll(name).at(-1);
    if (text) given[name] = kinds[name] === 'a string' ? text : spend(() => parsed(`parameter "${name}"`, text));
  }
  return checked(given);
};
