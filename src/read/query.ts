/**
 * How a plan is asked of the database: Kysely builds each shape of statement once, a request only binds values.
 *
 * A shape is everything of a plan but its values; a value is a slot, which knows where in a plan it stands. The limit stands
 * in the text: bound, the server would plan anew each time, since no plan for an unknown limit can rival one for a known one.
 */
import { createHash } from 'node:crypto';
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
import { LRUCache } from 'lru-cache';
import { kinds } from '../catalogue/kinds.ts';
import { controlSchema } from '../database/control.ts';
import { type Condition, comparisons, patternOf, searches } from './condition.ts';
import { isFiltered, type Link, type OrderTerm, type Parents, type Plan } from './plan.ts';

/** Ready for `pg`: named, so that the server plans it once per connection; without a name it is planned each time. */
export interface BoundStatement {
  readonly text: string;
  readonly name: string;
  readonly values: readonly unknown[];
}

/** How many rows matched at some version of the data; spares counting them while the version stands. */
export interface KnownTotal {
  readonly version: number;
  readonly total: number;
}

/**
 * What is asked of a plan. `rows`: its rows; `page`: its rows, each led by the summary; `summary`: what the headers of a page
 * say, without its rows; `count`: how many rows match, whatever limit and offset.
 */
export type Question = 'rows' | 'page' | 'summary' | 'count';

export interface Asked {
  readonly question: Question;
  readonly plan: Plan;
  /** How many rows it may give; a page asks for one more than it shows. */
  readonly limit: number;
  /** Rows, or counts, of each of these; each row is led by the value that links it to its parent. */
  readonly parents?: Parents;
  readonly known?: KnownTotal | undefined;
}

/** Columns that precede a row's own on a page: the dataset's state, the total, and the cursor column's text. */
export const hiddenColumns = { page: 3, rows: 0 } as const;

/** Offsets from here on are reached over keys alone, without reading the rows that are skipped. */
export const deepOffset = 500;

// biome-ignore lint/suspicious/noExplicitAny: tables are known when the program runs
type Any = any;
type Query = SelectQueryBuilder<Any, Any, object>;
/** Where in what is asked a value stands. */
type Place = (asked: Asked) => unknown;

class Slot {
  readonly value: Place;
  constructor(value: Place) {
    this.value = value;
  }
}

const db = new Kysely<Any>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (any) => new PostgresIntrospector(any),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
const eb = expressionBuilder<Any, Any>();

const slot = <T>(value: Place, type: string) => sql<T>`${new Slot(value)}::${sql.raw(type)}`;
const column = (name: string, table = 't') => sql.ref<Any>(`${table}.${name}`);
const tableOf = ({ source }: Plan) => sql.table(`${source.schema}.${source.name}`);
const from = (plan: Plan): Query => db.selectFrom(tableOf(plan).as('t')) as Query;

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

const matching = ({ where }: Plan): Expression<SqlBool>[] => (where ? [matches(where, ({ plan }) => plan.where)] : []);

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

const reached = (plan: Plan): Expression<SqlBool>[] => [...matching(plan), ...(plan.after ? [behind(plan.order, plan.after)] : [])];

const where = (query: Query, conditions: readonly Expression<SqlBool>[]): Query =>
  conditions.length > 0 ? query.where(eb.and(conditions)) : query;

/** Ascending, nulls are last by themselves. */
const ordered = (query: Query, { order }: Plan): Query =>
  order.reduce((sorted, { column: name, isDescending, isNullable }) => {
    if (!isDescending) return sorted.orderBy(column(name));
    return sorted.orderBy(column(name), (by) => (isNullable ? by.desc().nullsLast() : by.desc()));
  }, query);

/** Pages of a table without an order follow its physical one. */
const paged = (query: Query, plan: Plan): Query => (plan.order.length > 0 ? ordered(query, plan) : query.orderBy(sql`t.ctid`));

const offsetOf = slot<number>(({ plan }) => plan.offset, 'bigint');

const tuple = (terms: readonly OrderTerm[]) => sql.join(terms.map((term) => column(term.column)));

/** The order's values of a page's rows, from its offset on. */
const keysOf = (plan: Plan, terms: readonly OrderTerm[], limit: number, conditions: readonly Expression<SqlBool>[]) =>
  paged(where(from(plan), conditions), plan)
    .select(terms.map((term) => column(term.column).as(term.column)))
    .limit(sql.lit(limit))
    .offset(offsetOf);

/** The rows that a page shows, whatever is selected of them. */
const pageOf = (plan: Plan, limit: number, conditions: readonly Expression<SqlBool>[]): Query => {
  const { order, offset } = plan;
  const rows = (more: readonly Expression<SqlBool>[]) => paged(where(from(plan), more), plan).limit(sql.lit(limit));
  if (offset === 0) return rows(conditions);
  if (offset < deepOffset || order.length === 0) return rows(conditions).offset(offsetOf);
  // In the order of an index rows are read from the page's first key on, in any other those with the page's keys.
  if (order.every(({ isDescending, isNullable }) => !isDescending && !isNullable))
    return rows([...conditions, sql<SqlBool>`(${tuple(order)}) >= ${keysOf(plan, order, 1, conditions)}`]);
  const unique = order.filter(({ isNullable }) => !isNullable);
  return rows([sql<SqlBool>`(${tuple(unique)}) in ${keysOf(plan, unique, limit, conditions)}`]);
};

/** What a plan's rows must carry to be joined and ordered once more. */
const carried = ({ columns, order }: Plan) =>
  [...new Set([...columns, ...order.map((each) => each.column)])].map((name) => column(name).as(name));

/** Selects a plan's columns and those of the rows that are read along; depth first, as their values follow. */
const selected = (query: Query, plan: Plan): Query => {
  let [joined, joins] = [query, 0];
  const chosen = plan.columns.map((name, at) => column(name).as(at === plan.columns.indexOf(name) ? name : `${name} ${at}`));
  const add = (parent: string, along: Plan['along']) => {
    for (const { on, link, plan: there } of along) {
      const alias = `j${++joins}`;
      joined = joined.leftJoin(tableOf(there).as(alias), (join) => join.on(column(link.column, alias), '=', column(on, parent))) as Query;
      chosen.push(...[link.column, ...there.columns].map((name, at) => column(name, alias).as(`${alias} ${at}`)));
      add(alias, there.along);
    }
  };
  add('t', plan.along);
  return joined.select(chosen);
};

const rowsOf = ({ plan, limit }: Asked): Query => {
  if (plan.along.length === 0) return selected(pageOf(plan, limit, reached(plan)), plan);
  const rows = pageOf(plan, limit, reached(plan)).select(carried(plan));
  return ordered(selected(db.selectFrom(rows.as('t')) as Query, plan), plan);
};

const linkValues = ({ kind }: Link) => slot<Any>(({ parents }) => parents?.values, `${kinds[kind].parameter}[]`);

/** Rows of many parents: at most `limit` for each, in the parents' order, each led by the value that links it to them. */
const linkedRowsOf = ({ plan, limit, parents }: Asked): Query => {
  const { link } = parents!;
  const own = column(link.column);
  if (link.isUnique) {
    const rows = where(from(plan), [sql<SqlBool>`${own} = any(${linkValues(link)})`, ...reached(plan)]);
    return selected(rows.select(own.as('link')), plan);
  }
  const each = ordered(where(from(plan), [sql<SqlBool>`${own} = p.value`, ...reached(plan)]), plan);
  const rows = db
    .selectFrom(sql`unnest(${linkValues(link)}) with ordinality`.as<'p'>(sql`p(value, place)`))
    .crossJoinLateral(each.select(carried(plan)).limit(sql.lit(limit)).as('t')) as unknown as Query;
  return ordered(selected(rows.select(sql.ref('p.value').as('link')), plan).orderBy(sql.ref('p.place')), plan);
};

const linkedCountsOf = ({ plan, parents }: Asked): Query => {
  const { link } = parents!;
  const own = column(link.column);
  const rows = where(from(plan), [sql<SqlBool>`${own} = any(${linkValues(link)})`, ...matching(plan)]);
  return rows.select([own.as('link'), sql`count(*)`.as('count')]).groupBy(own) as Query;
};

/** Something that is known of the table's data as a whole. */
const stateOf = (expression: string) =>
  db
    .selectFrom(`${controlSchema}.datasets`)
    .select(sql.raw(expression).as('state'))
    .where(
      'customer_id',
      '=',
      slot<Any>(({ plan }) => plan.source.customerId, 'integer'),
    )
    .where(
      'kind',
      '=',
      slot<Any>(({ plan }) => plan.source.kind, 'text'),
    )
    .where(
      'name',
      '=',
      slot<Any>(({ plan }) => plan.source.name, 'text'),
    );

const counted = (plan: Plan): Query => where(from(plan), matching(plan)).select(sql`count(*)`.as('count')) as Query;

/** How many rows match: counted only if the number is not known at this version; all rows are counted when they are loaded. */
const totalOf = (plan: Plan) => {
  if (!isFiltered(plan)) return sql`${stateOf('row_count')}`;
  const version = slot(({ known }) => known?.version ?? null, 'bigint');
  const total = slot(({ known }) => known?.total ?? null, 'bigint');
  return sql`case when ${stateOf('version')} = ${version} then ${total} else ${counted(plan)} end`;
};

const summaryOf = (plan: Plan) => [sql`${stateOf('json_build_array(version, synced_at)')}`.as('state'), totalOf(plan).as('total')];

const cursorText = ({ source }: Plan) => (source.cursor ? sql`${column(source.cursor.column)}::text` : sql`null::text`);

/** The last row of the page and the one behind it: whether the page is full, its cursor, and whether more follows. */
const boundaryOf = ({ plan, limit }: Asked) => {
  const keys = paged(where(from(plan), reached(plan)), plan).select(sql`coalesce(${cursorText(plan)}, '')`.as('key'));
  return sql`array${keys.limit(sql.lit(2)).offset(sql<number>`${offsetOf} + ${sql.lit(limit - 1)}`)}`;
};

const build = (asked: Asked): { compile(): { readonly sql: string; readonly parameters: readonly unknown[] } } => {
  const { question, plan, limit, parents } = asked;
  switch (question) {
    case 'rows':
      return parents ? linkedRowsOf(asked) : rowsOf(asked);
    case 'count':
      if (parents) return linkedCountsOf(asked);
      return isFiltered(plan) ? counted(plan) : stateOf('row_count');
    case 'summary':
      return db.selectNoFrom([...summaryOf(plan), boundaryOf(asked).as('boundary')]);
    case 'page':
      return selected(pageOf(plan, limit, reached(plan)).select([...summaryOf(plan), cursorText(plan).as('key')]), plan);
  }
};

interface Shape {
  readonly text: string;
  readonly name: string;
  readonly places: readonly Place[];
}

const mebibyte = 2 ** 20;
/** Texts longer than this many characters are planned each time: kept, each takes a multiple of it in every backend. */
const longestNamed = 8_192;
const shapes = new LRUCache<string, Shape>({ maxSize: 8 * mebibyte, sizeCalculation: ({ text }, key) => text.length + key.length });

/** A condition without its values. */
const shapeOfCondition = (condition: Condition): unknown => {
  if (condition.is === 'and' || condition.is === 'or') return [condition.is, condition.of.map(shapeOfCondition)];
  if (condition.is === 'not') return ['not', shapeOfCondition(condition.of)];
  const { is, column: name, kind, by, expected } = condition as Partial<Record<'is' | 'column' | 'kind' | 'by' | 'expected', unknown>>;
  return [is, name, kind, by, expected];
};

/** A plan without its values, but for its limit and which of its position's values are null. */
const shapeOfPlan = ({ source, columns, where: condition, order, after, offset, along }: Plan): unknown => [
  source.schema,
  source.name,
  source.cursor?.column,
  columns,
  condition && shapeOfCondition(condition),
  order.map((each) => [each.column, each.isDescending, each.isNullable]),
  after?.map((value) => value === null),
  Math.sign(offset) + Number(offset >= deepOffset),
  along.map(({ on, link, plan }) => [on, link.column, shapeOfPlan(plan)]),
];

/**
 * The name of a statement follows from its text, so that the server plans each text once per connection; empty for one that
 * is not kept.
 */
export const statementName = (text: string): string =>
  text.length > longestNamed ? '' : `s_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;

const shapeOf = (asked: Asked): Shape => {
  const { question, plan, limit, parents } = asked;
  const key = JSON.stringify([question, limit, parents && [parents.link.column, parents.link.isUnique], shapeOfPlan(plan)]);
  const known = shapes.get(key);
  if (known) return known;
  const { sql: text, parameters } = build(asked).compile();
  const shape = { text, name: statementName(text), places: parameters.map((parameter) => (parameter as Slot).value) };
  shapes.set(key, shape);
  return shape;
};

/** The statement that answers a question about a plan. */
export const statementFor = (asked: Asked): BoundStatement => {
  const { text, name, places } = shapeOf(asked);
  return { text, name, values: places.map((place) => place(asked)) };
};
