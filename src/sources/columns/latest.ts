/** Of rows with equal keys, the one that counts. The positions are in memory, so their number is bounded. */
import { OperatorError } from '../../errors.ts';
import { Rejection } from '../../sync/files/rejections.ts';
import type { Formats } from '../source-file.ts';
import { dateParser } from './dates.ts';
import { numberParser } from './numbers.ts';

const maxKeys = 2_000_000;

type Order = (text: string | null) => string | number;

/** Compares values as numbers or as times: as what the first value is. */
const orderOf = (formats: Formats): Order => {
  const toNumber = numberParser(formats);
  const toMoment = dateParser(formats);
  const asNumber = (text: string) => Number(toNumber(text));
  const asTime = (text: string) => {
    const { day, time = '' } = toMoment(text);
    return `${day} ${time}`;
  };
  let chosen: ((text: string) => string | number) | undefined;
  return (text) => {
    if (text === null) throw new Rejection('has no value, and latest needs one');
    if (chosen) return chosen(text);
    try {
      const first = asNumber(text);
      chosen = asNumber;
      return first;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      chosen = asTime;
      return asTime(text);
    }
  };
};

export class Latest {
  readonly #table: string;
  readonly #order: Order | undefined;
  readonly #rows = new Map<number, { position: number; order: string | number; isDeleted: boolean }>();

  /** `by`: the column, or `$position` for the place in the files. */
  constructor(table: string, by: string | undefined, formats: Formats) {
    this.#table = table;
    this.#order = by === undefined || by === '$position' ? undefined : orderOf(formats);
  }

  /** Adds a row. Throws a `Rejection` if its order is no number or time like that of the others. */
  add(key: number, position: number, order: string | null, isDeleted: boolean): void {
    const place = this.#order ? this.#order(order) : position;
    const known = this.#rows.get(key);
    if (known && known.order > place) return;
    if (!known && this.#rows.size >= maxKeys)
      throw new OperatorError(`${this.#table}: latest and deletions take at most ${maxKeys.toLocaleString('en')} keys in a load.`);
    this.#rows.set(key, { position, order: place, isDeleted });
  }

  /** Whether the row of this position counts. */
  has(key: number, position: number): boolean {
    const row = this.#rows.get(key);
    return row?.position === position && !row.isDeleted;
  }

  /** The keys whose latest row marks a deletion. */
  *deleted(): Generator<number> {
    for (const [key, { isDeleted }] of this.#rows) if (isDeleted) yield key;
  }
}
