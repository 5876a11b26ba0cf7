/**
 * Translates an operation into REST requests, with notes on the differences. The filters of a table come from the catalogue.
 */
import type { FieldNode } from 'graphql';
import type { RestFacts, RestTable } from '../../rest-facts.ts';
import { argumentsOf, fieldsIn, type Operation, type ParsedOperation, parseOperation } from '../operations/operation.ts';
import { isObject, type JsonObject } from '../response/exact.ts';
import { groupsRequest } from './rest-groups.ts';
import { filterNotes, filtersOf, parameterOf, quoted, type RestRequest, type Translated } from './rest-values.ts';

/** The parts of a row's selection besides its columns. */
const rowNotes = (row: readonly FieldNode[], table: RestTable, { tables }: RestFacts): readonly string[] =>
  [...new Set(row.map(({ name }) => name.value))].flatMap((name): readonly string[] => {
    const coded = table.columns[name.replace(/Label$/, '')];
    if (coded && !(name in table.columns))
      return [`\`${name}\`: rows have the code; its labels are at \`/meta/${table.name}/values/${coded}\`.`];
    const relation = table.relations[name];
    const target = relation && tables[relation.field];
    if (!target) return [];
    const { column, targetColumn } = relation;
    return target.filters.includes(targetColumn)
      ? [`\`${name}\`: \`${target.path}?${targetColumn}={${column}}\` for each row, or read \`${target.path}\` whole and join.`]
      : [`\`${name}\`: read \`${target.path}\` whole and join \`${column}\` with \`${targetColumn}\`, by which REST does not filter.`];
  });

/** The fields of the rows, under `nodes` and `edges { node }`. */
const rowFieldsOf = (parsed: ParsedOperation, connection: readonly FieldNode[]): readonly FieldNode[] =>
  connection.flatMap(({ name, selectionSet }) => {
    const inner = fieldsIn(parsed, selectionSet);
    if (name.value === 'nodes') return inner;
    if (name.value !== 'edges') return [];
    return inner.filter((field) => field.name.value === 'node').flatMap((node) => fieldsIn(parsed, node.selectionSet));
  });

const headers: Readonly<Record<string, string>> = {
  totalCount: '`totalCount` is the header `X-Total-Count`.',
  pageInfo: '`pageInfo` is the headers `X-Has-More` and `X-Next-Cursor`.',
};

const pageRequest = (parsed: ParsedOperation, field: FieldNode, table: RestTable, facts: RestFacts): Translated => {
  const { filter, orderBy, first, offset, after } = argumentsOf(parsed, field);
  const { filters, left } = filtersOf(table, filter);
  const isOrdered = Array.isArray(orderBy) ? orderBy.length > 0 : isObject(orderBy);
  const cursor = parameterOf(after);
  // A cursor belongs to one order and one filter.
  const takesCursor = table.hasCursor && left.length === 0 && !isOrdered;
  const query = new URLSearchParams([...filters, ['limit', parameterOf(first) ?? String(facts.standardFirst)]]);
  if ((parameterOf(offset) ?? '0') !== '0') query.set('offset', String(parameterOf(offset)));
  if (cursor && takesCursor) query.set('cursor', cursor);
  const connection = fieldsIn(parsed, field.selectionSet);
  const notes = [
    ...filterNotes(table, filters, left),
    ...(isOrdered
      ? [`REST has one order, ${table.sort.length > 0 ? `by ${quoted(table.sort)}` : 'the physical one'}: sort the rows.`]
      : []),
    ...(cursor && !takesCursor ? ['The cursor in `after` is not one of REST: begin with the first page.'] : []),
    ...connection.flatMap(({ name }) => headers[name.value] ?? []),
    ...rowNotes(rowFieldsOf(parsed, connection), table, facts),
  ];
  return { path: `${table.path}?${query}`, notes };
};

const rowRequest = (parsed: ParsedOperation, field: FieldNode, table: RestTable, facts: RestFacts): Translated => {
  const [key] = Object.values(argumentsOf(parsed, field)).map(parameterOf);
  if (!table.filters.includes(table.key))
    return { path: undefined, notes: [`REST does not find ${table.name} by \`${table.key}\`; it filters by ${quoted(table.filters)}.`] };
  const notes = rowNotes(fieldsIn(parsed, field.selectionSet), table, facts);
  return { path: `${table.path}?${new URLSearchParams([[table.key, key ?? '']])}`, notes: ['The answer is a list of one row.', ...notes] };
};

/** Fields of the service itself. */
const serviceRequests: Readonly<Record<string, (argument: (name: string) => string) => Translated>> = {
  catalog: () => ({ path: '/catalog', notes: [] }),
  me: () => ({ path: '/me', notes: [] }),
  changes: (argument) => ({ path: `/changes?since=${argument('since')}`, notes: [] }),
  lookupValues: (argument) => ({ path: `/meta/${argument('table')}/values/${argument('column')}`, notes: [] }),
  rateLimit: () => ({ path: undefined, notes: ['Every answer has it in the headers `X-RateLimit-Limit`, `-Remaining` and `-Reset`.'] }),
};

const translate = (parsed: ParsedOperation, field: FieldNode, facts: RestFacts): Translated => {
  const name = field.name.value;
  const table = new Map(Object.entries(facts.tables)).get(name);
  if (table) return pageRequest(parsed, field, table, facts);
  const grouped = Object.values(facts.tables).find(({ groupsField }) => groupsField === name);
  if (grouped) return groupsRequest(parsed, field, grouped, facts);
  const owner = Object.values(facts.tables).find(({ byIdField }) => byIdField === name);
  if (owner) return rowRequest(parsed, field, owner, facts);
  const service = new Map(Object.entries(serviceRequests)).get(name);
  const given: JsonObject = argumentsOf(parsed, field);
  if (service) return service((argument) => encodeURIComponent(parameterOf(given[argument]) ?? ''));
  return { path: undefined, notes: [`REST has no request for \`${name}\`.`] };
};

/** A request for each root field. Throws if the document is not GraphQL or the variables are not JSON. */
export const restRequests = (operation: Operation, facts: RestFacts): readonly RestRequest[] => {
  const parsed = parseOperation(operation);
  return fieldsIn(parsed, parsed.definition.selectionSet)
    .filter(({ name }) => !name.value.startsWith('__'))
    .map((field) => ({ field: (field.alias ?? field.name).value, ...translate(parsed, field, facts) }));
};
