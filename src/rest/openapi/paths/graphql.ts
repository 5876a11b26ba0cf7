/** `/graphql`, described. The types of GraphQL are in its own schema (contract: GraphQL requests). */
import { type DocumentPart, type OpenApiOperation, type ParameterObject, type Response, ref, type Schema } from '../document.ts';
import { headersOf } from '../headers.ts';
import { operation } from '../operation.ts';

export const graphqlTag = { name: 'graphql', description: 'The same data and its relations, through GraphQL.' };

const jsonText = 'as JSON text';
const object: Schema = { type: 'object', additionalProperties: true };

const query = (name: string, description: string): ParameterObject => ({ name, in: 'query', description, schema: { type: 'string' } });

const answer = (description: string): Response => ({
  description,
  headers: headersOf(),
  content: {
    'application/json': { schema: ref('schemas', 'GraphqlAnswer') },
    'application/graphql-response+json': { schema: ref('schemas', 'GraphqlAnswer') },
  },
});

const requestBody = { required: true, content: { 'application/json': { schema: ref('schemas', 'GraphqlRequest') } } } as const;

const describe = (
  described: Pick<OpenApiOperation, 'operationId' | 'description' | 'parameters' | 'requestBody'> &
    Partial<Pick<OpenApiOperation, 'summary'>>,
): OpenApiOperation =>
  operation({
    tag: graphqlTag.name,
    summary: 'The answer to a GraphQL document',
    ...described,
    ok: answer('Data, and errors of single fields. `extensions.cost` tells what the document cost.'),
    problems: { 400: answer('The document, its variables included, failed before it was executed.'), 503: 'Busy' },
  });

export const graphqlPart: DocumentPart = {
  paths: {
    '/graphql': {
      get: describe({
        operationId: 'getGraphql',
        description: 'A query in the parameters. A browser without a query gets GraphiQL.',
        parameters: [
          query('query', 'The document.'),
          query('operationName', 'Which of its operations is executed, if it has several.'),
          query('variables', `Values of its variables, ${jsonText}.`),
          query('extensions', `Extensions of the request, such as the hash of a document that is known, ${jsonText}.`),
        ],
      }),
      post: describe({
        operationId: 'postGraphql',
        description: 'A query in the body. Introspection returns the schema of the key’s tier.',
        requestBody,
      }),
    },
    '/graphql/rest': {
      post: describe({
        operationId: 'postGraphqlRest',
        summary: 'The REST requests of a GraphQL document',
        description: 'Executes nothing. `data.requests` has the field, the path and notes on differences for each root field.',
        requestBody,
      }),
    },
  },
  components: {
    schemas: {
      GraphqlRequest: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'the document' },
          operationName: { type: ['string', 'null'], description: 'which of its operations is executed, if it has several' },
          variables: { ...object, type: ['object', 'null'], description: 'values of its variables' },
          extensions: { ...object, type: ['object', 'null'], description: 'such as the hash of a document that is known' },
        },
      },
      GraphqlAnswer: {
        type: 'object',
        properties: {
          data: { ...object, type: ['object', 'null'] },
          errors: { type: 'array', items: { ...object, required: ['message'], properties: { message: { type: 'string' } } } },
          extensions: object,
        },
      },
    },
  },
};
