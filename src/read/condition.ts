/**
 * Which rows are asked for, as plain data: what GraphQL's filters become (contract: GraphQL filters).
 *
 * Values are text of the column's kind. The logic is SQL's: a comparison with null is unknown, and so is its opposite.
 */
import type { Kind } from '../catalogue/column.ts';

export const comparisons = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
export type Comparison = keyof typeof comparisons;

/** How a text search treats its value; the value is literal, it has no wildcards. */
export const searches = {
  contains: { before: '%', isCaseless: false },
  startsWith: { before: '', isCaseless: false },
  iContains: { before: '%', isCaseless: true },
  iStartsWith: { before: '', isCaseless: true },
} as const;
export type Search = keyof typeof searches;

/** Of how many of the rows that a relation leads to a condition holds; a row for which it is unknown is none. */
export const quantifiers = ['some', 'none', 'every'] as const;
export type Quantifier = (typeof quantifiers)[number];

export type Condition =
  | { readonly is: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly is: 'not'; readonly of: Condition }
  | { readonly is: 'null'; readonly column: string; readonly expected: boolean }
  | { readonly is: 'compared'; readonly column: string; readonly kind: Kind; readonly by: Comparison; readonly value: string }
  | { readonly is: 'among'; readonly column: string; readonly kind: Kind; readonly values: readonly string[] }
  | { readonly is: 'found'; readonly column: string; readonly by: Search; readonly value: string }
  /** Rows of another table of the same customer, those whose `targetColumn` equals the row's `column`. */
  | {
      readonly is: 'related';
      readonly by: Quantifier;
      readonly column: string;
      readonly target: string;
      readonly targetColumn: string;
      readonly of: Condition;
    }
  /** Neither true nor false: a comparison with null, or with text that no column can hold. */
  | { readonly is: 'unknown' };

/** The pattern that a search stands for; its value is literal, it has no wildcards. */
export const patternOf = ({ by, value }: Extract<Condition, { is: 'found' }>): string =>
  `${searches[by].before}${value.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** A condition without its values. */
export const shapeOfCondition = (condition: Condition): unknown => {
  if (condition.is === 'and' || condition.is === 'or') return [condition.is, condition.of.map(shapeOfCondition)];
  if (condition.is === 'not') return ['not', shapeOfCondition(condition.of)];
  if (condition.is === 'related') return [{ ...condition, of: shapeOfCondition(condition.of) }];
  const { is, column: name, kind, by, expected } = condition as Partial<Record<'is' | 'column' | 'kind' | 'by' | 'expected', unknown>>;
  return [is, name, kind, by, expected];
};
