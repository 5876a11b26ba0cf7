/** Conditions of a view: written in the grammar of REST, read from it, and replaced by column. */

import { operators } from '../../../../plan/vocabulary/operators.ts';
import { type Item, parseList } from '../../../../query/grammar.ts';
import { writtenCall, writtenValue } from '../../../../query/write/items.ts';

/** A condition of one item. */
export const itemOf = (condition: string): Item | undefined => parseList(condition)[0];

/** The name that a condition is about: a column, a path, or a relation to many rows. */
export const subjectOf = (condition: string): string | undefined => {
  const item = itemOf(condition);
  return item && 'name' in item ? item.name : undefined;
};

export const contains = (name: string, text: string): readonly string[] =>
  text.trim() === '' ? [] : [writtenCall(name, operators.iContains.query.call, [writtenValue(text.trim())])];

export const isEmpty = (name: string): string => writtenCall(name, operators.isNull.query.call);
export const isNotEmpty = (name: string): string => writtenCall(name, operators.isNull.query.negated);

/** The conditions, with those about a name replaced. */
export const replaced = (where: readonly string[], name: string, conditions: readonly string[]): readonly string[] => [
  ...where.filter((each) => subjectOf(each) !== name),
  ...conditions,
];

/** The texts of items. */
export const textsOfItems = (items: readonly Item[] = []): readonly string[] =>
  items.map((item) => (item.is === 'plain' ? item.value : item.text));

/** The values that conditions about a name select, as `=` or `in`. */
export const selectedValues = (where: readonly string[], name: string): readonly string[] =>
  where.flatMap((condition) => {
    const item = itemOf(condition);
    if (item?.is === 'compared' && item.name === name && item.by === 'eq') return [item.value];
    return item?.is === 'called' && item.name === name && item.call === operators.in.query.call ? textsOfItems(item.of) : [];
  });
