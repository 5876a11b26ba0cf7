/** GraphQL requests that concern no single table: the schema, the service's own fields, errors and limits. */
import { getIntrospectionQuery } from 'graphql';
import { entries } from '../../src/catalogue/index.ts';
import { lookups } from '../../src/catalogue/lookups.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import type { KeyName } from '../support/versions.ts';
import { type ApiRequest, mapConcurrently, type Send } from './client.ts';
import { document, tableDocuments } from './documents.ts';
import { answered, refused } from './rest.ts';
import type { Sample } from './samples.ts';

const everyKey: readonly KeyName[] = ['basic', 'professional', 'enterprise', 'other'];

const schemaDocuments: readonly string[] = [
  getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, oneOf: true, specifiedByUrl: true }),
  '{ __type(name: "Order") { name fields { name type { kind name ofType { name } } } } }',
  '{ __type(name: "NoSuchType") { name } __typename }',
];

const serviceFields =
  '{ catalog { category tables } changes(since: "2000-01-01T00:00:00Z") { category table endpointUrl syncedAt changedAt rowCount version } }';

const lookupValues = (table: string, column: string) =>
  `{ lookupValues(table: ${JSON.stringify(table)}, column: ${JSON.stringify(column)}) { value label } }`;

/** One coded column for each code list. */
const codedColumns = Object.keys(lookups).flatMap((lookup) => {
  const coded = entries.flatMap(({ name, columns }) =>
    Object.keys(columns).flatMap((column) => (columns[column]!.lookup === lookup ? [[name, column] as const] : [])),
  );
  return coded.slice(0, 1);
});

/** Refused by validation, before anything is read. */
const invalid: readonly string[] = [
  '{ orders { nodes { orderId }',
  '{ order { nodes { orderId } } }',
  '{ orders(limit: 3) { nodes { orderId } } }',
  '{ orders(filter: { orderId: { eq: "x" } }) { totalCount } }',
  '{ orders(filter: { orderId: { like: 1 } }) { totalCount } }',
  '{ orders(orderBy: [{ orderId: UP }]) { totalCount } }',
  '{ orders(orderBy: [{ orderId: ASC, status: ASC }]) { totalCount } }',
  '{ orders }',
  '{ orders { nodes { ...Missing } } }',
  '{ changes(since: "yesterday") { table } }',
  `{ ${Array.from({ length: 51 }, (_, index) => `a${index}: __typename`).join(' ')} }`,
  '{ orders { nodes { property { orders { nodes { property { orders { nodes { property { orders { nodes { orderId } } } } } } } } } } }',
  `{ orders(filter: { orderId: { in: [${Array.from({ length: 4_100 }, (_, index) => index)}] } }) { totalCount } }`,
];

/** Answered with errors, or with an error in the data. */
const failing: readonly string[] = [
  'mutation { deleteOrders }',
  '{ orders(first: 1000) { nodes { property { orders(first: 1000) { nodes { orderId } } } } } }',
  '{ orders(first: 0) { totalCount } }',
  '{ orders(offset: 500001) { totalCount } }',
  '{ orders(offset: -1) { totalCount } }',
  '{ lookupValues(table: "orders", column: "orderId") { value } }',
  `{ orders(filter: ${'{ not: '.repeat(21)}{ orderId: { eq: 1 } }${' }'.repeat(21)}) { totalCount } }`,
];

const withVariables = (variables: Readonly<Record<string, unknown>>, expects: ApiRequest['expects']): ApiRequest =>
  document(
    {
      query: 'query ($id: Int!, $filter: OrderFilter) { orderById(orderId: $id) { orderId } orders(filter: $filter) { totalCount } }',
      variables,
    },
    'enterprise',
    expects,
  );

const post = (body: string, type = 'application/json'): ApiRequest => ({
  ...refused('/graphql', { method: 'POST', headers: { 'Content-Type': type } }),
  body,
  expects: 'error',
});

const errors = (): readonly ApiRequest[] => [
  ...invalid.map((query) => document(query, 'enterprise', 'refusal')),
  ...failing.map((query) => document(query, 'enterprise', 'error')),
  // Tables above the tier do not exist in the schema.
  document('{ orders { totalCount } }', 'basic', 'refusal'),
  document('{ properties { nodes { orders { totalCount } } } }', 'basic', 'refusal'),
  document('{ accounts { totalCount } }', 'professional', 'refusal'),
  document('{ __typename }', null, 'refusal'),
  document('{ __typename }', 'restOnly', 'refusal'),
  withVariables({ id: 1 }, 'data'),
  withVariables({ id: 1, filter: { status: { isNull: false } } }, 'data'),
  withVariables({}, 'refusal'),
  withVariables({ id: 'x' }, 'refusal'),
  withVariables({ id: 2 ** 31 }, 'refusal'),
  withVariables({ id: 1, filter: { no: 1 } }, 'refusal'),
  document({ query: 'query A { __typename } query B { __typename }' }, 'enterprise', 'refusal'),
  document({ query: 'query A { __typename }', operationName: 'B' }, 'enterprise', 'refusal'),
  post('{'),
  post('{}'),
  post('[]'),
  post('[{"query":"{ __typename }"}]'),
  post('query={__typename}', 'application/x-www-form-urlencoded'),
  refused('/graphql', { method: 'PUT' }),
  refused('/graphql', { key: null }),
  answered(`/graphql?query=${encodeURIComponent('{ properties(first: 2) { nodes { propertyId propertyName } } }')}`),
  answered(
    `/graphql?query=${encodeURIComponent('query ($n: Int) { properties(first: $n) { totalCount nodes { __typename } } }')}&variables=${encodeURIComponent('{"n":2}')}`,
  ),
  { ...refused('/graphql?query=%7B'), expects: 'error' },
];

export const graphqlRequests = async (send: Send, samples: readonly Sample[]): Promise<readonly ApiRequest[]> => {
  const ofTables = await mapConcurrently(samples, (sample) => tableDocuments(send, sample));
  return [
    ...ofTables.flat(),
    ...everyKey.flatMap((key) => [...schemaDocuments, serviceFields].map((query) => document(query, key))),
    ...codedColumns
      .flatMap(([table, column]) => [lookupValues(table, column), lookupValues(camelCase(table), camelCase(column))])
      .map((query) => document(query)),
    ...errors(),
  ];
};
