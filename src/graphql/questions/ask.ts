/** Saved questions as a caller may ask them: their descriptions and their answers. The routes and the tools of agents share it (contract: saved questions). */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Question, Questions, SavedQuestion } from '../../access/questions.ts';
import { ApiError, type ProblemKind, problems } from '../../errors.ts';
import { callerOf } from '../../http/gate.ts';
import { requestContextOf } from '../../http/request-context.ts';
import { clipped } from '../../plan/validation-errors.ts';
import { createContext, type GraphqlServices, type WrittenData } from '../context.ts';
import { errorCodeOf } from '../errors.ts';
import { execute } from '../execution/execute.ts';
import type { Schemas, ServedSchema } from '../schemas.ts';
import { type QuestionTable, questionTablesOf, titleOf, typeText, variablesOf } from './document.ts';

export interface AskOptions {
  readonly services: GraphqlServices;
  readonly questions: Questions;
  readonly schemas: Schemas;
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

const maxRefused = 2_000;

/**
 * The digests of questions that are not valid in a schema. Otherwise each list would parse and validate them again, because a schema keeps
 * valid documents only.
 */
const refusedBySchema = new WeakMap<ServedSchema, LRUCache<string, true>>();

const refusedIn = (served: ServedSchema): LRUCache<string, true> => {
  const refused = refusedBySchema.get(served) ?? new LRUCache<string, true>({ max: maxRefused });
  refusedBySchema.set(served, refused);
  return refused;
};

/** A question that the caller may ask. */
export interface AskableQuestion extends Question, Description {
  /** The first comment of the document. */
  readonly title: string;
  readonly served: ServedSchema;
  readonly prepared: DocumentNode;
}

/** The data of an answer, and the number of rows that were read. */
export interface QuestionData extends WrittenData {
  readonly rows: number;
}

/** All bytes of the data, which are copied if they come from disk. */
export const bytesOf = async (chunks: WrittenData['chunks']): Promise<Buffer> => {
  if (!(Symbol.asyncIterator in chunks)) return Buffer.concat(chunks);
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(Buffer.from(chunk));
  return Buffer.concat(read);
};

export class QuestionAsker {
  readonly #options: AskOptions;

  constructor(options: AskOptions) {
    this.#options = options;
  }

  /** The saved questions of the customer that the key may ask. */
  async list(request: FastifyRequest, reply: FastifyReply): Promise<readonly (AskableQuestion & SavedQuestion)[]> {
    const saved = await this.#options.questions.of(callerOf(request).customer.id);
    return this.#askable(request, reply, [...saved.values()]);
  }

  /** The saved questions, and those of `shipped` whose names are free. */
  async listWith(request: FastifyRequest, reply: FastifyReply, shipped: readonly Question[]): Promise<readonly AskableQuestion[]> {
    const saved = await this.#options.questions.of(callerOf(request).customer.id);
    return this.#askable(request, reply, [...saved.values(), ...shipped.filter(({ name }) => !saved.has(name))]);
  }

  async #askable<Q extends Question>(request: FastifyRequest, reply: FastifyReply, questions: readonly Q[]) {
    const refused = refusedIn(this.#options.schemas.of(callerOf(request)));
    const listed: (Q & AskableQuestion)[] = [];
    for (const question of questions) {
      const digest = hash('sha256', question.document, 'base64url');
      if (refused.has(digest)) continue;
      const prepared = await this.tryToPrepare(request, reply, question);
      if ('errors' in prepared) refused.set(digest, true);
      else listed.push(prepared);
    }
    return listed;
  }

  /** Throws `noQuestion`. */
  async find(request: FastifyRequest, name: string): Promise<SavedQuestion> {
    const question = (await this.#options.questions.of(callerOf(request).customer.id)).get(name);
    if (!question) throw new ApiError('noQuestion');
    return question;
  }

  /** Throws `forbidden` if the key may not read a part of the question. */
  async prepare<Q extends Question>(request: FastifyRequest, reply: FastifyReply, question: Q): Promise<Q & AskableQuestion> {
    const prepared = await this.tryToPrepare(request, reply, question);
    if ('errors' in prepared) throw refusalOf(prepared.errors);
    return prepared;
  }

  /** Returns the errors of a document that is not valid for the key. */
  async tryToPrepare<Q extends Question>(request: FastifyRequest, reply: FastifyReply, question: Q) {
    const served = this.#options.schemas.of(callerOf(request));
    const prepared = await served.documents.prepare(question.document, requestContextOf(request, reply));
    if ('errors' in prepared) return prepared;
    const { document } = prepared;
    return { ...question, ...describe(served.schema, document), title: titleOf(question.document), served, prepared: document };
  }

  /** Reads the data. Throws the first error of the result. */
  async ask(
    request: FastifyRequest,
    reply: FastifyReply,
    { served, prepared }: AskableQuestion,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<QuestionData> {
    const context = createContext(request, reply, { services: this.#options.services, failure: 'Saved question failed' });
    const { data, errors = [] } = await execute({ schema: served.schema, document: prepared, parameters: { variables } }, context);
    if (errors[0]) {
      data?.release?.();
      data?.cancel?.();
      throw problemOf(errors[0]);
    }
    if (!data) throw new ApiError('internal');
    return { ...data, rows: context.rows };
  }

  /** The answer as JSON text. */
  async askJson(
    request: FastifyRequest,
    reply: FastifyReply,
    question: AskableQuestion,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly json: string; readonly rows: number }> {
    const { chunks, release, rows } = await this.ask(request, reply, question, variables);
    const json = (await bytesOf(chunks)).toString();
    release?.();
    return { json, rows };
  }
}
