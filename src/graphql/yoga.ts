/**
 * GraphQL over HTTP: Yoga with the schema of one tier. `prepare.ts` prepares each document once per text and tier. `execute.ts` executes
 * operations.
 */
import type { IncomingMessage } from 'node:http';
import { type DocumentNode, type ExecutionResult, GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Caller } from '../access/caller.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { ApiError } from '../errors.ts';
import type { RequestContext } from '../execute/connections.ts';
import type { GraphqlContext } from './context.ts';
import { JsonBody } from './document/json-body.ts';
import { type AnswerHeaders, ValidatedDocuments } from './document/known-documents.ts';
import { exceeds, limits } from './document/limits.ts';
import { type PersistedOptions, usePersisted } from './document/persisted.ts';
import { Documents } from './document/prepare.ts';
import { asGraphqlError, type BoundedResult, bounded } from './errors.ts';
import { execute } from './execution/execute.ts';
import { createSchema } from './schema/schema.ts';

/** The context of a request, and its body. The server has read the body and limited its size. */
export interface ServerContext extends GraphqlContext {
  readonly body: JsonBody | undefined;
  /** The result of a known document that failed. Yoga formats its errors. */
  readonly result: ExecutionResult | undefined;
  /** The parsed and valid document of the request. */
  document?: DocumentNode;
  /** Whether the response has errors. */
  hasErrors?: boolean;
}

/** Parses a body. Yoga passes GraphQL errors on, and reports all others as invalid JSON. */
const parseBody = (body: JsonBody): unknown => {
  try {
    return body.parse();
  } catch (error) {
    throw error instanceof ApiError ? asGraphqlError(error, () => {}) : error;
  }
};

/** Gives the body to Yoga's parser, because the server has already read it. */
const useBody = (): Plugin<ServerContext> => ({
  onRequestParse: ({ requestParser, setRequestParser, serverContext }) => {
    const { body } = serverContext as unknown as ServerContext;
    if (body === undefined || !requestParser) return;
    setRequestParser(() => requestParser({ json: async () => parseBody(body) } as Request));
  },
  onParams: ({ params: { variables }, context }) => {
    const { body } = context as unknown as ServerContext;
    // Variables cannot exceed the limit if the whole body does not.
    if (!body || body.text.length <= limits.variables || !variables) return;
    const bytes = Buffer.byteLength(JSON.stringify(variables));
    if (bytes > limits.variables) throw asGraphqlError(exceeds('variables', bytes), () => {});
  },
});

/** Yoga would parse and validate without pauses. Instead, `Documents` prepares the document in time slices of the customer. */
const usePrepared = (documents: Documents): Plugin<ServerContext> => ({
  onParams: async ({ params: { query }, setResult, context }) => {
    // Yoga refuses a query that is not a string.
    if (typeof query !== 'string') return;
    const { requestContext } = context as unknown as ServerContext;
    const prepared = await documents.prepare(query, requestContext);
    if ('refusal' in prepared) setResult(prepared.refusal);
    else Object.assign(context, { document: prepared.document });
  },
  onParse: ({ context, setParsedDocument }) => setParsedDocument((context as unknown as ServerContext).document!),
  onValidate: ({ setResult }) => setResult([]),
});

const useReading = (): Plugin<ServerContext> => ({
  onExecute: ({ args, setExecuteFn }) => {
    const { result } = args.contextValue as unknown as ServerContext;
    setExecuteFn((result ? () => result : execute) as Parameters<typeof setExecuteFn>[0]);
  },
});

/** Yoga serializes a result with its `stringify`. */
const useSerializer = (): Plugin<ServerContext> => ({
  onResultProcess: ({ result, setResult, serverContext }) => {
    const { errors = [] } = result as BoundedResult;
    (serverContext as unknown as ServerContext).hasErrors = errors.length > 0;
    setResult(bounded(result as BoundedResult, serialize));
  },
});

/** Marks the place of `data` in a text. No JSON text contains this character. */
const dataMark = '\0';

/** The JSON of a result. `execute.ts` writes `data` separately, so the text has a mark in its place. */
const serialize = (result: ExecutionResult): string => {
  const { data, ...others } = result;
  if (!data) return JSON.stringify(result);
  const members = JSON.stringify(others).slice(1);
  return `{"data":${dataMark}${members === '}' ? '' : ','}${members}`;
};

/** Masks unexpected errors. Errors of resolvers are already masked, and GraphQL's own errors pass. */
const maskError = (error: unknown, report: (error: unknown) => void): Error => {
  const cause = error instanceof GraphQLError ? error.originalError : error;
  return error instanceof GraphQLError && (!cause || cause instanceof GraphQLError) ? error : asGraphqlError(cause, report);
};

/** A response. If `data` was written, it belongs between the two texts. Otherwise `after` is undefined. */
export interface Executed {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly before: string;
  readonly after: string | undefined;
}

const aroundData = (text: string): Pick<Executed, 'before' | 'after'> => {
  const [before = '', after] = text.split(dataMark);
  return { before, after };
};

export interface YogaOptions {
  readonly catalogue: Catalogue;
  readonly persisted: PersistedOptions;
  readonly report: (error: unknown) => void;
}

/** Callers of one tier, and of one shape of data scopes. */
export type Readership = Pick<Caller, 'tier' | 'scope'>;

/** Makes the handler for requests of one tier. It executes known documents directly and gives all other requests to Yoga. */
export const createTierHandler = ({ tier, scope }: Readership, { catalogue, persisted, report }: YogaOptions) => {
  const schema = createSchema(catalogue, tier, scope);
  const documents = new Documents(schema);
  // If only persisted operations are allowed, a request with the text of a document is refused.
  const known = new ValidatedDocuments(persisted.isRequired ? { get: () => undefined } : documents);
  const yoga = createYoga<ServerContext>({
    schema,
    plugins: [useBody(), ...usePersisted(persisted), usePrepared(documents), useReading(), useSerializer()],
    maskedErrors: { maskError: (error) => maskError(error, report) },
    parserAndValidationCache: false,
    batching: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    // The server has already read the body and limited its size.
    maxRequestBodySize: false,
  });
  const respond = async (request: IncomingMessage, text: string | undefined, context: GraphqlContext): Promise<Executed> => {
    const { method, url, headers } = request;
    const body = text === undefined ? undefined : new JsonBody(text);
    const plain = { method, url, contentType: headers['content-type'], accept: headers.accept, body };
    const found = known.find(plain);
    const result = found && (await execute({ schema, contextValue: context, ...found }));
    if (found && !result?.errors) return { status: 200, headers: found.headers, ...aroundData(serialize(result!)) };
    const serverContext: ServerContext = { ...context, body, result };
    const response = await yoga.handleNodeRequest(request, serverContext);
    const named = [...response.headers].map(([name, value]) => [name.toLowerCase(), value] as const);
    const responseHeaders = Object.fromEntries(named.filter(([name]) => name !== 'content-length'));
    if (response.ok) {
      responseHeaders['cache-control'] = 'private, no-cache';
      if (!serverContext.hasErrors) known.answered(plain, responseHeaders);
    }
    return { status: response.status, headers: responseHeaders, ...aroundData(await response.text()) };
  };
  return {
    schema,
    respond,
    /** Parses and validates the document of a saved question. `PERSISTED_ONLY` permits these documents, because an operator saved them. */
    prepare: (text: string, requestContext: RequestContext) => documents.prepare(text, requestContext),
    execute: (document: DocumentNode, variableValues: Readonly<Record<string, unknown>>, contextValue: GraphqlContext) =>
      execute({ schema, document, variableValues, contextValue }),
  };
};

export type TierHandler = ReturnType<typeof createTierHandler>;
