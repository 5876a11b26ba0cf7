/** Ranges of days that people ask for, relative to a day. */
import { isoDay, partsOfDay } from '../../../../catalogue/relative-days.ts';

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The presets by name. Both days belong to the range; an empty one is no bound. */
export const presets = {
  thisMonth: (today) => {
    const [year, month] = partsOfDay(today);
    return { from: isoDay(year, month, 1), to: isoDay(year, month + 1, 0) };
  },
  lastMonth: (today) => {
    const [year, month] = partsOfDay(today);
    return { from: isoDay(year, month - 1, 1), to: isoDay(year, month, 0) };
  },
  thisQuarter: (today) => {
    const [year, month] = partsOfDay(today);
    const first = month - (month % 3);
    return { from: isoDay(year, first, 1), to: isoDay(year, first + 3, 0) };
  },
  lastQuarter: (today) => {
    const [year, month] = partsOfDay(today);
    const first = month - (month % 3);
    return { from: isoDay(year, first - 3, 1), to: isoDay(year, first, 0) };
  },
  thisYear: (today) => {
    const [year] = partsOfDay(today);
    return { from: isoDay(year, 0, 1), to: isoDay(year, 11, 31) };
  },
  lastYear: (today) => {
    const [year] = partsOfDay(today);
    return { from: isoDay(year - 1, 0, 1), to: isoDay(year - 1, 11, 31) };
  },
  last12Months: (today) => {
    const [year, month, date] = partsOfDay(today);
    return { from: isoDay(year - 1, month, date), to: today };
  },
  next12Months: (today) => {
    const [year, month, date] = partsOfDay(today);
    return { from: today, to: isoDay(year + 1, month, date) };
  },
  next90Days: (today) => {
    const [year, month, date] = partsOfDay(today);
    return { from: today, to: isoDay(year, month, date + 90) };
  },
  overdue: (today) => {
    const [year, month, date] = partsOfDay(today);
    return { from: '', to: isoDay(year, month, date - 1) };
  },
  olderThan30Days: (today) => {
    const [year, month, date] = partsOfDay(today);
    return { from: '', to: isoDay(year, month, date - 31) };
  },
} as const satisfies Readonly<Record<string, (today: string) => DayRange>>;

export type Preset = keyof typeof presets;
export const presetNames = Object.keys(presets) as readonly Preset[];

/** The first day after a period that begins on a day. */
export const endOfPeriod = (start: string, bucket: string): string | undefined => {
  const [year, month, date] = partsOfDay(start.slice(0, 10));
  const ends: Readonly<Record<string, string>> = {
    day: isoDay(year, month, date + 1),
    week: isoDay(year, month, date + 7),
    month: isoDay(year, month + 1, date),
    quarter: isoDay(year, month + 3, date),
    year: isoDay(year + 1, month, date),
  };
  return ends[bucket];
};

/** The day some days after another one. */
export const dayAfter = (start: string, days: number): string => {
  const [year, month, date] = partsOfDay(start.slice(0, 10));
  return isoDay(year, month, date + days);
};

export const timeUnits = ['day', 'week', 'month', 'year'] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** The day some months after another one. A month that has no such day ends it. */
export const monthsAfter = (start: string, months: number): string => {
  const [year, month, date] = partsOfDay(start.slice(0, 10));
  const last = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
  return isoDay(year, month + months, Math.min(date, last));
};

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** The bucket whose period two days are the first and the last of. */
export const periodOfDays = (from: string, to: string): 'day' | 'month' | 'quarter' | 'year' | undefined =>
  (['day', 'month', 'quarter', 'year'] as const).find((bucket) => {
    const isFirst =
      bucket === 'day' ||
      (from.endsWith('-01') && (bucket !== 'quarter' || partsOfDay(from)[1] % 3 === 0) && (bucket !== 'year' || partsOfDay(from)[1] === 0));
    return isFirst && endOfPeriod(from, bucket) === dayAfter(to, 1);
  });

const monthsOf: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** The first day of the period some periods before the one that begins on a day. */
export const periodBefore = (start: string, bucket: string, periods: number): string => {
  const [year, month, date] = partsOfDay(start.slice(0, 10));
  const months = monthsOf[bucket];
  return months === undefined
    ? isoDay(year, month, date - periods * (bucket === 'week' ? 7 : 1))
    : isoDay(year, month - periods * months, date);
};

/** The last day of the period some periods before the one that ends on a day. */
export const lastDayOfPeriod = (end: string, bucket: string, periods: number): string => {
  const [year, month] = partsOfDay(end);
  return isoDay(year, month + 1 - periods * (monthsOf[bucket] ?? 1), 0);
};

/** The days of a series that a menu offers: the ends of twelve months, of eight quarters and of five years up to a day. */
export const seriesUpTo = (last: string): readonly string[] => {
  const [year, month] = partsOfDay(last);
  const firsts = { month: isoDay(year, month - 11, 1), quarter: isoDay(year, month - 21, 1), year: isoDay(year - 4, 0, 1) };
  return Object.entries(firsts).map(([every, first]) => `as_of:${every}(${first},${last})`);
};

/** Today in the reader's time zone. */
export const today = (): string => {
  const now = new Date();
  return isoDay(now.getFullYear(), now.getMonth(), now.getDate());
};
