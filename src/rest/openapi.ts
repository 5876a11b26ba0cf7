/**
 * The interface description: an OpenAPI 3.1 document made from the catalogue, and `GET /openapi.json` that serves it (contract: interface
 * description).
 *
 * Every fact about a table comes from the catalogue. This file contains only sentences about the service.
 */
import type { Caller } from '../access/caller.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { interfaceReaders } from '../catalogue/readership.ts';
import { categories } from '../catalogue/tiers.ts';
import { MadeBodies, madeOnce, sendMade } from '../http/responses/made-bodies.ts';
import { runInSlice } from '../scheduling/time-slices.ts';
import type { Routes } from './context.ts';
import { answerSchemas } from './openapi/answers.ts';
import { type Components, type DocumentPart, mentionedComponents, type OpenApiDocument, type Schema } from './openapi/document.ts';
import { headers } from './openapi/headers.ts';
import { agentsPart, agentsTag } from './openapi/paths/agents.ts';
import { auxiliaryPart, auxiliaryTag } from './openapi/paths/auxiliary.ts';
import { categoryPart } from './openapi/paths/category.ts';
import { filesPart, filesTag } from './openapi/paths/files.ts';
import { graphqlPart, graphqlTag } from './openapi/paths/graphql.ts';
import { groupsPart } from './openapi/paths/groups.ts';
import { questionsPart } from './openapi/paths/questions.ts';
import { rawPart, rawTag } from './openapi/paths/raw.ts';
import { problemResponses, problemSchemas } from './openapi/problems.ts';
import { type DescribedScope, type InterfaceReader, interfaceScopeOf } from './openapi/scope.ts';
import { jsonType, setCaching } from './respond.ts';

const info = {
  title: 'Real-Estate Data API',
  version: '1.0.0',
  summary: "A customer's real-estate data as JSON, read-only.",
  description: [
    'Data requests carry an API key in the header `X-API-Key`. The key determines the customer, the access tier and the endpoints.',
    'Category endpoints return a JSON array of rows, each with all columns; what a page needs besides is in the response headers. Filters compare for equality and are joined by AND; text that is no value of the column matches nothing. Any column of the table is a filter. Other names are ignored, and X-Ignored-Parameters lists them; groups refuse them.',
    '`…/groups` answers groups of a table’s rows instead of the rows. With `format=csv` or `Accept: text/csv` rows and groups are CSV; raw tables are with `format=csv`.',
    'Under `/v1` stand the tables that have passed content review; both paths give the same rows, and the versioned one is stable.',
    'Every request counts against an hourly quota, which the `X-RateLimit-*` headers of every response show.',
    'Errors are problem documents (RFC 7807). HEAD answers as GET does, without a body.',
  ].join('\n\n'),
};

/** A document without files does not mention Basic authentication. */
const securitySchemes = ({ includes }: DescribedScope): Record<string, Schema> => ({
  'X-API-Key': { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key that the portal issued.' },
  ...(includes('files') && {
    Basic: {
      type: 'http',
      scheme: 'basic',
      description: 'Under `/files` and with `format=csv`: any user name, and the API key as the password.',
    },
  }),
});

/** Category tags in the order of `/catalog`, each with the tier that it needs. */
const categoryTags = ({ tables }: DescribedScope) =>
  Object.entries(categories)
    .filter(([category]) => tables.some((table) => table.category === category))
    .map(([name, tier]) => ({ name, description: `Normalized tables of the category ${name}. Tier ${tier}.` }));

const merge = <T>(records: readonly (Readonly<Record<string, T>> | undefined)[]): Record<string, T> => Object.assign({}, ...records);

/** Merges parts and omits components that no path mentions. */
const compose = (scope: DescribedScope, parts: readonly DocumentPart[]): Pick<OpenApiDocument, 'paths' | 'components'> => {
  const paths = merge(parts.map((part) => part.paths));
  const components: Components = {
    schemas: merge([...parts.map((part) => part.components?.schemas), answerSchemas(scope), problemSchemas]),
    parameters: merge(parts.map((part) => part.components?.parameters)),
    headers,
    responses: merge([...parts.map((part) => part.components?.responses), problemResponses(scope)]),
    examples: merge(parts.map((part) => part.components?.examples)),
  };
  return { paths, components: { ...mentionedComponents(paths, components), securitySchemes: securitySchemes(scope) } };
};

/** The whole interface, or the part that the caller's key includes. `server` is the address of the service. */
export const describeInterface = (catalogue: Catalogue, caller?: InterfaceReader, server = '/'): OpenApiDocument => {
  const scope = interfaceScopeOf(catalogue, caller);
  const hasCategories = scope.includes('rest');
  const hasRaw = scope.includes('raw');
  const hasGraphql = scope.includes('graphql');
  const hasAgents = scope.includes('agents');
  const hasFiles = scope.includes('files');
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: server }],
    security: [{ 'X-API-Key': [] }],
    tags: [
      ...(hasCategories ? categoryTags(scope) : []),
      ...(hasRaw ? [rawTag] : []),
      ...(hasGraphql ? [graphqlTag] : []),
      ...(hasFiles ? [filesTag] : []),
      ...(hasAgents ? [agentsTag] : []),
      auxiliaryTag,
    ],
    ...compose(scope, [
      ...(hasCategories ? [categoryPart(scope), groupsPart(scope)] : []),
      ...(hasRaw ? [rawPart(scope)] : []),
      ...(hasGraphql ? [graphqlPart, questionsPart(scope)] : []),
      ...(hasFiles ? [filesPart(scope)] : []),
      ...(hasAgents ? [agentsPart] : []),
      auxiliaryPart(scope),
    ]),
  };
};

/** Bytes of documents for keys and their compressed forms in memory: those of keys without a data scope, and some of keys with one. */
const maxBytes = 64 * 2 ** 20;

export const openapiRoutes: Routes = (app, { catalogue }) => {
  const describe = (caller?: Caller) =>
    runInSlice(caller?.customer.id, () => JSON.stringify(describeInterface(catalogue, caller, app.publicUrl.server)));
  const open = madeOnce(() => describe());
  const shaped = new MadeBodies(maxBytes);
  app.route({
    method: ['GET', 'HEAD'],
    url: '/openapi.json',
    config: { isPublic: true },
    handler: async ({ caller }, reply) => {
      const body = caller ? await shaped.of(interfaceReaders(caller), () => describe(caller)) : await open();
      return sendMade(setCaching(reply).type(jsonType), body);
    },
  });
};
