/** `/questions` and `/questions/{name}`: saved questions by a link (contract: saved questions). `save.ts` has PUT and DELETE. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../../access/caller.ts';
import type { ResponseCache } from '../../cache/response-cache.ts';
import { rowReaders } from '../../catalogue/readership.ts';
import { ApiError } from '../../errors.ts';
import type { RequestContext } from '../../execute/connections.ts';
import { sendCacheable } from '../../http/cacheable.ts';
import { callerOf } from '../../http/gate.ts';
import { requireJson, takeText } from '../../http/json-body.ts';
import { requestContextOf } from '../../http/request-context.ts';
import { addVary, contentTypes, downloadAs, prefersCsv } from '../../http/responses/headers.ts';
import { enclose } from '../../http/responses/send.ts';
import { ParameterErrors } from '../../plan/validation-errors.ts';
import { type Format, formatParameter } from '../../query/parameters.ts';
import { runInSlices } from '../../scheduling/time-slices.ts';
import type { WrittenData } from '../context.ts';
import { joinedChunks, type PreparedQuestion, type QuestionAsker } from './ask.ts';
import { formatName, type QuestionTable } from './document.ts';
import { listedQuestion } from './listed.ts';
import { type NamedQuestion, QuestionChanges, type QuestionChangesOptions } from './save.ts';
import { csvOfAnswer } from './table.ts';
import { parseVariables } from './values.ts';

const formOf = (request: FastifyRequest, query: URLSearchParams): { readonly format: Format; readonly isNamed: boolean } => {
  const errors = new ParameterErrors();
  const named = formatParameter(query, errors);
  errors.throwIfAny();
  return { format: named ?? (prefersCsv(request.headers.accept) ? 'csv' : 'json'), isNamed: named !== undefined };
};

/** The only list of a question. Throws `invalidParameter` if CSV is not possible. */
const tableOf = ({ tables }: PreparedQuestion): QuestionTable => {
  const [table] = tables;
  if (table && tables.length === 1) return table;
  const lists = tables.length === 0 ? 'none' : tables.length;
  throw new ApiError('invalidParameter', `query -> ${formatName}: CSV is for a question with one list; this one has ${lists}`);
};

/** A valid request for the answer to a question. */
interface QuestionRequest {
  readonly question: PreparedQuestion;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly format: Format;
  /** Whether the query names the format. */
  readonly isNamed: boolean;
  /** The list that the answer shows as a table; undefined for JSON. */
  readonly list: ListForm | undefined;
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
  const text = (await joinedChunks(chunks)).toString();
  release?.();
  const written: string[] = [];
  const steps = function* () {
    written.push(yield* write(text, table));
  };
  await runInSlices(customerId, steps(), signal);
  return written.map((each) => Buffer.from(each));
};

class QuestionRoutes {
  readonly #asker: QuestionAsker;
  readonly #responseCache: ResponseCache;

  constructor(asker: QuestionAsker, responseCache: ResponseCache) {
    this.#asker = asker;
    this.#responseCache = responseCache;
  }

  /** The questions of the customer that the key may ask. */
  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const listed = (await this.#asker.list(request, reply)).map((question) => listedQuestion(question, request.server.publicUrl));
    return reply.header('cache-control', 'private, no-cache').type(contentTypes.json).send(JSON.stringify(listed));
  }

  /** Sends the headers for HEAD, the cached response, or a new one. */
  async answer(request: FastifyRequest<NamedQuestion>, reply: FastifyReply): Promise<FastifyReply> {
    const responseCache = this.#responseCache;
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
        const data = await this.#asker.ask(request, reply, question, variables);
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
    const found = await this.#asker.find(request, request.params.name);
    const query = request.query as URLSearchParams;
    const { format, isNamed } = formOf(request, query);
    if (!isNamed) addVary(reply, 'Accept');
    const question = await this.#asker.prepare(request, reply, found);
    const list = format === 'json' ? undefined : { table: tableOf(question), write: writers[format] };
    return { question, variables: parseVariables(question.prepared, query), format, isNamed, list };
  }
}

const changeMethods: readonly string[] = ['PUT', 'DELETE'];

const authorizeRequest = async (request: FastifyRequest): Promise<void> => {
  authorize(callerOf(request), 'basic', 'graphql');
  if (changeMethods.includes(request.method)) authorize(callerOf(request), 'basic', 'questions');
  if (request.method === 'PUT') requireJson(request);
};

export const questionRoutes = (
  app: FastifyInstance,
  { responseCache, ...options }: QuestionChangesOptions & { readonly responseCache: ResponseCache },
): void => {
  const routes = new QuestionRoutes(options.asker, responseCache);
  const changes = new QuestionChanges(options);
  app.register(async (scope) => {
    takeText(scope);
    scope.addHook('onRequest', authorizeRequest);
    const method = ['GET', 'HEAD'];
    scope.route({ method, url: '/questions', handler: (request, reply) => routes.list(request, reply) });
    scope.all<NamedQuestion>('/questions/:name', { config: { methods: [...method, ...changeMethods] } }, (request, reply) => {
      if (request.method === 'PUT') return changes.save(request, reply);
      return request.method === 'DELETE' ? changes.remove(request, reply) : routes.answer(request, reply);
    });
  });
};
