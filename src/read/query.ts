/**
 * The questions that can be asked of a plan, each as one Kysely query over the same building blocks (`select.ts`).
 *
 * The limit stands in the text: bound, the server would plan anew each time, since no plan for an unknown limit can rival one
 * for a known one.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { kinds } from '../catalogue/kinds.ts';
import type { DatasetKind } from '../database/control.ts';
import { controlQueries, datasetsOf } from '../database/datasets.ts';
import type { Asked, Changes, LogEntry } from './asked.ts';
import { from, matching, ofParent, reached } from './grouped.ts';
import { tablesBeside, totalName } from './groups.ts';
import { isFiltered, type Link, type OrderTerm, type Plan } from './plan.ts';
import { type Any, column, db, ordered, paged, type Query, slot, tableOf, where } from './select.ts';

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

/** The order's values of a page's first row; of a whole table, whose rows are counted, it is sought from the end that is nearer. */
const firstKeyOf = (plan: Plan, conditions: readonly Expression<SqlBool>[]): Expression<unknown> => {
  const [term, ...others] = plan.order;
  const ahead = keysOf(plan, plan.order, 1, conditions);
  if (!term || others.length > 0 || conditions.length > 0) return sql`${ahead}`;
  const total = stateOf(sql.raw('row_count'));
  const backwards = ordered(from(plan), { ...plan, order: [{ ...term, isDescending: true }] }).select(column(term.column).as('key'));
  const behind = backwards.limit(sql.lit(1)).offset(sql<number>`${total} - ${offsetOf} - 1`);
  return sql`case when ${offsetOf} * 2 <= ${total} then ${ahead} when ${offsetOf} < ${total} then ${behind} end`;
};

/** The rows that a page shows, whatever is selected of them. */
const pageOf = (plan: Plan, limit: number, conditions: readonly Expression<SqlBool>[]): Query => {
  const { order, offset } = plan;
  const rows = (more: readonly Expression<SqlBool>[]) => paged(where(from(plan), more), plan).limit(sql.lit(limit));
  if (offset === 0) return rows(conditions);
  if (offset < deepOffset || order.length === 0) return rows(conditions).offset(offsetOf);
  // In the order of an index rows are read from the page's first key on, in any other those with the page's keys.
  if (order.every(({ isDescending, isNullable }) => !isDescending && !isNullable))
    return rows([...conditions, sql<SqlBool>`(${tuple(order)}) >= ${firstKeyOf(plan, conditions)}`]);
  const unique = order.filter(({ isNullable }) => !isNullable);
  return rows([sql<SqlBool>`(${tuple(unique)}) in ${keysOf(plan, unique, limit, conditions)}`]);
};

/** How rows that were read backward are shown. */
const forward = (plan: Plan): Plan => ({ ...plan, isBackward: false });

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
  if (plan.along.length === 0 && !plan.isBackward) return selected(pageOf(plan, limit, reached(plan)), plan);
  const rows = pageOf(plan, limit, reached(plan)).select(carried(plan));
  return ordered(selected(db.selectFrom(rows.as('t')) as Query, plan), forward(plan));
};

const inLog = (place: (changes: Changes) => unknown, type: string) => slot<Any>(({ changes }) => place(changes!), type);
const entryOf = (entry: (changes: Changes) => LogEntry) =>
  sql`(${inLog((changes) => entry(changes).version, 'bigint')}, ${inLog((changes) => entry(changes).key, 'text')})`;

/** The log of changes of a table, in its order. */
const logStretch = controlQueries
  .selectFrom('changed_keys as c')
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

const logOf = ({ limit }: Asked) =>
  logStretch
    .where(
      'c.version',
      '<=',
      inLog(({ to }) => to, 'bigint'),
    )
    .select(['c.version', 'c.key', 'c.is_deleted'])
    .limit(sql.lit(limit));

/** The rows that a stretch of the log names; those that were deleted are there no more. */
const changedRowsOf = ({ plan, changes }: Asked): Query => {
  const { key } = changes!;
  const named = sql<Any>`c.key::${sql.raw(kinds[key.kind].parameter)}`;
  const rows = logStretch
    .innerJoin(tableOf(plan).as('t'), (join) => join.on(column(key.column), '=', named))
    .where(sql<SqlBool>`(c.version, c.key) <= ${entryOf(({ last }) => last!)}`)
    .where(sql<SqlBool>`not c.is_deleted`);
  return selected(rows as unknown as Query, plan);
};

const linkValues = ({ kind }: Link) => slot<Any>(({ parents }) => parents?.values, `${kinds[kind].parameter}[]`);

const parentsOf = (link: Link) => db.selectFrom(sql`unnest(${linkValues(link)}) with ordinality`.as<'p'>(sql`p(value, place)`));

/** Rows of many parents: at most `limit` for each, in the parents' order, each led by the value that links it to them. */
const linkedRowsOf = ({ plan, limit, parents }: Asked): Query => {
  const { link } = parents!;
  const own = column(link.column);
  if (link.isUnique) {
    const rows = where(from(plan), [sql<SqlBool>`${own} = any(${linkValues(link)})`, ...reached(plan)]);
    return selected(rows.select(own.as('link')), plan);
  }
  const each = ordered(ofParent(plan, sql<SqlBool>`${own} = p.value`), plan);
  const rows = parentsOf(link).crossJoinLateral(each.select(carried(plan)).limit(sql.lit(limit)).as('t')) as unknown as Query;
  return ordered(selected(rows.select(sql.ref('p.value').as('link')), plan).orderBy(sql.ref('p.place')), forward(plan));
};

const linkedCountsOf = ({ plan, parents }: Asked): Query => {
  const { link } = parents!;
  const own = column(link.column);
  if (plan.groups) {
    const each = from(plan, [sql<SqlBool>`${own} = p.value`]).select(sql`count(*)`.as('count'));
    return parentsOf(link)
      .crossJoinLateral(each.as('t'))
      .select([sql.ref('p.value').as('link'), 't.count']) as unknown as Query;
  }
  const rows = where(from(plan), [sql<SqlBool>`${own} = any(${linkValues(link)})`, ...matching(plan)]);
  return rows.select([own.as('link'), sql`count(*)`.as('count')]).groupBy(own) as Query;
};

/** Something that is known of the table's data as a whole. */
const stateOf = (expression: Expression<unknown>) =>
  datasetsOf(
    slot<number>(({ plan }) => plan.source.customerId, 'integer'),
    slot<DatasetKind>(({ plan }) => plan.source.kind, 'text'),
    slot<string>(({ plan }) => plan.source.name, 'text'),
  ).select(sql`${expression}`.as('state'));

const counted = (plan: Plan): Query => where(from(plan), matching(plan)).select(sql`count(*)`.as('count')) as Query;

/** How many rows match: counted only if the number is not known at this version; all rows are counted when they are loaded. */
const totalOf = (plan: Plan) => {
  if (!isFiltered(plan)) return sql`${stateOf(sql.raw('row_count'))}`;
  const version = slot(({ known }) => known?.version ?? null, 'bigint');
  const total = slot(({ known }) => known?.total ?? null, 'bigint');
  return sql`case when ${stateOf(sql.raw('version'))} = ${version} then ${total} else ${counted(plan)} end`;
};

/** The versions of tables that groups are made of beside their own. */
const versionsBeside = (plan: Plan) => {
  const names = slot<string[]>(({ plan: { groups } }) => tablesBeside(groups), 'text[]');
  const customer = slot<number>(({ plan: { source } }) => source.customerId, 'integer');
  const kind = slot<DatasetKind>(({ plan: { source } }) => source.kind, 'text');
  const beside = datasetsOf(customer, kind).where(sql<SqlBool>`name = any(${names})`);
  return tablesBeside(plan.groups).length > 0 ? sql`, ${beside.select(sql`json_object_agg(name, version)`.as('versions'))}` : sql``;
};

const summaryOf = (plan: Plan, total = totalOf(plan)) => {
  const state = sql`json_build_array(version, synced_at${versionsBeside(plan)})`;
  return [sql`${stateOf(state)}`.as('state'), total.as('total')];
};

/** What the cursor behind a row is made of: the text of the cursor column, or of all that groups are ordered by. */
const cursorText = ({ source, groups, order }: Plan) => {
  if (groups) return sql`json_build_array(${sql.join(order.map((term) => sql`${column(term.column)}::text`))})::text`;
  return source.cursor ? sql`${column(source.cursor.column)}::text` : sql`null::text`;
};

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
    case 'log':
      return logOf(asked);
    case 'count':
      if (parents) return linkedCountsOf(asked);
      return isFiltered(plan) ? counted(plan) : stateOf(sql.raw('row_count'));
    case 'summary': {
      // Apart, so that the total is counted once; where it is 0 there is nothing to look for.
      const summary = db.selectNoFrom(summaryOf(plan)).offset(sql.lit(0)).as('s');
      const boundary = sql`case when s.total = 0 then '{}'::text[] else ${boundaryOf(asked)} end`.as('boundary');
      return db.selectFrom(summary).select(['s.state', 's.total', boundary]);
    }
    case 'page': {
      const total = plan.groups?.isCounted ? column(totalName) : undefined;
      return selected(pageOf(plan, limit, reached(plan)).select([...summaryOf(plan, total), cursorText(plan).as('key')]), plan);
    }
  }
};
