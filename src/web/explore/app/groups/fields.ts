/** The fields of groups: their names in the answer, their labels and values for people, and the rows behind a key. */
import type { JsonObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable, Description } from '../../described.ts';
import type { LanguageCode } from '../parts/texts.ts';
import { textsOf } from '../parts/texts.ts';
import { figureText, valueText } from '../parts/values.ts';
import { compared, isEmpty } from '../view/conditions.ts';
import { endOfPeriod } from '../view/periods.ts';
import { findColumn, labelOf } from '../view/tables.ts';
import { keyNameOf, type View, valueNameOf, viewOfTable } from '../view/view.ts';

export interface Field {
  /** The name in the answer. */
  readonly name: string;
  readonly isKey: boolean;
  /** Whether the key is the first day of a period, or a day of a series. */
  readonly isPeriod: boolean;
  /** The name for the chart, which tells keys and additive figures apart by it. */
  readonly chartName: string;
  readonly label: (language: LanguageCode) => string;
  /** Text for people; that of null says that there is no value. */
  readonly textOf: (value: Cell, language: LanguageCode) => string;
  /** The conditions on the rows of a key with this value. Undefined if the page cannot say them. */
  readonly conditionsOf: (value: Cell) => readonly string[] | undefined;
}

const periods = ['day', 'week', 'month', 'quarter', 'year'];

/** The period that begins on a day: 2025, 3rd quarter of 2025, May 2025. */
const periodText = (start: string, bucket: string, language: LanguageCode): string => {
  const date = new Date(`${start.slice(0, 10)}T00:00:00Z`);
  const year = start.slice(0, 4);
  if (bucket === 'year') return year;
  if (bucket === 'quarter') return `${language === 'de' ? 'Q' : 'Q'}${Math.floor(date.getUTCMonth() / 3) + 1} ${year}`;
  if (bucket === 'month') return date.toLocaleDateString(language, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return date.toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' });
};

const keyField = (key: string, table: DescribedTable, description: Description): Field => {
  const [path = '', call = ''] = key.split(/:(.*)/s);
  const bucket = call.replace(/\(.*$/s, '');
  const isPeriod = path === 'as_of' || periods.includes(bucket);
  const found = findColumn(description, table, path);
  const base = (language: LanguageCode) => (path === 'as_of' ? textsOf[language].asOf : found ? labelOf(found, language) : path);
  const none = (language: LanguageCode) => textsOf[language].noValue;
  return {
    name: keyNameOf(key),
    isKey: true,
    isPeriod,
    chartName: `key.${keyNameOf(key)}`,
    label: (language) => {
      const word = bucket && path !== 'as_of' ? textsOf[language].buckets[bucket] : undefined;
      return word ? `${base(language)} (${word})` : base(language);
    },
    textOf: (value, language) => {
      if (value === null) return none(language);
      if (path === 'as_of') return periodText(textOf(value), 'day', language);
      if (isPeriod) return periodText(textOf(value), bucket, language);
      return bucket === '' && found ? valueText(value, found.column, description, language) : textOf(value);
    },
    conditionsOf: (value) => {
      if (!found || path === 'as_of') return undefined;
      if (value === null) return [isEmpty(path)];
      if (bucket === '') return [compared(path, 'eq', textOf(value))];
      const end = isPeriod ? endOfPeriod(textOf(value), bucket) : undefined;
      if (end === undefined) return undefined;
      const moment = (day: string) => (found.column.kind === 'timestamp' ? `${day}T00:00:00Z` : day);
      return [compared(path, 'gte', moment(textOf(value).slice(0, 10))), compared(path, 'lt', moment(end))];
    },
  };
};

const figureField = (name: string, chartName: string, label: Field['label']): Field => ({
  name,
  isKey: false,
  isPeriod: false,
  chartName,
  label,
  textOf: figureText,
  conditionsOf: () => undefined,
});

/** The fields in the order of the answer. Values with names of their own are those that the answer has besides. */
export const fieldsOf = (view: View, table: DescribedTable, description: Description, rows: readonly JsonObject[]): readonly Field[] => {
  const known = [
    ...view.by.map((key) => keyField(key, table, description)),
    ...(view.hasCount ? [figureField('count', 'count', (language) => textsOf[language].count)] : []),
    ...view.values.map((value) => {
      const measure = value.list === 'measure' ? table.measures.find(({ name }) => name === value.of) : undefined;
      const found = findColumn(description, table, value.of);
      return figureField(valueNameOf(value), `${value.list === 'measure' ? 'measures' : value.list}.${value.of}`, (language) =>
        measure
          ? measure.label[language]
          : value.list === 'measure'
            ? value.of
            : `${found ? labelOf(found, language) : value.of} (${textsOf[language].lists[value.list]})`,
      );
    }),
  ];
  const names = new Set(known.map(({ name }) => name));
  const [first = {}] = rows;
  const others = Object.keys(first).filter((name) => !names.has(name));
  const words = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
  return [...known, ...others.map((name) => figureField(name, `value.${name}`, () => words(name)))];
};

/** The value of a field in a group. */
export const cellOf = (row: JsonObject, { name }: Pick<Field, 'name'>): Cell => (row[name] ?? null) as Cell;

/** The view of the rows of a group. Undefined if the page cannot say its conditions. */
export const rowsBehind = (view: View, keys: readonly Field[], row: JsonObject): View | undefined => {
  const conditions = keys.map((field) => field.conditionsOf(cellOf(row, field)));
  if (conditions.some((each) => each === undefined)) return undefined;
  return viewOfTable(view.category, view.table, { where: [...new Set([...view.where, ...conditions.flatMap((each) => each ?? [])])] });
};
