/**
 * Compares the profile of a delivery with that of the last one (contract: surprises).
 *
 * The thresholds are far above what a month of ordinary changes moves, and below the damage that they are for: a file that is cut, another
 * unit, another sign, columns that changed places. Few values say nothing, so they are not compared.
 */
import type { DateProfile, NumberProfile, Profile } from './profile.ts';

/** Counts of values below these are not compared: amounts of whole deliveries, shares, and values of deliveries of changes. */
const enough = { amounts: 20, shares: 50, changes: 50, days: 100 } as const;

export const thresholds = {
  /** The share of the rows that may be missing, and the number that always may. */
  missingRows: 0.1,
  fewRows: 10,
  /** The factor of the rows that shows a delivery which is there twice. */
  moreRows: 1.9,
  /** Points by which the share of negative values may move. */
  signs: 0.5,
  /** The factor by which the usual size of an amount may move. */
  size: 5,
  /** Points by which the share of rows with a net amount above the gross amount may grow. */
  netAboveGross: 0.2,
  /** Points by which the share of a code, and that of rows without a value, may move. */
  codes: 0.3,
  nulls: 0.3,
  /** The part of the rows that may be on other days of the month, and the years by which the mean day may move. */
  days: 0.6,
  years: 10,
  /** A month loses more than this share of at least this number of rows. */
  monthShare: 0.5,
  monthRows: 20,
  /** The same of a sample, in which a month of few rows varies by chance. */
  sampledMonthRows: 100,
} as const;

/** A difference between two deliveries that ordinary changes do not explain. */
export interface Surprise {
  /** What the person may have allowed already: lost rows, or lost values. */
  readonly kind: 'fewer rows' | 'nulls' | 'other';
  readonly column?: string;
  readonly words: string;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Whether the delivery covers a longer period, such as the second month of a year. */
const isLonger = (before: Profile, now: Profile): boolean =>
  Object.entries(now.dates).some(([column, { months }]) => {
    const last = Object.keys(before.dates[column]?.months ?? {}).length;
    return last > 0 && Object.keys(months).length >= last * longerBy;
  });

const longerBy = 1.5;

const rowSurprises = (last: Profile, delivered: Profile): Surprise[] => {
  const [{ rows: before }, { rows: now }] = [last, delivered];
  const missing = before - now;
  if (missing > thresholds.fewRows && missing > before * thresholds.missingRows)
    return [
      {
        kind: 'fewer rows',
        words: `${percent(missing / before)} of the rows are missing: ${number(now)}, and the last delivery had ${number(before)}`,
      },
    ];
  if (before >= enough.shares && now >= before * thresholds.moreRows && !isLonger(last, delivered))
    return [{ kind: 'other', words: `${number(now)} rows, and the last delivery had ${number(before)}: a part may be there twice` }];
  return [];
};

/** The factor in words, with its usual cause. */
const factorInWords = (factor: number): string => {
  const times =
    factor > 1 ? `${number(Math.round(factor * 10) / 10)} times as large` : `${number(Math.round(10 / factor) / 10)} times smaller`;
  const size = Math.max(factor, 1 / factor);
  if (size > 80 && size < 125) return `${times}, as if cents and whole units were confused`;
  return size > 800 && size < 1250 ? `${times}, as if thousandths and whole units were confused` : times;
};

/** The sum of a column in words; that of a sample is an estimate. */
const sumOf = ({ rows, measured }: Profile, { sum }: NumberProfile): string =>
  measured === rows ? number(sum) : `about ${number(Math.round((sum * rows) / Math.max(1, measured)))}`;

const amountSurprises = (
  column: string,
  [before, now]: readonly [NumberProfile, NumberProfile],
  least: number,
  sums: readonly [string, string],
): Surprise[] => {
  if (before.filled < least || now.filled < least) return [];
  const found: Surprise[] = [];
  const [was, is] = [share(before.negative, before.filled), share(now.negative, now.filled)];
  if (Math.abs(is - was) > thresholds.signs)
    found.push({
      kind: 'other',
      column,
      words: `${is === 1 ? 'all amounts are' : `${percent(is)} of the amounts are`} negative, and ${percent(was)} were`,
    });
  const factor = Math.exp(now.size - before.size);
  if (Math.max(factor, 1 / factor) > thresholds.size)
    found.push({
      kind: 'other',
      column,
      words: `amounts are ${factorInWords(factor)}: the sum is ${sums[1]}, and it was ${sums[0]}`,
    });
  return found;
};

const pairSurprises = (before: Profile, now: Profile, least: number): Surprise[] =>
  Object.entries(now.netAboveGross).flatMap(([column, { rows, above }]) => {
    const last = before.netAboveGross[column];
    if (!last || rows < least || last.rows < least) return [];
    const [is, was] = [share(above, rows), share(last.above, last.rows)];
    if (is - was <= thresholds.netAboveGross) return [];
    const words = `the net amount is above the gross amount in ${percent(is)} of the rows, and it was in ${percent(was)}: the columns may be exchanged`;
    return [{ kind: 'other' as const, column, words }];
  });

const codeSurprises = (before: Profile, now: Profile): Surprise[] =>
  Object.entries(now.codes).flatMap(([column, codes]) => {
    const last = before.codes[column];
    const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, count) => all + count, 0);
    if (!last || sum(last) < enough.shares || sum(codes) < enough.shares) return [];
    const moves = [...new Set([...Object.keys(last), ...Object.keys(codes)])].map((code) => ({
      code,
      is: share(codes[code] ?? 0, sum(codes)),
      was: share(last[code] ?? 0, sum(last)),
    }));
    const most = moves.reduce((a, b) => (Math.abs(b.is - b.was) > Math.abs(a.is - a.was) ? b : a));
    if (Math.abs(most.is - most.was) <= thresholds.codes) return [];
    return [
      { kind: 'other' as const, column, words: `"${most.code}" is in ${percent(most.is)} of the rows, and it was in ${percent(most.was)}` },
    ];
  });

const nullSurprises = (before: Profile, now: Profile): Surprise[] => {
  if (before.measured < enough.shares || now.measured < enough.shares) return [];
  return Object.entries(now.filled).flatMap(([column, filled]) => {
    const last = before.filled[column];
    if (last === undefined) return [];
    const [is, was] = [1 - share(filled, now.measured), 1 - share(last, before.measured)];
    if (is - was <= thresholds.nulls) return [];
    return [{ kind: 'nulls' as const, column, words: `${percent(is)} of the rows have no value, and ${percent(was)} had none` }];
  });
};

/** Half the sum of the differences of the shares: the part of the rows that is elsewhere. */
const movedShare = (before: readonly number[], now: readonly number[]): number => {
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  const [a, b] = [sum(before), sum(now)];
  return now.reduce((all, count, index) => all + Math.abs(share(count, b) - share(before[index] ?? 0, a)), 0) / 2;
};

interface Sampling {
  /** The least number of rows of a month. */
  readonly least: number;
  /** The factor from the counts of this delivery to those of the last one. */
  readonly scale: number;
}

const samplingOf = (before: Profile, now: Profile): Sampling => {
  const [was, is] = [share(before.measured, before.rows), share(now.measured, now.rows)];
  return { least: Math.min(was, is) < 1 ? thresholds.sampledMonthRows : thresholds.monthRows, scale: is === 0 ? 1 : was / is };
};

/** Months without half of their rows, between the first and the last month of the delivery. Older months may leave a delivery. */
const lostMonths = (before: DateProfile, now: DateProfile, { least, scale }: Sampling): string[] => {
  const months = Object.keys(now.months).sort();
  const [first = '', last = ''] = [months[0], months.at(-1)];
  return Object.entries(before.months)
    .filter(([month, rows]) => month > first && month < last && rows >= least)
    .filter(([month, rows]) => (now.months[month] ?? 0) * scale < rows * (1 - thresholds.monthShare))
    .map(([month]) => month)
    .sort();
};

/** Days of a snapshot or of one month move with each delivery, so they need many months to be compared. */
const manyMonths = 6;

const dateSurprises = (column: string, before: DateProfile, now: DateProfile, sampling: Sampling): Surprise[] => {
  if (before.filled < enough.shares || now.filled < enough.shares) return [];
  const found: Surprise[] = [];
  const add = (words: string) => found.push({ kind: 'other', column, words });
  const lost = lostMonths(before, now, sampling);
  if (lost.length > 0) add(`half of the rows or more are missing in ${lost.slice(0, 3).join(', ')}${lost.length > 3 ? ', …' : ''}`);
  if (Math.abs(now.year - before.year) > thresholds.years)
    add(`the mean year is ${Math.round(now.year)}, and it was ${Math.round(before.year)}`);
  const isSpread = [before, now].every(({ filled, months }) => filled >= enough.days && Object.keys(months).length >= manyMonths);
  const moved = movedShare(before.days, now.days);
  if (isSpread && moved > thresholds.days)
    add(`${percent(moved)} of the days are other days of the month than before: days and months may be exchanged`);
  return found;
};

/**
 * The surprises of a delivery. `isWhole`: it has all rows of its table, as the last one had. Deliveries of changes differ in their rows, so
 * only the forms of their amounts are compared.
 */
export const surprisesOf = (before: Profile, now: Profile, isWhole: boolean): Surprise[] => {
  const least = isWhole ? enough.amounts : enough.changes;
  const amounts = Object.entries(now.numbers).flatMap(([column, figures]) => {
    const last = before.numbers[column];
    return last ? amountSurprises(column, [last, figures], least, [sumOf(before, last), sumOf(now, figures)]) : [];
  });
  const forms = [...amounts, ...pairSurprises(before, now, least)];
  if (!isWhole) return forms;
  const sampling = samplingOf(before, now);
  const dates = Object.entries(now.dates).flatMap(([column, figures]) => {
    const last = before.dates[column];
    return last ? dateSurprises(column, last, figures, sampling) : [];
  });
  return [...rowSurprises(before, now), ...forms, ...codeSurprises(before, now), ...nullSurprises(before, now), ...dates];
};
