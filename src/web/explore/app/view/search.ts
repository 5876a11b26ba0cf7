/** A search for rows by names, numbers and addresses, as one condition: each word is in one of the columns that the table is searched by. */

import type { Connective } from '../../../../plan/vocabulary/operators.ts';
import type { Item } from '../../../../query/grammar.ts';
import { writtenComparison, writtenFunction } from '../../../../query/write/items.ts';
import type { DescribedTable, Description } from '../../described.ts';
import { contains, itemOf, textsOfItems } from './conditions.ts';
import { type FoundColumn, findColumn } from './tables.ts';

/** Each word costs as many comparisons as there are columns, and requests have a limit. */
const mostWords = 6;

const conditionsOf = (word: string, { path, column: { kind } }: FoundColumn): readonly string[] => {
  if (kind === 'string') return contains(path, word);
  return /^\d{1,9}$/.test(word) ? [writtenComparison(path, 'eq', word)] : [];
};

const call = (name: Connective, [first, ...others]: readonly string[]): string | undefined =>
  first !== undefined && others.length > 0 ? writtenFunction(name, [first, ...others]) : first;

/** The condition of a search. Undefined if no column can have these words. */
export const searchCondition = (text: string, table: DescribedTable, description: Description): string | undefined => {
  const columns = table.search.flatMap((path) => findColumn(description, table, path) ?? []);
  const words = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .slice(0, mostWords);
  const conditions = words.map((word) =>
    call(
      'any',
      columns.flatMap((found) => conditionsOf(word, found)),
    ),
  );
  const found = conditions.filter((condition) => condition !== undefined);
  return found.length < words.length ? undefined : call('all', found);
};

/** The first text of a condition. */
const wordOf = (item: Item | undefined): string | undefined => {
  if (item?.is === 'joined') return wordOf(item.of[0]);
  return item?.is === 'called' ? textsOfItems(item.of)[0] : item?.is === 'compared' ? item.value : undefined;
};

/** The text whose search is this condition. Undefined for other conditions. */
export const searchedFor = (condition: string, table: DescribedTable, description: Description): string | undefined => {
  const item = itemOf(condition);
  const words = (item?.is === 'joined' && item.by === 'all' ? item.of : [item]).map(wordOf);
  const text = words.join(' ');
  return searchCondition(text, table, description) === condition ? text : undefined;
};
