/**
 * The SQL for each kind of query on a plan, as one Kysely query from common building blocks (`select.ts`).
 *
 * The limit is a literal. With a bound limit the server would make a new plan for each execution, because its generic plan looks worse.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { kinds } from '../catalogue/kinds.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import { datasetsOf } from '../database/control/datasets.ts';
import { stateQueries } from '../database/control/state-tables.ts';
import { totalName } from '../plan/groups/groups.ts';
import { hasRestCursor, isFiltered, type Link, type OrderTerm, otherTablesOf, type Plan } from '../plan/plan.ts';
import type { LogEntry, LogRange, PlanQuery } from '../plan/plan-query.ts';
import { type Any, binding, column } from './bindings.ts';
import { conditionsOf, fromPlan, matching, rowsOfParent } from './grouped.ts';
import { db, orderedBy, paged, type RowsQuery, where } from './select.ts';
import { rowsIn, tableSql } from './tables.ts';

/** The number of columns before those of a row: on a page, the dataset's state, the total, and the cursor text. */
export const hiddenColumns = { page: 3, rows: 0 } as const;

/** From this offset on, skipped rows are passed by index keys alone. */
export const minDeepOffset = 500;

const offsetOf = binding<number>(({ plan }) => plan.offset, 'bigint');

const tuple = (terms: readonly OrderTerm[]) => sql.join(terms.map((term) => column(term.column)));

/** The keysets of a page's rows, starting at its offset. */
const keysOf = (plan: Plan, terms: readonly OrderTerm[], limit: number, conditions: readonly Expression<SqlBool>[]) =>
  paged(where(fromPlan(plan), conditions), plan)
    .select(terms.map((term) => column(term.column).as(term.column)))
    .limit(sql.lit(limit))
    .offset(offsetOf);

/** The keyset of a page's first row. In an unfiltered table, whose row count is known, the search starts from the nearer end. */
const firstKeyOf = (plan: Plan, conditions: readonly Expression<SqlBool>[]): Expression<unknown> => {
  const [term, ...others] = plan.order;
  const ahead = keysOf(plan, plan.order, 1, conditions);
  // Without a condition, the row count of the whole table is not that of a part of its rows.
  if (!term || others.length > 0 || conditions.length > 0 || isFiltered(plan)) return sql`${ahead}`;
  const total = stateOf(plan, sql.raw('row_count'));
  const backwards = orderedBy(fromPlan(plan), { ...plan, order: [{ ...term, isDescending: true }] }).select(column(term.column).as('key'));
  const behind = backwards.limit(sql.lit(1)).offset(sql<number>`greatest(${total} - ${offsetOf} - 1, 0)`);
  return sql`case when ${offsetOf} * 2 <= ${total} then ${ahead} when ${offsetOf} < ${total} then ${behind} end`;
};

/** The rows of a page, without a select list. */
const pageOf = (plan: Plan, limit: number, conditions: readonly Expression<SqlBool>[]): RowsQuery => {
  const { order, offset } = plan;
  const rows = (more: readonly Expression<SqlBool>[]) => paged(where(fromPlan(plan), more), plan).limit(sql.lit(limit));
  if (offset === 0) return rows(conditions);
  if (offset < minDeepOffset || order.length === 0) return rows(conditions).offset(offsetOf);
  // If an index has the order, rows are read from the page's first key on. Otherwise the page's keys are computed first.
  if (order.every(({ isDescending, isNullable }) => !isDescending && !isNullable))
    return rows([...conditions, sql<SqlBool>`(${tuple(order)}) >= ${firstKeyOf(plan, conditions)}`]);
  const unique = order.filter(({ isNullable }) => !isNullable);
  return rows([sql<SqlBool>`(${tuple(unique)}) in ${keysOf(plan, unique, limit, conditions)}`]);
};

/** The forward order in which a backward page is returned. */
const forward = (plan: Plan): Plan => ({ ...plan, isBackward: false });

/** The columns that a subquery must return for joins and order outside of it. */
const carried = ({ columns, order }: Plan) =>
  [...new Set([...columns, ...order.map((each) => each.column)])].map((name) => column(name).as(name));

/** Selects the columns of a plan and of its joined rows, depth first. */
const selected = (query: RowsQuery, plan: Plan): RowsQuery => {
  let [joined, joins] = [query, 0];
  const chosen = plan.columns.map((name, at) => column(name).as(at === plan.columns.indexOf(name) ? name : `${name} ${at}`));
  const add = (parent: string, joinedRows: Plan['joinedRows']) => {
    for (const { on, link, plan: there } of joinedRows) {
      const alias = `j${++joins}`;
      joined = joined.leftJoin(rowsIn(plan.source, there.source.name).as(alias), (join) =>
        join.on(column(link.column, alias), '=', column(on, parent)),
      ) as RowsQuery;
      chosen.push(...[link.column, ...there.columns].map((name, at) => column(name, alias).as(`${alias} ${at}`)));
      add(alias, there.joinedRows);
    }
  };
  add('t', plan.joinedRows);
  return joined.select(chosen);
};

const rowsOf = ({ plan, limit }: PlanQuery): RowsQuery => {
  if (plan.joinedRows.length === 0 && !plan.isBackward) return selected(pageOf(plan, limit, conditionsOf(plan)), plan);
  const rows = pageOf(plan, limit, conditionsOf(plan)).select(carried(plan));
  return orderedBy(selected(db.selectFrom(rows.as('t')) as RowsQuery, plan), forward(plan));
};

const inLog = (place: (changes: LogRange) => unknown, type: string) => binding<Any>(({ changes }) => place(changes!), type);
const entryOf = (entry: (changes: LogRange) => LogEntry) =>
  sql`(${inLog((changes) => entry(changes).version, 'bigint')}, ${inLog((changes) => entry(changes).key, 'text')})`;

/** The change log of a table in its order. */
const logStretch = ({ source: { schema } }: Plan) =>
  stateQueries(schema)
    .selectFrom('_changed_keys as c')
    .where(
      'c.dataset_id',
      '=',
      inLog(({ dataset }) => dataset, 'integer'),
    )
    .where(
      'c.version',
      '>',
      inLog(({ since }) => since, 'bigint'),
    )
    .where(sql<SqlBool>`(c.version, c.key) > ${entryOf(({ after }) => after)}`)
    .orderBy('c.version')
    .orderBy('c.key');

const logOf = ({ plan, limit }: PlanQuery) =>
  logStretch(plan)
    .where(
      'c.version',
      '<=',
      inLog(({ to }) => to, 'bigint'),
    )
    .select(['c.version', 'c.key', 'c.is_deleted'])
    .limit(sql.lit(limit));

/** The rows of a range of the change log. Deleted rows no longer exist. */
const changedRowsOf = ({ plan, changes }: PlanQuery): RowsQuery => {
  const { key } = changes!;
  const named = sql<Any>`c.key::${sql.raw(kinds[key.kind].parameter)}`;
  const rows = logStretch(plan)
    .innerJoin(tableSql(plan).as('t'), (join) => join.on(column(key.column), '=', named))
    .where(sql<SqlBool>`(c.version, c.key) <= ${entryOf(({ last }) => last!)}`)
    .where(sql<SqlBool>`not c.is_deleted`);
  return selected(rows as unknown as RowsQuery, plan);
};

const linkValues = ({ kind }: Link) => binding<Any>(({ parents }) => parents?.values, `${kinds[kind].parameter}[]`);

const parentsOf = (link: Link) => db.selectFrom(sql`unnest(${linkValues(link)}) with ordinality`.as<'p'>(sql`p(value, place)`));

/** Rows of many parents, at most `limit` for each, in the parents' order. The first value links a row to its parent. */
const linkedRowsOf = ({ plan, limit, parents }: PlanQuery): RowsQuery => {
  const { link } = parents!;
  const own = column(link.column);
  if (link.isUnique) {
    const rows = where(fromPlan(plan), [sql<SqlBool>`${own} = any(${linkValues(link)})`, ...conditionsOf(plan)]);
    return selected(rows.select(own.as('link')), plan);
  }
  const each = orderedBy(rowsOfParent(plan, sql<SqlBool>`${own} = p.value`), plan);
  const rows = parentsOf(link).crossJoinLateral(each.select(carried(plan)).limit(sql.lit(limit)).as('t')) as unknown as RowsQuery;
  return orderedBy(selected(rows.select(sql.ref('p.value').as('link')), plan).orderBy(sql.ref('p.place')), forward(plan));
};

const linkedCountsOf = ({ plan, parents }: PlanQuery): RowsQuery => {
  const { link } = parents!;
  const own = column(link.column);
  if (plan.groups) {
    const each = fromPlan(plan, [sql<SqlBool>`${own} = p.value`]).select(sql`count(*)`.as('count'));
    return parentsOf(link)
      .crossJoinLateral(each.as('t'))
      .select([sql.ref('p.value').as('link'), 't.count']) as unknown as RowsQuery;
  }
  const rows = where(fromPlan(plan), [sql<SqlBool>`${own} = any(${linkValues(link)})`, ...matching(plan)]);
  return rows.select([own.as('link'), sql`count(*)`.as('count')]).groupBy(own) as RowsQuery;
};

/** A value from the table's row in `_datasets`, in the customer's schema. */
const stateOf = ({ source: { schema } }: Plan, expression: Expression<unknown>) =>
  datasetsOf(
    schema,
    binding<DatasetKind>(({ plan }) => plan.source.kind, 'text'),
    binding<string>(({ plan }) => plan.source.name, 'text'),
  ).select(sql`${expression}`.as('state'));

/** Related columns are left out: there is one row for each, with or without them. */
const counted = (plan: Plan): RowsQuery =>
  where(fromPlan({ ...plan, relatedColumns: undefined }), matching(plan)).select(sql`count(*)`.as('count')) as RowsQuery;

/** The states of the other tables that decide what the page shows. */
const otherStatesOf = ({ source: { schema } }: Plan) =>
  datasetsOf(
    schema,
    binding<DatasetKind>(({ plan: { source } }) => source.kind, 'text'),
  ).where(sql<SqlBool>`name = any(${binding<string[]>(({ plan }) => otherTablesOf(plan), 'text[]')})`);

/** The versions of these tables. */
const versionsBeside = (plan: Plan) =>
  otherTablesOf(plan).length > 0 ? sql`, ${otherStatesOf(plan).select(sql`json_object_agg(name, version)`.as('versions'))}` : sql``;

/** The total. The row count of a whole table is stored by loads. A filtered total is counted unless it is known for these versions,
 * which only grow, so equal sums are equal versions. */
const totalOf = (plan: Plan) => {
  if (!isFiltered(plan)) return sql`${stateOf(plan, sql.raw('row_count'))}`;
  const version = binding(({ known }) => known?.version ?? null, 'bigint');
  const total = binding(({ known }) => known?.total ?? null, 'bigint');
  const others = otherTablesOf(plan).length > 0 ? sql` + coalesce(${otherStatesOf(plan).select(sql`sum(version)`.as('sum'))}, 0)` : sql``;
  return sql`case when ${stateOf(plan, sql.raw('version'))}${others} = ${version} then ${total} else ${counted(plan)} end`;
};

const summaryOf = (plan: Plan, total = totalOf(plan)) => {
  const state = sql`json_build_array(version, synced_at${versionsBeside(plan)})`;
  return [sql`${stateOf(plan, state)}`.as('state'), total.as('total')];
};

/** The text in the cursor of a row: the cursor column, or the keyset of groups and of other orders and conditions. */
const cursorText = (plan: Plan) => {
  const { source, groups, order } = plan;
  if (!groups && !source.cursor) return sql`null::text`;
  if (hasRestCursor(plan)) return sql`${column(source.cursor!.column)}::text`;
  return sql`json_build_array(${sql.join(order.map((term) => sql`${column(term.column)}::text`))})::text`;
};

/** The last row of the page and the next one. They show whether the page is full, its cursor, and whether rows follow. */
const boundaryOf = ({ plan, limit }: PlanQuery) => {
  const keys = paged(where(fromPlan(plan), conditionsOf(plan)), plan).select(sql`coalesce(${cursorText(plan)}, '')`.as('key'));
  return sql`array${keys.limit(sql.lit(2)).offset(sql<number>`${offsetOf} + ${sql.lit(limit - 1)}`)}`;
};

/** The Kysely query for a query on a plan. */
export const buildQuery = (planQuery: PlanQuery): { compile(): { readonly sql: string; readonly parameters: readonly unknown[] } } => {
  const { queryKind, plan, limit, parents, changes } = planQuery;
  switch (queryKind) {
    case 'rows':
      if (changes) return changedRowsOf(planQuery);
      return parents ? linkedRowsOf(planQuery) : rowsOf(planQuery);
    case 'log':
      return logOf(planQuery);
    case 'count':
      if (parents) return linkedCountsOf(planQuery);
      return isFiltered(plan) ? counted(plan) : stateOf(plan, sql.raw('row_count'));
    case 'summary': {
      // A subquery, so that the total is computed once. If it is 0, the table is not read.
      const summary = db.selectNoFrom(summaryOf(plan)).offset(sql.lit(0)).as('s');
      const boundary = sql`case when s.total = 0 then '{}'::text[] else ${boundaryOf(planQuery)} end`.as('boundary');
      return db.selectFrom(summary).select(['s.state', 's.total', boundary]);
    }
    case 'page': {
      const total = plan.groups?.isCounted ? column(totalName) : undefined;
      return selected(pageOf(plan, limit, conditionsOf(plan)).select([...summaryOf(plan, total), cursorText(plan).as('key')]), plan);
    }
  }
};
