/** Columns of rows with names of their own: functions of two columns, and aggregates of related rows (contract: row functions; aggregates of related rows). */
import { answerName } from '../../../../plan/vocabulary/keys.ts';
import { valueLabels } from '../../../../plan/vocabulary/labels.ts';
import {
  aggregates,
  isRelatedAggregate,
  isRowFunction,
  kindOfAggregate,
  type RowFunction,
  rowFunctions,
} from '../../../../plan/vocabulary/values.ts';
import type { Item } from '../../../../query/grammar.ts';
import { writtenCall, writtenFunction } from '../../../../query/write/items.ts';
import type { DescribedColumn, DescribedTable, Description, LanguageCode } from '../../described.ts';
import { itemOf, textsOfItems } from './conditions.ts';
import { type FoundColumn, findColumn, findRelations, labelOf, labelOfRelations } from './tables.ts';

interface Words {
  readonly name: string;
  readonly label: (first: string, second: string) => string;
}

export const functionWords: Readonly<Record<RowFunction, Readonly<Record<LanguageCode, Words>>>> = {
  days: {
    en: { name: 'Days between two dates', label: (from, to) => `Days from ${from} to ${to}` },
    de: { name: 'Tage zwischen zwei Daten', label: (from, to) => `Tage von ${from} bis ${to}` },
  },
  product: {
    en: { name: 'Product', label: (of, by) => `${of} × ${by}` },
    de: { name: 'Produkt', label: (of, by) => `${of} × ${by}` },
  },
  percentage: {
    en: { name: 'Percentage', label: (of, rate) => `${of} × ${rate} %` },
    de: { name: 'Prozentsatz', label: (of, rate) => `${of} × ${rate} %` },
  },
};

/** Whether a function applies to a column. */
export const appliesTo = (call: RowFunction, { kind, isQuantity }: DescribedColumn): boolean =>
  rowFunctions[call].over === 'moments' ? kind === 'date' || kind === 'timestamp' : isQuantity;

/** Names have at most this many characters. */
export const longestColumnName = 63;

/** The text in `columns`, with a name that no column and no other function of the view has. */
export const functionText = (call: RowFunction, paths: readonly [string, string], taken: readonly string[]): string => {
  const name = `${call}_${answerName(paths.join('_'))}`.slice(0, longestColumnName - 3);
  const free = Array.from({ length: taken.length + 1 }, (_, index) => (index === 0 ? name : `${name}_${index + 1}`));
  return writtenCall(free.find((each) => !taken.includes(each)) ?? name, call, paths);
};

/** The column of an aggregate such as `open:count(orders,status!=closed)`. Its label is that of the relation, and its name. */
const aggregateIn = (description: Description, table: DescribedTable, text: string): FoundColumn | undefined => {
  const item = itemOf(text);
  if (item?.is !== 'called' || !item.of || !isRelatedAggregate(item.call)) return undefined;
  const { name, call } = item;
  const names = textsOfItems(item.of.slice(0, 1)).flatMap((path) => path.split('.'));
  const of = call === 'count' ? undefined : names.pop();
  const found = findRelations(description, table, names);
  const over = found?.target.columns.find((each) => each.name === of);
  if (!found || names.length === 0 || (of !== undefined && !over)) return undefined;
  const label = (language: LanguageCode) => `${labelOfRelations(found.relations, language)}: ${name}`;
  const column = {
    name,
    label: { en: label('en'), de: label('de') },
    kind: kindOfAggregate(call, over?.kind ?? 'bigint'),
    meaning: { en: call === 'count' ? 'The number of related rows.' : aggregates[call].meaning, de: valueLabels[call].de },
    isQuantity: true,
    isRate: false,
  };
  return { text, path: name, column, table, via: [] };
};

/** The function of an item, also of one that names it. */
const functionIn = (item: Item | undefined): { readonly call: RowFunction; readonly paths: readonly string[] } | undefined => {
  if (item?.is === 'applied') return { call: item.call, paths: textsOfItems(item.of) };
  return item?.is === 'called' && item.of && isRowFunction(item.call) ? { call: item.call, paths: textsOfItems(item.of) } : undefined;
};

/** A function as a column with a name in the answer, or in conditions. */
const functionColumn = (description: Description, table: DescribedTable, text: string, path: string): FoundColumn | undefined => {
  const computed = functionIn(itemOf(text));
  const [first, second] = computed?.paths.map((each) => findColumn(description, table, each)) ?? [];
  if (!computed || !first || !second) return undefined;
  const { call } = computed;
  const label = (language: LanguageCode) => functionWords[call][language].label(labelOf(first, language), labelOf(second, language));
  const { kind, meaning: en } = rowFunctions[call];
  const column = {
    name: call,
    label: { en: label('en'), de: label('de') },
    kind,
    meaning: { en, de: functionWords[call].de.name },
    isQuantity: true,
    isRate: false,
    ...(call === 'days' && { unit: 'days' as const }),
  };
  return { text, path, column, table, via: [], isComputed: true };
};

/** What a condition has in the place of a column: a function such as `days(order_date,closed_date)`. */
export const findFunction = (description: Description, table: DescribedTable, text: string): FoundColumn | undefined =>
  itemOf(text)?.is === 'applied' ? functionColumn(description, table, text, text) : undefined;

/** The name that conditions have for an entry of `columns`. They have none for an aggregate. */
export const nameInConditions = ({ text, path }: FoundColumn): string | undefined => {
  if (text === path) return path;
  const computed = functionIn(itemOf(text));
  return computed && writtenFunction(computed.call, computed.paths);
};

/** The column of an entry of `columns`: a column, a function of two, or an aggregate of related rows. */
export const findShown = (description: Description, table: DescribedTable, text: string): FoundColumn | undefined => {
  const aggregate = aggregateIn(description, table, text);
  if (aggregate) return aggregate;
  const item = itemOf(text);
  if (item?.is !== 'called' || !functionIn(item)) return findColumn(description, table, text);
  return functionColumn(description, table, text, item.name);
};
