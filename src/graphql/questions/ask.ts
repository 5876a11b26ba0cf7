/** Saved questions as a caller may ask them: their descriptions and their answers. The routes and the tools of agents share it (contract: saved questions). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { NamedDocument, QuestionOutcome, Questions, SavedQuestion } from '../../access/questions.ts';
import { ApiError, type ProblemKind, problems } from '../../errors.ts';
import { callerOf } from '../../http/gate.ts';
import { requestContextOf } from '../../http/request-context.ts';
import { clipped } from '../../plan/validation-errors.ts';
import { createContext, type GraphqlServices, type WrittenData } from '../context.ts';
import { errorCodeOf } from '../errors.ts';
import { execute } from '../execution/execute.ts';
import type { Schemas, ServedSchema } from '../schemas.ts';
import { documentTitle, type QuestionTable, questionTablesOf } from './document.ts';
import { OutcomesByDigest } from './outcomes.ts';

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

/** The lists of prepared documents. A prepared document belongs to one schema. */
const knownTables = new WeakMap<DocumentNode, readonly QuestionTable[]>();

const tablesOf = (schema: GraphQLSchema, document: DocumentNode): readonly QuestionTable[] => {
  const tables = knownTables.get(document) ?? questionTablesOf(schema, document);
  knownTables.set(document, tables);
  return tables;
};

/** A question that the caller may ask, as lists show it. */
export interface ListedQuestion extends NamedDocument, NonNullable<QuestionOutcome> {
  /** The first comment of the document. */
  readonly title: string;
}

/** A question that can be executed. */
export interface PreparedQuestion extends NamedDocument {
  readonly tables: readonly QuestionTable[];
  readonly served: ServedSchema;
  readonly prepared: DocumentNode;
}

/** The data of an answer, and the number of rows that were read. */
export interface QuestionData extends WrittenData {
  readonly rows: number;
}

/** All bytes of the data, which are copied if they come from disk. */
export const joinedChunks = async (chunks: WrittenData['chunks']): Promise<Buffer> => {
  if (!(Symbol.asyncIterator in chunks)) return Buffer.concat(chunks);
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(Buffer.from(chunk));
  return Buffer.concat(read);
};

export class QuestionAsker {
  readonly #options: AskOptions;
  readonly #outcomes: OutcomesByDigest;

  constructor(options: AskOptions) {
    this.#options = options;
    this.#outcomes = new OutcomesByDigest(options.questions);
  }

  /** The saved questions of the customer that the key may ask. */
  async list(request: FastifyRequest, reply: FastifyReply): Promise<readonly (ListedQuestion & SavedQuestion)[]> {
    const saved = await this.#options.questions.of(callerOf(request).customer.id);
    return this.#listed(request, reply, [...saved.values()]);
  }

  /** The saved questions, and those of `shipped` whose names are free. */
  async listWith(request: FastifyRequest, reply: FastifyReply, shipped: readonly NamedDocument[]): Promise<readonly ListedQuestion[]> {
    const saved = await this.#options.questions.of(callerOf(request).customer.id);
    return this.#listed(request, reply, [...saved.values(), ...shipped.filter(({ name }) => !saved.has(name))]);
  }

  async #listed<Q extends NamedDocument & Partial<SavedQuestion>>(request: FastifyRequest, reply: FastifyReply, questions: readonly Q[]) {
    const served = this.#options.schemas.of(callerOf(request));
    const valid = await this.#outcomes.valid(questions, { served, requestContext: requestContextOf(request, reply) });
    return valid.map((question) => ({ ...question, title: documentTitle(question.document) }));
  }

  /** Throws `noQuestion`. */
  async find(request: FastifyRequest, name: string): Promise<SavedQuestion> {
    const question = (await this.#options.questions.of(callerOf(request).customer.id)).get(name);
    if (!question) throw new ApiError('noQuestion');
    return question;
  }

  /** Throws `forbidden` if the key may not read a part of the question. */
  async prepare<Q extends NamedDocument>(request: FastifyRequest, reply: FastifyReply, question: Q): Promise<Q & PreparedQuestion> {
    const prepared = await this.tryToPrepare(request, reply, question);
    if ('errors' in prepared) throw refusalOf(prepared.errors);
    return prepared;
  }

  /** Returns the errors of a document that is not valid for the key. */
  async tryToPrepare<Q extends NamedDocument>(request: FastifyRequest, reply: FastifyReply, question: Q) {
    const served = this.#options.schemas.of(callerOf(request));
    const prepared = await served.documents.prepare(question.document, requestContextOf(request, reply));
    if ('errors' in prepared) return prepared;
    const { document } = prepared;
    return { ...question, tables: tablesOf(served.schema, document), served, prepared: document };
  }

  /** Reads the data. Throws the first error of the result. */
  async ask(
    request: FastifyRequest,
    reply: FastifyReply,
    { served, prepared }: PreparedQuestion,
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
    question: ListedQuestion,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly json: string; readonly rows: number }> {
    const prepared = await this.prepare(request, reply, question);
    const { chunks, release, rows } = await this.ask(request, reply, prepared, variables);
    const json = (await joinedChunks(chunks)).toString();
    release?.();
    return { json, rows };
  }
}
