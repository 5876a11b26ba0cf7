/** Groups, described: one path for each table (contract: groups in REST). */
import { readableFilters } from '../../../catalogue/data-scope.ts';
import { measuresOf } from '../../../catalogue/measures/measure-formula.ts';
import { pathOfTable, type Table } from '../../../catalogue/table.ts';
import { aggregatableColumns } from '../../../plan/groups/groups.ts';
import { parameterMeanings } from '../../../plan/vocabulary/descriptions.ts';
import { aggregates, insteadForRelated, type PlainAggregate, plainAggregates } from '../../../plan/vocabulary/values.ts';
import { groupLimit } from '../../../query/groups.ts';
import { filterParameters } from '../columns.ts';
import { type DocumentPart, type OpenApiOperation, type ParameterObject, type ReferenceObject, ref, type Schema } from '../document.ts';
import { exampleGroups } from '../examples.ts';
import { pageHeaderDescriptions } from '../headers.ts';
import { listParameter as list, operation, pascalCase, textContent } from '../operation.ts';
import type { DescribedScope } from '../scope.ts';

/** Parameters that all tables share. */
const shared: Record<string, ParameterObject> = {
  groupBy: list('by'),
  groupCount: {
    name: 'count',
    in: 'query',
    description: parameterMeanings.count,
    allowEmptyValue: true,
    schema: { type: 'string' },
  },
  groupSumOnce: list('sum_once'),
  groupMin: list('min'),
  groupMax: list('max'),
  groupDistinct: list('distinct'),
  groupValue: list('value'),
  groupFill: list('fill'),
  groupHaving: list('having'),
  groupOrder: list('order'),
  groupLimit: {
    name: 'limit',
    in: 'query',
    description: 'Maximum groups returned.',
    schema: { type: 'integer', minimum: groupLimit.min, maximum: groupLimit.max, default: groupLimit.defaultValue },
  },
  groupCursor: {
    name: 'cursor',
    in: 'query',
    description: 'The X-Next-Cursor header of the previous page. It is valid for the same groups and filters.',
    schema: { type: 'string' },
  },
};

/** The aggregates of columns that count or measure something. Each table has its own. */
const ofQuantities = plainAggregates.filter((name) => aggregates[name].over === 'quantities');

/** The path of a column behind relations. */
const relatedColumn: Schema = { pattern: '^\\w+(\\.\\w+)+$' };

/** Parameters of which each table has its own. */
const ownOf = ({ relations }: DescribedScope, table: Table): readonly ParameterObject[] => {
  const quantities = aggregatableColumns(table, 'sum');
  const hasRelated = relations(table.name).some(({ kind }) => kind === 'to-one');
  const itemsOf = (name: PlainAggregate): Schema => {
    if (!hasRelated || insteadForRelated(name)) return { enum: quantities };
    return quantities.length > 0 ? { anyOf: [{ enum: quantities }, relatedColumn] } : relatedColumn;
  };
  const applicable = ofQuantities.filter((name) => quantities.length > 0 || (hasRelated && !insteadForRelated(name)));
  const measures = measuresOf(table.name, relations);
  const meanings = measures.map(({ name, label, unit }) => `\`${name}\`: ${label.en} (${label.de}), ${unit}`).join('; ');
  return [
    ...applicable.map((name) => list(name, parameterMeanings[name], itemsOf(name))),
    ...(measures.length > 0
      ? [list('measure', `${parameterMeanings.measure} ${meanings}.`, { enum: measures.map(({ name }) => name) })]
      : []),
  ];
};
const ownKey = (table: Table, { name }: Pick<ParameterObject, 'name'>): string => `groups.${table.name}.${name}`;

/** The filters that pages require and groups do not. */
const optionalOf = (scope: DescribedScope, table: Table): readonly ParameterObject[] =>
  filterParameters(scope, table, table.requiredFilters).map(({ required, ...parameter }) => parameter);

const filterOf = (table: Table, name: string): ReferenceObject =>
  ref('parameters', table.requiredFilters.includes(name) ? ownKey(table, { name }) : `${table.name}.${name}`);

const row: Schema = { type: 'object', description: 'Keys, then values, by name.', additionalProperties: true };

const groupOperation = (scope: DescribedScope, table: Table): OpenApiOperation => {
  const parameters: ReferenceObject[] = [
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
      'where',
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
export const groupsPart = (scope: DescribedScope): DocumentPart => {
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
          headers: pageHeaderDescriptions({ hasOffset: false, hasCursor: true }),
          content: {
            'application/json': { schema: { type: 'array', items: row }, ...(examples && { examples }) },
            ...textContent,
          },
        },
      },
    },
  };
};
