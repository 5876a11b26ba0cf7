/** Columns of rows that a function computes from two columns: `days_open:days(order_date,closed_date)` (contract: row functions). */
import { isRowFunction, type RowFunction, rowFunctions } from '../../../../plan/vocabulary/values.ts';
import type { DescribedColumn, DescribedTable, Description, LanguageCode } from '../../described.ts';
import { itemOf, textsOfItems } from './conditions.ts';
import { type FoundColumn, findColumn, labelOf } from './tables.ts';

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
const longestName = 63;

/** The text in `columns`, with a name that no column and no other function of the view has. */
export const functionText = (call: RowFunction, paths: readonly [string, string], taken: readonly string[]): string => {
  const name = `${call}_${paths.join('_').replaceAll('.', '_')}`.slice(0, longestName - 3);
  const free = Array.from({ length: taken.length + 1 }, (_, index) => (index === 0 ? name : `${name}_${index + 1}`));
  return `${free.find((each) => !taken.includes(each))}:${call}(${paths.join()})`;
};

interface Computed {
  readonly name: string;
  readonly call: RowFunction;
  readonly paths: readonly string[];
}

const computedIn = (text: string): Computed | undefined => {
  const item = itemOf(text);
  return item?.is === 'called' && item.of && isRowFunction(item.call)
    ? { name: item.name, call: item.call, paths: textsOfItems(item.of) }
    : undefined;
};

/** The columns that an entry of `columns` reads: those of its function, or itself. */
export const pathsRead = (text: string): readonly string[] => computedIn(text)?.paths ?? [text];

/** The column of an entry of `columns`: a column, or a function of two. */
export const findShown = (description: Description, table: DescribedTable, text: string): FoundColumn | undefined => {
  const computed = computedIn(text);
  if (!computed) return findColumn(description, table, text);
  const { name, call } = computed;
  const [first, second] = computed.paths.map((path) => findColumn(description, table, path));
  if (!first || !second) return undefined;
  const label = (language: LanguageCode) => functionWords[call][language].label(labelOf(first, language), labelOf(second, language));
  const { kind, meaning } = rowFunctions[call];
  const column = { name, label: { en: label('en'), de: label('de') }, kind, meaning, isQuantity: true, isRate: false };
  return { text, path: name, column, table, via: [] };
};
