/** `/questions` and `/questions/{name}`, described (contract: saved questions). */
import { formats } from '../../plan/parameters.ts';
import { type Part, ref } from './document.ts';
import { graphqlTag } from './graphql.ts';
import { headersOf } from './headers.ts';
import { operation } from './operation.ts';

const text = { type: 'string' };

export const questionsPart: Part = {
  paths: {
    '/questions': {
      get: operation({
        tag: graphqlTag.name,
        operationId: 'getQuestions',
        summary: 'The saved questions',
        description: 'The questions that the key may ask, by name. An operator saves them.',
        ok: {
          description: 'The questions.',
          headers: headersOf(),
          content: { 'application/json': { schema: { type: 'array', items: ref('schemas', 'Question') } } },
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
          'The variables of the question are parameters by their names. A list is separated by commas. Any other parameter is refused. CSV is for a question with one list.',
        parameters: [
          { name: 'name', in: 'path', required: true, description: 'Name of the question.', schema: text, example: 'arrears' },
          {
            name: 'format',
            in: 'query',
            description: 'Form of the answer, whatever `Accept` says.',
            schema: { type: 'string', enum: [...formats] },
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
          content: { 'application/json': { schema: ref('schemas', 'GraphqlAnswer') }, 'text/csv': { schema: text } },
        },
        problems: { 404: 'NoQuestion', 422: 'InvalidParameter', 503: 'Busy' },
      }),
    },
  },
  components: {
    schemas: {
      Question: {
        type: 'object',
        required: ['name', 'title', 'endpoint_url', 'variables', 'formats', 'document'],
        properties: {
          name: text,
          title: { ...text, description: 'the first comment of the document' },
          endpoint_url: text,
          variables: {
            type: 'array',
            items: { type: 'object', required: ['name', 'type'], properties: { name: text, type: text } },
          },
          formats: { type: 'array', items: { type: 'string', enum: [...formats] } },
          document: { ...text, description: 'the GraphQL document' },
        },
      },
    },
  },
};
