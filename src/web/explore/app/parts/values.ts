/** Values and conditions as people read them. */

import { operators } from '../../../../plan/vocabulary/operators.ts';
import { Figure, type Json } from '../../../browser/exact.ts';
import type { Cell } from '../../../browser/list.ts';
import { isName, locales, numberText, shownText } from '../../../browser/values.ts';
import type { DescribedColumn, DescribedTable, Description } from '../../described.ts';
import { itemOf, textsOfItems } from '../view/conditions.ts';
import { searchedFor } from '../view/search.ts';
import { findColumn, labelOf } from '../view/tables.ts';
import { languageNames } from './context.ts';
import { type LanguageCode, textsOf } from './texts.ts';

/** Whether the values are amounts or counts. A number that names something, such as a year, has no thousands separator and no range. */
export const isAmount = ({ name, kind, codes, isQuantity }: DescribedColumn): boolean =>
  !codes && (kind === 'number' || (isQuantity && (kind === 'integer' || kind === 'bigint') && !isName(name)));

export const localeOf = (language: LanguageCode): string => locales[languageNames[language]];

/** A number of rows or groups. */
export const countText = (count: number, language: LanguageCode): string => count.toLocaleString(localeOf(language));

/** The label of a code; the code itself if no list has it. */
export const codeLabel = (value: string, { codes }: DescribedColumn, description: Description, language: LanguageCode): string =>
  description.codes[codes ?? '']?.find((code) => code.value === value)?.label[language] ?? value;

/** A value of a column. Null has no text. */
export const valueText = (value: Json | undefined, column: DescribedColumn, description: Description, language: LanguageCode): string => {
  if (value === null || value === undefined) return '';
  if (column.codes) return codeLabel(value instanceof Figure ? value.text : String(value), column, description, language);
  if (value instanceof Figure) return numberText(value.text, localeOf(language), isAmount(column));
  return shownText(value as Cell, column.name, languageNames[language]);
};

/** A value of groups that is a number. */
export const figureText = (value: Json | undefined, language: LanguageCode): string => {
  if (value === null || value === undefined) return '';
  return value instanceof Figure ? numberText(value.text, localeOf(language)) : shownText(value as Cell, '', languageNames[language]);
};

/** A value of a condition, written as in the address. */
const writtenText = (text: string, column: DescribedColumn, description: Description, language: LanguageCode): string => {
  if (column.kind === 'boolean') return textsOf[language][text === 'true' ? 'yes' : 'no'];
  const isNumber = ['number', 'integer', 'bigint'].includes(column.kind) && /^-?\d+(\.\d+)?$/.test(text);
  return valueText(isNumber ? new Figure(text) : text, column, description, language);
};

const signs = { eq: '', ne: '≠ ', gt: '> ', gte: '≥ ', lt: '< ', lte: '≤ ' } as const;

/** A condition in words; as it is written if it is about something else than a column. */
export const conditionText = (condition: string, table: DescribedTable, description: Description, language: LanguageCode): string => {
  const t = textsOf[language];
  const searched = searchedFor(condition, table, description);
  if (searched !== undefined) return `${t.search}: ${t.quoted(searched)}`;
  const item = itemOf(condition);
  if (item?.is === 'joined') {
    const parts = item.of.map(({ text }) => conditionText(text, table, description, language));
    return parts.length > 1 ? `(${parts.join(` ${t.connectives[item.by]} `)})` : parts.join();
  }
  const found = item && 'name' in item ? findColumn(description, table, item.name) : undefined;
  if (!item || !found) return condition;
  const label = labelOf(found, language);
  const shown = (text: string) => writtenText(text, found.column, description, language);
  if (item.is === 'compared') return `${label}: ${signs[item.by]}${shown(item.value)}`;
  if (item.is !== 'called') return condition;
  const values = textsOfItems(item.of).map(shown).join(', ');
  const words: Readonly<Record<string, string>> = {
    [operators.in.query.call]: values,
    [operators.in.query.negated]: `≠ ${values}`,
    [operators.isNull.query.call]: t.empty.toLowerCase(),
    [operators.isNull.query.negated]: t.notEmpty.toLowerCase(),
    [operators.contains.query.call]: t.quoted(values),
    [operators.iContains.query.call]: t.quoted(values),
    [operators.startsWith.query.call]: t.quoted(`${values}…`),
    [operators.iStartsWith.query.call]: t.quoted(`${values}…`),
  };
  return words[item.call] === undefined ? condition : `${label}: ${words[item.call]}`;
};

const spans = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago, from seconds. */
export const ageText = (seconds: number, language: LanguageCode): string => {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const [unit, size] = spans.find(([, each]) => seconds >= each) ?? (['minute', 60] as const);
  return format.format(-Math.floor(seconds / size), unit);
};
