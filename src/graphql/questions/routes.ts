/** `GET /questions` and `GET /questions/{name}`: saved questions by a link (contract: saved questions). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';
import { authorize, type Caller } from '../../access/caller.ts';
import type { Question, Questions } from '../../access/questions.ts';
import { ApiError, type ProblemKind, problems } from '../../errors.ts';
import { callerOf } from '../../http/gate.ts';
import { requestContextOf } from '../../http/request-context.ts';
import { addVary } from '../../http/responses/headers.ts';
import { contentTypes, prefersCsv } from '../../http/responses/negotiation.ts';
import { enclose, sendBuffered, sendRows } from '../../http/responses/send.ts';
import { type Format, formatParameter } from '../../plan/parameters.ts';
import { clipped, ParameterErrors } from '../../plan/validation-errors.ts';
import { runInSlices } from '../../scheduling/time-slices.ts';
import { contextOf, type GraphqlServices, type WrittenData } from '../context.ts';
import { codeOf } from '../errors.ts';
import type { Readership, TierHandler } from '../yoga.ts';
import { formatName, tablesOf, titleOf, typeText, variablesOf } from './document.ts';
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

class QuestionRoutes {
  readonly #options: QuestionRoutesOptions;

  constructor(options: QuestionRoutesOptions) {
    this.#options = options;
  }

  async #find(request: FastifyRequest<NamedQuestion>): Promise<Question> {
    const found = (await this.#options.questions.of(callerOf(request).customer.id)).get(request.params.name);
    if (!found) throw new ApiError('noQuestion');
    return found;
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
      const variables = variablesOf(prepared.document).map(({ variable, type }) => ({ name: variable.name.value, type: typeText(type) }));
      const isTable = tablesOf(handler.schema, prepared.document).length === 1;
      listed.push({
        name,
        title: titleOf(text),
        endpoint_url: `/questions/${name}`,
        variables,
        formats: isTable ? ['json', 'csv'] : ['json'],
        document: text,
      });
    }
    return reply.header('cache-control', 'private, no-cache').type(contentTypes.json).send(JSON.stringify(listed));
  }

  async answer(request: FastifyRequest<NamedQuestion>, reply: FastifyReply): Promise<FastifyReply> {
    const { services, handlerOf } = this.#options;
    const caller = callerOf(request);
    const customerId = caller.customer.id;
    const question = await this.#find(request);
    const query = request.query as URLSearchParams;
    const { format, isNamed } = formOf(request, query);
    if (!isNamed) addVary(reply, 'Accept');
    // An error has a type of its own and is no file.
    const setHeaders = () => {
      reply.header('cache-control', 'private, no-cache').type(contentTypes[format]);
      if (isNamed && format === 'csv') reply.header('content-disposition', `attachment; filename=${question.name}.csv`);
    };
    const handler = await handlerOf(caller);
    const requestContext = requestContextOf(request, reply);
    const prepared = await handler.prepare(question.document, requestContext);
    if ('refusal' in prepared) throw refusalOf(prepared.refusal);
    const tables = format === 'csv' ? tablesOf(handler.schema, prepared.document) : [];
    const [table] = tables;
    if (format === 'csv' && (!table || tables.length > 1)) throw new ApiError('invalidParameter', noTable(tables.length));
    const variables = parseVariables(prepared.document, query);
    if (request.method === 'HEAD') {
      setHeaders();
      return reply.send();
    }

    const cacheKey = ['question', readersKey(caller), format, JSON.stringify(variables), question.document].join('\n');
    let rows = 0;
    request.rowsSent = () => rows;
    const found = await services.responseCache.find<undefined>(customerId, cacheKey);
    if (found) {
      rows = found.rows;
      setHeaders();
      return sendBuffered(reply, found);
    }
    const before = await services.responseCache.states(customerId);
    let data: WrittenData | undefined;
    const context = contextOf(request, reply, {
      services,
      failure: 'Saved question failed',
      onRows: (count) => {
        rows += count;
      },
      onData: (written) => {
        data = written;
      },
    });
    const { errors = [] } = await handler.execute(prepared.document, variables, context);
    if (errors[0]) {
      data?.release?.();
      throw problemOf(errors[0]);
    }
    if (!data) throw new ApiError('internal');
    setHeaders();
    const { chunks, release, tables: read } = data;
    const store = async (body: readonly Buffer[]): Promise<void> => {
      if (read)
        await services.responseCache.storeIfUnchanged(
          customerId,
          cacheKey,
          { chunks: body, about: undefined, rows },
          { tables: read, before },
        );
    };
    if (format === 'csv' && table) {
      const text = (await bytesOf(chunks)).toString();
      release?.();
      const csv: string[] = [];
      const write = function* () {
        csv.push(yield* csvOf(text, table));
      };
      await runInSlices(customerId, write(), requestContext.signal);
      const body = csv.map((each) => Buffer.from(each));
      await store(body);
      return sendRows(reply, { body });
    }
    const body = enclose(head, chunks, () => tail);
    if (Symbol.asyncIterator in body) return sendRows(reply, { body });
    await store(body);
    return sendRows(reply, { body, release });
  }
}

const [head, tail] = [Buffer.from('{"data":'), Buffer.from('}')];

const noTable = (lists: number): string =>
  `query -> ${formatName}: CSV is for a question with one list; this one has ${lists === 0 ? 'none' : lists}`;

export const questionRoutes = (app: FastifyInstance, options: QuestionRoutesOptions): void => {
  const routes = new QuestionRoutes(options);
  const method = ['GET', 'HEAD'];
  const onRequest = async (request: FastifyRequest) => authorize(callerOf(request), 'basic', 'graphql');
  app.route({ method, url: '/questions', onRequest, handler: (request, reply) => routes.list(request, reply) });
  app.route<NamedQuestion>({ method, url: '/questions/:name', onRequest, handler: (request, reply) => routes.answer(request, reply) });
};
