/** Conditions of a view: written in the grammar of REST, read from it, and replaced by column. */

import { type ComparisonOperator, operators } from '../../../../plan/vocabulary/operators.ts';
import { type Item, parseList } from '../../../../query/grammar.ts';
import { writtenValue } from '../../../../query/write-conditions.ts';

/** A condition of one item. */
export const itemOf = (condition: string): Item | undefined => parseList(condition)[0];

/** The name that a condition is about: a column, a path, or a relation to many rows. */
export const subjectOf = (condition: string): string | undefined => {
  const item = itemOf(condition);
  return item && 'name' in item ? item.name : undefined;
};

export const compared = (name: string, by: ComparisonOperator, value: string): string =>
  `${name}${operators[by].query.sign}${writtenValue(value)}`;

/** One value is a comparison, several are a list. None is no condition. */
export const oneOf = (name: string, values: readonly string[]): readonly string[] => {
  const [only, ...others] = values;
  if (only === undefined) return [];
  return others.length === 0 ? [compared(name, 'eq', only)] : [`${name}:${operators.in.query.call}(${values.map(writtenValue).join()})`];
};

export const contains = (name: string, text: string): readonly string[] =>
  text.trim() === '' ? [] : [`${name}:${operators.iContains.query.call}(${writtenValue(text.trim())})`];

export const isEmpty = (name: string): string => `${name}:${operators.isNull.query.call}`;
export const isNotEmpty = (name: string): string => `${name}:${operators.isNull.query.negated}`;

/** From one value to another, both included. An empty text is no bound. */
export const between = (name: string, from: string, to: string): readonly string[] => [
  ...(from === '' ? [] : [compared(name, 'gte', from)]),
  ...(to === '' ? [] : [compared(name, 'lte', to)]),
];

/** The conditions, with those about a name replaced. */
export const replaced = (where: readonly string[], name: string, conditions: readonly string[]): readonly string[] => [
  ...where.filter((each) => subjectOf(each) !== name),
  ...conditions,
];

const texts = (items: readonly Item[] = []): readonly string[] => items.map((item) => (item.is === 'plain' ? item.value : item.text));

/** The values that conditions about a name select, as `=` or `in`. */
export const selectedValues = (where: readonly string[], name: string): readonly string[] =>
  where.flatMap((condition) => {
    const item = itemOf(condition);
    if (item?.is === 'compared' && item.name === name && item.by === 'eq') return [item.value];
    return item?.is === 'called' && item.name === name && item.call === operators.in.query.call ? texts(item.of) : [];
  });

/** The bound of a name by `>=` or `<=`; empty if there is none. */
export const boundOf = (where: readonly string[], name: string, by: 'gte' | 'lte'): string =>
  where.map(itemOf).flatMap((item) => (item?.is === 'compared' && item.name === name && item.by === by ? [item.value] : []))[0] ?? '';

/** The searched text of a name; empty if there is none. */
export const searchedText = (where: readonly string[], name: string): string =>
  where
    .map(itemOf)
    .flatMap((item) =>
      item?.is === 'called' && item.name === name && item.call === operators.iContains.query.call ? texts(item.of) : [],
    )[0] ?? '';

export { texts as textsOfItems };
