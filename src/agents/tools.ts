/** The tools of one caller, with the schemas of their arguments. Tables that the key may not read appear nowhere. */
import type { Tool } from '@modelcontextprotocol/server';
import { aggregates, countName } from '../plan/groups/groups.ts';
import type { Bounds } from '../plan/parameters.ts';
import type { ToolArguments } from './arguments.ts';
import type { ToolResult } from './results.ts';
import { getChanges, queryGroups, queryRows, type RowsResult, toolLimits } from './rows.ts';
import { describeTable, listTables } from './tables.ts';
import { type AgentView, tablesWithChanges } from './view.ts';

type Schema = Readonly<Record<string, unknown>>;

const text = (description: string): Schema => ({ type: 'string', description });
const texts = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description });
const whole = (description: string, { standard, min, max }: Bounds): Schema => ({
  type: 'integer',
  minimum: min,
  maximum: max,
  default: standard,
  description,
});
const cursor = text('next_cursor of the previous result, to continue after it. All other arguments stay the same.');

const tableOf = (names: readonly string[]): Schema => ({ type: 'string', enum: names, description: 'The name of the table.' });

const filters: Schema = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
  description:
    'Filter columns of the table with the value that they must equal, such as {"property_id": 1001}. query_rows requires filters for some tables: see describe_table.',
};

const objectOf = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Tool['inputSchema'] => ({
  type: 'object',
  properties: properties as NonNullable<Tool['inputSchema']['properties']>,
  required: [...required],
  additionalProperties: false,
});

const meanings: Readonly<Record<(typeof aggregates)[number], string>> = {
  sum: 'Columns to add up.',
  sum_once: 'Columns of related rows to add up, such as "property.lettable_area_sqm". Each related row counts once in each group.',
  avg: 'Columns to average.',
  min: 'Columns whose smallest value is wanted.',
  max: 'Columns whose largest value is wanted.',
  distinct: 'Columns whose different values are counted.',
  median: 'Columns whose median is wanted.',
  stddev: 'Columns whose standard deviation is wanted.',
};

const groupArguments: Readonly<Record<string, Schema>> = {
  [countName]: { type: 'boolean', description: 'Whether the number of rows of each group is wanted.' },
  by: texts(
    'Keys: columns, columns behind relations such as "property.federal_state", and periods such as "order_date:quarter" (day, week, month, quarter, year). Without keys, all rows are one group.',
  ),
  ...Object.fromEntries(aggregates.map((name) => [name, texts(meanings[name])])),
  measure: texts('Figures of the domain, by the names in describe_table.'),
  value: texts('Values with a name and conditions, such as "open:count(status=new)" or "p90:percentile(total_net,90)".'),
  where: texts(
    'Conditions on rows: "order_date>=2025-01-01", "status:in(executed,approved)", "subject:icontains(roof)", "closed_date:is_null", also over relations.',
  ),
  having: texts('Conditions on groups, with the names in the result, such as "count>10".'),
  order: texts('Names in the result to sort by, with "-" in front for descending order.'),
};

/** Reading changes nothing, and asks nobody but this service. */
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

interface OfferedTool {
  readonly description: string;
  readonly inputSchema: Tool['inputSchema'];
  readonly call: (view: AgentView, given: ToolArguments) => Promise<ToolResult | RowsResult>;
}

/** The tools of a caller by name. Tools without a table to read do not exist. */
export const toolsOf = (view: AgentView): ReadonlyMap<string, OfferedTool> => {
  const readable = view.tables.map(({ name }) => name);
  const changing = tablesWithChanges(view).map(({ name }) => name);
  const tools: [string, OfferedTool][] = [
    [
      'list_tables',
      {
        description:
          'Lists the tables that can be read: what they are for, what one row is, how many rows there are, and how fresh they are.',
        inputSchema: objectOf({}),
        call: listTables,
      },
    ],
  ];
  if (readable.length > 0)
    tools.push(
      [
        'describe_table',
        {
          description:
            'Describes a table: its columns with types, meanings and codes, its filters, its relations and its measures. Call it before the first query of a table.',
          inputSchema: objectOf({ table: tableOf(readable) }, ['table']),
          call: describeTable,
        },
      ],
      [
        'query_rows',
        {
          description: 'Reads rows of a table that match filters, in the order of its key. For totals and figures use query_groups.',
          inputSchema: objectOf(
            {
              table: tableOf(readable),
              filters,
              columns: texts('The columns to show; all by default. Fewer columns leave room for more rows.'),
              limit: whole('The number of rows.', toolLimits.rows),
              offset: { type: 'integer', minimum: 0, description: 'Rows to skip, for tables without next_cursor.' },
              cursor,
            },
            ['table'],
          ),
          call: queryRows,
        },
      ],
      [
        'query_groups',
        {
          description:
            'Counts, adds up and compares rows in groups, like GROUP BY. The service computes exactly, so use it instead of reading rows and adding them up.',
          inputSchema: objectOf(
            { table: tableOf(readable), filters, ...groupArguments, limit: whole('The number of groups.', toolLimits.groups), cursor },
            ['table'],
          ),
          call: queryGroups,
        },
      ],
    );
  if (changing.length > 0)
    tools.push([
      'get_changes',
      {
        description: 'Reads the rows of a table that were inserted or updated since a data version, and the keys that were deleted.',
        inputSchema: objectOf(
          {
            table: tableOf(changing),
            since_version: { type: 'integer', minimum: 0, description: 'The data version of an earlier result.' },
            limit: whole('The number of changed rows and deleted keys.', toolLimits.changes),
            cursor,
          },
          ['table', 'since_version'],
        ),
        call: getChanges,
      },
    ]);
  return new Map(tools);
};

/** The tools as the protocol lists them. */
export const listOf = (tools: ReadonlyMap<string, OfferedTool>): Tool[] =>
  [...tools].map(([name, { description, inputSchema }]) => ({ name, description, inputSchema, annotations }));
