/** Saved questions, described (contract: saved questions; questions of keys). */
import { question, questionToSave } from '../../../answers/questions.ts';
import { rowFormats } from '../../../query/parameters.ts';
import { answerRef } from '../answers.ts';
import { type DocumentPart, type ParameterObject, type PathItem, type Response, ref } from '../document.ts';
import { type HeaderName, headersOf } from '../headers.ts';
import { operation, textContent } from '../operation.ts';
import type { DescribedScope } from '../scope.ts';
import { graphqlTag } from './graphql.ts';

const text = { type: 'string' };

const nameParameter: ParameterObject = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'Name of the question.',
  schema: text,
  example: 'arrears',
};

const header = (name: string, description: string): ParameterObject => ({ name, in: 'header', description, schema: text });

const saved = (description: string, ...names: HeaderName[]): Response => ({
  description,
  headers: headersOf('ETag', ...names),
  content: { 'application/json': { schema: answerRef(question) } },
});

/** The operations of keys that save questions. */
const changes: PathItem = {
  put: operation({
    tag: graphqlTag.name,
    operationId: 'putQuestion',
    summary: 'Save a question',
    description: 'Saves a question for all keys of the customer. A question is replaced only with `If-Match`.',
    parameters: [
      nameParameter,
      header('If-Match', 'The `etag` of the question to replace, or `*`.'),
      header('If-None-Match', '`*` saves a new question only.'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: answerRef(questionToSave) } } },
    ok: saved('The question was replaced.'),
    problems: {
      201: saved('The question is new.', 'Location'),
      400: 'InvalidBody',
      403: 'QuestionForbidden',
      409: 'TooManyQuestions',
      412: 'QuestionConflict',
      415: 'NoJson',
      422: 'InvalidQuestion',
      428: 'MatchRequired',
      503: 'Busy',
    },
  }),
  delete: operation({
    tag: graphqlTag.name,
    operationId: 'deleteQuestion',
    summary: 'Remove a question',
    description: 'Removes a question that a key of the customer saved.',
    parameters: [nameParameter, header('If-Match', 'The `etag` of the question; without it, any version is removed.')],
    ok: { description: 'The question is removed.', headers: headersOf() },
    status: 204,
    problems: { 403: 'QuestionForbidden', 404: 'NoOwnQuestion', 412: 'QuestionConflict', 503: 'Busy' },
  }),
};

export const questionsPart = (scope: DescribedScope): DocumentPart => ({
  paths: {
    '/questions': {
      get: operation({
        tag: graphqlTag.name,
        operationId: 'getQuestions',
        summary: 'The saved questions',
        description: 'The questions that the key may ask, by name.',
        ok: {
          description: 'The questions.',
          headers: headersOf(),
          content: { 'application/json': { schema: { type: 'array', items: answerRef(question) } } },
        },
        problems: { 503: 'Busy' },
      }),
    },
    '/questions/{name}': {
      get: operation({
        tag: graphqlTag.name,
        operationId: 'getQuestion',
        summary: 'The answer to a saved question',
        description:
          'The variables of the question are parameters by their names. A list is separated by commas or repeated. Any other parameter is refused. CSV is for a question with one list.',
        parameters: [
          nameParameter,
          {
            name: 'format',
            in: 'query',
            description: 'Form of the answer, whatever `Accept` says.',
            schema: { type: 'string', enum: [...rowFormats] },
          },
          {
            name: 'variables',
            in: 'query',
            description: 'Values of the variables, each under its own name.',
            schema: { type: 'object', additionalProperties: text },
            style: 'form',
            explode: true,
          },
        ],
        ok: {
          description: 'The data, or the rows of its only list.',
          headers: headersOf(),
          content: { 'application/json': { schema: ref('schemas', 'GraphqlAnswer') }, ...textContent },
        },
        problems: { 404: 'NoQuestion', 422: 'InvalidParameter', 503: 'Busy' },
      }),
      ...(scope.includes('questions') ? changes : {}),
    },
  },
});
