/**
 * The paths about the service itself, described: `/catalog`, `/tables`, `/me`, `/changes`, `/meta`, `/openapi.json` and `/health` (contract:
 * catalogue endpoints; me; interface description; raw table list; changes and lookup values; health).
 */
import { windowSeconds } from '../../access/rate-limit/rate-limit.ts';
import { severities } from '../../catalogue/check-rule.ts';
import { languages, lookups } from '../../catalogue/lookups.ts';
import { personalClasses } from '../../catalogue/personal.ts';
import { pathOfTable } from '../../catalogue/table.ts';
import { endpointGroups, tiers } from '../../catalogue/tiers.ts';
import { changedSince, freshnessOf } from '../../execute/freshness.ts';
import { identifierPattern, waitLimit } from '../../query/parameters.ts';
import type { OpenApiOperation, Parameter, Part, Reference, Response, Schema } from './document.ts';
import { ref, rowCountSchema } from './document.ts';
import { codedColumn, exampleListed, exampleNow, exampleSince, exampleStateOf } from './examples.ts';
import { type HeaderName, headersOf } from './headers.ts';
import { operation } from './operation.ts';
import { standardQuota } from './problems.ts';
import type { Scope } from './scope.ts';

export const auxiliaryTag = {
  name: 'auxiliary',
  description: 'The tables that the key may read, their changes, and the meanings of codes.',
};

const answer = (description: string, schema: Schema | Reference, example?: unknown, ...own: HeaderName[]): Response => ({
  description,
  headers: headersOf(...own),
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});

/** The first category and its tables, as `/catalog` shows them. */
const catalogExample = ({ tables, rawTables }: Scope): unknown => {
  const category = tables[0]?.category;
  if (!category) return { categories: [{ category: 'raw', tables: [...rawTables.keys()] }] };
  return { categories: [{ category, tables: tables.filter((table) => table.category === category).map(({ name }) => name) }] };
};

const listing = (scope: Scope, operationId: string, summary: string, description: string): OpenApiOperation =>
  operation({
    tag: auxiliaryTag.name,
    operationId,
    summary,
    description,
    ok: answer('Tables by category.', ref('schemas', 'Catalog'), catalogExample(scope)),
  });

/** A value as the service sends it: times are text. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const meExample = (scope: Scope): unknown =>
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

const changesExample = (scope: Scope): unknown => {
  const since = new Date(exampleSince);
  const changes = changedSince(exampleListed(scope), exampleStateOf, since, scope.dataScope);
  return sent({ since, generated_at: exampleNow, changes });
};

const me = (scope: Scope): OpenApiOperation =>
  operation({
    tag: auxiliaryTag.name,
    operationId: 'getMe',
    summary: 'What the key is, and how fresh its data is',
    description:
      'Rights and end of the key, what is left of its quota after this request, and the tables that it may read with their versions and age.',
    ok: answer('The key, as it is now.', ref('schemas', 'Me'), meExample(scope)),
  });

const changes = (scope: Scope): OpenApiOperation =>
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
      ref('schemas', 'Changes'),
      changesExample(scope),
      'Preference-Applied',
    ),
    problems: { 422: 'InvalidSince' },
  });

const identifier = (name: string, description: string, example: string | undefined): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', pattern: identifierPattern.source },
  ...(example === undefined ? {} : { example }),
});

const meta = ({ tables }: Scope): OpenApiOperation => {
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
        schema: { type: 'string', enum: [...languages] },
      },
    ],
    ok: answer('The codes in the order in which they are shown.', { type: 'array', items: ref('schemas', 'LookupValue') }, values),
    problems: { 404: 'NoLookupValues', 422: 'InvalidPath' },
  });
};

const description: OpenApiOperation = operation({
  tag: auxiliaryTag.name,
  operationId: 'getInterfaceDescription',
  summary: 'This document',
  description: 'Without a key, the whole interface. With a key, the part that the key may use.',
  security: [{}, { 'X-API-Key': [] }],
  ok: answer('An OpenAPI 3.1 document.', { type: 'object' }),
});

const listOf = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 });

/** `Me` with the data scope, which only limited keys have. */
const withScope = (me: Schema): Schema => ({
  ...me,
  properties: {
    ...(me.properties as object),
    scope: {
      type: 'object',
      description: 'what the key reads of its tables; absent for a key without a data scope',
      properties: {
        personal: {
          type: 'array',
          items: { type: 'string', enum: personalClasses },
          description: 'classes of personal data; all if absent',
        },
        properties: {
          type: 'object',
          description: 'the properties; all if absent',
          properties: {
            ids: listOf({ type: 'integer' }),
            companies: listOf({ type: 'string' }),
            federal_states: listOf({ type: 'string' }),
          },
        },
      },
    },
  },
});

/** Schemas whose examples come from the tables of the scope. */
const schemasOf = ({ tables: [first] }: Scope): Record<string, Schema> => {
  const text: Schema = { type: 'string' };
  const time: Schema = { type: 'string', format: 'date-time' };
  const category: Schema = { ...text, examples: first ? [first.category] : [] };
  const table: Schema = { ...text, examples: first ? [first.name] : [] };
  const object = (properties: Record<string, Schema | Reference>): Schema => ({
    type: 'object',
    required: Object.keys(properties),
    properties,
  });
  return {
    Catalog: object({ categories: { type: 'array', items: object({ category, tables: { type: 'array', items: text } }) } }),
    Me: withScope(
      object({
        tier: { ...text, enum: tiers, description: 'the highest tier that the key may read' },
        groups: { type: 'array', items: { ...text, enum: endpointGroups }, description: 'the endpoint groups that the key may use' },
        expires_at: { ...time, type: ['string', 'null'], description: 'when the key expires; null if it does not expire' },
        quota: {
          ...object({
            limit: { type: 'integer', description: 'requests an hour' },
            remaining: { type: 'integer', minimum: 0, description: 'requests left after this one' },
            resets_at: { ...time, description: 'when all of them are there again' },
          }),
          type: ['object', 'null'],
          description: 'null if there is no limit',
        },
        tables: { type: 'array', items: ref('schemas', 'TableFreshness') },
      }),
    ),
    TableFreshness: object({
      category,
      table,
      endpoint_url: { ...text, description: 'unversioned path of the table', examples: first ? [pathOfTable(first)] : [] },
      version: { type: 'integer', minimum: 0, description: 'version of the data, as X-Data-Version' },
      row_count: rowCountSchema,
      synced_at: { ...time, type: ['string', 'null'], description: 'end of the last successful sync; null before the first' },
      changed_at: { ...time, type: ['string', 'null'], description: 'end of the last sync that changed the data' },
      age_seconds: { type: ['integer', 'null'], minimum: 0, description: 'seconds since the last successful sync' },
      failed_checks: {
        type: 'array',
        description: 'checks of the data that failed after the last load; counts and keys are those of rows that the key may read',
        items: object({
          name: { ...text, description: 'name of the check' },
          severity: { ...text, enum: severities },
          count: { type: 'integer', minimum: 1, description: 'number of violations' },
          keys: { type: 'array', items: text, description: 'up to five keys of rows, or names of columns, as examples' },
          en: { ...text, description: 'what the rows are' },
          de: { ...text, description: 'the same in German' },
        }),
      },
    }),
    Changes: object({
      since: { ...time, description: 'the requested point in time' },
      generated_at: { ...time, description: 'time of this answer' },
      changes: { type: 'array', items: ref('schemas', 'Change') },
    }),
    Change: object({
      category,
      table,
      endpoint_url: { ...text, description: 'unversioned path of the table', examples: first ? [pathOfTable(first)] : [] },
      synced_at: { ...time, type: ['string', 'null'], description: 'end of the last successful sync' },
      changed_at: { ...time, description: 'end of the last sync that changed the data' },
      row_count: rowCountSchema,
      version: { type: 'integer', minimum: 0, description: 'version of the data, as X-Data-Version' },
    }),
    LookupValue: object({
      value: { ...text, description: 'the code in the rows' },
      label: { ...text, description: 'the meaning of the code' },
    }),
  };
};

const healthResponse = (description: string, properties: Record<string, Schema>, optional: Record<string, Schema> = {}): Response => ({
  description,
  headers: { 'X-Request-Id': ref('headers', 'X-Request-Id') },
  content: {
    'application/json': { schema: { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } } },
  },
});

const malformed = ref('responses', 'Malformed');
const nodes: Schema = {
  type: 'object',
  description: 'Only on a cluster: nodes that can hold customers, those that answer, and the share of customers on them.',
  required: ['total', 'reachable', 'customers'],
  properties: { total: { type: 'integer' }, reachable: { type: 'integer' }, customers: { type: 'number', minimum: 0, maximum: 1 } },
};
const readiness = { ready: { type: 'boolean' }, reasons: { type: 'array', items: { type: 'string' } } };

/** Health checks need no key and are not counted. */
const healthOperation = (described: Omit<OpenApiOperation, 'tags' | 'security'>): OpenApiOperation => ({
  tags: [auxiliaryTag.name],
  security: [{}],
  ...described,
});

export const auxiliaryPart = (scope: Scope): Part => ({
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
    '/me': { get: me(scope) },
    '/changes': { get: changes(scope) },
    '/meta/{api_table}/values/{column}': { get: meta(scope) },
    '/openapi.json': { get: description },
    '/health/live': {
      get: healthOperation({
        operationId: 'getLiveness',
        summary: 'Whether the process answers',
        description: 'For supervisors. A process that does not respond is restarted.',
        responses: { 200: healthResponse('It answers.', { live: { type: 'boolean' } }), 400: malformed },
      }),
    },
    '/health/ready': {
      get: healthOperation({
        operationId: 'getReadiness',
        summary: 'Whether requests can be answered',
        description: 'For load balancers. A process that is not ready gets no requests.',
        responses: {
          200: healthResponse('It is ready.', readiness, { nodes }),
          400: malformed,
          503: healthResponse('It is not ready; `reasons` say why.', readiness, { nodes }),
        },
      }),
    },
  },
  components: { schemas: schemasOf(scope) },
});
