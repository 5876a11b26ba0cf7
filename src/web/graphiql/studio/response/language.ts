/** How tables and charts show names, numbers and dates: in English, in German, or as they are in the response. */
import type { FieldLabels, Labels } from '../../labels.ts';
import { Figure } from './exact.ts';
import type { FieldNames } from './field-names.ts';
import { type Cell, textOf } from './unfold.ts';

export const languages = ['English', 'Deutsch', 'As sent'] as const;
export type Language = (typeof languages)[number];

export const locales: Readonly<Record<Language, string>> = { English: 'en-GB', Deutsch: 'de-DE', 'As sent': 'en-GB' };

const slot = 'estate-answer-language';

/** The last choice in this browser, else the language of the browser. */
export const storedLanguage = (): Language =>
  languages.find((each) => each === localStorage.getItem(slot)) ?? (navigator.language.startsWith('de') ? 'Deutsch' : 'English');

export const storeLanguage = (language: Language): void => localStorage.setItem(slot, language);

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

/** Numbers that name something. They have no thousands separator and no sum. */
export const isName = (column: string): boolean => /(?:Id|Number|Year|Code|Period|level\d+|hierarchy\d+)$/i.test(column);

/** The columns whose sum is meaningful: amounts, areas and counts of rows; sums, counts and additive measures of groups. */
export const isAdditive = (column: string, labels: Labels, fieldNames: FieldNames): boolean => {
  const path = column.split('.').map((name) => (fieldNames.has(name) ? fieldNames.get(name) : name));
  if (path.includes(undefined)) return false;
  const field = path.at(-1) ?? '';
  if (path[0] === 'key' || path.some((part) => aggregates.has(part ?? '') && part !== 'sum')) return false;
  if ((path.length === 1 && field === 'count') || path[0] === 'sum') return true;
  return (path.length === 1 || path[0] === 'measures') && own(labels, field)?.isAdditive === true;
};

const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const time = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** A number with all of its digits. `Intl` formats the text, because a double would lose digits. */
export const numberText = (text: string, locale: string, useGrouping = true): string => {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const digits = text.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping });
  return format.format(text as never);
};

/** A value as people read it. */
export const shownText = (cell: Cell, column: string, language: Language): string => {
  if (language === 'As sent') return textOf(cell);
  const locale = locales[language];
  if (cell instanceof Figure) return numberText(cell.text, locale, !isName(column));
  if (typeof cell === 'boolean') return language === 'Deutsch' ? (cell ? 'ja' : 'nein') : cell ? 'yes' : 'no';
  if (typeof cell !== 'string') return textOf(cell);
  if (day.test(cell)) return new Date(`${cell}T00:00:00Z`).toLocaleDateString(locale, { timeZone: 'UTC', dateStyle: 'medium' });
  if (time.test(cell) && !Number.isNaN(Date.parse(cell)))
    return new Date(cell).toLocaleString(locale, { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' });
  return cell;
};
