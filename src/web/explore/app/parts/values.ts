/** Values as people read them. */
import type { FigureUnit } from '../../../../catalogue/measures/figures.ts';
import type { Unit } from '../../../../catalogue/texts/units.ts';
import { Figure, type Json } from '../../../browser/exact.ts';
import type { Cell } from '../../../browser/list.ts';
import { isName, locales, numberText, roundedText, shownText } from '../../../browser/values.ts';
import type { DescribedColumn, Description } from '../../described.ts';
import type { LanguageCode } from './texts.ts';

/** Whether the values are amounts or counts. A number that names something, such as a year, has no thousands separator and no range. */
export const isAmount = ({ name, kind, codes, isQuantity }: DescribedColumn): boolean =>
  !codes && (kind === 'number' || (isQuantity && (kind === 'integer' || kind === 'bigint') && !isName(name)));

const localeOf = (language: LanguageCode): string => locales[language];

/** A number of rows or groups. */
export const countText = (count: number, language: LanguageCode): string => count.toLocaleString(localeOf(language));

/** The label of a code; the code itself if no list has it. */
const codeLabel = (value: string, { codes }: DescribedColumn, description: Description, language: LanguageCode): string =>
  description.codes[codes ?? '']?.find((code) => code.value === value)?.label[language] ?? value;

/** A value of a column. Null has no text. */
export const valueText = (value: Json | undefined, column: DescribedColumn, description: Description, language: LanguageCode): string => {
  if (value === null || value === undefined) return '';
  if (column.codes) return codeLabel(value instanceof Figure ? value.text : String(value), column, description, language);
  if (value instanceof Figure) return numberText(value.text, localeOf(language), isAmount(column));
  return shownText(value as Cell, column.name, language);
};

/** The digits after the decimal point of values with a unit. Averages and quotients have more. */
const digitsOf = 2;

/** A value of groups. Values with a unit have two digits after the decimal point, and days have none. */
export const figureText = (value: Json | undefined, language: LanguageCode, unit?: Unit): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Figure && unit) return roundedText(value.text, localeOf(language), unit === 'days' ? 0 : digitsOf);
  return value instanceof Figure ? numberText(value.text, localeOf(language)) : shownText(value as Cell, '', language);
};

/** A figure of a page in its unit: money with two decimals, a share of 1 in per cent, an area in m². */
export const amountText = (value: number, unit: FigureUnit, language: LanguageCode): string => {
  const format = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(localeOf(language), options).format(value);
  if (unit === 'EUR') return format({ style: 'currency', currency: 'EUR' });
  if (unit === 'share') return format({ style: 'percent', maximumFractionDigits: 2 });
  return unit === 'm²' ? `${format({ minimumFractionDigits: 2, maximumFractionDigits: 2 })} m²` : format({});
};

/** The period that begins on a day: 2025, third quarter of 2025, May 2025. */
export const periodText = (start: string, bucket: string, language: LanguageCode): string => {
  const date = new Date(`${start.slice(0, 10)}T00:00:00Z`);
  const year = start.slice(0, 4);
  if (bucket === 'year') return year;
  if (bucket === 'quarter') return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${year}`;
  if (bucket === 'month') return date.toLocaleDateString(localeOf(language), { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return date.toLocaleDateString(localeOf(language), { dateStyle: 'medium', timeZone: 'UTC' });
};
