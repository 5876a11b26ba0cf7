/** The names of fields for people, and the columns that have a sum. */

import type { Language } from '../../../browser/values.ts';
import type { FieldLabels, Labels } from '../../labels.ts';
import type { FieldNames } from './field-names.ts';

const germanWords = new Map(
  Object.entries({
    count: 'Anzahl',
    sum: 'Summe',
    avg: 'Durchschnitt',
    min: 'Minimum',
    max: 'Maximum',
    distinct: 'Verschiedene',
    median: 'Median',
    stddev: 'Standardabweichung',
    percentile: 'Perzentil',
    sumOnce: 'Summe',
    days: 'Tage',
    product: 'Produkt',
    percentage: 'Prozentwert',
    asOf: 'Stichtag',
    band: 'Klasse',
    ratio: 'Verhältnis',
    difference: 'Differenz',
    share: 'Anteil in Prozent',
    previous: 'Vorperiode',
    change: 'Veränderung',
    rank: 'Rang',
    runningTotal: 'Laufende Summe',
    totalCount: 'Anzahl gesamt',
    property: 'Objekt',
    notification: 'Meldung',
    creditor: 'Kreditor',
    tenant: 'Mieter',
    offer: 'Angebot',
    floorArea: 'Fläche',
  }),
);
const aggregates = new Set(['sum', 'sumOnce', 'avg', 'min', 'max', 'distinct', 'median', 'stddev']);

const words = (field: string): string => {
  const text = field.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return text.slice(0, 1).toUpperCase() + text.slice(1);
};

const own = (labels: Labels, field: string): FieldLabels | undefined => (Object.hasOwn(labels, field) ? labels[field] : undefined);
/** The label of a code has the name of its column. */
const labelsOf = (labels: Labels, field: string): FieldLabels | undefined => own(labels, field) ?? own(labels, field.replace(/Label$/, ''));

/** The label of a column such as `key.property.propertyName`. A relation comes before it, unless the label begins with its name. */
export const labelOf = (column: string, language: Language, labels: Labels): string => {
  if (language === 'As sent') return column;
  const path = column.split('.').filter((part, index) => !(index === 0 && ['key', 'measures'].includes(part)));
  const label = (field: string, isLast: boolean): string => {
    const known = isLast ? labelsOf(labels, field) : undefined;
    if (language === 'Deutsch') return known?.de ?? germanWords.get(field) ?? words(field);
    return known?.en ?? words(field);
  };
  const all = path.map((field, index) => label(field, index === path.length - 1));
  const last = all.at(-1)?.toLowerCase() ?? '';
  const parts = all.filter((part, index) => index === all.length - 1 || !last.startsWith(part.toLowerCase()));
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return first;
  return aggregates.has(path[0] ?? '') ? `${rest.join(' ')} (${first})` : parts.join(': ');
};

/** The columns whose sum is meaningful: amounts, areas and counts of rows; sums, counts and additive measures of groups. */
export const isAdditive = (column: string, labels: Labels, fieldNames: FieldNames): boolean => {
  const path = column.split('.').map((name) => (fieldNames.has(name) ? fieldNames.get(name) : name));
  if (path.includes(undefined)) return false;
  const field = path.at(-1) ?? '';
  if (path[0] === 'key' || path.some((part) => aggregates.has(part ?? '') && part !== 'sum')) return false;
  if ((path.length === 1 && field === 'count') || path[0] === 'sum') return true;
  return (path.length === 1 || path[0] === 'measures') && own(labels, field)?.isAdditive === true;
};
