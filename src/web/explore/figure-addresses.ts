/** The addresses of figures at a day, and their values in the answers. */
import type { FigureOnPage } from '../../catalogue/measures/figures.ts';
import { atDay, monthsBefore } from '../../catalogue/relative-days.ts';
import { readAddress } from '../../query/address.ts';
import type { FigurePoint } from './described.ts';

/** The months before that of the day. */
const months = 12;
const monthNumbers = Array.from({ length: months + 1 }, (_, index) => months - index);

export type FigureRow = Readonly<Record<string, unknown>>;

/** The values of a figure in its address, and its points in the answer. */
export interface Asked {
  readonly values: readonly string[];
  readonly pointsIn: (rows: readonly FigureRow[]) => readonly FigurePoint[];
}

const numberIn = (row: FigureRow | undefined, name: string): number | null => {
  const value = row?.[name];
  return typeof value === 'number' ? value : null;
};

export const askedOf = ({ name, value }: FigureOnPage, day: string): Asked => {
  if ('named' in value) {
    const days = monthNumbers.map((back) => atDay(`{month_end-${back}}`, day));
    const pointsIn = (rows: readonly FigureRow[]) =>
      days.map((each) => ({
        day: each,
        value: numberIn(
          rows.find(({ as_of }) => as_of === each),
          value.named,
        ),
      }));
    return { values: [], pointsIn };
  }
  const days = 'each' in value ? monthNumbers.map((back) => monthsBefore(day, back)) : [day];
  const text = 'each' in value ? value.each : value.now;
  // A sum without rows is null.
  const pointsIn = ([row]: readonly FigureRow[]) =>
    days.map((each, index) => ({ day: each, value: numberIn(row, `${name}_${index}`) ?? 0 }));
  return { values: days.map((each, index) => `${name}_${index}:${atDay(text, each)}`), pointsIn };
};

/** The address at a day, with one more condition and more named values. Undefined conditions and no values add nothing. */
export const completed = (template: string, day: string, own: string | undefined, values: readonly string[] = []): string => {
  const { path = '', query = new URLSearchParams() } = readAddress(atDay(template, day)) ?? {};
  const where = [...query.getAll('where'), ...(own ? [own] : [])];
  const value = [...query.getAll('value'), ...values];
  if (where.length > 0) query.set('where', where.join());
  if (value.length > 0) query.set('value', value.join());
  return `${path}?${query}`;
};
