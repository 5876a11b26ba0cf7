/**
 * Which rows of a plan, and in which order, as Kysely's building blocks. A value is a slot: it knows where in what is asked it
 * stands, so that a text serves every plan of its shape.
 */
import {
  DummyDriver,
  type Expression,
  expressionBuilder,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { kinds } from '../catalogue/kinds.ts';
import type { Asked } from './asked.ts';
import { type Condition, comparisons, patternOf, searches } from './condition.ts';
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

export const db = new Kysely<Any>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (any) => new PostgresIntrospector(any),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
const eb = expressionBuilder<Any, Any>();

export const slot = <T>(value: Place, type: string) => sql<T>`${new Slot(value)}::${sql.raw(type)}`;
export const column = (name: string, table = 't') => sql.ref<Any>(`${table}.${name}`);
export const tableOf = ({ source }: Plan) => sql.table(`${source.schema}.${source.name}`);
export const from = (plan: Plan): Query => db.selectFrom(tableOf(plan).as('t')) as Query;

/** Folds letters alike on every server, whatever the database's locale. */
const caseless = sql.raw('collate "und-x-icu" ilike');

/** A condition; `at` finds it in a plan of this shape. */
const matches = (condition: Condition, at: (asked: Asked) => Any): Expression<SqlBool> => {
  switch (condition.is) {
    case 'and':
    case 'or':
      return eb[condition.is](condition.of.map((part, index) => matches(part, (asked) => at(asked).of[index])));
    case 'not':
      return eb.not(matches(condition.of, (asked) => at(asked).of));
    case 'null':
      return eb(column(condition.column), condition.expected ? 'is' : 'is not', null);
    case 'compared': {
      const value = slot((asked) => at(asked).value, kinds[condition.kind].parameter);
      return eb(column(condition.column), comparisons[condition.by], value);
    }
    case 'among':
      return sql<SqlBool>`${column(condition.column)} = any(${slot((asked) => at(asked).values, `${kinds[condition.kind].parameter}[]`)})`;
    case 'found': {
      const { isCaseless } = searches[condition.by];
      const pattern = slot((asked) => patternOf(at(asked)), 'text');
      return sql<SqlBool>`${column(condition.column)} ${isCaseless ? caseless : sql.raw('like')} ${pattern}`;
    }
    default:
      return sql<SqlBool>`null::boolean`;
  }
};

export const matching = ({ where }: Plan): Expression<SqlBool>[] => (where ? [matches(where, ({ plan }) => plan.where)] : []);

const afterAt = (index: number, { kind }: OrderTerm) => slot(({ plan }) => plan.after?.[index], kinds[kind].parameter);

/** Behind the given row: behind in the first term, or level in that and behind in the rest; nothing is behind null. */
const behind = (order: readonly OrderTerm[], after: Plan['after'], index = 0): Expression<SqlBool> => {
  const term = order[index];
  if (!term) return sql<SqlBool>`false`;
  const isPlain = order.every(({ isNullable, isDescending }) => !isNullable && isDescending === order[0]!.isDescending);
  const operator = term.isDescending ? '<' : '>';
  if (isPlain && order.length > 1) {
    const values = sql.join(order.map((each, at) => afterAt(at, each)));
    return sql<SqlBool>`(${sql.join(order.map((each) => column(each.column)))}) ${sql.raw(operator)} (${values})`;
  }
  const value = after?.[index] ?? null;
  const ahead = value === null ? sql<SqlBool>`false` : eb(column(term.column), operator, afterAt(index, term));
  const isAhead = value !== null && term.isNullable ? eb.or([ahead, eb(column(term.column), 'is', null)]) : ahead;
  if (index === order.length - 1) return isAhead;
  const isLevel = value === null ? eb(column(term.column), 'is', null) : eb(column(term.column), '=', afterAt(index, term));
  return eb.or([isAhead, eb.and([isLevel, behind(order, after, index + 1)])]);
};

export const reached = (plan: Plan): Expression<SqlBool>[] => [...matching(plan), ...(plan.after ? [behind(plan.order, plan.after)] : [])];

export const where = (query: Query, conditions: readonly Expression<SqlBool>[]): Query =>
  conditions.length > 0 ? query.where(eb.and(conditions)) : query;

/** Ascending, nulls are last by themselves. */
export const ordered = (query: Query, { order }: Plan): Query =>
  order.reduce((sorted, { column: name, isDescending, isNullable }) => {
    if (!isDescending) return sorted.orderBy(column(name));
    return sorted.orderBy(column(name), (by) => (isNullable ? by.desc().nullsLast() : by.desc()));
  }, query);

/** Pages of a table without an order follow its physical one. */
export const paged = (query: Query, plan: Plan): Query => (plan.order.length > 0 ? ordered(query, plan) : query.orderBy(sql`t.ctid`));
