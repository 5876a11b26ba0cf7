/** Writes conditions in the grammar of query strings: the inverse of `conditions.ts` (contract: conditions on groups). */
import type { ResolvedRelation } from '../../catalogue/index.ts';
import { type ComparedValue, type Condition, type ConditionOnColumn, isColumnCondition } from '../../plan/condition.ts';
import type { RelationStep } from '../../plan/paths.ts';
import { type ComparisonOperator, operators, quantifierNames, quantifiers, relatedCount } from '../../plan/vocabulary/operators.ts';
import { maxDepth } from '../grammar.ts';
import type { RelationsOf } from '../relation-names.ts';
import { writtenCall, writtenComparison, writtenFunction, writtenValue } from './items.ts';

/** A part of a plan that query strings cannot say. The message is the reason. */
export class Unwritable extends Error {}

export const refuse = (reason: string): never => {
  throw new Unwritable(reason);
};

/** The relation of a step, by its name. A caller who may not read its target has no name for it. */
export const relationOf = (table: string, { column, target, targetColumn }: RelationStep, relationsOf: RelationsOf): ResolvedRelation =>
  relationsOf(table).find((each) => each.column === column && each.target === target && each.targetColumn === targetColumn) ??
  refuse(`${table} has no relation to ${target} by ${column}`);

/** The path of a column behind relations to at most one row, such as `property.city`. */
export const writtenPath = (
  table: string,
  { via, column }: { readonly via: readonly RelationStep[]; readonly column: string },
  relationsOf: RelationsOf,
): string => {
  const [step, ...rest] = via;
  if (!step) return column;
  const { name, target } = relationOf(table, step, relationsOf);
  return `${name}.${writtenPath(target, { via: rest, column }, relationsOf)}`;
};

const opposites: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  eq: 'ne',
  ne: 'eq',
  gt: 'lte',
  lte: 'gt',
  lt: 'gte',
  gte: 'lt',
};

/** The opposite of a condition on one column. Undefined if it needs a negation. */
const oppositeOf = (condition: ConditionOnColumn): ConditionOnColumn | undefined => {
  if (condition.is === 'compared') return { ...condition, by: opposites[condition.by] };
  return condition.is === 'null' ? { ...condition, expected: !condition.expected } : undefined;
};

/** The negation of a condition, which is unknown where the condition is. */
const negated = (condition: Condition): Condition => {
  if (condition.is === 'not') return condition.of;
  if (isColumnCondition(condition)) return oppositeOf(condition) ?? { is: 'not', of: condition };
  if (condition.is === 'counted' || condition.is === 'applied') {
    const holds = oppositeOf(condition.holds);
    return holds ? { ...condition, holds } : { is: 'not', of: condition };
  }
  if (condition.is === 'or') return { is: 'and', of: condition.of.map(negated) };
  if (condition.is === 'and') return { is: 'or', of: condition.of.map(negated) };
  if (condition.is === 'related' && condition.by !== 'every') return { ...condition, by: condition.by === 'some' ? 'none' : 'some' };
  return { is: 'not', of: condition };
};

interface Position {
  readonly table: string;
  readonly relationsOf: RelationsOf;
  /** The relations to at most one row that lead to the table, such as `property.`. */
  readonly prefix: string;
  /** The number of calls around the condition. */
  readonly depth: number;
}

/** The position within calls. */
const within = (position: Position, calls: number): Position => {
  const depth = position.depth + calls;
  // The conditions there can be calls, too.
  return depth < maxDepth ? { ...position, depth } : refuse('REST has no conditions that are nested so deeply');
};

const quantifierOf = (by: 'some' | 'none' | 'every', isValidOnDay: boolean) =>
  quantifierNames.map((name) => quantifiers[name]).find((each) => each.by === by && each.isValidOnDay === isValidOnDay)?.call;

/** The parts of a condition that all hold. */
export const conditionParts = (condition: Condition): readonly Condition[] =>
  condition.is === 'and' ? condition.of.flatMap(conditionParts) : [condition];

const writtenRelated = (condition: Extract<Condition, { is: 'related' }>, position: Position): readonly string[] => {
  const { name, target, kind } = relationOf(position.table, condition, position.relationsOf);
  const parts = conditionParts(condition.of);
  const conditions = parts.filter(({ is }) => is !== 'validOnDay');
  if (kind === 'to-one') {
    if (condition.by !== 'some' || conditions.length < parts.length) refuse('REST has no negated condition on a related row');
    const present: Condition = { is: 'null', column: condition.targetColumn, expected: false };
    const related = { ...position, table: target, prefix: `${position.prefix}${name}.` };
    const written = conditions.flatMap((part) => statements(part, related));
    // A condition that always holds still needs the row.
    return written.length > 0 ? written : statements(present, related);
  }
  const call = quantifierOf(condition.by, conditions.length < parts.length) ?? refuse('REST has no such condition on related rows');
  const related = { ...within(position, 1), table: target, prefix: '' };
  const inner = conditions.flatMap((part) => statements(part, related));
  return [writtenCall(`${position.prefix}${name}`, call, inner)];
};

/** Alternatives. Each is one condition, or several in a call of their own. */
const writtenAlternatives = (alternatives: readonly Condition[], position: Position): readonly string[] => {
  const inner = within(position, 2);
  const written = alternatives.map((part) => {
    const [only = refuse('REST has no condition that always holds'), ...others] = statements(part, inner);
    return others.length > 0 ? writtenFunction('all', [only, ...others]) : only;
  });
  if (written.length === 0) refuse('REST has no condition that never holds');
  return [writtenFunction('any', written)];
};

/** A condition on a name, or on the subject that replaces it. */
const statement = (name: string, condition: ConditionOnColumn, isNegated = false): string => {
  switch (condition.is) {
    case 'compared':
      return writtenComparison(name, condition.by, condition.value);
    case 'null':
      return writtenCall(name, condition.expected ? operators.isNull.query.call : operators.isNull.query.negated);
    default: {
      const { call, negated: opposite } = operators[condition.is === 'among' ? 'in' : condition.by].query;
      const values = condition.is === 'among' ? condition.values : [condition.value];
      if (values.length === 0) return refuse('REST has no condition without values');
      return writtenCall(name, isNegated ? opposite : call, values.map(writtenValue));
    }
  }
};

/** The number of related rows, or a row function, as items have it in the place of a name. */
const writtenSubject = (condition: ComparedValue, position: Position): string => {
  const { table, relationsOf, prefix } = position;
  if (condition.is === 'counted') {
    if (condition.holds.is !== 'compared') refuse('REST compares a number of related rows with one number');
    const { name, target } = relationOf(table, condition, relationsOf);
    const inner = conditionParts(condition.of).flatMap((part) => statements(part, { ...within(position, 1), table: target, prefix: '' }));
    return writtenCall(`${prefix}${name}`, relatedCount.call, inner.length > 0 ? inner : undefined);
  }
  // A function of a missing row is null, but a condition through a relation needs the row.
  if (prefix !== '' && condition.holds.is === 'null' && condition.holds.expected) refuse('REST has no such condition on a related row');
  return writtenFunction(
    condition.call,
    condition.of.map((path) => `${prefix}${writtenPath(table, path, relationsOf)}`),
  );
};

const statements = (condition: Condition, position: Position): readonly string[] => {
  const nameOf = (of: ConditionOnColumn | ComparedValue) =>
    isColumnCondition(of) ? `${position.prefix}${of.column}` : writtenSubject(of, position);
  const holdsOf = (of: ConditionOnColumn | ComparedValue) => (isColumnCondition(of) ? of : of.holds);
  switch (condition.is) {
    case 'and':
      return condition.of.flatMap((part) => statements(part, position));
    case 'compared':
    case 'among':
    case 'null':
    case 'found':
    case 'counted':
    case 'applied':
      return [statement(nameOf(condition), holdsOf(condition))];
    case 'related':
      return writtenRelated(condition, position);
    case 'not': {
      const { of } = condition;
      const isOnValue = isColumnCondition(of) || of.is === 'counted' || of.is === 'applied';
      if (isOnValue && (holdsOf(of).is === 'among' || holdsOf(of).is === 'found')) return [statement(nameOf(of), holdsOf(of), true)];
      const opposite = negated(of);
      return opposite.is === 'not' ? refuse('REST has no negation of such a condition') : statements(opposite, position);
    }
    case 'or':
      return writtenAlternatives(condition.of, position);
    default:
      return refuse('REST has no such condition');
  }
};

/** The items of `where` or `having` that all hold. `depth` is the number of calls around them. Throws `Unwritable`. */
export const writtenConditions = (
  condition: Condition | undefined,
  table: string,
  relationsOf: RelationsOf,
  depth = 0,
): readonly string[] => (condition ? statements(condition, { table, relationsOf, prefix: '', depth }) : []);
