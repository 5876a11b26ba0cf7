/**
 * The paths about the service itself, described: `/catalog`, `/tables`, `/me`, `/changes`, `/meta`, `/openapi.json` and `/health` (contract:
 * catalogue endpoints; me; interface description; raw table list; changes and lookup values; health).
 */
import type { z } from 'zod';
import { windowSeconds } from '../../../access/rate-limit/rate-limit.ts';
import { catalog, lookupValue } from '../../../answers/catalog.ts';
import { changes } from '../../../answers/changes.ts';
import { liveness, readiness } from '../../../answers/health.ts';
import { me } from '../../../answers/me.ts';
import { prints } from '../../../answers/prints.ts';
import { labelLanguages, lookups } from '../../../catalogue/lookups.ts';
import { pathOfTable } from '../../../catalogue/table.ts';
import { endpointGroups } from '../../../catalogue/tiers.ts';
import { changedSince, freshnessOf } from '../../../execute/freshness.ts';
import { identifierPattern, waitLimit } from '../../../query/parameters.ts';
import { answerRef, inlineSchema } from '../answers.ts';
import type { DocumentPart, OpenApiOperation, ParameterObject, ReferenceObject, Response, Schema } from '../document.ts';
import { ref } from '../document.ts';
import { codedColumn, exampleListed, exampleNow, exampleSince, exampleStateOf } from '../examples.ts';
import { type HeaderName, headersOf } from '../headers.ts';
import { operation } from '../operation.ts';
import { standardQuota } from '../problems.ts';
import type { DescribedScope } from '../scope.ts';

export const auxiliaryTag = {
  name: 'auxiliary',
  description: 'The tables that the key may read, their changes, and the meanings of codes.',
};

const answer = (description: string, schema: Schema | ReferenceObject, example?: unknown, ...own: HeaderName[]): Response => ({
  description,
  headers: headersOf(...own),
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});

/** The first category and its tables, as `/catalog` shows them. */
const catalogExample = ({ tables, rawTables }: DescribedScope): unknown => {
  const category = tables[0]?.category;
  if (!category) return { categories: [{ category: 'raw', tables: [...rawTables.keys()] }] };
  return { categories: [{ category, tables: tables.filter((table) => table.category === category).map(({ name }) => name) }] };
};

const listing = (scope: DescribedScope, operationId: string, summary: string, description: string): OpenApiOperation =>
  operation({
    tag: auxiliaryTag.name,
    operationId,
    summary,
    description,
    ok: answer('Tables by category.', answerRef(catalog), catalogExample(scope)),
  });

/** A value as the service sends it: times are text. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const meExample = (scope: DescribedScope): unknown =>
  sent({
    tier: scope.tier,
    groups: endpointGroups.filter((group) => scope.includes(group)),
    expires_at: null,
    quota: {
      limit: standardQuota,
      remaining: standardQuota - 1,
      resets_at: new Date(exampleNow.getTime() + windowSeconds * 1_000),
    },
    tables: freshnessOf(exampleListed(scope), exampleStateOf, scope.dataScope, exampleNow.getTime()).map((table) => ({
      ...table,
      failed_checks: [],
    })),
  });

const changesExample = (scope: DescribedScope): unknown => {
  const since = new Date(exampleSince);
  const changes = changedSince(exampleListed(scope), exampleStateOf, since, scope.dataScope);
  return sent({ since, generated_at: exampleNow, changes });
};

const meOperation = (scope: DescribedScope): OpenApiOperation =>
  operation({
    tag: auxiliaryTag.name,
    operationId: 'getMe',
    summary: 'What the key is, and how fresh its data is',
    description:
      'Rights and end of the key, what is left of its quota after this request, and the tables that it may read with their versions and age.',
    ok: answer('The key, as it is now.', answerRef(me), meExample(scope)),
  });

const changesOperation = (scope: DescribedScope): OpenApiOperation =>
  operation({
    tag: auxiliaryTag.name,
    operationId: 'getChanges',
    summary: 'Tables whose data changed since a point in time',
    description:
      'A client can skip tables that have not changed. `endpoint_url` is the unversioned path of the table. With `wait`, an answer without changes is held back until there are some.',
    parameters: [
      {
        name: 'since',
        in: 'query',
        required: true,
        description: 'ISO 8601 date, or date and time; UTC unless it ends in an offset.',
        schema: { type: 'string' },
        example: exampleSince,
      },
      {
        name: 'wait',
        in: 'query',
        description: 'Seconds to wait for changes, if there are none yet.',
        schema: { type: 'integer', minimum: waitLimit.min, maximum: waitLimit.max, default: waitLimit.defaultValue },
      },
      {
        name: 'Prefer',
        in: 'header',
        description: '`wait=60` does the same as the parameter `wait`, which takes precedence (RFC 7240).',
        schema: { type: 'string' },
      },
    ],
    ok: answer(
      'Tables whose data changed at or after `since`, in catalogue order.',
      answerRef(changes),
      changesExample(scope),
      'Preference-Applied',
    ),
    problems: { 422: 'InvalidSince' },
  });

const identifier = (name: string, description: string, example: string | undefined): ParameterObject => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', pattern: identifierPattern.source },
  ...(example === undefined ? {} : { example }),
});

const meta = ({ tables }: DescribedScope): OpenApiOperation => {
  const table = tables.find(codedColumn);
  const column = table && codedColumn(table);
  const lookup = column && table.columns[column]?.lookup;
  const values = lookup && lookups[lookup].map(([value, english]) => ({ value, label: english }));
  return operation({
    tag: auxiliaryTag.name,
    operationId: 'getLookupValues',
    summary: 'Codes of a column and their labels',
    description: "The customer's own list where the source delivers one, else the standard list that the column names.",
    parameters: [
      identifier('api_table', 'Name of a category table.', table?.name),
      identifier('column', 'Name of a coded column of that table.', column),
      {
        name: 'language',
        in: 'query',
        description: 'The language of labels; both by default.',
        schema: { type: 'string', enum: [...labelLanguages] },
      },
    ],
    ok: answer('The codes in the order in which they are shown.', { type: 'array', items: answerRef(lookupValue) }, values),
    problems: { 404: 'NoLookupValues', 422: 'InvalidPath' },
  });
};

const printsOperation = ({ tables: [table] }: DescribedScope): OpenApiOperation =>
  operation({
    tag: auxiliaryTag.name,
    operationId: 'getPrints',
    summary: 'A request in other forms',
    description: 'A request for rows or groups as a GraphQL document, as programs, and as the call of an agent. No form contains a key.',
    parameters: [
      {
        name: 'address',
        in: 'query',
        required: true,
        description: 'The path of a category table or of its groups, with its query string.',
        schema: { type: 'string' },
        ...(table && { example: `${pathOfTable(table)}/groups?count` }),
      },
    ],
    ok: answer('The forms of the request.', answerRef(prints)),
    problems: { 404: 'NotFound', 422: 'InvalidParameter' },
  });

const description: OpenApiOperation = operation({
  tag: auxiliaryTag.name,
  operationId: 'getInterfaceDescription',
  summary: 'This document',
  description: 'Without a key, the whole interface. With a key, the part that the key may use.',
  security: [{}, { 'X-API-Key': [] }],
  ok: answer('An OpenAPI 3.1 document.', { type: 'object' }),
});

const healthResponse = (description: string, schema: z.ZodType): Response => ({
  description,
  headers: { 'X-Request-Id': ref('headers', 'X-Request-Id') },
  content: { 'application/json': { schema: inlineSchema(schema) } },
});

const malformed = ref('responses', 'Malformed');
/** Health checks need no key and are not counted. */
const healthOperation = (described: Omit<OpenApiOperation, 'tags' | 'security'>): OpenApiOperation => ({
  tags: [auxiliaryTag.name],
  security: [{}],
  ...described,
});

export const auxiliaryPart = (scope: DescribedScope): DocumentPart => ({
  paths: {
    '/catalog': {
      get: listing(
        scope,
        'getCatalog',
        'Tables that the key may read',
        'Lists the unversioned categories and tables; raw tables are listed last, under the category `raw`.',
      ),
    },
    '/tables': {
      get: listing(scope, 'getTables', 'Tables that the customer has', "Every table in the customer's schema, whatever the tier."),
    },
    '/me': { get: meOperation(scope) },
    '/changes': { get: changesOperation(scope) },
    '/meta/{api_table}/values/{column}': { get: meta(scope) },
    ...(scope.includes('rest') && { '/prints': { get: printsOperation(scope) } }),
    '/openapi.json': { get: description },
    '/health/live': {
      get: healthOperation({
        operationId: 'getLiveness',
        summary: 'Whether the process answers',
        description: 'For supervisors. A process that does not respond is restarted.',
        responses: { 200: healthResponse('It answers.', liveness), 400: malformed },
      }),
    },
    '/health/ready': {
      get: healthOperation({
        operationId: 'getReadiness',
        summary: 'Whether requests can be answered',
        description: 'For load balancers. A process that is not ready gets no requests.',
        responses: {
          200: healthResponse('It is ready.', readiness),
          400: malformed,
          503: healthResponse('It is not ready; `reasons` say why.', readiness),
        },
      }),
    },
  },
});
