/**
 * The conditions of an address as the reader sees and changes them: read from the items of the grammar, and written as items. What the reader
 * does not change keeps its text. Two comparisons that are the bounds of one column are one condition.
 */
import {
  type CallName,
  type ComparisonOperator,
  type Connective,
  calls,
  operators,
  type QuantifierName,
  quantifierCalls,
  quantifiers,
  relatedCount,
} from '../../../../plan/vocabulary/operators.ts';
import { type Item, maxDepth } from '../../../../query/grammar.ts';
import { writtenCall, writtenComparison, writtenFunction, writtenValue } from '../../../../query/write/items.ts';
import { itemOf, textsOfItems } from './conditions.ts';

/** A condition on one value. Its name is that of a column, or the text of a row function. */
export type ValueCondition =
  | { readonly is: 'compared'; readonly name: string; readonly by: ComparisonOperator; readonly value: string }
  | { readonly is: 'called'; readonly name: string; readonly call: CallName; readonly values: readonly string[] }
  /** The last value belongs to it, unless it is `below`. */
  | { readonly is: 'between'; readonly name: string; readonly from: string; readonly to: string; readonly by: 'lte' | 'lt' };

export type Condition =
  | ValueCondition
  | { readonly is: 'related'; readonly name: string; readonly by: QuantifierName; readonly of: readonly Condition[] }
  /** The number of related rows that meet conditions. */
  | {
      readonly is: 'counted';
      readonly name: string;
      readonly by: ComparisonOperator;
      readonly value: string;
      readonly of: readonly Condition[];
    }
  | { readonly is: 'joined'; readonly by: Connective; readonly of: readonly Condition[] }
  /** Text that is no condition, such as one with a mistake. */
  | { readonly is: 'other'; readonly text: string };

export const isOnValue = (condition: Condition): condition is ValueCondition =>
  condition.is === 'compared' || condition.is === 'called' || condition.is === 'between';

const isCall = (name: string): name is CallName => calls.has(name);

const conditionOf = (item: Item, within: Connective): Condition => {
  const other: Condition = { is: 'other', text: item.text };
  if (item.is === 'compared' && item.subject?.is === 'counted') {
    const { by, value, subject } = item;
    return { is: 'counted', name: subject.relation, by, value, of: conditionsOf(subject.of, 'all') };
  }
  if (item.is === 'compared') return { is: 'compared', name: item.name, by: item.by, value: item.value };
  if (item.is === 'joined') {
    const of = conditionsOf(item.of, item.by);
    const [only] = of;
    // The bounds of a column within alternatives are joined in the address only.
    if (within === 'any' && item.by === 'all' && of.length === 1 && only?.is === 'between') return only;
    return of.length === 0 ? other : { is: 'joined', by: item.by, of };
  }
  if (item.is !== 'called') return other;
  const { name, call, of } = item;
  const by = item.subject ? undefined : quantifierCalls.get(call);
  if (by) return { is: 'related', name, by, of: conditionsOf(of ?? [], 'all') };
  if (!isCall(call) || of?.some(({ is }) => is === 'invalid')) return other;
  return { is: 'called', name, call, values: textsOfItems(of) };
};

/** The bounds that two comparisons are, if they follow each other. */
const bounds = (one: Condition | undefined, other: Condition): Condition | undefined =>
  one?.is === 'compared' &&
  other.is === 'compared' &&
  one.name === other.name &&
  one.by === 'gte' &&
  (other.by === 'lte' || other.by === 'lt')
    ? { is: 'between', name: one.name, from: one.value, to: other.value, by: other.by }
    : undefined;

const conditionsOf = (items: readonly Item[], within: Connective): readonly Condition[] => {
  const conditions: Condition[] = [];
  for (const item of items) {
    const condition = conditionOf(item, within);
    const pair = within === 'all' && bounds(conditions.at(-1), condition);
    if (pair) conditions.splice(-1, 1, pair);
    else conditions.push(condition);
  }
  return conditions;
};

const itemsOfAll = (of: readonly Condition[]): readonly string[] => of.flatMap((each) => itemsWithin(each, 'all'));

const itemsWithin = (condition: Condition, within: Connective): readonly string[] => {
  switch (condition.is) {
    case 'compared':
      return [writtenComparison(condition.name, condition.by, condition.value)];
    case 'called': {
      const { name, call, values } = condition;
      return [writtenCall(name, call, values.length > 0 ? values.map(writtenValue) : undefined)];
    }
    case 'between': {
      const { name, from, to, by } = condition;
      const pair = [writtenComparison(name, 'gte', from), writtenComparison(name, by, to)];
      return within === 'any' ? [writtenFunction('all', pair)] : pair;
    }
    case 'related':
      return [writtenCall(condition.name, quantifiers[condition.by].call, itemsOfAll(condition.of))];
    case 'counted': {
      const { name, by, value, of } = condition;
      const counted = writtenCall(name, relatedCount.call, of.length > 0 ? itemsOfAll(of) : undefined);
      return [writtenComparison(counted, by, value)];
    }
    case 'joined':
      return [
        writtenFunction(
          condition.by,
          condition.of.flatMap((each) => itemsWithin(each, condition.by)),
        ),
      ];
    default:
      return [condition.text];
  }
};

/** The items of a condition, all of which hold: two for bounds, one for any other. */
export const itemsOfCondition = (condition: Condition): readonly string[] => itemsWithin(condition, 'all');

/** A condition of a list with its items, in the order of the list. */
export interface Entry {
  readonly condition: Condition;
  readonly items: readonly string[];
}

/** The conditions of items that all hold. */
export const entriesOf = (items: readonly string[]): readonly Entry[] => {
  const entries: Entry[] = [];
  for (const text of items) {
    const item = itemOf(text);
    const condition: Condition = item ? conditionOf(item, 'all') : { is: 'other', text };
    const last = entries.at(-1);
    const pair = bounds(last?.condition, condition);
    if (pair && last) entries.splice(-1, 1, { condition: pair, items: [...last.items, text] });
    else entries.push({ condition, items: [text] });
  }
  return entries;
};

/** The items with another condition in the place of an entry, or without the entry. A place behind the last entry adds the condition. */
export const replacedAt = (items: readonly string[], at: number, condition: Condition | undefined): readonly string[] => {
  const entries = entriesOf(items).map((entry) => entry.items);
  const written = condition ? itemsOfCondition(condition) : [];
  return at < entries.length ? entries.toSpliced(at, 1, written).flat() : [...entries.flat(), ...written];
};

/** The list with another condition at a place, or without the one there. */
export const withChanged = (of: readonly Condition[], at: number, condition: Condition | undefined): readonly Condition[] =>
  of.toSpliced(at, 1, ...(condition ? [condition] : []));

/** The condition of a list in a connective. A single one needs none. */
export const joinedBy = (by: Connective, of: readonly Condition[]): Condition | undefined =>
  of.length > 1 ? { is: 'joined', by, of } : of[0];

/** The condition with another one beside it, as an alternative or as one that holds, too. */
export const extended = (condition: Condition, by: Connective, more: Condition): Condition =>
  condition.is === 'joined' && condition.by === by
    ? { ...condition, of: [...condition.of, more] }
    : { is: 'joined', by, of: [condition, more] };

/** Whether conditions can be joined at this number of calls around them. A call, such as the bounds of a column, fits within. */
export const canNest = (depth: number): boolean => depth + 3 < maxDepth;

/** Whether a call takes no value. */
export const isEmptyCall = (call: CallName): boolean => operators[calls.get(call)!.operator].takes === 'nothing';
