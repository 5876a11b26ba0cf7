/** Ranges of days that people ask for, relative to a day. */

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

const iso = (date: Date): string => date.toISOString().slice(0, 10);
const day = (year: number, month: number, date: number): string => iso(new Date(Date.UTC(year, month, date)));

const parts = (today: string): readonly [year: number, month: number, date: number] => {
  const [year = 0, month = 1, date = 1] = today.split('-').map(Number);
  return [year, month - 1, date];
};

/** The presets by name. Both days belong to the range; an empty one is no bound. */
export const presets = {
  thisMonth: (today) => {
    const [year, month] = parts(today);
    return { from: day(year, month, 1), to: day(year, month + 1, 0) };
  },
  lastMonth: (today) => {
    const [year, month] = parts(today);
    return { from: day(year, month - 1, 1), to: day(year, month, 0) };
  },
  thisYear: (today) => {
    const [year] = parts(today);
    return { from: day(year, 0, 1), to: day(year, 11, 31) };
  },
  lastYear: (today) => {
    const [year] = parts(today);
    return { from: day(year - 1, 0, 1), to: day(year - 1, 11, 31) };
  },
  last12Months: (today) => {
    const [year, month, date] = parts(today);
    return { from: day(year - 1, month, date), to: today };
  },
  next12Months: (today) => {
    const [year, month, date] = parts(today);
    return { from: today, to: day(year + 1, month, date) };
  },
  next90Days: (today) => {
    const [year, month, date] = parts(today);
    return { from: today, to: day(year, month, date + 90) };
  },
  overdue: (today) => {
    const [year, month, date] = parts(today);
    return { from: '', to: day(year, month, date - 1) };
  },
  olderThan30Days: (today) => {
    const [year, month, date] = parts(today);
    return { from: '', to: day(year, month, date - 31) };
  },
} as const satisfies Readonly<Record<string, (today: string) => DayRange>>;

export type Preset = keyof typeof presets;
export const presetNames = Object.keys(presets) as readonly Preset[];

/** The first day after a period that begins on a day. */
export const endOfPeriod = (start: string, bucket: string): string | undefined => {
  const [year, month, date] = parts(start.slice(0, 10));
  const ends: Readonly<Record<string, string>> = {
    day: day(year, month, date + 1),
    week: day(year, month, date + 7),
    month: day(year, month + 1, date),
    quarter: day(year, month + 3, date),
    year: day(year + 1, month, date),
  };
  return ends[bucket];
};

/** The days of a series that a menu offers: the ends of twelve months, of eight quarters and of five years up to a day. */
export const seriesUpTo = (last: string): readonly string[] => {
  const [year, month] = parts(last);
  const firsts = { month: day(year, month - 11, 1), quarter: day(year, month - 21, 1), year: day(year - 4, 0, 1) };
  return Object.entries(firsts).map(([every, first]) => `as_of:${every}(${first},${last})`);
};

/** Today in the reader's time zone. */
export const today = (): string => {
  const now = new Date();
  return day(now.getFullYear(), now.getMonth(), now.getDate());
};
