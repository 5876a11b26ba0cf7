/** Writes the items of lists in query strings: the inverse of `grammar.ts` (contract: conditions on groups). */
import { type ComparisonOperator, type Connective, operators } from '../../plan/vocabulary/operators.ts';
import type { RowFunction } from '../../plan/vocabulary/values.ts';

/** A value of an item. It is quoted if it contains a sign of the grammar, has blanks at its ends, or looks like a mistake (`habits.ts`). */
export const writtenValue = (text: string): string =>
  text === '' || /[,"()]|^[=<>~'`\s]|['`\s]$|^(?:null|none|nil|undefined)$|\s(?:and|or|&&|\|\|)\s/i.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;

/** A comparison such as `total_net>1000`. */
export const writtenComparison = (name: string, by: ComparisonOperator, value: string): string =>
  `${name}${operators[by].query.sign}${writtenValue(value)}`;

/** A call such as `status:in(new,closed)`. Its arguments are items. Without any, it has no parentheses. */
export const writtenCall = (name: string, call: string, of?: readonly string[]): string => `${name}:${call}${of ? `(${of.join()})` : ''}`;

/** A call without a name: conditions in a connective, such as `any(status=new,total_net>1000)`, or a function of columns. */
export const writtenFunction = (call: Connective | RowFunction, of: readonly string[]): string => `${call}(${of.join()})`;
