/**
 * Which rows of a plan, and in which order, as Kysely's building blocks. A value is a slot: it knows where in what is asked it
 * stands, so that a text serves every plan of its shape.
 */
import { type Expression, expressionBuilder, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { kinds } from '../catalogue/kinds.ts';
import { queriesOver } from '../database/queries.ts';
import type { Asked } from './asked.ts';
import { type Condition, comparisons, patternOf, searches } from './condition.ts';
import { type Path, stepsKey, waysOf } from './paths.ts';
import type { OrderTerm, Plan } from './plan.ts';

// biome-ignore lint/suspicious/noExplicitAny: tables are known when the program runs
export type Any = any;
export type Query = SelectQueryBuilder<Any, Any, object>;
/** Where in what is asked a value stands. */
export type Place = (asked: Asked) => unknown;

export class Slot {
  readonly value: Place;
  constructor(value: Place) {
    this.value = value;
  }
}

export const db = queriesOver<Any>();
const eb = expressionBuilder<Any, Any>();

export const slot = <T>(value: Place, type: string) => sql<T>`${new Slot(value)}::${sql.raw(type)}`;
export const column = (name: string, table = 't') => sql.id(table, name) as RawBuilder<Any>;
const tableIn = (schema: string, name: string) => sql.table(`${schema}.${name}`);
export const tableOf = ({ source }: Plan) => tableIn(source.schema, source.name);
/** Joins the rows that paths lead to, and finds the columns there. */
export const following = (
  rows: Query,
  schema: string,
  paths: readonly Path[],
): readonly [joined: Query, reach: (path: Path) => Expression<Any>] => {
  const aliases = new Map([['', 't']]);
  let joined = rows;
  for (const [key, way] of waysOf(paths)) {
    const { column: on, target, targetColumn } = way.at(-1)!;
    const [alias, parent] = [`g${aliases.size}`, aliases.get(stepsKey(way.slice(0, -1)))!];
    aliases.set(key, alias);
    const there = tableIn(schema, target).as(alias);
    joined = joined.leftJoin(there, (join) => join.on(column(targetColumn, alias), '=', column(on, parent))) as Query;
  }
  return [joined, ({ via, column: name }) => column(name, aliases.get(stepsKey(via)))];
};

/** A plan's rows, all of them, as `t`; with columns of those that they lead to, if it orders by any. */
export const from = (plan: Plan): Query => {
  const { far = [], source } = plan;
  const rows = db.selectFrom(tableOf(plan).as('t')) as Query;
  if (far.length === 0) return rows;
  const [joined, reach] = following(rows.selectAll('t'), source.schema, far);
  return db.selectFrom(joined.select(far.map((each) => sql`${reach(each)}`.as(each.name))).as('t')) as Query;
};

/** Folds letters alike on every server, whatever the database's locale. */
const caseless = sql.raw('collate "und-x-icu" ilike');

/** Whose rows a condition is about: a table by its alias, in the customer's schema. */
interface Subject {
  readonly schema: string;
  readonly alias: string;
}

/** A condition; `at` finds it in a plan of this shape. */
export const matches = (condition: Condition, at: (asked: Asked) => Any, subject: Subject): Expression<SqlBool> => {
  const own = (name: string) => column(name, subject.alias);
  switch (condition.is) {
    case 'and':
    case 'or':
      return eb[condition.is](condition.of.map((part, index) => matches(part, (asked) => at(asked).of[index], subject)));
    case 'not':
      return eb.not(matches(condition.of, (asked) => at(asked).of, subject));
    case 'null':
      return eb(own(condition.column), condition.expected ? 'is' : 'is not', null);
    case 'compared': {
      const value = slot((asked) => at(asked).value, kinds[condition.kind].parameter);
      return eb(own(condition.column), comparisons[condition.by], value);
    }
    case 'among':
      return sql<SqlBool>`${own(condition.column)} = any(${slot((asked) => at(asked).values, `${kinds[condition.kind].parameter}[]`)})`;
    case 'found': {
      const { isCaseless } = searches[condition.by];
      const pattern = slot((asked) => patternOf(at(asked)), 'text');
      return sql<SqlBool>`${own(condition.column)} ${isCaseless ? caseless : sql.raw('like')} ${pattern}`;
    }
    case 'related': {
      const { by, target, targetColumn } = condition;
      const there = { schema: subject.schema, alias: `${subject.alias}r` };
      const holds = matches(condition.of, (asked) => at(asked).of, there);
      const rows = db
        .selectFrom(tableIn(there.schema, target).as(there.alias))
        .select(sql.lit(1).as('one'))
        .where(column(targetColumn, there.alias), '=', own(condition.column))
        .where(by === 'every' ? sql<SqlBool>`(${holds}) is not true` : holds);
      return by === 'some' ? eb.exists(rows) : eb.not(eb.exists(rows));
    }
    default:
      return sql<SqlBool>`null::boolean`;
  }
};

export const matching = ({ source: { schema }, where }: Plan): Expression<SqlBool>[] =>
  where ? [matches(where, ({ plan }) => plan.where, { schema, alias: 't' })] : [];

const afterAt = (index: number, { kind }: OrderTerm) => slot(({ plan }) => plan.after?.[index], kinds[kind].parameter);

/**
 * Behind the given row: behind in the first term, or level in that and behind in the rest. Nothing is behind null; read backward,
 * all else is.
 */
export const behind = (plan: Pick<Plan, 'order' | 'after' | 'isBackward'>, index = 0): Expression<SqlBool> => {
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
  return eb.or([isAhead, eb.and([isLevel, behind(plan, index + 1)])]);
};

export const where = (query: Query, conditions: readonly Expression<SqlBool>[]): Query =>
  conditions.length > 0 ? query.where(eb.and(conditions)) : query;

/** By themselves nulls are last ascending and first descending; they are to be last, and first read backward. */
export const ordered = (query: Query, { order, isBackward = false }: Pick<Plan, 'order' | 'isBackward'>): Query =>
  order.reduce((sorted, { column: name, isDescending, isNullable }) => {
    const descends = isDescending !== isBackward;
    const isNatural = !isNullable || descends === isBackward;
    if (!descends) return sorted.orderBy(column(name), (by) => (isNatural ? by : by.nullsFirst()));
    return sorted.orderBy(column(name), (by) => (isNatural ? by.desc() : by.desc().nullsLast()));
  }, query);

/** Pages of a table without an order follow its physical one. */
export const paged = (query: Query, plan: Plan): Query => (plan.order.length > 0 ? ordered(query, plan) : query.orderBy(sql`t.ctid`));
