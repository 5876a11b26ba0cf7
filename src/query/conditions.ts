/** The conditions of `where` and `having` in REST, which share one grammar (contract: conditions on groups). */
import { kinds } from '../catalogue/kinds.ts';
import { allOf, beyondRange, type Condition, joined, onValue, valueColumn } from '../plan/condition.ts';
import type { GroupTerm } from '../plan/groups/groups.ts';
import type { Fail, GroupableTable, RequestedColumn } from '../plan/groups/request.ts';
import { resolveColumn, resolveFunction, resolveToMany } from '../plan/groups/resolving.ts';
import { type RelationStep, relationStep } from '../plan/paths.ts';
import { quotedValue } from '../plan/validation-errors.ts';
import {
  callNames,
  calls,
  connectives,
  isSearch,
  operators,
  type QuantifierName,
  quantifierCalls,
  quantifiers,
  relatedCount,
} from '../plan/vocabulary/operators.ts';
import type { Item, Subject } from './grammar.ts';
import { mistakeInCall, mistakeOf } from './habits.ts';

/** An item that states something about the value with its name. */
export type Statement = Extract<Item, { is: 'compared' | 'called' }>;

/** A condition in a list: a statement, or conditions in a connective. */
export type Clause = Statement | Extract<Item, { is: 'joined' }>;

/** The clause of an item. For an item that is none, calls `fail`. */
export const clauseOf = (item: Item, fail: Fail): Clause | undefined => {
  const wrong = (reason: string) => fail({ is: 'invalid', reason: `${quotedValue(item.text)} ${reason}` });
  if (item.is === 'invalid') return wrong(item.reason);
  if (item.is === 'plain' || item.is === 'applied') return wrong('is no comparison such as count>=2');
  return item.is === 'joined' && item.of.length === 0 ? wrong('has no condition') : item;
};

/** The column of a path such as `property.lettable_area_sqm`. */
export const columnNamed = (path: string): RequestedColumn => {
  const via = path.split('.');
  const of = via.pop()!;
  return { of, ...(via.length > 0 && { via }) };
};

type Term = Pick<GroupTerm, 'column' | 'kind'>;

/** The condition of a call, or the reason why it does not apply to the column or value. */
const called = ({ column, kind }: Term, { text, call, of = [] }: Extract<Item, { is: 'called' }>): Condition | string => {
  const invalid = of.find((item) => item.is === 'invalid');
  if (invalid) return `${quotedValue(invalid.text)} ${invalid.reason}`;
  const values = of.map((item) => (item.is === 'plain' ? item.value : item.text));
  const { operator, isNegated } = calls.get(call) ?? {};
  if (operator === undefined) return `${quotedValue(text)} has no known operator; there is: ${callNames.join(', ')}`;
  if (operator === 'in') {
    if (values.length === 0) return `${quotedValue(text)} names no value`;
    const mistaken = of.find(mistakeInCall);
    if (mistaken) return `${quotedValue(text)}: ${mistakeInCall(mistaken)}`;
    const parsed = values.map((value) => kinds[kind].parse(value));
    // No value of the kind equals a number beyond its range.
    const wrong = values.find((value, at) => parsed[at] === undefined && !beyondRange(column, kind, 'eq', value));
    if (wrong !== undefined) return `${quotedValue(wrong)} is no ${kind}`;
    const among: Condition = { is: 'among', column, kind, values: parsed.filter((value) => value !== undefined) };
    return isNegated ? { is: 'not', of: among } : among;
  }
  if (!isSearch(operator))
    return values.length === 0 ? { is: 'null', column, expected: !isNegated } : `${quotedValue(text)} takes no value`;
  const [value, ...others] = values;
  if (value === undefined || others.length > 0) return `${quotedValue(text)} takes one value; quote a value with a comma`;
  const isSearchable = kinds[kind].isText && kinds[kind].parse(value) !== undefined;
  if (!isSearchable) return `${quotedValue(text)} does not search text`;
  const mistake = mistakeInCall(of[0]!);
  if (mistake) return `${quotedValue(text)}: ${mistake}`;
  const found: Condition = { is: 'found', column, by: operator, value };
  return isNegated ? { is: 'not', of: found } : found;
};

/** The condition that a statement makes on a column or a value. If it does not apply, calls `fail`. */
export const conditionOn = (term: Term, statement: Statement, fail: Fail): Condition | undefined => {
  const { column, kind } = term;
  if (statement.is === 'called') {
    const condition = called(term, statement);
    return typeof condition === 'string' ? fail({ is: 'invalid', reason: condition }) : condition;
  }
  const { by, value } = statement;
  const mistake = mistakeOf(statement, operators[by].query.sign);
  if (mistake) return fail({ is: 'invalid', reason: `${quotedValue(statement.text)}: ${mistake}` });
  const parsed = kinds[kind].parse(value);
  if (parsed !== undefined) return { is: 'compared', column, kind, by, value: parsed };
  return beyondRange(column, kind, by, value) ?? fail({ is: 'invalid', reason: `${quotedValue(value)} is no ${kind}` });
};

const around = (steps: readonly RelationStep[], condition: Condition | undefined): Condition | undefined =>
  condition && steps.reduceRight<Condition>((of, step) => ({ is: 'related', by: 'some', ...step, of }), condition);

/** The rows of a relation to many rows, and the conditions of items on them. */
const relatedRows = (path: string, items: readonly Item[], groupable: GroupableTable, fail: Fail) => {
  const found = resolveToMany(groupable, path.split('.'), fail);
  const conditions = found && rowConditionsOf(items, { ...groupable, table: found.target }, fail);
  return conditions && { ...found, conditions };
};

/** A condition on the rows of a relation to many rows. */
const quantified = (
  quantifier: QuantifierName,
  { text, name, of: items = [] }: Extract<Item, { is: 'called' }>,
  groupable: GroupableTable,
  fail: Fail,
): Condition | undefined => {
  const { by, isValidOnDay } = quantifiers[quantifier];
  const found = relatedRows(name, items, groupable, fail);
  if (!found) return undefined;
  const { steps, relation, target, conditions } = found;
  if (isValidOnDay && !target.validity)
    return fail({ is: 'invalid', reason: `${quotedValue(text)}: rows of ${target.name} have no validity` });
  const [from = '', to = ''] = target.validity ?? [];
  const valid: readonly Condition[] = isValidOnDay ? [{ is: 'validOnDay', from, to }] : [];
  const of = allOf([...valid, ...conditions]);
  return around(steps, { is: 'related', by, ...relationStep(relation), of });
};

/** A condition on the number of rows of a relation to many rows, or on a row function. */
const onSubject = (subject: Subject, statement: Statement, groupable: GroupableTable, fail: Fail): Condition | undefined => {
  if (subject.is === 'applied') {
    const { call, of } = subject;
    const found = resolveFunction(groupable, { call, of: of.map(({ text }) => columnNamed(text)) }, undefined, fail);
    const condition = found && conditionOn({ column: valueColumn, kind: found.kind }, statement, fail);
    return found && condition && onValue({ is: 'applied', call, of: found.of }, condition);
  }
  const found = relatedRows(subject.relation, subject.of, groupable, fail);
  const condition = found && conditionOn({ column: valueColumn, kind: relatedCount.kind }, statement, fail);
  if (!found || !condition) return undefined;
  const { steps, relation, conditions } = found;
  return around(steps, onValue({ is: 'counted', ...relationStep(relation), of: allOf(conditions) }, condition));
};

/** The condition that a statement makes on rows. Through relations, it holds if there is a related row that meets it. */
const stated = (statement: Statement, groupable: GroupableTable, fail: Fail): Condition | undefined => {
  if (statement.subject) return onSubject(statement.subject, statement, groupable, fail);
  if (statement.is === 'called' && statement.call === relatedCount.call)
    return fail({ is: 'invalid', reason: `${quotedValue(statement.text)} is compared with no number, as ${relatedCount.example}` });
  const quantifier = statement.is === 'called' ? quantifierCalls.get(statement.call) : undefined;
  if (quantifier) return quantified(quantifier, statement as Extract<Item, { is: 'called' }>, groupable, fail);
  const { of: column, via = [] } = columnNamed(statement.name);
  const found = resolveColumn(groupable, { via, column }, fail);
  const condition = found && conditionOn({ column, kind: found.column.kind }, statement, fail);
  return found && around(found.steps, condition);
};

/** The conditions of items on rows. Undefined if one of them is wrong; `fail` is called for each of those. */
export const rowConditionsOf = (items: readonly Item[], groupable: GroupableTable, fail: Fail): readonly Condition[] | undefined => {
  const conditions = items.map((item): Condition | undefined => {
    const clause = clauseOf(item, fail);
    if (clause?.is !== 'joined') return clause && stated(clause, groupable, fail);
    const of = rowConditionsOf(clause.of, groupable, fail);
    return of && joined(connectives[clause.by].is, of);
  });
  return conditions.includes(undefined) ? undefined : conditions.filter((condition) => condition !== undefined);
};
