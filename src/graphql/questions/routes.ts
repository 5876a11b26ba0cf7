/** `GET /questions` and `GET /questions/{name}`: saved questions by a link (contract: saved questions). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { authorize, type Caller } from '../../access/caller.ts';
import type { Question, Questions } from '../../access/questions.ts';
import { ApiError, type ProblemKind, problems } from '../../errors.ts';
import type { RequestContext } from '../../execute/connections.ts';
import { callerOf } from '../../http/gate.ts';
import { requestContextOf } from '../../http/request-context.ts';
import { addVary, downloadAs } from '../../http/responses/headers.ts';
import { contentTypes, prefersCsv } from '../../http/responses/negotiation.ts';
import { enclose, sendBuffered, sendRows } from '../../http/responses/send.ts';
import { type Format, formatParameter } from '../../plan/parameters.ts';
import { clipped, ParameterErrors } from '../../plan/validation-errors.ts';
import { runInSlices } from '../../scheduling/time-slices.ts';
import { createExecution, type GraphqlServices, type WrittenData } from '../context.ts';
import { codeOf } from '../errors.ts';
import type { Readership, TierHandler } from '../yoga.ts';
import { formatName, type QuestionTable, tablesOf, titleOf, typeText, variablesOf } from './document.ts';
import { csvOf } from './table.ts';
import { parseVariables } from './values.ts';

export interface QuestionRoutesOptions {
  readonly services: GraphqlServices;
  readonly questions: Questions;
  readonly handlerOf: (readers: Readership) => Promise<TierHandler>;
}

interface NamedQuestion {
  readonly Params: { readonly name: string };
}

type ResultError = { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> | undefined };

/** A message repeats values of the request. */
const longestMessage = 200;

/** The error of a GraphQL result as the problem of a REST request. */
const problemOf = ({ message, extensions = {} }: ResultError): ApiError => {
  const kind = (Object.keys(problems) as ProblemKind[]).find((each) => codeOf(each) === extensions.code) ?? 'internal';
  const { headers = {} } = (extensions.http ?? {}) as { readonly headers?: Readonly<Record<string, string>> };
  const [before = ''] = problems[kind][1].split('{}');
  return new ApiError(kind, clipped(message.slice(before.length), longestMessage), headers);
};

/** The document was valid when it was saved. If it is not valid now, the key may not read a part of it. */
const refusalOf = ({ errors = [] }: ExecutionResult): ApiError => {
  const [error] = errors;
  return !error || error.extensions.code === 'GRAPHQL_VALIDATION_FAILED' ? new ApiError('forbidden') : problemOf(error);
};

const bytesOf = async (chunks: WrittenData['chunks']): Promise<Buffer> => {
  if (!(Symbol.asyncIterator in chunks)) return Buffer.concat(chunks);
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(Buffer.from(chunk));
  return Buffer.concat(read);
};

const formOf = (request: FastifyRequest, query: URLSearchParams): { readonly format: Format; readonly isNamed: boolean } => {
  const errors = new ParameterErrors();
  const named = formatParameter(query, errors);
  errors.throwIfAny();
  return { format: named ?? (prefersCsv(request.headers.accept) ? 'csv' : 'json'), isNamed: named !== undefined };
};

const readersKey = ({ tier, scope }: Caller): string => (scope ? `${tier} ${scope.key}` : tier);

/** What a document says about its question. */
interface Description {
  readonly variables: readonly { readonly name: string; readonly type: string }[];
  readonly tables: readonly QuestionTable[];
}

/** The descriptions of prepared documents. A prepared document belongs to one schema. */
const descriptions = new WeakMap<DocumentNode, Description>();

const describe = (schema: GraphQLSchema, document: DocumentNode): Description => {
  const known = descriptions.get(document);
  if (known) return known;
  const variables = variablesOf(document).map(({ variable, type }) => ({ name: variable.name.value, type: typeText(type) }));
  const description = { variables, tables: tablesOf(schema, document) };
  descriptions.set(document, description);
  return description;
};

/** The only list of a question. Throws `invalidParameter` if CSV is not possible. */
const tableOf = ({ tables }: Description): QuestionTable => {
  const [table] = tables;
  if (table && tables.length === 1) return table;
  const lists = tables.length === 0 ? 'none' : tables.length;
  throw new ApiError('invalidParameter', `query -> ${formatName}: CSV is for a question with one list; this one has ${lists}`);
};

/** A valid request for the answer to a question. */
interface QuestionRequest {
  readonly question: Question;
  readonly handler: TierHandler;
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly format: Format;
  /** Whether the query names the format. */
  readonly isNamed: boolean;
  /** The list that the answer shows as a table; undefined for JSON. */
  readonly list: ListForm | undefined;
}

/** The data of an answer, and the number of rows that were read. */
interface QuestionData extends WrittenData {
  readonly rows: number;
}

/** Sets the headers of a 200. An error has another type and is no file. */
const setHeaders = (reply: FastifyReply, { question, format, isNamed }: QuestionRequest): void => {
  reply.header('cache-control', 'private, no-cache').type(contentTypes[format]);
  if (isNamed && format !== 'json') reply.headers(downloadAs(`${question.name}.${format}`));
};

const [head, tail] = [Buffer.from('{"data":'), Buffer.from('}')];

/** The writers of the formats other than JSON. */
const writers: Readonly<Record<Exclude<Format, 'json'>, typeof csvOf>> = { csv: csvOf };

/** A list, and its writer. */
interface ListForm {
  readonly table: QuestionTable;
  readonly write: typeof csvOf;
}

/** Converts the JSON of the data to a list in time slices of the customer. */
const listBody = async (
  { chunks, release }: WrittenData,
  { table, write }: ListForm,
  { customerId, signal }: RequestContext,
): Promise<readonly Buffer[]> => {
  const text = (await bytesOf(chunks)).toString();
  release?.();
  const written: string[] = [];
  const steps = function* () {
    written.push(yield* write(text, table));
  };
  await runInSlices(customerId, steps(), signal);
  return written.map((each) => Buffer.from(each));
};

class QuestionRoutes {
  readonly #options: QuestionRoutesOptions;

  constructor(options: QuestionRoutesOptions) {
    this.#options = options;
  }

  /** The questions of the customer that the key may ask. */
  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = callerOf(request);
    const handler = await this.#options.handlerOf(caller);
    const requestContext = requestContextOf(request, reply);
    const listed: object[] = [];
    for (const { name, document: text } of (await this.#options.questions.of(caller.customer.id)).values()) {
      const prepared = await handler.prepare(text, requestContext);
      if ('refusal' in prepared) continue;
      const { variables, tables } = describe(handler.schema, prepared.document);
      const formats = tables.length === 1 ? ['json', 'csv'] : ['json'];
      listed.push({ name, title: titleOf(text), endpoint_url: `/questions/${name}`, variables, formats, document: text });
    }
    return reply.header('cache-control', 'private, no-cache').type(contentTypes.json).send(JSON.stringify(listed));
  }

  /** Answers in order: the headers for HEAD, the cached response, or a new one that is stored. */
  async answer(request: FastifyRequest<NamedQuestion>, reply: FastifyReply): Promise<FastifyReply> {
    const { responseCache } = this.#options.services;
    const caller = callerOf(request);
    const customerId = caller.customer.id;
    const parsed = await this.#parse(request, reply);
    if (request.method === 'HEAD') {
      setHeaders(reply, parsed);
      return reply.send();
    }

    // Cached: the response cache has the answer with the current versions.
    const { question, format, variables, list } = parsed;
    const cacheKey = ['question', readersKey(caller), format, JSON.stringify(variables), question.document].join('\n');
    const found = await responseCache.find<undefined>(customerId, cacheKey);
    if (found) {
      request.rowsSent = () => found.rows;
      setHeaders(reply, parsed);
      return sendBuffered(reply, found);
    }

    // Read.
    const before = await responseCache.states(customerId);
    const data = await this.#execute(request, reply, parsed);
    setHeaders(reply, parsed);
    const { chunks, release, rows, tables } = data;
    const body = list ? await listBody(data, list, requestContextOf(request, reply)) : enclose(head, chunks, () => tail);

    // Store: a stream, or an answer that no data version covers, is only sent.
    if (tables && !(Symbol.asyncIterator in body))
      await responseCache.storeIfUnchanged(customerId, cacheKey, { chunks: body, about: undefined, rows }, { tables, before });
    return sendRows(reply, list ? { body } : { body, release });
  }

  /** Finds the question and checks the parameters. Sets `Vary` if `Accept` decides the format. */
  async #parse(request: FastifyRequest<NamedQuestion>, reply: FastifyReply): Promise<QuestionRequest> {
    const caller = callerOf(request);
    const question = (await this.#options.questions.of(caller.customer.id)).get(request.params.name);
    if (!question) throw new ApiError('noQuestion');
    const query = request.query as URLSearchParams;
    const { format, isNamed } = formOf(request, query);
    if (!isNamed) addVary(reply, 'Accept');
    const handler = await this.#options.handlerOf(caller);
    const prepared = await handler.prepare(question.document, requestContextOf(request, reply));
    if ('refusal' in prepared) throw refusalOf(prepared.refusal);
    const { document } = prepared;
    const list = format === 'json' ? undefined : { table: tableOf(describe(handler.schema, document)), write: writers[format] };
    return { question, handler, document, variables: parseVariables(document, query), format, isNamed, list };
  }

  /** Reads the data. Throws the first error of the result. */
  async #execute(request: FastifyRequest, reply: FastifyReply, parsed: QuestionRequest): Promise<QuestionData> {
    const { services } = this.#options;
    const { context, execution } = createExecution(request, reply, { services, failure: 'Saved question failed' });
    const { errors = [] } = await parsed.handler.execute(parsed.document, parsed.variables, context);
    const { data, rows } = execution;
    if (errors[0]) {
      data?.release?.();
      throw problemOf(errors[0]);
    }
    if (!data) throw new ApiError('internal');
    return { ...data, rows };
  }
}

export const questionRoutes = (app: FastifyInstance, options: QuestionRoutesOptions): void => {
  const routes = new QuestionRoutes(options);
  const method = ['GET', 'HEAD'];
  const onRequest = async (request: FastifyRequest) => authorize(callerOf(request), 'basic', 'graphql');
  app.route({ method, url: '/questions', onRequest, handler: (request, reply) => routes.list(request, reply) });
  app.route<NamedQuestion>({ method, url: '/questions/:name', onRequest, handler: (request, reply) => routes.answer(request, reply) });
};
