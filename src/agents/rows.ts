/** The tools that read rows: pages, groups and changes. Their plans and readers are those of REST. */
import type pg from 'pg';
import type { Table } from '../catalogue/table.ts';
import { DeltaReader, refusePartialDeltas } from '../execute/deltas.ts';
import { Reader } from '../execute/reader.ts';
import type { SummarizedPage, Summary } from '../execute/summary.ts';
import { unknownValues } from '../execute/unknown-values.ts';
import type { ReadableCategoryTable } from '../execute/visible.ts';
import { countName } from '../plan/groups/groups.ts';
import { unlistedText, unlistedValues } from '../plan/unlisted-values.ts';
import { plainAggregates } from '../plan/vocabulary/values.ts';
import { parseList } from '../query/grammar.ts';
import { parseGroups } from '../query/groups.ts';
import type { NamedPlan } from '../query/lists.ts';
import { pageLimits, parseDeltaPlan } from '../query/parameters.ts';
import { parsePage, rowLists } from '../query/rows.ts';
import { runInSlice } from '../scheduling/time-slices.ts';
import { json } from '../wire/row-format.ts';
import { checkNames, QueryBuilder, type ToolArguments, tableArgument } from './arguments.ts';
import { dataResult, readBounded, type TextPage, type ToolResult } from './results.ts';
import type { AgentView } from './view.ts';

/** The numbers of rows, groups and changes that a tool returns at once. */
export const toolLimits = {
  rows: { defaultValue: 50, min: 1, max: 200 },
  groups: { defaultValue: 100, min: 1, max: 500 },
  changes: { defaultValue: 50, min: 1, max: 200 },
} as const;

/** The lists of `query_groups`. Their names and grammar are those of REST groups. */
export const groupLists = ['by', ...plainAggregates, 'measure', 'value', 'where', 'having', 'order'] as const;

const argumentNames = {
  query_rows: ['table', 'filters', ...rowLists, 'limit', 'offset', 'cursor'],
  query_groups: ['table', 'filters', countName, ...groupLists, 'limit', 'cursor'],
  get_changes: ['table', 'since_version', 'limit', 'cursor'],
} as const;

/** A result, and the number of rows in it. */
export interface RowsResult {
  readonly result: ToolResult;
  readonly count: number;
}

/** JSON of an object whose last member is JSON text already. */
const withMember = (about: Readonly<Record<string, unknown>>, name: string, text: string): string =>
  `${JSON.stringify(about).slice(0, -1)},${JSON.stringify(name)}:${text}}`;

const stateOf = ({ version, syncedAt }: Pick<Summary, 'version' | 'syncedAt'>) => ({
  data_version: version,
  snapshot_at: syncedAt ?? null,
});

const more = (tool: string, by: string): string => `More follow: call ${tool} again with the same arguments and ${by}.`;

/** Where the next page begins: at a cursor, or at an offset if the table has none and the offset is not too large. */
const nextOf = ({ hasMore, nextCursor }: Pick<SummarizedPage, 'hasMore' | 'nextCursor'>, nextOffset = Number.POSITIVE_INFINITY) => {
  if (!hasMore) return {};
  if (nextCursor) return { next_cursor: nextCursor };
  return nextOffset <= pageLimits.offset.max ? { next_offset: nextOffset } : {};
};

/** Values of the conditions that no row has, as `status=opne`, so that a mistake does not look like an answer. */
const unknownIn = async (plan: NamedPlan['plan'], view: AgentView, reader: Reader): Promise<readonly string[]> => {
  const { source } = plan;
  const { reading } = view.services;
  const values = unlistedValues(plan, view.services.catalogue.tables);
  if (values.length === 0) return [];
  const run = <T>(work: (client: pg.ClientBase) => Promise<T>) => reading.connections.run('documents', view.requestContext, work);
  const unknown = (await unknownValues(values, { reader, source, run })) ?? [];
  return unknown.map((each) => unlistedText(source.name, each, String));
};

interface Told {
  readonly nextOffset?: number;
  readonly unknown: readonly string[];
}

/** The result of `query_rows` or `query_groups`. */
const pageResult = (
  noun: 'rows' | 'groups',
  { name }: Pick<Table, 'name'>,
  page: TextPage<SummarizedPage>,
  { nextOffset, unknown }: Told,
): RowsResult => {
  const { count, total, version, hasMore, rows } = page;
  const next = nextOf(page, nextOffset);
  const mistakes = unknown.length > 0 ? { unknown_values: unknown } : {};
  const about = {
    table: name,
    ...stateOf(page),
    ...mistakes,
    [`total_${noun}`]: total,
    [`${noun}_shown`]: count,
    has_more: hasMore,
    ...next,
  };
  const [argument] = Object.keys(next);
  const follow = argument ? ` ${more(`query_${noun}`, `${argument.slice('next_'.length)} set to ${argument}`)}` : '';
  const warning = unknown.length > 0 ? ' No row has the values in unknown_values: they may be misspelt, see describe_table.' : '';
  const note = `${count} of ${total} ${noun} of ${name}, data version ${version}.${warning}${follow}`;
  return { count, result: dataResult(note, withMember(about, noun, rows)) };
};

/** The plan of rows, as REST plans the same query string. */
const planRows = (query: URLSearchParams, view: AgentView, { table, source }: ReadableCategoryTable): NamedPlan =>
  parsePage(query, view.services.reading.cursors, { source, table, tables: view.catalogue.tables, relationsOf: view.relationsOf });

/** `query_rows`: a page of a table (contract: filters; required filters; conditions, order and columns of rows; page headers). */
export const queryRows = async (view: AgentView, given: ToolArguments): Promise<RowsResult> => {
  const readable = view.tableOf(tableArgument(given));
  const { table } = readable;
  checkNames(given, argumentNames.query_rows);
  const builder = new QueryBuilder(given)
    .filters(table)
    .lists(...rowLists)
    .limit(toolLimits.rows)
    .values('offset', 'cursor');
  const query = builder.build();
  const columns = query.getAll('columns');
  const named = columns.flatMap(parseList).map(({ text }) => text);
  // The key identifies a row for later calls.
  if (named.length > 0 && !named.includes(table.key)) query.set('columns', [table.key, ...columns].join());
  // A request with many wrong names takes more than a millisecond.
  const { plan, names } = await runInSlice(view.caller.customer.id, () => planRows(query, view, readable));
  const reader = new Reader(view.services.reading, view.requestContext);
  const page = await readBounded(plan.limit, (limit) => reader.page({ ...plan, limit }, { format: json, names }));
  return pageResult('rows', table, page, { nextOffset: plan.offset + page.count, unknown: await unknownIn(plan, view, reader) });
};

/** `query_groups`: groups of a table's rows (contract: groups). */
export const queryGroups = async (view: AgentView, given: ToolArguments): Promise<RowsResult> => {
  const { table, source } = view.tableOf(tableArgument(given));
  checkNames(given, argumentNames.query_groups);
  const builder = new QueryBuilder(given)
    .filters(table)
    .flag(countName)
    .lists(...groupLists)
    .limit(toolLimits.groups)
    .values('cursor');
  const query = builder.build();
  const { reading } = view.services;
  // A request with many wrong names takes more than a millisecond.
  const { plan, names } = await runInSlice(view.caller.customer.id, () =>
    parseGroups(query, reading.cursors, { source, table, tables: view.catalogue.tables, relationsOf: view.relationsOf }),
  );
  const reader = new Reader(reading, view.requestContext);
  const page = await readBounded(plan.limit, (limit) => reader.page({ ...plan, limit }, { format: json, names }));
  return pageResult('groups', table, page, { unknown: await unknownIn(plan, view, reader) });
};

/** `get_changes`: the rows and keys that changed since a data version (contract: deltas). */
export const getChanges = async (view: AgentView, given: ToolArguments): Promise<RowsResult> => {
  const { table, source, columns, key } = view.tableOf(tableArgument(given));
  checkNames(given, argumentNames.get_changes);
  refusePartialDeltas(source);
  const query = new QueryBuilder(given).values('since_version', 'cursor').limit(toolLimits.changes).build();
  const { reading } = view.services;
  const plan = parseDeltaPlan({ query, source, columns, key, cursors: reading.cursors });
  const reader = new DeltaReader(reading, view.requestContext);
  const page = await readBounded(plan.rows.limit, (limit) => reader.page({ ...plan, rows: { ...plan.rows, limit } }));
  const { count, to, deletes, nextCursor, rows } = page;
  const hasMore = nextCursor !== undefined;
  const about = {
    table: table.name,
    ...stateOf(page),
    from_version: plan.since,
    to_version: to,
    key: key.column,
    has_more: hasMore,
    ...(hasMore && { next_cursor: nextCursor }),
  };
  const follow = hasMore ? ` ${more('get_changes', 'cursor set to next_cursor')}` : ` Next time, ask for since_version ${to}.`;
  return {
    count,
    result: dataResult(
      `${count} changed rows and ${deletes.length} deleted keys of ${table.name}, from version ${plan.since} to ${to}.${follow}`,
      withMember(about, 'upserts', `${rows},"deletes":[${deletes.join()}]`),
    ),
  };
};
