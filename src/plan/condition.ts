/**
 * Conditions on rows, as plain data. Filters of GraphQL become conditions (contract: GraphQL filters).
 *
 * Values are text of the column's kind. The logic is that of SQL: a comparison with null is unknown, and so is its negation.
 */
import type { Kind } from '../catalogue/column.ts';
import type { Path, RelationStep } from './paths.ts';
import { type ComparisonOperator, operators, type Quantifier, type Search } from './vocabulary/operators.ts';
import type { RowFunction } from './vocabulary/values.ts';

export type Condition =
  | { readonly is: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly is: 'not'; readonly of: Condition }
  | { readonly is: 'null'; readonly column: string; readonly expected: boolean }
  | { readonly is: 'compared'; readonly column: string; readonly kind: Kind; readonly by: ComparisonOperator; readonly value: string }
  | { readonly is: 'among'; readonly column: string; readonly kind: Kind; readonly values: readonly string[] }
  | { readonly is: 'found'; readonly column: string; readonly by: Search; readonly value: string }
  /** Related rows: rows of another table of the same customer whose `targetColumn` equals the row's `column`. */
  | {
      readonly is: 'related';
      readonly by: Quantifier;
      readonly column: string;
      readonly target: string;
      readonly targetColumn: string;
      readonly of: Condition;
    }
  | ComparedValue
  /** The row is valid on the day of the series. Only in groups with a series, for rows of tables with a validity. */
  | { readonly is: 'validOnDay'; readonly from: string; readonly to: string }
  /** Neither true nor false: a comparison with null, or with a text that no value of the column can be. */
  | { readonly is: 'unknown'; readonly impossible?: { readonly column: string; readonly text: string } };

/** A condition on one column. */
export type ConditionOnColumn = Extract<Condition, { readonly is: 'compared' | 'among' | 'null' | 'found' }>;

export const isColumnCondition = (condition: Condition): condition is ConditionOnColumn =>
  ['compared', 'among', 'null', 'found'].includes(condition.is);

/** A value of a row that conditions can be on, besides its columns: the number of its related rows that meet `of`, or a row function. */
export type RowValue =
  | ({ readonly is: 'counted'; readonly of: Condition } & RelationStep)
  | { readonly is: 'applied'; readonly call: RowFunction; readonly of: readonly (Path & { readonly kind: Kind })[] };

/** A value of a row, and a condition on it as on a column with the name `valueColumn`. */
export type ComparedValue = RowValue & { readonly holds: ConditionOnColumn };
export const valueColumn = 'value';

/** The condition that a value of a row meets a condition on `valueColumn`. */
export const onValue = (value: RowValue, condition: Condition): Condition => {
  if (condition.is === 'not') return { is: 'not', of: onValue(value, condition.of) };
  return isColumnCondition(condition) ? { ...value, holds: condition } : condition;
};

/** The smallest and the largest number of a kind that a comparison can use. */
const ranges: Partial<Record<Kind, readonly [min: string, max: string]>> = {
  integer: ['-9223372036854775808', '9223372036854775807'],
  bigint: ['-9223372036854775808', '9223372036854775807'],
  number: [`-${'9'.repeat(40)}`, '9'.repeat(40)],
};

/**
 * Replaces a comparison with a number outside its kind's range. The new comparison uses the nearest bound and has the same result for every
 * value, including null (contract: numbers beyond the range). Undefined if the text is not such a number.
 */
export const beyondRange = (column: string, kind: Kind, by: ComparisonOperator, text: string): Condition | undefined => {
  const range = ranges[kind];
  const [, sign, digits = ''] = /^\s*([+-]?)0*([0-9]+)(?:\.[0-9]+)?\s*$/.exec(text) ?? [];
  if (!range || sign === undefined) return undefined;
  const [min, max] = range;
  if (digits.length < max.length || (digits.length === max.length && digits <= (sign === '-' ? min.slice(1) : max))) return undefined;
  if (sign === '-') return { is: 'compared', column, kind, by: ['gt', 'gte', 'ne'].includes(by) ? 'gte' : 'lt', value: min };
  return { is: 'compared', column, kind, by: ['lt', 'lte', 'ne'].includes(by) ? 'lte' : 'gt', value: max };
};

/** The LIKE pattern of a search. Wildcards in its value are escaped. */
export const patternOf = ({ by, value }: Extract<Condition, { is: 'found' }>): string => {
  const { before, after } = operators[by].search;
  return `${before}${value.replaceAll(/[\\%_]/g, '\\$&')}${after}`;
};

/** One condition from several. A single alternative stays one, because an alternative is no required filter (contract: required filters). */
export const joined = (is: 'and' | 'or', of: readonly Condition[]): Condition => (is === 'and' && of.length === 1 ? of[0]! : { is, of });

/** The condition that all of these hold. */
export const allOf = (conditions: readonly Condition[]): Condition => joined('and', conditions);

/** Whether a condition limits a column to given values. */
export const isRestricted = (condition: Condition | undefined, column: string): boolean => {
  if (condition?.is === 'and') return condition.of.some((part) => isRestricted(part, column));
  if (condition?.is === 'compared') return condition.by === 'eq' && condition.column === column;
  return condition?.is === 'among' && condition.column === column;
};

/** The columns of the rows themselves that a condition reads. */
export const columnsOf = (condition: Condition | undefined): readonly string[] => {
  if (!condition) return [];
  switch (condition.is) {
    case 'unknown':
      return [];
    case 'and':
    case 'or':
      return condition.of.flatMap(columnsOf);
    case 'not':
      return columnsOf(condition.of);
    case 'applied':
      return condition.of.map(({ via, column }) => via[0]?.column ?? column);
    case 'validOnDay':
      return [condition.from, condition.to];
    default:
      return [condition.column];
  }
};

/** Whether a condition depends on the day of a series. */
export const needsDay = (condition: Condition | undefined): boolean => {
  if (condition?.is === 'and' || condition?.is === 'or') return condition.of.some(needsDay);
  if (condition?.is === 'not' || condition?.is === 'related' || condition?.is === 'counted') return needsDay(condition.of);
  return condition?.is === 'validOnDay';
};

/** A condition without its values. */
export const shapeOfCondition = (condition: Condition): unknown => {
  if (condition.is === 'and' || condition.is === 'or') return [condition.is, condition.of.map(shapeOfCondition)];
  if (condition.is === 'not') return ['not', shapeOfCondition(condition.of)];
  if (condition.is === 'validOnDay') return [condition];
  if (condition.is === 'related') return [{ ...condition, of: shapeOfCondition(condition.of) }];
  if (condition.is === 'counted') return [{ ...condition, of: shapeOfCondition(condition.of), holds: shapeOfCondition(condition.holds) }];
  if (condition.is === 'applied') return [{ ...condition, holds: shapeOfCondition(condition.holds) }];
  const { is, column: name, kind, by, expected } = condition as Partial<Record<'is' | 'column' | 'kind' | 'by' | 'expected', unknown>>;
  return [is, name, kind, by, expected];
};
