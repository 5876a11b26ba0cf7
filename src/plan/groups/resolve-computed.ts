/** Resolves computed values: the values that they are computed from, their keys, and the level at which they can be computed. */
import type { OrderTerm } from '../plan.ts';
import { validationTexts } from '../validation-errors.ts';
import { computation, looksBack, operandCount, periodBounds } from '../vocabulary/values.ts';
import type { ComputedValue } from './computed.ts';
import { aggregatableColumns, type GroupKey, type GroupTerm } from './groups.ts';
import type { Fail, RequestedComputed } from './request.ts';
import { keyAt, type Resolving, termOf } from './resolving.ts';

/** The maximum number of computed values in one request. */
const maxComputed = 50;

/** Whether a value can be computed with. */
const isNumber = ({ kind }: GroupTerm): boolean => kind === 'number' || kind === 'integer' || kind === 'bigint';

/** The names of the values. Undefined if one of them has an error, which is reported. */
const operandsOf = (resolving: Resolving, { call, of }: RequestedComputed, fail: Fail): readonly string[] | undefined => {
  if (of.length !== operandCount(call))
    return fail({ is: 'invalid', reason: `${call} takes ${operandCount(call) === 1 ? 'one value' : 'two values'}` });
  const terms = of.map((term) => {
    if (term.is === 'key') return fail({ is: 'invalid', reason: `${call} is computed from values, not from keys` });
    if (term.is === 'computed' && !resolving.computed.has(term))
      return fail({ is: 'invalid', reason: `${call} refers to a value that comes later; computed values refer to earlier ones` });
    return termOf(resolving, term, fail);
  });
  const wrong = terms.find((term) => term && !isNumber(term));
  if (wrong) return fail({ is: 'invalid', reason: `${call} is computed from numbers` });
  const names = terms.flatMap((term) => term?.column ?? []);
  return names.length === of.length ? names : undefined;
};

/** Whether a value can look back along a key: it has periods of time, or whole numbers that count something. The numbers of keys and codes do not. */
const isAlong = ({ groupable }: Resolving, { via, column, kind, band, bucket }: GroupKey): boolean => {
  if (band || bucket) return bucket !== undefined;
  const target = via.at(-1)?.target;
  const table = target === undefined ? groupable.table : groupable.tables.get(target)!;
  return kind !== 'number' && aggregatableColumns(table, 'sum').includes(column);
};

/** The key along which a value looks back. */
const alongOf = (resolving: Resolving, { call, along, periods = 1 }: RequestedComputed, fail: Fail): ComputedValue['along'] => {
  const found = along ? keyAt(resolving, along, fail) : onlyAlong(resolving, call, fail);
  if (!found) return undefined;
  const { name, kind, bucket } = found;
  if (!isAlong(resolving, found))
    return fail({
      is: 'invalid',
      reason: `${call} looks back along a key with a bucket of time or whole numbers, such as month or fiscal_year`,
    });
  const { min, max } = periodBounds;
  if (!Number.isInteger(periods) || periods < min) return fail({ is: 'invalid', reason: validationTexts.below(min) });
  if (periods > max) return fail({ is: 'invalid', reason: validationTexts.above(max) });
  return { name, kind, period: bucket, periods };
};

/** The only key to look back along. Periods of time precede whole numbers. */
const onlyAlong = (resolving: Resolving, call: string, fail: Fail): GroupKey | undefined => {
  const keys = resolving.keys.flatMap(({ key }) => (isAlong(resolving, key) ? [key] : []));
  const periods = keys.filter(({ bucket }) => bucket);
  const [found, another] = periods.length > 0 ? periods : keys;
  if (found && !another) return found;
  const what = found?.bucket ? 'keys with a bucket of time' : 'keys of whole numbers';
  const reason = another
    ? `there are several ${what}; name one`
    : 'needs a key with a bucket of time or whole numbers, such as month or fiscal_year';
  return fail({ is: 'invalid', reason: `${call}: ${reason}` });
};

/** The keys that the groups of a window share. A value that looks back shares all other keys. */
const withinOf = (resolving: Resolving, { call, within }: RequestedComputed, along: ComputedValue['along'], fail: Fail) => {
  if (along) return resolving.keys.flatMap(({ key }) => (key.name === along.name ? [] : [key.name]));
  if (within.length > 0 && computation(call).keys !== 'within') return fail({ is: 'invalid', reason: `${call} takes no keys` });
  const names = within.map((reference) => keyAt(resolving, reference, fail)?.name);
  return names.includes(undefined) ? undefined : (names as readonly string[]);
};

const levelOf = ({ values }: Resolving, names: readonly string[]): number =>
  Math.max(0, ...values.flatMap((value) => (value && 'level' in value && names.includes(value.name) ? [value.level] : [])));

/** The computed value of a request. Calls `fail` for its errors. */
export const resolveComputed = (
  resolving: Resolving,
  requested: RequestedComputed,
  name: string,
  fail: Fail,
): ComputedValue | undefined => {
  const { call } = requested;
  const isBack = looksBack(call);
  const isFull = resolving.computed.size >= maxComputed;
  const of = isFull
    ? fail({ is: 'invalid', reason: `at most ${maxComputed} computed values are possible` })
    : operandsOf(resolving, requested, fail);
  const along = of && isBack ? alongOf(resolving, requested, fail) : undefined;
  const within = of && (!isBack || along) ? withinOf(resolving, requested, along, fail) : undefined;
  const computed = of && within ? { is: call, name, of, level: 1 + levelOf(resolving, of), within, along } : undefined;
  resolving.computed.set(requested, computed);
  return computed;
};

/**
 * The computed values with the levels of running totals, which need the values of the order. Calls `onCycle` if the order depends on a
 * running total.
 */
export const inOrder = (computed: readonly ComputedValue[], order: readonly OrderTerm[], onCycle: () => void): readonly ComputedValue[] => {
  if (!computed.some(({ is }) => is === 'running_total')) return computed;
  const byName = new Map(computed.map((value) => [value.name, value]));
  const dependsOnOrder = (name: string): boolean => {
    const value = byName.get(name);
    return value !== undefined && (value.is === 'running_total' || value.of.some(dependsOnOrder));
  };
  if (order.some(({ column }) => dependsOnOrder(column))) {
    onCycle();
    return computed;
  }
  const ofOrder = Math.max(0, ...order.map(({ column }) => byName.get(column)?.level ?? 0));
  // A value refers only to values before it, so one pass is enough.
  const levels = new Map<string, number>();
  return computed.map((value) => {
    const ofValues = Math.max(0, ...value.of.map((name) => levels.get(name) ?? 0));
    const level = 1 + (value.is === 'running_total' ? Math.max(ofValues, ofOrder) : ofValues);
    levels.set(value.name, level);
    return { ...value, level };
  });
};
