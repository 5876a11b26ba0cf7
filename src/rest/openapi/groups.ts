/** Groups, described: one path for each table (contract: groups in REST). */
import { readableFilters } from '../../catalogue/data-scope.ts';
import { measuresOf } from '../../catalogue/measure-formula.ts';
import { pathOfTable, type Table } from '../../catalogue/table.ts';
import { buckets } from '../../plan/groups/buckets.ts';
import { aggregatableColumns } from '../../plan/groups/groups.ts';
import { operatorNames } from '../../plan/groups/item-conditions.ts';
import { groupLimit } from '../../plan/groups/parameters.ts';
import { filterParameter } from './columns.ts';
import { type Operation, type Parameter, type Part, type Reference, ref, type Schema } from './document.ts';
import { exampleGroups } from './examples.ts';
import { pageHeaders } from './headers.ts';
import { operation, pascalCase, textContent } from './operation.ts';
import type { Scope } from './scope.ts';

const list = (name: string, description: string, values?: readonly string[]): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'array', items: { type: 'string', ...(values && { enum: values }) } },
  style: 'form',
  explode: false,
});

/** Parameters that all tables share. */
const shared: Record<string, Parameter> = {
  groupBy: list(
    'by',
    `Keys: columns, dates and times with a bucket (\`order_date:quarter\`; ${buckets.join(', ')}), columns behind to-one relations (\`property.federal_state\`), bands (\`balance:ranges(0,1000)\`, \`total_net:width(500)\`, \`report_date:age(30,60,on=2025-12-31)\`), and on tables with validity the last days of periods (\`as_of:month(2025-01-01,2025-12-31)\`). None: one group of all rows.`,
  ),
  groupCount: {
    name: 'count',
    in: 'query',
    description: 'Adds the number of rows of each group. It is the default if no value is requested.',
    allowEmptyValue: true,
    schema: { type: 'string' },
  },
  groupSumOnce: list(
    'sum_once',
    'Columns of related rows to sum up, as `sum_once_…`: `property.lettable_area_sqm`. In each group, each related row counts once.',
  ),
  groupMin: list('min', 'Columns to show the smallest value of, as `min_…`; any but booleans.'),
  groupMax: list('max', 'Columns to show the largest value of, as `max_…`; any but booleans.'),
  groupDistinct: list('distinct', 'Columns to count the different values of, as `distinct_…`; any.'),
  groupValue: list(
    'value',
    'Values with names and conditions of their own: `open:count(status=open)`, `net_2025:sum(total_net,order_date>=2025-01-01)`, `p90:percentile(total_net,90)`. Functions: count, sum, sum_once, avg, min, max, distinct, median, stddev, percentile. Computed from other values: `rate:ratio(invoiced,ordered)`, difference, share, previous, change, rank, running_total.',
  ),
  groupWhere: list(
    'where',
    `Conditions on rows, in addition to filters; all must hold. Comparisons: = != > >= < <=. Calls: ${operatorNames.join(', ')}, such as \`status:in(open,closed)\`. Names can follow to-one relations: \`property.federal_state=BY\`.`,
  ),
  groupFill: list(
    'fill',
    'Names of keys whose empty buckets are groups as well: periods, bands and the days of a series. At most 100,000 groups.',
  ),
  groupHaving: list(
    'having',
    'Conditions on keys and values, with the grammar of `where`; all must hold: `sum_total_net>=10000`. A value with commas needs quotes, and quotes in it are doubled: `status="a,b"`.',
  ),
  groupOrder: list('order', 'Names of keys and values, `-` before them for largest first; the keys decide among equals.'),
  groupLimit: {
    name: 'limit',
    in: 'query',
    description: 'Maximum groups returned.',
    schema: { type: 'integer', minimum: groupLimit.min, maximum: groupLimit.max, default: groupLimit.standard },
  },
  groupCursor: {
    name: 'cursor',
    in: 'query',
    description: 'The X-Next-Cursor header of the previous page. It is valid for the same groups and filters.',
    schema: { type: 'string' },
  },
};

/** Parameters of which each table has its own. */
const ownOf = ({ relations }: Scope, table: Table): readonly Parameter[] => {
  const quantities = aggregatableColumns(table, 'sum');
  const measures = measuresOf(table.name, relations);
  const meanings = measures.map(({ name, label, unit }) => `\`${name}\`: ${label.en} (${label.de}), ${unit}`).join('; ');
  return [
    ...(quantities.length > 0
      ? [
          list('sum', 'Columns to sum up, shown as `sum_…`.', quantities),
          list('avg', 'Columns to average, shown as `avg_…`.', quantities),
          list('median', 'Columns to show the median of, as `median_…`.', quantities),
          list('stddev', 'Columns to show the standard deviation of a sample of, as `stddev_…`.', quantities),
        ]
      : []),
    ...(measures.length > 0
      ? [
          list(
            'measure',
            `Measures, shown by their names. ${meanings}.`,
            measures.map(({ name }) => name),
          ),
        ]
      : []),
  ];
};
const ownKey = (table: Table, { name }: Pick<Parameter, 'name'>): string => `groups.${table.name}.${name}`;

/** The filters that pages require and groups do not. */
const optionalOf = (scope: Scope, table: Table): readonly Parameter[] =>
  table.requiredFilters.map((column) => {
    const { required, ...parameter } = filterParameter(scope, table, column);
    return parameter;
  });

const filterOf = (table: Table, name: string): Reference =>
  ref('parameters', table.requiredFilters.includes(name) ? ownKey(table, { name }) : `${table.name}.${name}`);

const row: Schema = { type: 'object', description: 'Keys, then values, by name.', additionalProperties: true };

const groupOperation = (scope: Scope, table: Table): Operation => {
  const parameters: Reference[] = [
    ref('parameters', 'groupBy'),
    ref('parameters', 'groupCount'),
    ...ownOf(scope, table).map((parameter) => ref('parameters', ownKey(table, parameter))),
    ...[
      ...(scope.relations(table.name).some(({ kind }) => kind === 'to-one') ? ['groupSumOnce'] : []),
      'groupMin',
      'groupMax',
      'groupDistinct',
      'groupValue',
      'groupFill',
      'groupWhere',
      'groupHaving',
      'groupOrder',
      'groupLimit',
      'groupCursor',
    ].map((name) => ref('parameters', name)),
    ...readableFilters(table).map((column) => filterOf(table, column)),
    ref('parameters', 'format'),
    ref('parameters', 'ifNoneMatch'),
  ];
  return operation({
    tag: table.category,
    operationId: `group${pascalCase(table.name)}`,
    summary: `Groups of ${table.name}: counts, sums and measures instead of rows`,
    description:
      'Rows that share the values of all keys are one group; null is a value. Unknown names and parameters are answered with those that there are.',
    parameters,
    ok: ref('responses', 'Groups'),
    problems: {
      304: 'NotModified',
      404: 'NotFound',
      422: 'InvalidParameter',
      503: 'Busy',
    },
  });
};

/** The groups of a scope's tables. */
export const groupsPart = (scope: Scope): Part => {
  const examples = exampleGroups(scope);
  const parameters = scope.tables.flatMap((table) =>
    [...ownOf(scope, table), ...optionalOf(scope, table)].map((parameter) => [ownKey(table, parameter), parameter] as const),
  );
  return {
    paths: Object.fromEntries(scope.tables.map((table) => [`${pathOfTable(table)}/groups`, { get: groupOperation(scope, table) }])),
    components: {
      parameters: { ...shared, ...Object.fromEntries(parameters) },
      responses: {
        Groups: {
          description: 'Groups.',
          headers: pageHeaders({ hasOffset: false, hasCursor: true }),
          content: {
            'application/json': { schema: { type: 'array', items: row }, ...(examples && { examples }) },
            ...textContent,
          },
        },
      },
    },
  };
};
