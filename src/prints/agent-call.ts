/** A REST request as the call of an agents' tool: its lists and filters as arguments (contract: prints; tools for agents). */
import { groupLists, toolLimits } from '../agents/rows.ts';
import type { Table } from '../catalogue/table.ts';
import { countName } from '../plan/groups/groups.ts';
import { parseList } from '../query/grammar.ts';
import { rowLists } from '../query/rows.ts';

export interface AgentCall {
  readonly tool: 'query_rows' | 'query_groups';
  readonly arguments: Readonly<Record<string, unknown>>;
}

const textsOf = (query: URLSearchParams, name: string): readonly string[] =>
  query.getAll(name).flatMap((text) => parseList(text).map((item) => item.text));

/** The call for a valid request. Undefined if the tool has no argument for a part of it. */
export const agentCallOf = (table: Table, query: URLSearchParams, hasGroups: boolean): AgentCall | undefined => {
  // Its rows would lack the empty periods.
  if (hasGroups && query.has('fill')) return undefined;
  const lists: readonly string[] = hasGroups ? groupLists : rowLists;
  const filters = [...new Set(query.keys())].filter((name) => Object.hasOwn(table.columns, name) && !lists.includes(name));
  const limit = query.get('limit');
  const { max } = hasGroups ? toolLimits.groups : toolLimits.rows;
  return {
    tool: hasGroups ? 'query_groups' : 'query_rows',
    arguments: {
      table: table.name,
      ...(hasGroups && query.has(countName) && { [countName]: true }),
      ...(filters.length > 0 && { filters: Object.fromEntries(filters.map((name) => [name, query.getAll(name).at(-1)])) }),
      ...Object.fromEntries(lists.filter((name) => query.has(name)).map((name) => [name, textsOf(query, name)])),
      ...(limit && { limit: Math.min(Number(limit), max) }),
      ...(Number(query.get('offset')) > 0 && { offset: Number(query.get('offset')) }),
      ...(query.get('cursor') && { cursor: query.get('cursor') }),
    },
  };
};
