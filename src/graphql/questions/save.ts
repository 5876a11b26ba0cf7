/** `PUT` and `DELETE /questions/{name}`: questions that keys save for their customer (contract: questions of keys). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLError } from 'graphql';
import type { CheckTag, KeyQuestions, Saver } from '../../access/key-questions.ts';
import { type NewQuestion, questionLimits, questionName } from '../../access/questions.ts';
import { questionToSave } from '../../answers/questions.ts';
import { ApiError } from '../../errors.ts';
import { callerOf } from '../../http/gate.ts';
import { contentTypes, hasTag, isWanted } from '../../http/responses/headers.ts';
import { clipped, firstNames, validationTexts } from '../../plan/validation-errors.ts';
import { isVariableObject, type VariableValues } from '../document/variables.ts';
import type { PersistedOptions } from '../server/persisted-operations.ts';
import type { PreparedQuestion, QuestionAsker } from './ask.ts';
import { questionProblem } from './check.ts';
import { withDefaults, withTitle } from './defaults.ts';
import { documentTitle, variablesOf } from './document.ts';
import { listedQuestion } from './listed.ts';
import { outcomeOf, schemaDigest } from './outcomes.ts';

export interface NamedQuestion {
  readonly Params: { readonly name: string };
}

export interface QuestionChangesOptions {
  readonly asker: QuestionAsker;
  readonly keyQuestions: KeyQuestions;
  readonly persisted: PersistedOptions;
}

interface QuestionBody {
  readonly document: string;
  /** The title of the question: it becomes the first comment of the document. */
  readonly description: string | undefined;
  /** Values that become the defaults of the variables. */
  readonly variables: VariableValues;
}

const longestDescription = 200;
const longestMessage = 500;

const refuse = (name: string, text: string): ApiError =>
  new ApiError('invalidParameter', clipped(`body -> ${name}: ${text}`, longestMessage));

const members = Object.keys(questionToSave.shape);

/** The text of a member of the body. Null is no text. */
const textIn = (body: VariableValues, name: string): string | undefined => {
  const value = body[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw refuse(name, 'Input should be a string');
  // PostgreSQL stores no such text.
  if (value?.includes('\0')) throw refuse(name, 'Input should have no character U+0000');
  return value;
};

const descriptionIn = (body: VariableValues): string | undefined => {
  const description = textIn(body, 'description')?.trim();
  if (!description) return undefined;
  // A line break would end the comment.
  if (/[\r\n]/.test(description) || description.length > longestDescription)
    throw refuse('description', `Input should be one line of at most ${longestDescription} characters`);
  return description;
};

const parseBody = (text: unknown): QuestionBody => {
  let body: unknown;
  try {
    body = JSON.parse(typeof text === 'string' ? text : '');
  } catch {
    throw new ApiError('malformedRequest');
  }
  if (!isVariableObject(body)) throw new ApiError('malformedRequest');
  const unknown = Object.keys(body).filter((name) => !members.includes(name));
  if (unknown.length > 0) throw refuse(firstNames(unknown), `Input should be one of ${members.join(', ')}`);
  const document = textIn(body, 'document');
  if (document === undefined) throw refuse('document', validationTexts.missing);
  const variables = body.variables ?? {};
  if (!isVariableObject(variables)) throw refuse('variables', 'Input should be an object of variables and values');
  return { document, description: descriptionIn(body), variables };
};

const saverOf = (request: FastifyRequest): Saver => ({ caller: callerOf(request), address: request.address });

/** A question is never replaced without `If-Match`. */
const checkReplacement =
  (request: FastifyRequest): CheckTag =>
  (existing) => {
    const isConditional = request.headers['if-match'] !== undefined;
    if (existing === undefined) {
      if (isConditional) throw new ApiError('questionChanged');
      return;
    }
    if (hasTag(request, existing)) throw new ApiError('questionExists');
    if (!isConditional) throw new ApiError('matchRequired');
    if (!isWanted(request, existing)) throw new ApiError('questionChanged');
  };

const checkRemoval =
  (request: FastifyRequest): CheckTag =>
  (existing) => {
    if (existing === undefined || !isWanted(request, existing)) throw new ApiError('questionChanged');
  };

export class QuestionChanges {
  readonly #asker: QuestionAsker;
  readonly #keyQuestions: KeyQuestions;
  readonly #persisted: PersistedOptions;

  constructor({ asker, keyQuestions, persisted }: QuestionChangesOptions) {
    this.#asker = asker;
    this.#keyQuestions = keyQuestions;
    this.#persisted = persisted;
  }

  /** Answers with the question as the list shows it. */
  async save(request: FastifyRequest<NamedQuestion>, reply: FastifyReply): Promise<FastifyReply> {
    this.#refuseIfPersistedOnly();
    const { name } = request.params;
    if (!questionName.test(name))
      throw new ApiError('invalidParameter', 'path -> name: Input should be small letters, digits, _ and -, a letter first, at most 63');
    const checked = await this.#checked(request, reply);
    const isNew = await this.#keyQuestions.save(saverOf(request), { name, ...checked.question }, checkReplacement(request));
    const saved = { ...(await this.#asker.find(request, name)), ...checked.outcome, title: documentTitle(checked.question.document) };
    const question = listedQuestion(saved, request.server.publicUrl);
    const location = isNew && { location: question.endpoint_url };
    const headers = { 'cache-control': 'private, no-cache', etag: question.etag, ...location };
    return reply
      .code(isNew ? 201 : 200)
      .headers(headers)
      .type(contentTypes.json)
      .send(JSON.stringify(question));
  }

  async remove(request: FastifyRequest<NamedQuestion>, reply: FastifyReply): Promise<FastifyReply> {
    this.#refuseIfPersistedOnly();
    await this.#keyQuestions.remove(saverOf(request), request.params.name, checkRemoval(request));
    return reply.code(204).send();
  }

  /** A key would otherwise execute documents that the operator has not chosen. */
  #refuseIfPersistedOnly(): void {
    if (this.#persisted.isRequired) throw new ApiError('operatorsQuestion', 'questions of this service');
  }

  /** The document to save, with the outcome of its check. The key can ask it itself, within its tier and data scope. */
  async #checked(request: FastifyRequest, reply: FastifyReply) {
    const { document: text, description, variables } = parseBody(request.body);
    const { served, prepared } = await this.#prepare(request, reply, { member: 'document', text });
    const problem = questionProblem(prepared);
    if (problem) throw refuse('document', problem);
    const known = variablesOf(prepared).map(({ variable }) => variable.name.value);
    const unknown = Object.keys(variables).filter((each) => !known.includes(each));
    if (unknown.length > 0) throw refuse('variables', `The document has no variable ${firstNames(unknown)}`);
    const completed = withDefaults(served.schema, prepared, text, variables);
    const document = description === undefined ? completed : withTitle(completed, description);
    if (Buffer.byteLength(document) > questionLimits.documentBytes)
      throw refuse('document', `Input should have at most ${questionLimits.documentBytes / 1_024} KB`);
    const final = completed === text ? prepared : (await this.#prepare(request, reply, { member: 'variables', text: document })).prepared;
    const outcome = outcomeOf(served.schema, final);
    const question: Omit<NewQuestion, 'name'> = { document, outcomes: { [schemaDigest(served.schema)]: outcome } };
    return { question, outcome };
  }

  async #prepare(
    request: FastifyRequest,
    reply: FastifyReply,
    { member, text }: { readonly member: keyof QuestionBody; readonly text: string },
  ): Promise<PreparedQuestion> {
    const prepared = await this.#asker.tryToPrepare(request, reply, { name: '', document: text });
    if ('errors' in prepared) throw refuse(member, (prepared.errors as readonly GraphQLError[])[0]?.message ?? '');
    return prepared;
  }
}
