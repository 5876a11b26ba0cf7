/** The keys of groups in REST: columns, buckets such as `order_date:quarter`, and bands such as `balance:ranges(0,1000)`. */

import type { Fail, RequestedKey } from '../plan/groups/request.ts';
import { quotedValue } from '../plan/validation-errors.ts';
import { answerName, bandNames, seriesName } from '../plan/vocabulary/keys.ts';
import type { Item } from './grammar.ts';

const keyOf = (path: string, suffix: string | undefined, more: Pick<RequestedKey, 'bucket' | 'band'>): RequestedKey => {
  const via = path.split('.');
  const column = via.pop()!;
  return { name: answerName(path, suffix), via, column, ...more };
};

/** A band with its bounds, and with the reference date of ages as `on=2025-12-31` or `on=today`. */
const bandKey = ({ text, name, call, of = [] }: Extract<Item, { is: 'called' }>, fail: Fail): RequestedKey | undefined => {
  const is = bandNames.find((each) => each === call);
  if (!is)
    return fail({ is: 'invalid', reason: `${quotedValue(text)} has no known buckets with bounds; there are: ${bandNames.join(', ')}` });
  const bounds: string[] = [];
  let on: string | undefined;
  for (const item of of) {
    if (item.is === 'plain') bounds.push(item.value);
    else if (item.is === 'compared' && item.name === 'on' && item.by === 'eq') on = item.value;
    else return fail({ is: 'invalid', reason: `${quotedValue(item.text)} is neither a bound nor a reference date such as on=2025-12-31` });
  }
  return keyOf(name, call, { bucket: undefined, band: { is, bounds, on: on === 'today' ? undefined : on } });
};

const seriesKey = ({ text, call, of = [] }: Extract<Item, { is: 'called' }>, fail: Fail): RequestedKey | undefined => {
  const [from, to, ...others] = of.map((item) => item.text);
  if (from === undefined || to === undefined || others.length > 0)
    return fail({ is: 'invalid', reason: `${quotedValue(text)} needs a first and a last day, such as as_of:month(2025-01-01,2025-12-31)` });
  return { name: seriesName, via: [], column: seriesName, bucket: undefined, series: { every: call, from, to } };
};

/** The key of an item. Its name is that of its column in the response. */
export const requestedKey = (item: Item, fail: Fail): RequestedKey | undefined => {
  if (item.is === 'invalid') return fail({ is: 'invalid', reason: `${quotedValue(item.text)} ${item.reason}` });
  if (item.is === 'called' && item.of) return item.name === seriesName ? seriesKey(item, fail) : bandKey(item, fail);
  const colon = item.text.indexOf(':');
  if (colon < 0) return keyOf(item.text, undefined, { bucket: undefined });
  const bucket = item.text.slice(colon + 1);
  return keyOf(item.text.slice(0, colon), bucket, { bucket });
};
