/** The fields of groups: their names in the answer, and their labels, values and order for people. */
import { type Unit, unitTexts } from '../../../../catalogue/texts/units.ts';
import type { Band } from '../../../../plan/groups/bands.ts';
import { shifted } from '../../../browser/charts/decimals.ts';
import { Figure, type JsonObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedColumn, DescribedTable, Description } from '../../described.ts';
import type { LanguageCode } from '../parts/texts.ts';
import { textsOf } from '../parts/texts.ts';
import { countText, figureText, isAmount, periodText, valueText } from '../parts/values.ts';
import { groupKeyOf, isYear, ownOrderOf, placeOfBand } from '../view/group-keys.ts';
import { namedLabel } from '../view/scope.ts';
import { findColumn, labelOf } from '../view/tables.ts';
import { type View, valueNameOf } from '../view/view.ts';
import { unitsOf } from './value-units.ts';

export interface Field {
  /** The name in the answer. */
  readonly name: string;
  readonly isKey: boolean;
  /** Whether the key is the first day of a period, or a day of a series. */
  readonly isPeriod: boolean;
  /** The order that a key has by itself: times from the newest, bands from the lowest. */
  readonly ownOrder: 'newest' | 'lowest' | undefined;
  /** The name for the chart, which tells keys and additive figures apart by it. */
  readonly chartName: string;
  readonly label: (language: LanguageCode) => string;
  /** The unit of a figure. */
  readonly unit?: Unit | undefined;
  /** Text for people; that of null says that there is no value. */
  readonly textOf: (value: Cell, language: LanguageCode) => string;
  /** The order of two values that are not null: that of times, bands and numbers, and of texts in the language. */
  readonly compare: (one: Cell, other: Cell, language: LanguageCode) => number;
}

/** The label of a band in the language. The service writes it in English. Bands of numbers that name something, such as years, have no separators. */
const bandText = (label: string, band: Band, column: DescribedColumn, language: LanguageCode): string => {
  const numbers = (text: string) =>
    band.is === 'age' || !isAmount(column) ? text : text.replaceAll(/-?\d+(?:\.\d+)?/g, (number) => countText(Number(number), language));
  if (language === 'en') return numbers(label);
  const german = label
    .replace(/^in the future$/, 'in der Zukunft')
    .replace(/^below (.*)$/, 'unter $1')
    .replace(/^(.*) or more$/, 'ab $1')
    .replace(/^over (.*)$/, 'über $1')
    .replace(' to below ', ' bis unter ')
    .replace(' to ', ' bis ')
    .replace(/ days$/, ' Tage')
    .replace(/ day$/, ' Tag');
  return numbers(german);
};

const byNumber = (one: Cell, other: Cell): number => Number(textOf(one)) - Number(textOf(other));
const collators = { en: new Intl.Collator('en', { numeric: true }), de: new Intl.Collator('de', { numeric: true }) } as const;

const keyField = (text: string, table: DescribedTable, description: Description): Field => {
  const key = groupKeyOf(text, table, description);
  const { name, path, period, isSeries, band, found } = key;
  const isPeriod = isSeries || period !== '';
  const isNumber =
    !isPeriod && !band && found !== undefined && !found.column.codes && ['number', 'integer', 'bigint'].includes(found.column.kind);
  const base = (language: LanguageCode) => (isSeries ? textsOf[language].asOf : found ? labelOf(found, language) : path);
  const shown = (value: Cell, language: LanguageCode): string => {
    if (value === null) return textsOf[language].noValue;
    if (isPeriod) return periodText(textOf(value), isSeries ? 'day' : period, language);
    if (band && found) return bandText(textOf(value), band, found.column, language);
    return found ? valueText(value, found.column, description, language) : textOf(value);
  };
  return {
    name,
    isKey: true,
    isPeriod,
    ownOrder: ownOrderOf(key),
    chartName: `key.${name}`,
    label: (language) => {
      const word = isSeries ? undefined : textsOf[language].buckets[band?.is ?? period];
      return word && (band || period) ? `${base(language)} (${word})` : base(language);
    },
    textOf: shown,
    compare: (one, other, language) => {
      if (isNumber || isYear(key)) return byNumber(one, other);
      if (band) return placeOfBand(band, textOf(one)) - placeOfBand(band, textOf(other));
      if (isPeriod || found?.column.kind === 'date' || found?.column.kind === 'timestamp')
        return textOf(one) < textOf(other) ? -1 : Number(textOf(one) > textOf(other));
      return collators[language].compare(shown(one, language), shown(other, language));
    },
  };
};

const figureField = (name: string, chartName: string, label: Field['label'], unit?: Unit): Field => ({
  name,
  unit,
  isKey: false,
  isPeriod: false,
  ownOrder: undefined,
  chartName,
  label: (language) => (unit ? `${label(language)}, ${unitTexts[unit][language]}` : label(language)),
  textOf: (value, language) => figureText(value, language, unit),
  compare: (one, other) => {
    const difference = byNumber(one, other);
    // The smallest and the largest value of a date or a text are no numbers.
    return Number.isNaN(difference) ? collators.en.compare(textOf(one), textOf(other)) : difference;
  },
});

/** The fields in the order of the answer. Values with names of their own are those that the answer has besides. */
export const answerFields = (
  view: View,
  table: DescribedTable,
  description: Description,
  rows: readonly JsonObject[],
): readonly Field[] => {
  const unitOf = unitsOf(view, table, description);
  const known = [
    ...view.by.map((key) => keyField(key, table, description)),
    ...(view.hasCount ? [figureField('count', 'count', (language) => textsOf[language].count)] : []),
    ...view.values.map((value) => {
      const measure = value.list === 'measure' ? table.measures.find(({ name }) => name === value.of) : undefined;
      const found = findColumn(description, table, value.of);
      const label = (language: LanguageCode): string => {
        if (value.list === 'measure') return measure?.label[language] ?? namedLabel(value.of, language);
        return `${found ? labelOf(found, language) : value.of} (${textsOf[language].lists[value.list]})`;
      };
      const name = valueNameOf(value);
      return figureField(name, `${measure ? 'measures' : value.list}.${value.of}`, label, unitOf.get(name));
    }),
  ];
  const names = new Set(known.map(({ name }) => name));
  const [first = {}] = rows;
  const others = Object.keys(first).filter((name) => !names.has(name));
  return [
    ...known,
    ...others.map((name) => figureField(name, `value.${name}`, (language) => namedLabel(name, language), unitOf.get(name))),
  ];
};

/** The value of a field in a group. A share of 1 is in per cent. */
export const cellOf = (row: JsonObject, { name, unit }: Pick<Field, 'name' | 'unit'>): Cell => {
  const value = (row[name] ?? null) as Cell;
  return unit === 'share' && value instanceof Figure ? new Figure(shifted(value.text, 2)) : value;
};
