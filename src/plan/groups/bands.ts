/**
 * Bands: buckets of numbers, and of the ages of dates in days (contract: bands). A group has the label of its band. Bands are ordered by
 * their bounds, not by their labels.
 */
import type { Kind } from '../../catalogue/column.ts';
import { isCalendarDay, utcToday } from '../../catalogue/instant.ts';
import type { BandName } from '../vocabulary/keys.ts';

/** A band as a caller writes it. `bounds` are numbers as text. */
export interface RequestedBand {
  readonly is: BandName;
  readonly bounds: readonly string[];
  /** The day on which ages are computed. If it is undefined, today in UTC. */
  readonly on?: string | undefined;
}

export type Band =
  /** From each bound to below the next one. */
  | { readonly is: 'ranges'; readonly bounds: readonly string[] }
  /** Multiples of the width, each to below the next one. */
  | { readonly is: 'width'; readonly width: string }
  /** Days from the date to `on`, up to and including each bound. */
  | { readonly is: 'age'; readonly bounds: readonly number[]; readonly on: string };

/** The maximum number of bounds of one key. */
const maxBounds = 50;
const longestAge = 100_000;
const numberPattern = /^-?\d{1,20}(\.\d{1,10})?$/;

const digits = 10;
const scaled = (number: string): bigint => {
  const [, sign, whole = '', behind = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(number)!;
  return BigInt(`${sign}${whole}${behind.padEnd(digits, '0')}`);
};

const isAscending = (values: readonly bigint[]): boolean => values.every((value, at) => at === 0 || value > values[at - 1]!);

const isNumeric = (kind: Kind): boolean => kind === 'number' || kind === 'integer' || kind === 'bigint';

const agesOf = ({ bounds, on = utcToday() }: RequestedBand): Band | string => {
  if (!isCalendarDay(on)) return 'the reference date of ages is a day such as 2025-12-31';
  const days = bounds.map(Number);
  const isValid = bounds.every((bound) => /^\d{1,6}$/.test(bound)) && days.every((day) => day <= longestAge);
  if (!isValid || !isAscending(days.map(BigInt))) return `ages are ascending whole days from 0 to ${longestAge}`;
  return { is: 'age', bounds: days, on };
};

/** The band for a column of the kind, or the reason why it is not valid. */
export const resolveBand = (
  requested: RequestedBand,
  { kind, column }: { readonly kind: Kind; readonly column: string },
): Band | string => {
  const { is, bounds, on } = requested;
  if (bounds.length === 0 || bounds.length > maxBounds) return `${is} needs 1 to ${maxBounds} bounds`;
  if (is === 'age')
    return kind === 'date' || kind === 'timestamp' ? agesOf(requested) : `${column} is no date or point in time and has no age`;
  if (!isNumeric(kind)) return `${column} is no number and has no ${is}`;
  if (on !== undefined) return 'only ages have a reference date';
  if (!bounds.every((bound) => numberPattern.test(bound))) return `${is} takes numbers with at most ${digits} decimal places`;
  if (is === 'ranges') return isAscending(bounds.map(scaled)) ? { is, bounds } : 'the bounds of ranges are ascending';
  const [width, ...others] = bounds;
  return others.length === 0 && scaled(width!) > 0n ? { is, width: width! } : 'width takes one number above 0';
};

/** The limits between the bands for `width_bucket`, which numbers the bands from 0. */
export const thresholdsOf = (band: Band): readonly (string | number)[] => {
  if (band.is === 'width') return [];
  return band.is === 'ranges' ? band.bounds : [0, ...band.bounds.map((bound) => bound + 1)];
};

/** A number of days. A range of days is plural, also when it ends at one. */
const daysText = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;

/** The labels of the bands by their numbers. Bands of a width have no list of labels. */
export const labelsOf = (band: Band): readonly string[] => {
  if (band.is === 'width') return [];
  const { bounds } = band;
  if (band.is === 'ranges')
    return [
      `below ${bounds[0]}`,
      ...bounds.map((bound, at) => (at + 1 < bounds.length ? `${bound} to below ${bounds[at + 1]}` : `${bound} or more`)),
    ];
  const days = band.bounds.map((bound, at) => {
    const from = at === 0 ? 0 : band.bounds[at - 1]! + 1;
    return from === bound ? daysText(bound) : `${from} to ${bound} days`;
  });
  return ['in the future', ...days, `over ${daysText(band.bounds.at(-1)!)}`];
};
