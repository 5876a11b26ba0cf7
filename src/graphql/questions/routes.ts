/** `GET /questions` and `GET /questions/{name}`: saved questions by a link (contract: saved questions). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { authorize } from '../../access/caller.ts';
import type { Question, Questions } from '../../access/questions.ts';
import { rowReaders } from '../../catalogue/readership.ts';
import { ApiError, type ProblemKind, problems } from '../../errors.ts';
import type { RequestContext } from '../../execute/connections.ts';
import { sendCacheable } from '../../http/cacheable.ts';
import { callerOf } from '../../http/gate.ts';
import { requestContextOf } from '../../http/request-context.ts';
import { addVary, contentTypes, downloadAs, prefersCsv } from '../../http/responses/headers.ts';
import { enclose } from '../../http/responses/send.ts';
import { clipped, ParameterErrors } from '../../plan/validation-errors.ts';
import { type Format, formatParameter } from '../../query/parameters.ts';
import { runInSlices } from '../../scheduling/time-slices.ts';
import { createContext, type GraphqlServices, type WrittenData } from '../context.ts';
import { errorCodeOf } from '../errors.ts';
import { execute } from '../execution/execute.ts';
import type { Schemas, ServedSchema } from '../schemas.ts';
import { formatName, type QuestionTable, questionTablesOf, titleOf, typeText, variablesOf } from './document.ts';
import { csvOfAnswer } from './table.ts';
import { parseVariables } from './values.ts';

export interface QuestionRoutesOptions {
  readonly services: GraphqlServices;
  readonly questions: Questions;
  readonly schemas: Schemas;
}

interface NamedQuestion {
  readonly Params: { readonly name: string };
}

type ResultError = { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> | undefined };

/** A message repeats values of the request. */
const longestMessage = 200;

/** The error of a GraphQL result as the problem of a REST request. */
const problemOf = ({ message, extensions = {} }: ResultError): ApiError => {
  const kind = (Object.keys(problems) as ProblemKind[]).find((each) => errorCodeOf(each) === extensions.code) ?? 'internal';
  const { headers = {} } = (extensions.http ?? {}) as { readonly headers?: Readonly<Record<string, string>> };
  const [before = ''] = problems[kind][1].split('{}');
  return new ApiError(kind, clipped(message.slice(before.length), longestMessage), headers);
};

/** The document was valid when it was saved. If it is not valid now, the key may not read a part of it. */
const refusalOf = ([error]: readonly ResultError[]): ApiError => {
  return !error || error.extensions?.code === 'GRAPHQL_VALIDATION_FAILED' ? new ApiError('forbidden') : problemOf(error);
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
  const description = { variables, tables: questionTablesOf(schema, document) };
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
  readonly served: ServedSchema;
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
const writers: Readonly<Record<Exclude<Format, 'json'>, typeof csvOfAnswer>> = { csv: csvOfAnswer };

/** A list, and its writer. */
interface ListForm {
  readonly table: QuestionTable;
  readonly write: typeof csvOfAnswer;
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
    const served = this.#options.schemas.of(caller);
    const requestContext = requestContextOf(request, reply);
    const listed: object[] = [];
    for (const { name, document: text } of (await this.#options.questions.of(caller.customer.id)).values()) {
      const prepared = await served.documents.prepare(text, requestContext);
      if ('errors' in prepared) continue;
      const { variables, tables } = describe(served.schema, prepared.document);
      const formats = tables.length === 1 ? ['json', 'csv'] : ['json'];
      listed.push({ name, title: titleOf(text), endpoint_url: `/questions/${name}`, variables, formats, document: text });
    }
    return reply.header('cache-control', 'private, no-cache').type(contentTypes.json).send(JSON.stringify(listed));
  }

  /** Sends the headers for HEAD, the cached response, or a new one. */
  async answer(request: FastifyRequest<NamedQuestion>, reply: FastifyReply): Promise<FastifyReply> {
    const { responseCache } = this.#options.services;
    const caller = callerOf(request);
    const parsed = await this.#parse(request, reply);
    if (request.method === 'HEAD') {
      setHeaders(reply, parsed);
      return reply.send();
    }
    const { question, format, variables, list } = parsed;
    return sendCacheable<undefined>(responseCache, request, reply, {
      key: ['question', rowReaders(caller), format, JSON.stringify(variables), question.document].join('\n'),
      isHead: false,
      headers: () => setHeaders(reply, parsed),
      read: async () => {
        const before = await responseCache.states(caller.customer.id);
        const data = await this.#execute(request, reply, parsed);
        const { chunks, release, rows, tables } = data;
        const madeOf = tables && (await responseCache.unchangedSince(before, caller.customer.id, tables));
        const read = { about: undefined, rows: () => rows, madeOf };
        if (!list) return { ...read, body: enclose(head, chunks, () => tail), release };
        return { ...read, body: await listBody(data, list, requestContextOf(request, reply)) };
      },
    });
  }

  /** Finds the question and checks the parameters. Sets `Vary` if `Accept` decides the format. */
  async #parse(request: FastifyRequest<NamedQuestion>, reply: FastifyReply): Promise<QuestionRequest> {
    const caller = callerOf(request);
    const question = (await this.#options.questions.of(caller.customer.id)).get(request.params.name);
    if (!question) throw new ApiError('noQuestion');
    const query = request.query as URLSearchParams;
    const { format, isNamed } = formOf(request, query);
    if (!isNamed) addVary(reply, 'Accept');
    const served = this.#options.schemas.of(caller);
    const prepared = await served.documents.prepare(question.document, requestContextOf(request, reply));
    if ('errors' in prepared) throw refusalOf(prepared.errors);
    const { document } = prepared;
    const list = format === 'json' ? undefined : { table: tableOf(describe(served.schema, document)), write: writers[format] };
    return { question, served, document, variables: parseVariables(document, query), format, isNamed, list };
  }

  /** Reads the data. Throws the first error of the result. */
  async #execute(request: FastifyRequest, reply: FastifyReply, parsed: QuestionRequest): Promise<QuestionData> {
    const { services } = this.#options;
    const context = createContext(request, reply, { services, failure: 'Saved question failed' });
    const { served, document, variables } = parsed;
    const { data, errors = [] } = await execute({ schema: served.schema, document, parameters: { variables } }, context);
    if (errors[0]) {
      data?.release?.();
      data?.cancel?.();
      throw problemOf(errors[0]);
    }
    if (!data) throw new ApiError('internal');
    return { ...data, rows: context.rows };
  }
}

export const questionRoutes = (app: FastifyInstance, options: QuestionRoutesOptions): void => {
  const routes = new QuestionRoutes(options);
  const method = ['GET', 'HEAD'];
  const onRequest = async (request: FastifyRequest) => authorize(callerOf(request), 'basic', 'graphql');
  app.route({ method, url: '/questions', onRequest, handler: (request, reply) => routes.list(request, reply) });
  app.route<NamedQuestion>({ method, url: '/questions/:name', onRequest, handler: (request, reply) => routes.answer(request, reply) });
};
