/** The units of columns, measures and values of groups, and their names for people. */
import type { Column } from './column.ts';
import type { Text } from './presentation.ts';

/** The units by their names in the catalogue. A share is a part of 1, which people read in per cent. */
export const units = {
  EUR: { en: '€', de: '€' },
  percent: { en: '%', de: '%' },
  share: { en: '%', de: '%' },
  'm²': { en: 'm²', de: 'm²' },
  years: { en: 'years', de: 'Jahre' },
  days: { en: 'days', de: 'Tage' },
  'EUR per month': { en: '€ a month', de: '€ im Monat' },
  'EUR per year': { en: '€ a year', de: '€ im Jahr' },
  'EUR per m²': { en: '€ per m²', de: '€ je m²' },
  'EUR per m² and month': { en: '€ per m² and month', de: '€ je m² und Monat' },
  'EUR per m² and year': { en: '€ per m² and year', de: '€ je m² und Jahr' },
} as const satisfies Readonly<Record<string, Text>>;

export type Unit = keyof typeof units;

/** Numbers without a unit, whose names would suggest one. */
const withoutUnit = /^(?:latitude|longitude|room_count|co_ownership_share)$|_points$|_index_value$|^threshold_value$/;

/** The unit of a column, by its name. Decimal numbers without another unit are money. */
export const unitOf = (name: string, { kind }: Pick<Column, 'kind'>): Unit | undefined => {
  if (kind !== 'number' || withoutUnit.test(name)) return undefined;
  if (name.endsWith('_per_sqm')) return 'EUR per m²';
  if (name.endsWith('_sqm')) return 'm²';
  if (/_percent$|_rate$|^percentage_/.test(name)) return 'percent';
  return name.endsWith('_years') ? 'years' : 'EUR';
};

/** The unit of a value divided by another one. */
export const unitOfRatio = (of: Unit | undefined, to: Unit | undefined): Unit | undefined => {
  if (of === to) return 'share';
  return of === 'EUR' && to === 'm²' ? 'EUR per m²' : undefined;
};
