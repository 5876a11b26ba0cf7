/** The tools of one caller, with the schemas of their arguments. Tables that the key may not read appear nowhere. */
import type { Tool } from '@modelcontextprotocol/server';
import { countName } from '../plan/groups/groups.ts';
import { parameterMeanings } from '../plan/vocabulary/descriptions.ts';
import type { Bounds } from '../query/parameters.ts';
import type { rowLists } from '../query/rows.ts';
import type { ToolArguments } from './arguments.ts';
import { listQuestions, runQuestion } from './questions.ts';
import type { ToolResult } from './results.ts';
import { getChanges, groupLists, queryGroups, queryRows, type RowsResult, toolLimits } from './rows.ts';
import { describeTableTool, listTables } from './tables.ts';
import { type AgentView, tablesWithChanges } from './view.ts';

type Schema = Readonly<Record<string, unknown>>;

const text = (description: string): Schema => ({ type: 'string', description });
const texts = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description });
const whole = (description: string, { defaultValue, min, max }: Bounds): Schema => ({
  type: 'integer',
  minimum: min,
  maximum: max,
  default: defaultValue,
  description,
});
const cursor = text('next_cursor of the previous result, to continue after it. All other arguments stay the same.');

const tableOf = (names: readonly string[]): Schema => ({ type: 'string', enum: names, description: 'The name of the table.' });

const filters: Schema = {
  type: 'object',
  // Not all clients understand a list of types.
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  description:
    'Columns of the table with the value that they must equal, such as {"property_id": 1001}. query_rows requires some for some tables: see describe_table, which also lists those that the service is prepared for.',
};

const objectOf = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Tool['inputSchema'] => ({
  type: 'object',
  properties: properties as NonNullable<Tool['inputSchema']['properties']>,
  required: [...required],
  additionalProperties: false,
});

const groupArguments: Readonly<Record<string, Schema>> = {
  [countName]: { type: 'boolean', description: parameterMeanings.count },
  ...Object.fromEntries(groupLists.map((name) => [name, texts(parameterMeanings[name])])),
};

const rowArguments = {
  where: texts(parameterMeanings.where),
  order: texts(parameterMeanings.rowOrder),
  columns: texts(`${parameterMeanings.columns} The key is always among them. Fewer columns leave room for more rows.`),
} satisfies Readonly<Record<(typeof rowLists)[number], Schema>>;

/** Reading changes nothing, and asks nobody but this service. */
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

const variables: Schema = {
  type: 'object',
  description: 'The variables of the question with their values, such as {"property_id": 1001}. See list_questions.',
};

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
          call: describeTableTool,
        },
      ],
      [
        'query_rows',
        {
          description:
            'Reads rows of a table that match filters and conditions, in the order of its key or in another one, with columns of related rows. For totals and figures use query_groups.',
          inputSchema: objectOf(
            {
              table: tableOf(readable),
              filters,
              ...rowArguments,
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
  if (view.questions.length > 0)
    tools.push(
      [
        'list_questions',
        {
          description:
            'Lists the questions that are ready, with their titles and variables: those that the company has saved, then typical ones of portfolio managers.',
          inputSchema: objectOf({}),
          call: listQuestions,
        },
      ],
      [
        'run_question',
        {
          description: 'Answers a question of list_questions. Prefer it to a query of your own.',
          inputSchema: objectOf(
            {
              // Names of questions are short words. Titles and variables are written by keys, so they are data of list_questions.
              question: { type: 'string', enum: view.questions.map(({ name }) => name), description: 'The name of the question.' },
              variables,
            },
            ['question'],
          ),
          call: runQuestion,
        },
      ],
    );
  return new Map(tools);
};

/** The tools as the protocol lists them. */
export const itemsSchema = (tools: ReadonlyMap<string, OfferedTool>): Tool[] =>
  [...tools].map(([name, { description, inputSchema }]) => ({ name, description, inputSchema, annotations }));
