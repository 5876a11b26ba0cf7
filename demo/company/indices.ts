/**
 * Published price indices: smooth invented series in tenths of a point, with the rise from 2021 to 2023.
 *
 * Values are whole tenths, so that thresholds are compared exactly, like in the integrity facts.
 */
import type { Setting } from '../setting.ts';
import { date, decimal, firstOf, type Month, monthOf, yearOf } from '../values.ts';

export interface Series {
  readonly name: 'VPI' | 'HVPI' | 'BPI_WOHN' | 'BPI_BUERO' | 'EPI';
  readonly baseYear: 2015 | 2020;
  /** The value of a month in tenths. */
  at(month: Month): number;
}

export interface PriceIndices {
  /** The last published month. */
  readonly latest: Month;
  /** The first month of every series. */
  readonly earliest: Month;
  readonly consumer2020: Series;
  readonly commercial: readonly Series[];
}

const yearsBefore = 11;
const shapes: readonly (readonly [Series['name'], Series['baseYear'], pace: number])[] = [
  ['VPI', 2020, 1],
  ['VPI', 2015, 1],
  ['HVPI', 2015, 1.04],
  ['BPI_WOHN', 2015, 1.9],
  ['BPI_BUERO', 2015, 2],
  ['EPI', 2015, 1.3],
];

/** Percent above June 2020 in a month: 1.4 a year before 2021, 6.6 a year to mid-2023, 2.2 a year after. */
const growth = (month: Month): number => {
  const passed = month - (2020 * 12 + 5);
  if (passed < 8) return passed * 0.117;
  return passed < 38 ? 0.94 + (passed - 8) * 0.55 : 17.44 + (passed - 38) * 0.185;
};

const seriesOf = (name: Series['name'], baseYear: Series['baseYear'], pace: number): Series => {
  const base = 1 + (growth(baseYear * 12 + 5) * pace) / 100;
  return { name, baseYear, at: (month) => Math.round((1000 * (1 + (growth(month) * pace) / 100)) / base) };
};

export const writePriceIndices = (setting: Setting): PriceIndices => {
  const latest = monthOf(setting.asOf) - 1;
  const earliest = (yearOf(setting.lettingsFrom) - yearsBefore) * 12;
  const series = shapes.map((shape) => seriesOf(...shape));
  for (const one of series) for (let month = earliest; month <= latest; month++) writeValue(setting, one, month);
  return { latest, earliest, consumer2020: series[0]!, commercial: [series[0]!, series[1]!, series[2]!] };
};

const writeValue = ({ batches, ids }: Setting, series: Series, month: Month): void => {
  const published = firstOf(month + 1) + 12;
  batches.put(
    'index_value',
    {
      index_value_id: ids.next('index_value'),
      index_name: series.name,
      base_year: series.baseYear,
      index_month: date(firstOf(month)),
      index_value: decimal(series.at(month) * 10, 2),
      published_date: date(published),
    },
    published,
  );
};

/** The months before its start that an index clause may refer to. */
export const monthBefore = (indices: PriceIndices, start: Month): Month => Math.max(indices.earliest, Math.min(start - 1, indices.latest));
