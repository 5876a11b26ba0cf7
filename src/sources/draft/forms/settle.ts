/** How the values of the proposed columns are read: their formats with the evidence, or a question. */

import { type RawTableName, rawTables } from '../../../catalogue/raw/index.ts';
import { partsOf, type RawTable } from '../../../catalogue/raw-table.ts';
import type { Formats, Step } from '../../source-file.ts';
import type { ColumnProfile, ListProfile } from '../lists/profile.ts';
import { questionText, unitSteps } from '../question-texts.ts';
import { factsOfColumn } from '../words/fit.ts';
import { type DateConventions, settleDates } from './date-forms.ts';
import { type NumberConvention, provenDecimal, type Settled, settleNumbers } from './number-forms.ts';

/** What the columns of an export prove for each other. */
export interface Conventions {
  readonly numbers: NumberConvention | undefined;
  readonly dates: DateConventions;
  readonly isAmerican: boolean;
  /** Why whole amounts are in cents, if they are. */
  readonly cents?: string | undefined;
}

interface NamedList {
  readonly name: string;
  readonly profile: ListProfile;
}

const fromOne = <T>(
  found: readonly { readonly value: T; readonly evidence: string }[],
): { readonly value: T; readonly evidence: string } | undefined =>
  new Set(found.map(({ value }) => value)).size === 1 ? found[0] : undefined;

const provenNumbers = ({ name, profile }: NamedList) =>
  profile.columns.flatMap((column) => {
    const value = column.numbers && provenDecimal(column.numbers);
    const [example] = [...(column.numbers?.decimals.values() ?? []), ...(column.numbers?.groups.values() ?? [])];
    return value ? [{ value, evidence: `"${example}" in ${column.name} of ${name}` }] : [];
  });

const provenDates = ({ name, profile }: NamedList) =>
  profile.columns.flatMap((column) =>
    [...(column.dates?.numeric.values() ?? [])].flatMap(({ separator, proven }) =>
      [...proven].map(([value, example]) => ({
        separator,
        value,
        evidence: `"${example}" in ${column.name} of ${name} has the ${value} first`,
      })),
    ),
  );

/** The conventions for a list: its own columns decide, otherwise those of the lists that `others` are. Two that differ decide nothing. */
export const conventionsOf = (list: NamedList, others: readonly NamedList[]): Conventions => {
  const own = provenNumbers(list);
  const numbers = fromOne(own.length > 0 ? own : others.flatMap(provenNumbers));
  const ownDates = provenDates(list);
  const dates = new Map<string, NonNullable<ReturnType<DateConventions['get']>>>();
  for (const separator of ['.', '/', '-']) {
    const within = ownDates.filter((one) => one.separator === separator);
    const found = fromOne(within.length > 0 ? within : others.flatMap(provenDates).filter((one) => one.separator === separator));
    if (found) dates.set(separator, { order: found.value, evidence: found.evidence });
  }
  const units = list.profile.columns.flatMap(({ numbers: forms, name }) => [...(forms?.units ?? []), name]);
  return {
    numbers: numbers && { decimal: numbers.value, evidence: numbers.evidence },
    dates,
    isAmerican: units.some((text) => /\$|\bUSD\b|\bsq\.? ?ft|\bzip\b|\bapt\b/i.test(text)) || dates.get('/')?.order === 'month',
  };
};

/** The values that a target can have, to tell a reading that cannot be. */
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  'floor_area.area_sqm': [5, 5_000],
  'floor_area.heated_area_sqm': [5, 5_000],
  'floor_area.room_count': [0.5, 20],
  market_value: [20_000, 1e10],
  target_rent_net: [20, 100_000],
  deposit_amount: [50, 1_000_000],
  vat_rate: [0, 30],
};

export interface Reading {
  readonly formats: Formats;
  readonly apply?: readonly Step[];
  readonly evidence?: string;
  readonly question?: string;
}

const squareFeet = /\bsq\.? ?f(?:ee)?t\b|\bsqft\b|\bsf\b|ft²|square feet|sq\.? ?footage/i;
const squareMetres = /m²|\bm2\b|\bqm\b|\bsqm\b|sq\.? ?m\b|quadratmeter/i;
const thousands = /\bT€|\bTEUR|\bTCHF|\bk€|\bkEUR|in tausend|in '?000|\(000s?\)/i;
export const isYearly = (name: string): boolean =>
  /\bp\.?\s?a\.?(?![a-z])|jähr|jahres|annual|yearly|per annum|per year|\/ ?(?:yr|year|jahr|jaar)\b|per jaar|\bjaar/i.test(name);
export const isMonthly = (name: string): boolean =>
  /\bmtl\.?|monat|month|maand|\bp\.?\s?m\.?(?![a-z])|\/ ?mo\b/i.test(name) && !isYearly(name);

/** Steps that bring a number into the unit of its target. */
const stepsOf = (
  target: string,
  { name, numbers }: ColumnProfile,
  { isAmerican }: Conventions,
): Pick<Reading, 'apply' | 'question' | 'evidence'> => {
  const words = [name, ...(numbers?.units ?? [])].join(' ');
  if (target.endsWith('area_sqm') && !squareMetres.test(words)) {
    if (squareFeet.test(words)) return { apply: unitSteps('squareFeet'), evidence: 'square feet become square metres' };
    if (isAmerican) return { question: questionText('squareFeet', { column: name }) };
  }
  if (thousands.test(words)) return { apply: [{ multiply: 1000 }], evidence: 'the amounts are in thousands' };
  return {};
};

const withMissing = (formats: Formats, { missing }: ColumnProfile): Formats =>
  missing.length > 0 ? { ...formats, missingValues: ['', ...missing] } : formats;

/** The amounts that are usual in most rows. */
const usual: Readonly<Record<string, number>> = { target_rent_net: 5_000, net_amount: 10_000, gross_amount: 10_000 };

/** Whole numbers for amounts of money: cents, if other amounts of the export prove it. */
const centSteps = (
  target: string,
  type: string,
  { name, look, values, sample }: ColumnProfile,
  { cents }: Conventions,
): Pick<Reading, 'apply' | 'question' | 'evidence'> => {
  if (!/^numeric\(1\d,2\)/.test(type) || /area|percent|_rate$/.test(target) || look !== 'integer') return {};
  if (cents !== undefined) return { apply: unitSteps('cents'), evidence: cents };
  const numbers = [...sample].map((text) => Number(text.replaceAll(/\D/g, ''))).sort((a, b) => a - b);
  const isLarge = (numbers[Math.floor(numbers.length / 2)] ?? 0) > (usual[target] ?? Number.POSITIVE_INFINITY);
  if (!isLarge || numbers.filter((number) => number % 100 !== 0).length * 2 < numbers.length) return {};
  return { question: questionText('cents', { column: name, example: values[0] ?? String(numbers[0]) }) };
};

/** How a column is read for a target. */
export const readingOf = (table: RawTableName, target: string, column: ColumnProfile, conventions: Conventions): Reading => {
  const { key, columns }: RawTable = rawTables[table];
  const { type } = partsOf(columns[target]!);
  const base = withMissing({}, column);
  if (target === key || factsOfColumn(table, target).references) return { formats: base };
  const settled = ((): Settled | undefined => {
    if (/^(?:numeric|integer|bigint)/.test(type)) {
      const range = ranges[`${table}.${target}`] ?? ranges[target];
      return column.numbers && settleNumbers(column.name, column.numbers, conventions.numbers, range);
    }
    if (type === 'date' || type === 'timestamptz')
      return column.dates && settleDates(column.name, column.dates, conventions.dates, target === 'birth_date');
    return type === 'boolean' && column.booleans ? { formats: column.booleans, evidence: '' } : undefined;
  })();
  if (settled?.question !== undefined) return { formats: base, question: settled.question };
  const unit = type.startsWith('numeric')
    ? { ...stepsOf(target, column, conventions), ...centSteps(target, type, column, conventions) }
    : {};
  const hasFormat = settled && (Object.keys(settled.formats).length > 0 || (column.numbers?.open.size ?? 0) > 0);
  const evidence = [...(hasFormat && settled.evidence ? [settled.evidence] : []), ...(unit.evidence ? [unit.evidence] : [])].join('; ');
  const apply: readonly Step[] = type === 'date' && column.dates?.hasTime ? ['date'] : (unit.apply ?? []);
  return {
    formats: { ...settled?.formats, ...base },
    ...(apply.length > 0 && { apply }),
    ...(evidence !== '' && { evidence }),
    ...(unit.question !== undefined && { question: unit.question }),
  };
};
