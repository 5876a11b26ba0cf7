/** GraphQL documents about a table, from the catalogue and a sample of the table's rows. */
import type { Kind } from '../../src/catalogue/column.ts';
import { catalogue, type ResolvedRelation } from '../../src/catalogue/index.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { byIdName, camelCase, labelName, rowTypeName } from '../../src/graphql/schema/names.ts';
import type { ApiRequest, Send } from './client.ts';
import { absent, type Sample, type Value } from './samples.ts';

export interface DocumentRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

const headers = { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' };

export const document = (
  request: string | DocumentRequest,
  key: ApiRequest['key'] = 'enterprise',
  expects: ApiRequest['expects'] = 'data',
): ApiRequest => {
  const { query, ...rest } = typeof request === 'string' ? { query: request } : request;
  return {
    method: 'POST',
    path: '/graphql',
    key,
    headers,
    body: JSON.stringify({ query: query.replaceAll(/\s+/g, ' '), ...rest }),
    expects,
  };
};

const literal = (value: Value): string => JSON.stringify(value);

const fieldsOf = (table: Table, max = Number.POSITIVE_INFINITY): string =>
  Object.keys(table.columns).slice(0, max).map(camelCase).join(' ');

/** The arguments of a root field. The filter contains the required filters. */
const argumentsOf = ({ table, values }: Sample, condition = '', more = ''): string => {
  const required = table.requiredFilters.map((column) => `${camelCase(column)}: { eq: ${literal(values.get(column) ?? absent.string)} }`);
  const conditions = [...required, condition].filter(Boolean).join(', ');
  const all = [...(conditions ? [`filter: { ${conditions} }`] : []), ...(more ? [more] : [])].join(', ');
  return all ? `(${all})` : '';
};

/** A part of an existing text, in the other case. */
const partOf = (value: Value): string => String(value).slice(1, 4).toUpperCase();

const comparisons = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;

const operatorsOf = (kind: Kind, value: Value): readonly string[] => {
  const compared = (kind === 'boolean' ? comparisons.slice(0, 2) : comparisons).map((name) => `${name}: ${literal(value)}`);
  const listed = [`in: [${literal(value)}, ${literal(absent[kind])}]`, 'in: []', 'isNull: true', 'isNull: false', 'eq: null'];
  const text = String(value);
  const searched = [
    `contains: ${literal(text.slice(1, 4))}`,
    `contains: ${literal(partOf(value))}`,
    `iContains: ${literal(partOf(value))}`,
    `startsWith: ${literal(text.slice(0, 2))}`,
    `iStartsWith: ${literal(text.slice(0, 2).toUpperCase())}`,
    'contains: "%"',
  ];
  return [...compared, ...listed, ...(kind === 'string' ? searched : [])];
};

/** The first columns of each kind with a value. Filterable columns come first. */
const columnsByKind = ({ table, values }: Sample): ReadonlyMap<Kind, string> => {
  const optional = (column: string) => !table.requiredFilters.includes(column) && values.has(column);
  const columns = [...table.filters, ...Object.keys(table.columns)].filter(optional);
  return new Map(columns.toReversed().map((column) => [table.columns[column]!.kind, column]));
};

const filterDocuments = (sample: Sample): readonly string[] => {
  const { table, values } = sample;
  const root = camelCase(table.name);
  const key = camelCase(table.key);
  const shown = (alias: string, condition: string) =>
    `${alias}: ${root}${argumentsOf(sample, condition, 'first: 5')} { totalCount nodes { ${key} } }`;
  const kinds = [...columnsByKind(sample)];
  const condition = ([kind, column]: readonly [Kind, string], operator: string) =>
    `{ ${camelCase(column)}: { ${operator}: ${literal(values.get(column) ?? absent[kind])} } }`;
  const [one, two = one] = kinds;
  const combined = one && two ? [condition(one, 'eq'), condition(two, 'ne')] : [];
  return [
    ...kinds.map(([kind, column]) => {
      const operators = operatorsOf(kind, values.get(column) ?? absent[kind]);
      return `{ ${operators.map((operator, index) => shown(`${kind}${index}`, `${camelCase(column)}: { ${operator} }`)).join(' ')} }`;
    }),
    `{ ${[
      shown('all', `and: [${combined}]`),
      shown('any', `or: [${combined}]`),
      shown('none', `not: { or: [${combined}] }`),
      shown('nested', `or: [{ and: [${combined}] }, { not: ${combined[0]} }, { not: { and: [${combined}] } }]`),
      shown('empty', 'or: []'),
    ].join(' ')} }`,
  ];
};

/** The selected fields of a relation's rows, with nested relations. */
const relationField = ({ name, kind, target }: ResolvedRelation, inside = ''): string => {
  const fields = `${fieldsOf(catalogue.tables.get(target)!, 6)} ${inside}`;
  return kind === 'to-one'
    ? `${name} { ${fields} }`
    : `${name}(first: 3) { totalCount pageInfo { hasNextPage endCursor } nodes { ${fields} } }`;
};

const relationDocuments = (sample: Sample): readonly string[] => {
  const { table } = sample;
  const root = camelCase(table.name);
  const relations = catalogue.relations.get(table.name) ?? [];
  const rows = (first: number, fields: string) =>
    `{ ${root}${argumentsOf(sample, '', `first: ${first}`)} { nodes { ${camelCase(table.key)} ${fields} } } }`;
  if (relations.length === 0) return [];
  return [
    rows(30, relations.map((relation) => relationField(relation)).join(' ')),
    ...relations.map((relation) => {
      const inner = (catalogue.relations.get(relation.target) ?? []).map((next) => relationField(next)).join(' ');
      return rows(3, relationField(relation, inner));
    }),
  ];
};

const orderDocuments = async (send: Send, sample: Sample): Promise<readonly string[]> => {
  const { table } = sample;
  const root = camelCase(table.name);
  const key = camelCase(table.key);
  const column = camelCase(table.filters.find((name) => name !== table.key && !table.requiredFilters.includes(name)) ?? table.key);
  const orders = [`[{ ${key}: ASC }]`, `[{ ${key}: DESC }]`, `[{ ${column}: ASC }]`, `[{ ${column}: DESC }]`, '[]'];
  const page = (order: string, after = '') =>
    `{ ${root}${argumentsOf(sample, '', `orderBy: ${order}, first: 7${after && `, after: ${literal(after)}`}`)} {
      edges { cursor node { ${key} ${column} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
  const pages = orders.map(async (order) => {
    const answer = await send(document(page(order)));
    const cursor: string | null = JSON.parse(answer.body.toString()).data?.[root].pageInfo.endCursor;
    return [page(order), ...(cursor ? [page(order, cursor)] : [])];
  });
  return (await Promise.all(pages)).flat();
};

/** By each sortable column, in both directions. */
const everyOrder = (sample: Sample): string => {
  const { table } = sample;
  const key = camelCase(table.key);
  const orders = table.filters.flatMap((column) => ['ASC', 'DESC'].map((direction) => [camelCase(column), direction]));
  const rows = orders.map(([column, direction]) => {
    const page = argumentsOf(sample, '', `orderBy: [{ ${column}: ${direction} }], first: 3`);
    return `${column}_${direction}: ${camelCase(table.name)}${page} { nodes { ${key} ${column} } }`;
  });
  return `{ ${rows.join(' ')} }`;
};

const labelDocuments = (sample: Sample): readonly string[] => {
  const { table } = sample;
  const labels = Object.entries(table.columns).flatMap(([name, { lookup }]) => (lookup ? [camelCase(name), labelName(name)] : []));
  return labels.length === 0
    ? []
    : [`{ ${camelCase(table.name)}${argumentsOf(sample, '', 'first: 200')} { nodes { ${labels.join(' ')} } } }`];
};

/** Variables, fragments, aliases and directives. */
const shapeRequests = (sample: Sample): readonly DocumentRequest[] => {
  const { table, values } = sample;
  const root = camelCase(table.name);
  const type = rowTypeName(table.name);
  const key = camelCase(table.key);
  const [relation] = catalogue.relations.get(table.name) ?? [];
  const related = relation ? relationField(relation) : '__typename';
  const query = `query Page($filter: ${type}Filter, $first: Int = 3, $more: Boolean!, $less: Boolean = false) {
      again: ${root}(filter: $filter, first: $first) { ...Shown totalCount @skip(if: $less) }
      ${root}(filter: $filter, first: 2) { ...Shown @include(if: $more) nodes { ${key} renamed: ${key} ... @include(if: $more) { ${related} } } }
    }
    query Other { __typename }
    fragment Shown on ${type}Connection { __typename nodes { ...Row } pageInfo { hasNextPage } }
    fragment Row on ${type} { __typename ${fieldsOf(table, 8)} ... on ${type} { ${key} } }`;
  const filter = Object.fromEntries(table.requiredFilters.map((column) => [camelCase(column), { eq: values.get(column) }]));
  return [
    { query, operationName: 'Page', variables: { filter, more: true } },
    { query, operationName: 'Page', variables: { filter, more: false, less: true, first: 1 } },
  ];
};

export const tableDocuments = async (send: Send, sample: Sample): Promise<readonly ApiRequest[]> => {
  const { table, values } = sample;
  const root = camelCase(table.name);
  const key = camelCase(table.key);
  const byKey = (value: Value) => `{ ${byIdName(table.name)}(${key}: ${literal(value)}) { ${fieldsOf(table)} } }`;
  const { kind } = table.columns[table.key]!;
  const page = (more: string, fields: string) => `{ ${root}${argumentsOf(sample, '', more)} { ${fields} } }`;
  const isRequired = table.requiredFilters.length > 0;
  const asked = [
    page('first: 20', `nodes { ${fieldsOf(table)} }`),
    page('', `nodes { ${key} } totalCount`),
    page('first: 10, offset: 600', `nodes { ${fieldsOf(table, 5)} } pageInfo { hasNextPage hasPreviousPage }`),
    page('first: 1000', 'totalCount'),
    page('first: 12', 'edges { cursor node { __typename } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount'),
    byKey(values.get(table.key) ?? absent[kind]),
    byKey(absent[kind]),
    ...filterDocuments(sample),
    ...relationDocuments(sample),
    ...(await orderDocuments(send, sample)),
    everyOrder(sample),
    ...labelDocuments(sample),
    ...shapeRequests(sample),
  ];
  return [
    ...asked.map((each) => document(each)),
    ...(isRequired ? [document(`{ ${root} { totalCount } }`, 'enterprise', 'error')] : []),
    document(page('first: 1001', `nodes { ${key} }`), 'enterprise', 'error'),
    document(page('after: "garbage"', `nodes { ${key} }`), 'enterprise', 'error'),
    document(page('', 'nodes { noSuchField }'), 'enterprise', 'refusal'),
  ];
};
