/** Writes a condition as a filter of GraphQL: the inverse of `schema/filter-conditions.ts` (contract: prints). */
import { type Condition, type ConditionOnColumn, isColumnCondition } from '../../plan/condition.ts';
import { type operators, quantifierNames, quantifiers, relatedCount } from '../../plan/vocabulary/operators.ts';
import { rowFunctions } from '../../plan/vocabulary/values.ts';
import type { RelationsOf } from '../../query/relation-names.ts';
import { conditionParts, refuse, relationOf } from '../../query/write/conditions.ts';
import { camelCase } from '../schema/names.ts';
import { columnInput, graphqlLiteral, textLiteral } from './literals.ts';

/** The operator of a condition with its value: `{ gte: 1000 }`. */
export const writtenOperator = (condition: ConditionOnColumn): string => {
  switch (condition.is) {
    case 'compared':
      return `{ ${condition.by}: ${graphqlLiteral(condition.kind, condition.value)} }`;
    case 'among':
      return `{ in: [${condition.values.map((value) => graphqlLiteral(condition.kind, value)).join(', ')}] }`;
    case 'null':
      return `{ isNull: ${condition.expected} }`;
    case 'found':
      return `{ ${condition.by satisfies keyof typeof operators}: ${textLiteral(condition.value)} }`;
  }
};

/** A field of a filter. All fields of one hold. */
type FilterField = readonly [name: string, value: string];

const written = (fields: readonly FilterField[]): string => `{ ${fields.map(([name, value]) => `${name}: ${value}`).join(', ')} }`;

/** Conditions that all hold: one filter if each has a field of its own. */
const allFields = (all: readonly (readonly FilterField[])[]): readonly FilterField[] => {
  const fields = all.flat();
  const isDistinct = new Set(fields.map(([name]) => name)).size === fields.length;
  return isDistinct ? fields : [['and', `[${all.map(written).join(', ')}]`]];
};

const writtenRelated = (condition: Extract<Condition, { is: 'related' }>, table: string, relationsOf: RelationsOf): FilterField => {
  const { name, target, kind } = relationOf(table, condition, relationsOf);
  const parts = conditionParts(condition.of);
  const conditions = parts.filter(({ is }) => is !== 'validOnDay');
  const isValidOnDay = conditions.length < parts.length;
  const inner = conditions.length === 0 ? '{}' : writtenFilter({ is: 'and', of: conditions }, target, relationsOf);
  if (kind === 'to-one') return condition.by === 'some' && !isValidOnDay ? [name, inner] : refuse('GraphQL has no such condition');
  const quantifier = quantifierNames.find(
    (each) => quantifiers[each].by === condition.by && quantifiers[each].isValidOnDay === isValidOnDay,
  );
  return [name, written([[quantifier ?? refuse('GraphQL has no such condition on related rows'), inner]])];
};

/** The number of related rows: the filter that they meet, and the condition on their number. */
const writtenCount = (condition: Extract<Condition, { is: 'counted' }>, table: string, relationsOf: RelationsOf): FilterField => {
  const { name, target } = relationOf(table, condition, relationsOf);
  const parts = conditionParts(condition.of);
  const filter: readonly FilterField[] = parts.length > 0 ? [['filter', writtenFilter({ is: 'and', of: parts }, target, relationsOf)]] : [];
  return [name, written([[relatedCount.call, written([...filter, ['is', writtenOperator(condition.holds)]])]])];
};

const writtenApplied = (
  { call, of, holds }: Extract<Condition, { is: 'applied' }>,
  table: string,
  relationsOf: RelationsOf,
): FilterField => {
  const operands = Object.keys(rowFunctions[call].operands).map(
    (name, at): FilterField => [name, columnInput(table, of[at]!, relationsOf)],
  );
  return [call, written([...operands, ['is', writtenOperator(holds)]])];
};

const fieldsOf = (condition: Condition, table: string, relationsOf: RelationsOf): readonly FilterField[] => {
  const each = (of: readonly Condition[]) => of.map((part) => fieldsOf(part, table, relationsOf));
  if (isColumnCondition(condition)) return [[camelCase(condition.column), writtenOperator(condition)]];
  switch (condition.is) {
    case 'and':
      return allFields(each(condition.of));
    case 'or':
      return [['or', `[${each(condition.of).map(written).join(', ')}]`]];
    case 'not':
      return [['not', writtenFilter(condition.of, table, relationsOf)]];
    case 'related':
      return [writtenRelated(condition, table, relationsOf)];
    case 'counted':
      return [writtenCount(condition, table, relationsOf)];
    case 'applied':
      return [writtenApplied(condition, table, relationsOf)];
    case 'unknown':
      return [['not', 'null']];
    default:
      return refuse('GraphQL has no such condition');
  }
};

/** The filter of a condition on rows of a table. Throws `Unwritable` if GraphQL cannot say a part of it. */
export const writtenFilter = (condition: Condition, table: string, relationsOf: RelationsOf): string =>
  written(fieldsOf(condition, table, relationsOf));
