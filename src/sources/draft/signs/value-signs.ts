/**
 * What the values of a list say of its columns, whatever these are called: an amount that is the sum of two others, a text that follows from a
 * postal code, days that begin and end months. Each is a relation of columns, or a set of values that nothing else has.
 */
import type { Conventions } from '../forms/settle.ts';
import type { ColumnProfile, ListProfile } from '../lists/profile.ts';
import { amounts } from './amounts.ts';
import { readList, type TargetPlace } from './read-list.ts';
import { births, dues, terms, wholeTerms } from './terms.ts';
import { contents, names, places, streets } from './texts.ts';
import { contracts, sizes, units } from './units.ts';

export interface ValueSign {
  /** What the values are worth without a name. */
  readonly points: number;
  readonly evidence: string;
}

/** The signs of each column, by target. */
export type ValueSigns = ReadonlyMap<ColumnProfile, ReadonlyMap<TargetPlace, ValueSign>>;

/** Enough to be proposed without a name, if nothing else fits better. */
const telling = 2.1;

/** The signs of a list. */
export const valueSignsOf = (list: ListProfile, conventions: Conventions): ValueSigns => {
  const read = readList(list, conventions);
  const signs = new Map<ColumnProfile, Map<TargetPlace, ValueSign>>();
  for (const rule of [amounts, places, streets, contents, names, births, terms, dues, wholeTerms, sizes, units, contracts])
    for (const { column, targets, points = telling, evidence } of rule(read)) {
      const known = signs.get(column) ?? new Map<TargetPlace, ValueSign>();
      signs.set(column, known);
      for (const target of targets)
        if ((known.get(target)?.points ?? Number.NEGATIVE_INFINITY) < points) known.set(target, { points, evidence });
    }
  return signs;
};
