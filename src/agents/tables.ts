/** The tools that describe tables: which there are, and what their columns, relations, codes and measures mean. */
import type { LookupName } from '../catalogue/lookups.ts';
import type { Table } from '../catalogue/table.ts';
import { freshnessOf } from '../execute/freshness.ts';
import { type LookupValue, lookupValues, readCodes } from '../execute/lookup.ts';
import { describeTable } from '../query/describe-table.ts';
import { checkNames, type ToolArguments, tableArgument } from './arguments.ts';
import { dataResult, type ToolResult } from './results.ts';
import type { AgentView } from './view.ts';

const describingArguments = { list_tables: [], describe_table: ['table'] } as const;

/** The maximum number of codes of one column. `get_lookup` of REST has all. */
const maxCodes = 100;

/** `list_tables`: the tables that the key reads, with their size and the age of their data. */
export const listTables = async (view: AgentView, given: ToolArguments): Promise<ToolResult> => {
  checkNames(given, describingArguments.list_tables);
  const { services, caller, tables } = view;
  const states = await services.versions.of(caller.customer.id);
  const listed = tables.map(({ category, name }) => ({ kind: 'category', category, name }) as const);
  const fresh = freshnessOf(listed, (kind, name) => states.get(kind, name), caller.scope);
  const described = tables.map(({ name, category, purpose, grain, requiredFilters }, index) => {
    const { row_count, version, synced_at, changed_at } = fresh[index]!;
    return {
      table: name,
      category,
      purpose,
      one_row: grain,
      ...(requiredFilters.length > 0 && { required_filters: requiredFilters }),
      row_count,
      data_version: version,
      synced_at,
      changed_at,
    };
  });
  return dataResult(`${tables.length} tables.`, JSON.stringify({ tables: described }));
};

/** The codes of the table's columns, as the customer has them. */
const codesOf = async (view: AgentView, table: Table): Promise<ReadonlyMap<LookupName, readonly LookupValue[]>> => {
  const names = [...new Set(Object.values(table.columns).flatMap(({ lookup }) => lookup ?? []))];
  const codes = new Map<LookupName, readonly LookupValue[]>();
  if (names.length === 0) return codes;
  await view.services.reading.connections.run('pages', view.requestContext, async (client) => {
    for (const name of names) codes.set(name, lookupValues(await readCodes(client, view.caller.customer, name)));
  });
  return codes;
};

/** `describe_table`: all that an agent needs to ask for rows and groups of a table. */
export const describeTableTool = async (view: AgentView, given: ToolArguments): Promise<ToolResult> => {
  const { table } = view.tableOf(tableArgument(given));
  checkNames(given, describingArguments.describe_table);
  const codes = await codesOf(view, table);
  const { columns, relations, measures } = describeTable(table, { tables: view.catalogue.tables, relationsOf: view.relationsOf });
  const described = {
    table: table.name,
    category: table.category,
    purpose: table.purpose,
    one_row: table.grain,
    key: table.key,
    sort: table.sort,
    filters: table.filters,
    required_filters: table.requiredFilters,
    columns: columns.map(({ name, type, meaning, isNullable, isHidden, personal, lookup }) => {
      const values = lookup && codes.get(lookup);
      return {
        name,
        type,
        meaning,
        ...(isNullable && { nullable: true }),
        ...(isHidden && { hidden: true }),
        ...(personal && { personal_data: personal }),
        ...(values && { codes: Object.fromEntries(values.slice(0, maxCodes).map(({ value, label }) => [value, label])) }),
      };
    }),
    relations: relations.map(({ queryName, kind, column, target, targetColumn }) => ({
      name: queryName,
      kind,
      column,
      leads_to: `${target}.${targetColumn}`,
    })),
    measures: measures.map(({ name, definition, unit, grain }) => ({ name, definition, unit, counts: grain })),
  };
  return dataResult(`${table.name}: ${columns.length} columns.`, JSON.stringify(described));
};
