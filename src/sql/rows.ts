/** The rows of a plan with their related columns, functions and aggregates of related rows. */
import { type Expression, sql } from 'kysely';
import { withoutRows } from '../plan/groups/groups.ts';
import { type Path, pathsRead, prefixesOf, stepsKey } from '../plan/paths.ts';
import { type AggregateColumn, isAggregateColumn, type OtherColumn, type Plan, type PlanSource } from '../plan/plan.ts';
import { relatedInOrder } from '../plan/references.ts';
import { aggregateSql } from './aggregates.ts';
import { type Any, column } from './bindings.ts';
import { rowValueOf } from './row-values.ts';
import { conditionSql, db, type RowsQuery, where } from './select.ts';
import { rowsIn, tableSql } from './tables.ts';

/** Joins the rows that paths lead to. Returns the joined query and a function that finds a path's column. */
export const joinPaths = (
  rows: RowsQuery,
  source: PlanSource,
  paths: readonly Path[],
): readonly [joined: RowsQuery, reach: (path: Path) => Expression<Any>] => {
  const aliases = new Map([['', 't']]);
  let joined = rows;
  for (const [key, way] of prefixesOf(paths)) {
    const { column: on, target, targetColumn } = way.at(-1)!;
    const [alias, parent] = [`g${aliases.size}`, aliases.get(stepsKey(way.slice(0, -1)))!];
    aliases.set(key, alias);
    const there = rowsIn(source, target).as(alias);
    joined = joined.leftJoin(there, (join) => join.on(column(targetColumn, alias), '=', column(on, parent))) as RowsQuery;
  }
  return [joined, ({ via, column: name }) => column(name, aliases.get(stepsKey(via)))];
};

/** The alias of related rows within their aggregate. */
const related = 'a';

/** The related rows that count in the aggregate at an index of the plan's related columns, and the aggregate. */
const aggregated = (source: PlanSource, { target, aggregate }: AggregateColumn, at: number) => {
  const condition =
    aggregate.where &&
    conditionSql(aggregate.where, ({ plan }) => (plan.relatedColumns![at] as AggregateColumn).aggregate.where, { source, alias: related });
  const rows = where(db.selectFrom(rowsIn(source, target).as(related)) as RowsQuery, condition ? [condition] : []);
  const value = aggregateSql(
    (path) => column(path.column, related),
    aggregate,
    (each) => each,
  );
  return { rows, value };
};

/**
 * Adds related columns to rows. An aggregate in the order needs the values of all rows, so all related rows are grouped once. Any other
 * aggregate is a subquery, which the database computes after the limit, for the rows of the page only.
 */
const withOthers = (rows: RowsQuery, plan: Plan, others: readonly OtherColumn[]): RowsQuery => {
  const { source } = plan;
  const inOrder = relatedInOrder({ order: plan.order, relatedColumns: others });
  const paths = others.flatMap((each) => pathsRead<Path>(each));
  const [found, reach] = joinPaths(rows, source, paths);
  let joined = found;
  const expressionFor = (each: OtherColumn, at: number): Expression<Any> => {
    if (!isAggregateColumn(each)) return rowValueOf(reach, each);
    const { rows: counted, value } = aggregated(source, each, at);
    const link = column(each.targetColumn, related);
    if (!inOrder.includes(each)) return sql`${counted.where(link, '=', reach(each)).select(sql`${value}`.as('value'))}`;
    const alias = `${related}${at}`;
    const groups = counted.select([link.as('link'), sql`${value}`.as('value')]).groupBy(link);
    joined = joined.leftJoin(groups.as(alias), (join) => join.on(column('link', alias), '=', reach(each))) as RowsQuery;
    return sql`coalesce(${column('value', alias)}, ${sql.raw(withoutRows(each.aggregate))})`;
  };
  const values = others.map((each, at) => sql`${expressionFor(each, at)}`.as(each.name));
  return joined.select(values);
};

/** All rows of a plan as `t`, with its related columns, functions and aggregates. */
export const rowsFrom = (plan: Plan): RowsQuery => {
  const { relatedColumns = [] } = plan;
  const rows = db.selectFrom(tableSql(plan).as('t')) as RowsQuery;
  if (relatedColumns.length === 0) return rows;
  return db.selectFrom(withOthers(rows.selectAll('t'), plan, relatedColumns).as('t')) as RowsQuery;
};
