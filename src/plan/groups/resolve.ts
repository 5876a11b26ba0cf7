/**
 * Resolves a request for groups into the groups and the order of a plan (contract: groups).
 *
 * REST parameters and GraphQL arguments become one `GroupsRequest`. Each kind of key, value and term is therefore resolved and checked once.
 */
import { allOf, type Condition, needsDay } from '../condition.ts';
import { prefixesOf } from '../paths.ts';
import type { OrderTerm } from '../plan.ts';
import { validationTexts } from '../validation-errors.ts';
import { canFill, countTerm, type GroupKey, type Groups, groupBounds, keyTerm, maxJoins, othersOf, pathsOf, shownTerm } from './groups.ts';
import {
  type Fail,
  type GroupableTable,
  type GroupsRequest,
  type KeyReference,
  keyName,
  type OnGroupsError,
  type RequestedCondition,
  type RequestItem,
  type RequestPart,
  valueName,
} from './request.ts';
import { inOrder, resolveComputed } from './resolve-computed.ts';
import { addValue, keyAt, type Resolving, resolveKey, termOf } from './resolving.ts';
import { seriesHint } from './series.ts';

const conditionsOf = (
  resolving: Resolving,
  conditions: readonly RequestedCondition[],
  failOf: (condition: RequestedCondition) => Fail,
): readonly Condition[] =>
  conditions.flatMap((condition): readonly Condition[] => {
    const all = (parts: readonly RequestedCondition[]) => allOf(conditionsOf(resolving, parts, failOf));
    if (condition.is === 'unknown') return [condition];
    if (condition.is === 'not') return [{ is: 'not', of: all(condition.of) }];
    if (condition.is !== 'compared') return [{ is: condition.is, of: condition.of.map(all) }];
    const fail = failOf(condition);
    const term = termOf(resolving, condition.term, fail, shownTerm);
    return (term && condition.compare(term, fail)) ?? [];
  });

/** The requested order, with the keys added to make it unique. Without keys there is only one group. */
const uniqueOrder = (keys: readonly GroupKey[], requested: readonly OrderTerm[]): readonly OrderTerm[] => {
  const rest = keys.length > 0 ? keys.map(keyTerm) : [countTerm];
  const terms = [...requested, ...rest.map((term) => ({ ...term, isDescending: false }))];
  return terms.filter(({ column }, index) => terms.findIndex((other) => other.column === column) === index);
};

const topOf = (resolving: Resolving, { by, first }: NonNullable<GroupsRequest['top']>, fail: Fail): Groups['top'] => {
  if (by.length === 0) return fail({ is: 'invalid', reason: 'by names no key' });
  if (first < groupBounds.min) return fail({ is: 'invalid', reason: validationTexts.below(groupBounds.min) });
  if (first > groupBounds.max) return fail({ is: 'invalid', reason: validationTexts.above(groupBounds.max) });
  return { by: by.flatMap((reference) => keyAt(resolving, reference, fail)?.name ?? []), first };
};

/** The name of a key whose empty buckets are filled. */
const fillOf = (resolving: Resolving, reference: KeyReference, fail: Fail): string | undefined => {
  const key = keyAt(resolving, reference, fail);
  if (!key || canFill(key)) return key?.name;
  return fail({ is: 'invalid', reason: `${reference.name} cannot be filled; only periods and bands can be` });
};

/** Parts with errors are left out of the result. */
export const resolveGroups = (
  request: GroupsRequest,
  groupable: GroupableTable,
  onError: OnGroupsError,
): { readonly groups: Groups; readonly order: readonly OrderTerm[] } => {
  const failOf =
    (part: RequestPart, item: RequestItem): Fail =>
    (error) => {
      onError(part, error, item);
      return undefined;
    };
  const keys = request.keys.flatMap((requested, at) => {
    const key = resolveKey(groupable, requested, keyName(at), failOf('keys', requested));
    return key ? [{ requested, key }] : [];
  });
  const [, another] = keys.filter(({ key }) => key.series);
  if (another) failOf('keys', another.requested)({ is: 'invalid', reason: 'groups have one series' });
  const { where, linkedBy } = request;
  const values = Array(request.values.length);
  const resolving: Resolving = { groupable, keys, values, known: new Map(), computed: new Map(), where, linkedBy };
  for (const [at, value] of request.values.entries()) if (value.is !== 'computed') addValue(resolving, value, failOf('values', value), at);
  for (const [at, value] of request.values.entries())
    if (value.is === 'computed') resolving.values[at] = resolveComputed(resolving, value, valueName(at), failOf('values', value));
  const order = request.order.flatMap((item): readonly OrderTerm[] => {
    const term = termOf(resolving, item.term, failOf('order', item));
    return term ? [{ ...term, isDescending: item.isDescending }] : [];
  });
  const conditions = conditionsOf(resolving, request.having, (condition) => failOf('having', condition));
  const filled = (request.fill ?? []).flatMap((reference) => fillOf(resolving, reference, failOf('fill', reference)) ?? []);
  const computed = inOrder(
    resolving.values.flatMap((value) => (value && 'level' in value ? [value] : [])),
    order,
    () => onError('order', { is: 'invalid', reason: 'a running total follows the order, so the order cannot depend on it' }, request),
  );
  const isOfToday = request.keys.some(({ band }) => band?.is === 'age' && band.on === undefined);
  const groups: Groups = {
    keys: keys.map(({ key }) => key),
    values: resolving.values.flatMap((value) => (value && !('level' in value) ? [value] : [])),
    computed,
    filled: [...new Set(filled)],
    having: conditions.length > 0 ? allOf(conditions) : undefined,
    top: request.top && topOf(resolving, request.top, failOf('top', request)),
    isCounted: request.isCounted,
    ...(isOfToday && { isOfToday }),
  };
  const conditional = resolving.values.find((value) => value && 'where' in value && needsDay(value.where));
  if (!keys.some(({ key }) => key.series) && (needsDay(request.where) || conditional))
    onError('values', { is: 'invalid', reason: `a condition on valid rows needs ${seriesHint}` }, request);
  const paths = [pathsOf(groups), ...othersOf(groups.values).map((other) => [...groups.keys, ...other.paths])];
  if (paths.some((each) => prefixesOf(each).size > maxJoins)) onError('keys', { is: 'tooManyRelations' }, request);
  return { groups, order: uniqueOrder(groups.keys, order) };
};
