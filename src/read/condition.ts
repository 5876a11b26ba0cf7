/**
 * Which rows are asked for, as plain data: what GraphQL's filters become (semantics 29).
 *
 * Values are text of the column's kind. The logic is SQL's: a comparison with null is unknown, and so is its opposite.
 */
import type { Kind } from '../catalogue/column.ts';
import type { StatementText } from './statement-text.ts';

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

export type Condition =
  | { readonly is: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly is: 'not'; readonly of: Condition }
  | { readonly is: 'null'; readonly column: string; readonly expected: boolean }
  | { readonly is: 'compared'; readonly column: string; readonly kind: Kind; readonly by: Comparison; readonly value: string }
  | { readonly is: 'among'; readonly column: string; readonly kind: Kind; readonly values: readonly string[] }
  | { readonly is: 'found'; readonly column: string; readonly by: Search; readonly value: string }
  /** Neither true nor false: a comparison with null, or with text that no column can hold. */
  | { readonly is: 'unknown' };

/** Folds letters alike on every server, whatever the database's locale. */
const caseless = 'collate "und-x-icu" ilike';

const literal = (value: string): string => value.replaceAll(/[\\%_]/g, '\\$&');

/** A condition as SQL over `column(name)`; values are bound in `text`. */
export const conditionSql = (condition: Condition, column: (name: string) => string, text: StatementText): string => {
  switch (condition.is) {
    case 'and':
    case 'or': {
      if (condition.of.length === 0) return String(condition.is === 'and');
      return `(${condition.of.map((part) => conditionSql(part, column, text)).join(` ${condition.is} `)})`;
    }
    case 'not':
      return `not ${conditionSql(condition.of, column, text)}`;
    case 'null':
      return `${column(condition.column)} is ${condition.expected ? '' : 'not '}null`;
    case 'compared':
      return `${column(condition.column)} ${comparisons[condition.by]} ${text.bind(condition.value, condition.kind)}`;
    case 'among':
      return `${column(condition.column)} = any(${text.bindAll(condition.values, condition.kind)})`;
    case 'found': {
      const { before, isCaseless } = searches[condition.by];
      return `${column(condition.column)} ${isCaseless ? caseless : 'like'} ${text.bind(`${before}${literal(condition.value)}%`, 'string')}`;
    }
    default:
      return 'null::boolean';
  }
};
