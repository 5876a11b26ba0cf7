/** The conditions and the order of a plan as Kysely building blocks. */
import { type Expression, expressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { kinds } from '../catalogue/kinds.ts';
import { queriesOver } from '../database/control/queries.ts';
import { type Condition, patternOf } from '../plan/condition.ts';
import type { RelationStep } from '../plan/paths.ts';
import type { OrderTerm, Plan, PlanSource } from '../plan/plan.ts';
import type { PlanQuery } from '../plan/plan-query.ts';
import { operators } from '../plan/vocabulary/operators.ts';
import { rowFunctions } from '../plan/vocabulary/values.ts';
import { type Any, binding, column } from './bindings.ts';
import { finiteOf, type Reach, rowValueOf } from './row-values.ts';
import { rowsIn } from './tables.ts';

export type RowsQuery = SelectQueryBuilder<Any, Any, object>;

export const db = queriesOver<Any>();
const eb = expressionBuilder<Any, Any>();

/** Compares without case in the same way on every server, whatever the locale. */
const caseless = sql.raw('collate "und-x-icu" ilike');

/** The day of a series, beside each of the rows that are valid on it (`grouped.ts`). */
export const seriesDay = column('day', 'series');

/** Whether a validity includes the day of the series. Null is no limit. */
export const validOnDay = (from: Expression<Any>, to: Expression<Any>): Expression<SqlBool> =>
  sql<SqlBool>`(${from} is null or ${from} <= ${seriesDay}) and (${to} is null or ${to} >= ${seriesDay})`;

/** The rows that a condition is on: the alias of their table, among the tables of the source's customer. */
interface Subject {
  readonly source: PlanSource;
  readonly alias: string;
  /** The condition is on this value instead of a column. */
  readonly value?: Expression<Any>;
}

/** The rows of a table that a row of the subject leads to. */
const relatedTo = ({ source, alias }: Subject, { column: from, target, targetColumn }: RelationStep, there: string): RowsQuery =>
  db.selectFrom(rowsIn(source, target).as(there)).where(column(targetColumn, there), '=', column(from, alias)) as RowsQuery;

/** A column of a row, or of the row that relations lead to: at most one, so a subquery finds it. */
const reachFrom =
  (subject: Subject): Reach =>
  ({ via: [step, ...rest], column: name }) => {
    if (!step) return column(name, subject.alias);
    const alias = `${subject.alias}r`;
    const value = reachFrom({ ...subject, alias })({ via: rest, column: name });
    return sql`${relatedTo(subject, step, alias).select(sql`${value}`.as('value'))}`;
  };

/** The SQL of a condition. `at` finds the condition in a query of this shape. */
export const conditionSql = (condition: Condition, at: (planQuery: PlanQuery) => Any, subject: Subject): Expression<SqlBool> => {
  const own = (name: string): Expression<Any> => subject.value ?? column(name, subject.alias);
  switch (condition.is) {
    case 'and':
    case 'or':
      return eb[condition.is](condition.of.map((part, index) => conditionSql(part, (planQuery) => at(planQuery).of[index], subject)));
    case 'not':
      return eb.not(conditionSql(condition.of, (planQuery) => at(planQuery).of, subject));
    case 'null':
      return eb(own(condition.column), condition.expected ? 'is' : 'is not', null);
    case 'compared': {
      const value = binding((planQuery) => at(planQuery).value, kinds[condition.kind].parameter);
      return eb(own(condition.column), operators[condition.by].sql, value);
    }
    case 'among':
      return sql<SqlBool>`${own(condition.column)} = any(${binding((planQuery) => at(planQuery).values, `${kinds[condition.kind].parameter}[]`)})`;
    case 'found': {
      const { isCaseless } = operators[condition.by].search;
      const pattern = binding((planQuery) => patternOf(at(planQuery)), 'text');
      return sql<SqlBool>`${own(condition.column)} ${isCaseless ? caseless : sql.raw('like')} ${pattern}`;
    }
    case 'validOnDay':
      return validOnDay(own(condition.from), own(condition.to));
    case 'related': {
      const { by } = condition;
      const there = { source: subject.source, alias: `${subject.alias}r` };
      const holds = conditionSql(condition.of, (planQuery) => at(planQuery).of, there);
      const rows = relatedTo(subject, condition, there.alias)
        .select(sql.lit(1).as('one'))
        .where(by === 'every' ? sql<SqlBool>`(${holds}) is not true` : holds);
      return by === 'some' ? eb.exists(rows) : eb.not(eb.exists(rows));
    }
    case 'counted': {
      const there = { source: subject.source, alias: `${subject.alias}r` };
      const rows = relatedTo(subject, condition, there.alias).where(conditionSql(condition.of, (planQuery) => at(planQuery).of, there));
      const value = sql`${rows.select(sql`count(*)`.as('count'))}`;
      return conditionSql(condition.holds, (planQuery) => at(planQuery).holds, { ...subject, value });
    }
    case 'applied': {
      const value = finiteOf(rowValueOf(reachFrom(subject), condition), rowFunctions[condition.call].kind);
      return conditionSql(condition.holds, (planQuery) => at(planQuery).holds, { ...subject, value });
    }
    default:
      return sql<SqlBool>`null::boolean`;
  }
};

export const rowsMatching = ({ source, where }: Plan): Expression<SqlBool>[] =>
  where ? [conditionSql(where, ({ plan }) => plan.where, { source, alias: 't' })] : [];

const afterAt = (index: number, { kind }: OrderTerm) => binding(({ plan }) => plan.after?.[index], kinds[kind].parameter);

/**
 * Rows after the keyset: greater in the first term, or equal in it and after the keyset in the rest. Nothing is after null; in a backward
 * page, everything else is.
 */
export const keysetPredicate = (plan: Pick<Plan, 'order' | 'after' | 'isBackward'>, index = 0): Expression<SqlBool> => {
  const { order, after, isBackward = false } = plan;
  const term = order[index];
  if (!term) return sql<SqlBool>`false`;
  const isPlain = order.every(({ isNullable, isDescending }) => !isNullable && isDescending === order[0]!.isDescending);
  const operator = term.isDescending === isBackward ? '>' : '<';
  if (isPlain && order.length > 1) {
    const values = sql.join(order.map((each, at) => afterAt(at, each)));
    return sql<SqlBool>`(${sql.join(order.map((each) => column(each.column)))}) ${sql.raw(operator)} (${values})`;
  }
  const value = after?.[index] ?? null;
  const beyondNull = isBackward ? eb(column(term.column), 'is not', null) : sql<SqlBool>`false`;
  const ahead = value === null ? beyondNull : eb(column(term.column), operator, afterAt(index, term));
  const isAhead = value !== null && term.isNullable && !isBackward ? eb.or([ahead, eb(column(term.column), 'is', null)]) : ahead;
  if (index === order.length - 1) return isAhead;
  const isLevel = value === null ? eb(column(term.column), 'is', null) : eb(column(term.column), '=', afterAt(index, term));
  return eb.or([isAhead, eb.and([isLevel, keysetPredicate(plan, index + 1)])]);
};

export const where = (query: RowsQuery, conditions: readonly Expression<SqlBool>[]): RowsQuery =>
  conditions.length > 0 ? query.where(eb.and(conditions)) : query;

/** By default, PostgreSQL sorts nulls last ascending and first descending. Here they are always last, and first in a backward page. */
export const orderedBy = (query: RowsQuery, { order, isBackward = false }: Pick<Plan, 'order' | 'isBackward'>): RowsQuery =>
  order.reduce((sorted, { column: name, isDescending, isNullable }) => {
    const descends = isDescending !== isBackward;
    const isNatural = !isNullable || descends === isBackward;
    if (!descends) return sorted.orderBy(column(name), (by) => (isNatural ? by : by.nullsFirst()));
    return sorted.orderBy(column(name), (by) => (isNatural ? by.desc() : by.desc().nullsLast()));
  }, query);

/** A table without an order is paged in physical order. */
export const paged = (query: RowsQuery, plan: Plan): RowsQuery =>
  plan.order.length > 0 ? orderedBy(query, plan) : query.orderBy(sql`t.ctid`);
