/**
 * Values of groups with a name and conditions of their own in REST, such as `value=open_net:sum(remaining_net,status!=closed)` (contract:
 * named values).
 */
import type { Condition } from '../plan/condition.ts';
import { allOf } from '../plan/condition.ts';
import type { Fail, GroupableTable, KeyReference, RequestedComputed, RequestedTerm, RequestedValue } from '../plan/groups/request.ts';
import { quotedValue } from '../plan/validation-errors.ts';
import { type Aggregate, aggregateNames, aggregates, computationNames, isComputation, looksBack } from '../plan/vocabulary/values.ts';
import { columnNamed, rowConditionsOf } from './conditions.ts';
import type { Item } from './grammar.ts';
import { identifierPattern } from './parameters.ts';

export interface NamedValue {
  readonly name: string;
  readonly value: RequestedValue | RequestedComputed;
}

/** A value that is computed from others. Its arguments are names, which are looked up when all names are known. */
export interface NamedComputation {
  readonly name: string;
  readonly call: RequestedComputed['call'];
  readonly arguments: readonly string[];
}

/** The functions, each with the number of its arguments before the conditions. */
export const functions: Readonly<Record<string, number>> = {
  count: 0,
  ...Object.fromEntries(aggregateNames.map((is) => [is, 'takesPercent' in aggregates[is] ? 2 : 1])),
};

/** An aggregate of a column. */
export const aggregateOf = (is: Aggregate, path: string): RequestedValue => ({ is, ...columnNamed(path) });

/** An aggregate of the argument: a column, or a row function. */
const aggregateOfArgument = (is: Aggregate, argument: Item | undefined): RequestedValue => {
  if (argument?.is !== 'applied') return aggregateOf(is, argument?.text ?? '');
  return { is, of: '', applied: { call: argument.call, of: argument.of.map(({ text }) => columnNamed(text)) } };
};

/** The condition of the last arguments of a function. */
export const conditionOf = (items: readonly Item[], groupable: GroupableTable, fail: Fail): Condition | undefined => {
  const conditions = rowConditionsOf(items, groupable, fail) ?? [];
  return conditions.length > 0 ? allOf(conditions) : undefined;
};

const integerPattern = /^\d{1,6}$/;

/** The computed value of arguments: values, then keys, or a number of periods for values that look back. */
export const requestedComputed = (
  { call, arguments: names }: NamedComputation,
  termOf: (name: string) => RequestedTerm,
): RequestedComputed => {
  const terms = names.map((name) => ({ name, term: integerPattern.test(name) ? undefined : termOf(name) }));
  const keys = terms.flatMap(({ term }): readonly KeyReference[] => (term?.is === 'key' ? [term] : []));
  const of = terms.flatMap(({ term }) => (term && term.is !== 'key' ? [term] : []));
  const [periods, ...more] = terms.flatMap(({ name, term }) => (term ? [] : [Number(name)]));
  const isBack = looksBack(call);
  // A wrong number of arguments is an error of the value, which the resolver reports.
  const isWrong = more.length > 0 || (periods !== undefined && !isBack) || (isBack && keys.length > 1);
  return { is: 'computed', call, of: isWrong ? [] : of, within: isBack ? [] : keys, along: isBack ? keys[0] : undefined, periods };
};

/** The value of an item. Calls `fail` for each of its errors. Undefined if it has no name or no function. */
export const namedValueOf = (item: Item, groupable: GroupableTable, fail: Fail): NamedValue | NamedComputation | undefined => {
  if (item.is === 'invalid') return fail({ is: 'invalid', reason: `${quotedValue(item.text)} ${item.reason}` });
  if (item.is !== 'called' || !item.of || !identifierPattern.test(item.name))
    return fail({ is: 'invalid', reason: `${quotedValue(item.text)} is no named value such as open_net:sum(total_net,status!=closed)` });
  const { name, call, of } = item;
  if (isComputation(call)) return { name, call, arguments: of.map(({ text }) => text) };
  const taken = Object.hasOwn(functions, call) ? functions[call] : undefined;
  if (taken === undefined)
    return fail({ is: 'unknown', name: call, among: 'functions', names: () => [...Object.keys(functions), ...computationNames] });
  const [column, percent] = of.slice(0, taken);
  if (column?.is === 'invalid') return fail({ is: 'invalid', reason: `${quotedValue(column.text)} ${column.reason}` });
  const where = conditionOf(of.slice(taken), groupable, fail);
  const own: RequestedValue = call === 'count' ? { is: call, of: '' } : aggregateOfArgument(call as Aggregate, column);
  return { name, value: { ...own, where, ...(call === 'percentile' && { percent: Number(percent?.text) }) } };
};
