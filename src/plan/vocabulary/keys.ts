/** The buckets of group keys: periods of dates and points in time, and bands of numbers and ages. Both APIs and the guide derive from them. */

interface PeriodMeaning {
  readonly meaning: string;
  /** The months of a period whose last days can be the days of a series (contract: state over time). */
  readonly months?: number;
  /** The distance of two periods in SQL. */
  readonly interval: string;
}

/** The key of a series of days, in requests and in answers (contract: state over time). */
export const seriesName = 'as_of';

/**
 * The name in answers of a column behind relations, and of a key with its bucket or band: `property.federal_state` is
 * `property_federal_state`, `order_date:quarter` is `order_date_quarter`.
 */
export const answerName = (path: string, suffix?: string): string => [path.replaceAll('.', '_'), ...(suffix ? [suffix] : [])].join('_');

/** Periods, each named by its first day (contract: buckets). */
export const periods = {
  day: { meaning: 'By day.', interval: '1 day' },
  week: { meaning: 'Weeks from Monday on.', interval: '7 days' },
  month: { meaning: 'By month.', months: 1, interval: '1 month' },
  quarter: { meaning: 'By quarter.', months: 3, interval: '3 months' },
  year: { meaning: 'By year.', months: 12, interval: '1 year' },
} as const satisfies Readonly<Record<string, PeriodMeaning>>;

export type Bucket = keyof typeof periods;
export const buckets = Object.keys(periods) as readonly Bucket[];

/** A period whose last days can be the days of a series. */
export type SeriesPeriod = { [Name in Bucket]: 'months' extends keyof (typeof periods)[Name] ? Name : never }[Bucket];
export const seriesPeriods = buckets.filter((name): name is SeriesPeriod => 'months' in periods[name]);

interface BandMeaning {
  readonly of: 'number' | 'moment';
  readonly meaning: string;
  readonly example: string;
}

/** Bands of numbers, and of the ages of dates in days (contract: bands). */
export const bands = {
  ranges: {
    of: 'number',
    meaning: 'Ascending bounds; each is the first value of its band.',
    example: 'by=balance:ranges(0,1000,5000)',
  },
  width: { of: 'number', meaning: 'The width of bands that begin at its multiples.', example: 'by=total_net:width(500)' },
  age: {
    of: 'moment',
    meaning: 'Ascending ages in days; each is the last one of its band.',
    example: 'by=due_date:age(30,60,90,on=2025-12-31)',
  },
} as const satisfies Readonly<Record<string, BandMeaning>>;

export type BandName = keyof typeof bands;
export const bandNames = Object.keys(bands) as readonly BandName[];

/** A key that is the last day of each period in which a row is valid. */
export const seriesExample = 'by=as_of:month(2025-01-01,2025-12-31)';
