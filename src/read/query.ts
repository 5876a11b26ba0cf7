/**
 * The questions that can be asked of a plan, each as one Kysely query over the same building blocks (`select.ts`).
 *
 * The limit stands in the text: bound, the server would plan anew each time, since no plan for an unknown limit can rival one
 * for a known one.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { kinds } from '../catalogue/kinds.ts';
import { controlSchema } from '../database/control.ts';
import type { Asked } from './asked.ts';
import { isFiltered, type Link, type OrderTerm, type Plan } from './plan.ts';
import { type Any, column, db, from, matching, ordered, paged, type Query, reached, slot, tableOf, where } from './select.ts';

/** Columns that precede a row's own on a page: the dataset's state, the total, and the cursor column's text. */
export const hiddenColumns = { page: 3, rows: 0 } as const;

/** Offsets from here on are reached over keys alone, without reading the rows that are skipped. */
export const deepOffset = 500;

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

/** The rows that a stretch of the log of changes names; those that were deleted are there no more. */
const changedRowsOf = ({ plan, changes }: Asked): Query => {
  const { key } = changes!;
  const entry = (name: 'after' | 'last') =>
    sql`(${slot(({ changes }) => changes?.[name].version, 'bigint')}, ${slot(({ changes }) => changes?.[name].key, 'text')})`;
  const rows = db
    .selectFrom(`${controlSchema}.changed_keys as c`)
    .innerJoin(tableOf(plan).as('t'), (join) => join.on(column(key.column), '=', sql<Any>`c.key::${sql.raw(kinds[key.kind].parameter)}`))
    .where(
      'c.dataset_id',
      '=',
      slot<Any>(({ changes }) => changes?.dataset, 'integer'),
    )
    .where(
      'c.version',
      '>',
      slot<Any>(({ changes }) => changes?.since, 'bigint'),
    )
    .where(sql<SqlBool>`(c.version, c.key) > ${entry('after')} and (c.version, c.key) <= ${entry('last')}`)
    .where(sql<SqlBool>`not c.is_deleted`)
    .orderBy('c.version')
    .orderBy('c.key');
  return selected(rows as unknown as Query, plan);
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

/** The query that answers a question about a plan. */
export const build = (asked: Asked): { compile(): { readonly sql: string; readonly parameters: readonly unknown[] } } => {
  const { question, plan, limit, parents, changes } = asked;
  switch (question) {
    case 'rows':
      if (changes) return changedRowsOf(asked);
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
