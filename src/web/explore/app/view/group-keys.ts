/** The keys of groups: their kind, their order, and the conditions on the rows of a key with a value. */

import { type Band, labelsOf, resolveBand } from '../../../../plan/groups/bands.ts';
import { answerName, bandNames, buckets, seriesName } from '../../../../plan/vocabulary/keys.ts';
import { writtenComparison } from '../../../../query/write/items.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable, Description } from '../../described.ts';
import { isEmpty, itemOf, textsOfItems } from './conditions.ts';
import { dayAfter, endOfPeriod, lastDayOfPeriod, periodBefore } from './periods.ts';
import { type FoundColumn, findColumn } from './tables.ts';

export interface ReadKey {
  /** The name in the answer. */
  readonly name: string;
  readonly path: string;
  /** The period of dates or of a series; empty without one. */
  readonly period: string;
  readonly isSeries: boolean;
  readonly band: Band | undefined;
  /** Undefined for a series, and for a column that the key does not read. */
  readonly found: FoundColumn | undefined;
}

/** The name in the answer of a key of groups: `property.federal_state` is `property_federal_state`, `order_date:quarter` is `order_date_quarter`. */
export const keyNameOf = (text: string): string => {
  const [path = '', bucket] = text.split(':');
  const call = bucket?.replace(/\(.*$/s, '');
  return path === seriesName ? seriesName : answerName(path, call);
};

/** The band of a key such as `balance:ranges(0,1000)`. */
const bandOf = (text: string, { column, path }: FoundColumn): Band | undefined => {
  const item = itemOf(text);
  const is = item?.is === 'called' ? bandNames.find((each) => each === item.call) : undefined;
  if (item?.is !== 'called' || !is) return undefined;
  const written = textsOfItems(item.of);
  const on = written.find((each) => each.startsWith('on='))?.slice('on='.length);
  const bounds = written.filter((each) => !each.startsWith('on='));
  const band = resolveBand({ is, bounds, on: on === 'today' ? undefined : on }, { kind: column.kind, column: path });
  return typeof band === 'object' ? band : undefined;
};

/** The parts of a key such as `order_date:quarter`. */
export const groupKeyOf = (text: string, table: DescribedTable, description: Description): ReadKey => {
  const [path = '', bucket = ''] = text.split(':');
  const call = bucket.replace(/\(.*$/s, '');
  const found = path === seriesName ? undefined : findColumn(description, table, path);
  return {
    name: keyNameOf(text),
    path,
    period: buckets.find((each) => each === call) ?? '',
    isSeries: path === seriesName,
    band: found && bandOf(text, found),
    found,
  };
};

/** Whether the key is a whole number that means a time, such as a fiscal year. */
export const isYear = ({ period, band, found }: ReadKey): boolean =>
  !period && !band && found !== undefined && found.column.kind === 'integer' && /(?:^|_)(?:year|period)$/.test(found.column.name);

/** Times begin with the newest, bands with the lowest. Other keys have no order of their own. */
export const ownOrderOf = (key: ReadKey): 'newest' | 'lowest' | undefined =>
  key.period || key.isSeries || isYear(key) ? 'newest' : key.band ? 'lowest' : undefined;

/** The place of a band among the bands of its key, by its label. */
export const placeOfBand = (band: Band, label: string): number =>
  band.is === 'width' ? Number.parseFloat(label) : labelsOf(band).indexOf(label);

type Bounds = { readonly from?: string | undefined; readonly below?: string | undefined };

/** The bounds of a band, by its label. */
const boundsOf = (band: Band, label: string): Bounds | undefined => {
  if (band.is === 'width') {
    const [, from, below] = /^(-?[\d.]+) to below (-?[\d.]+)$/.exec(label) ?? [];
    return from === undefined ? undefined : { from, below };
  }
  const at = labelsOf(band).indexOf(label);
  if (at < 0) return undefined;
  if (band.is === 'ranges') return { from: band.bounds[at - 1], below: band.bounds[at] };
  const daysBefore = (days: number) => dayAfter(band.on, -days);
  if (at === 0) return { from: daysBefore(-1) };
  const oldest = band.bounds[at - 1];
  const youngest = at === 1 ? 0 : (band.bounds[at - 2] ?? 0) + 1;
  return { ...(oldest !== undefined && { from: daysBefore(oldest) }), below: daysBefore(youngest - 1) };
};

/** The value of a key some periods earlier; undefined for keys without periods. */
export const valueBefore = (key: ReadKey, value: Cell, periods: number): Cell | undefined => {
  if (value === null) return undefined;
  const text = textOf(value);
  if (key.isSeries) return lastDayOfPeriod(text, key.period, periods);
  if (key.period) return periodBefore(text, key.period, periods);
  return key.found && /^-?\d+$/.test(text) ? String(BigInt(text) - BigInt(periods)) : undefined;
};

/** The conditions on the rows of a key with this value. Undefined if conditions on rows cannot say them. */
export const conditionsOfKey = (key: ReadKey, value: Cell, { validity }: DescribedTable): readonly string[] | undefined => {
  const { path, period, band, found } = key;
  if (key.isSeries) {
    if (!validity || value === null) return undefined;
    const [from, to] = validity;
    const day = textOf(value);
    return [`any(${writtenComparison(from, 'lte', day)},${isEmpty(from)})`, `any(${writtenComparison(to, 'gte', day)},${isEmpty(to)})`];
  }
  if (!found) return undefined;
  // A condition over a relation holds for rows with a related row only.
  if (value === null) return found.via.length === 0 ? [isEmpty(path)] : undefined;
  const text = textOf(value);
  if (!period && !band) return [writtenComparison(path, 'eq', text)];
  const bounds = period ? { from: text.slice(0, 10), below: endOfPeriod(text, period) } : band && boundsOf(band, text);
  if (!bounds) return undefined;
  const bound = (edge: string) => (found.column.kind === 'timestamp' ? `${edge}T00:00:00Z` : edge);
  const { from, below } = bounds;
  return [
    ...(from === undefined ? [] : [writtenComparison(path, 'gte', bound(from))]),
    ...(below === undefined ? [] : [writtenComparison(path, 'lt', bound(below))]),
  ];
};
