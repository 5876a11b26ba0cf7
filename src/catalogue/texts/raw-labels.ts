/** What people call raw tables and their columns: the labels of the category tables that pass them on. */
import { entries, type TableName } from '../index.ts';
import { rawLookups } from '../raw/codes.ts';
import { rawColumnFacts } from '../raw/columns.ts';
import { type RawTableName, rawTables } from '../raw/index.ts';
import { englishLabel, germanLabels } from './labels.ts';
import { germanMeanings, germanRawMeanings } from './meanings.ts';
import { presentations, type Text } from './presentation.ts';

const isRaw = (table: string): table is RawTableName => Object.hasOwn(rawTables, table);

/** The label of a category table. */
export const tableLabel = (table: string): Text | undefined =>
  Object.hasOwn(presentations, table) ? presentations[table as TableName].label : undefined;

/** The labels of raw tables whose rows are those of no category table. A test asks for each of them. */
const others: { readonly [Name in RawTableName]?: Text } = {
  building: { en: 'Buildings', de: 'Gebäude' },
  catalog_value: { en: 'Codes', de: 'Codes' },
  cost_center: { en: 'Cost centres', de: 'Kostenstellen' },
  index_value: { en: 'Index values', de: 'Indexwerte' },
  order_invoice: { en: 'Invoices of orders', de: 'Auftragsrechnungen' },
  person: { en: 'Persons', de: 'Personen' },
};

/** The label of the category table whose rows are those of the raw table, or its own one. A customer's own raw table has none. */
export const rawTableLabel = (table: string): Text | undefined => {
  if (!isRaw(table)) return undefined;
  const entry = entries.find(({ source }) => source.table === table);
  return entry ? tableLabel(entry.name) : others[table];
};

/** A meaning as a label: its beginning, without conditions. */
const asLabel = (meaning: string): string => {
  const [first = ''] = meaning.split(';');
  return first.slice(0, 1).toUpperCase() + first.slice(1);
};

export const rawColumnLabel = (table: string, column: string): Text | undefined => {
  if (!isRaw(table) || !Object.hasOwn(rawTables[table].columns, column)) return undefined;
  const { passedOnAs: name, meaning } = rawColumnFacts(table, column);
  const de = name === undefined ? undefined : (germanLabels as Readonly<Record<string, string>>)[name];
  if (name !== undefined && de !== undefined) return { en: englishLabel(name), de };
  return { en: asLabel(meaning), de: asLabel(meaningText(meaning).de) };
};

/** The labels of the codes of a raw column; none if it has no list of codes. */
export const codeLabels = (table: string, column: string): ReadonlyMap<string, Text> => {
  const lookup = isRaw(table) ? rawColumnFacts(table, column).lookup : undefined;
  return new Map(lookup && rawLookups[lookup].map(([code, en, de]) => [code, { en, de }] as const));
};

/** A meaning in both languages. */
export const meaningText = (meaning: string): Text => ({
  en: meaning,
  de: germanMeanings[meaning] ?? germanRawMeanings[meaning] ?? meaning,
});
