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

/** The label of the category table whose rows are those of the raw table. */
export const rawTableLabel = (table: string): Text | undefined => {
  const entry = entries.find(({ source }) => source.table === table);
  return entry && tableLabel(entry.name);
};

export const rawColumnLabel = (table: string, column: string): Text | undefined => {
  const name = isRaw(table) ? rawColumnFacts(table, column).passedOnAs : undefined;
  const de = name === undefined ? undefined : (germanLabels as Readonly<Record<string, string>>)[name];
  return name === undefined || de === undefined ? undefined : { en: englishLabel(name), de };
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
