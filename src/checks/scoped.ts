/**
 * The violations that a key with a property set sees: exactly those that the check finds in the rows of its properties alone (contract: checks
 * of the data). So a row of another property changes nothing, whether it is there, is missing, or is wrong.
 *
 * A violation may depend on rows of other properties. Then it is kept with these properties, and `isWithin` decides for each set.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Check, CheckRule } from '../catalogue/check-rule.ts';
import { propertyPathOf } from '../catalogue/data-scope.ts';
import { shared } from '../catalogue/property-path.ts';
import type { DatasetKind, Table } from '../catalogue/table.ts';
import { column } from '../sql/bindings.ts';
import type { ScopedFinding } from './results.ts';
import {
  type CheckPlace,
  type CheckStatement,
  checkConditionOn,
  compiled,
  keySql,
  maxKeys,
  overlapsOf,
  propertyColumnOf,
  tableIn,
} from './statements.ts';

/** More groups than this are not kept. Then no key with a property set sees the check. */
export const maxFindings = 10_000;

type Sql = RawBuilder<unknown>;

/** The property of a row, as an expression; undefined if the table is shared by all properties, or belongs to none. */
const ownerOf = (place: CheckPlace, kind: DatasetKind, name: string, alias: string): Sql | undefined => {
  const path = propertyPathOf(kind, name);
  if (path === undefined || path === shared) return undefined;
  const { via, column: id } = path;
  return via.reduceRight<(from: string) => Sql>(
    (inner, { column: on, target, targetColumn }, at) =>
      (from) =>
        sql`(select ${inner(`p${at}`)} from ${tableIn(place, target)} as ${sql.id(`p${at}`)} where ${column(targetColumn, `p${at}`)} = ${column(on, from)})`,
    (from) => sql`${column(id, from)}`,
  )(alias);
};

/** Whether rows without a property belong to all of them. */
const isSharedWithout = (kind: DatasetKind, name: string): boolean => {
  const path = propertyPathOf(kind, name);
  return path === shared || path?.isSharedWithout === true;
};

/** The property of the rows `t` of a checked table. */
const own = (table: Table): Sql => sql`(select property from (select ${propertyColumnOf(table)}) as own)`;

type ReferenceRule = Extract<CheckRule, { is: 'reference' }>;
type TotalRule = Extract<CheckRule, { is: 'total' }>;
type OverlapRule = Extract<CheckRule, { is: 'overlap' }>;

/** The targets of a reference by key: the properties of their rows, and whether one belongs to all properties. */
const targetsOf = (place: CheckPlace, { target: { kind, table, column: key } }: ReferenceRule): Sql => {
  const owner = ownerOf(place, kind, table, 's') ?? sql`null::integer`;
  const all = isSharedWithout(kind, table) ? sql`bool_or(${owner} is null)` : sql`false`;
  return sql`select ${column(key, 's')} as key, array_remove(array_agg(distinct ${owner}), null) as owners, ${all} as of_all
    from ${tableIn(place, table)} as s group by 1`;
};

/** Whether a reference leads to rows of properties, so that they may be others than that of the row. */
export const leadsToProperties = ({ rule }: Check): boolean =>
  rule.is === 'reference' && ![undefined, shared].includes(propertyPathOf(rule.target.kind, rule.target.table) as undefined);

/** The join and the condition for rows whose reference leads to no row of their own property and to none of all properties. */
export const strayReference = (place: CheckPlace, table: Table, rule: ReferenceRule, alias: string) => ({
  join: sql`left join (${targetsOf(place, rule)}) as ${sql.id(alias)} on ${column('key', alias)} = ${column(rule.column)}`,
  violated: sql`${column(rule.column)} is not null and (${column('of_all', alias)} or ${own(table)} = any(${column('owners', alias)})) is not true`,
});

/** A violation of each row, with the properties that it depends on. */
const referencesOf = (place: CheckPlace, table: Table, rule: ReferenceRule): Sql => {
  const { join, violated } = strayReference(place, table, rule, 'r');
  return sql`select ${keySql(table)}, ${propertyColumnOf(table)}, coalesce(r.owners, '{}') as unless, null::integer[] as with_any, null::integer[] as with_all
    from ${tableIn(place, table.name)} as t ${join} where ${violated}`;
};

const overlapping = (place: CheckPlace, table: Table, rule: OverlapRule): Sql => {
  const rows = overlapsOf(place, table, rule);
  const equal = sql.join(
    rule.by.map((name) => sql`${column(name, 'e')} = ${column(name, 'v')}`),
    sql` and `,
  );
  return sql`with valid as (${rows}), pairs as (
      select v.key, v.property, array_agg(distinct e.property) as others, bool_or(e.property is not distinct from v.property or e.property is null) as is_own
      from valid as v join valid as e on ${equal} and (e.begins, e.key) < (v.begins, v.key) and v.begins <= e.ends group by 1, 2)
    select key, property, null::integer[] as unless, case when not is_own then others end as with_any, null::integer[] as with_all from pairs`;
};

/** Totals of the rows of each link and property, and those links whose rows are of another property than their row. */
const partsOf = (place: CheckPlace, { of, on }: TotalRule): Sql => {
  const sum = of.sum === undefined ? sql`count(*)` : sql`sum(${column(of.sum, 'o')})`;
  const counted = of.where === undefined ? sql`` : sql` where ${checkConditionOn(place, of.table, of.where, 'o')}`;
  const owner = ownerOf(place, of.kind, of.table, 'o') ?? sql`null::integer`;
  return sql`select ${column(on[1], 'o')} as link, ${owner} as owner, ${sum} as total from ${tableIn(place, of.table)} as o${counted} group by 1, 2`;
};

/** Whether a row of another property counts for a total. Otherwise every key sees the violations of its rows. */
export const crossingOf = (place: CheckPlace, table: Table, rule: TotalRule): CheckStatement =>
  compiled(sql`select exists (select from ${tableIn(place, table.name)} as t join (${partsOf(place, rule)}) as o on o.link = ${column(rule.on[0])}
    where o.owner is distinct from ${own(table)}) as crosses`);

/** A row whose total has parts of other properties is right or wrong for keys that read all of them, or none. Others do not see it. */
const totalsOf = (place: CheckPlace, table: Table, rule: TotalRule): Sql => {
  const { on, column: total, where } = rule;
  const isOfAll = isSharedWithout(rule.of.kind, rule.of.table) ? sql`o.owner is null` : sql`false`;
  const mine = where === undefined ? sql`` : sql` where ${checkConditionOn(place, table.name, where, 't')}`;
  return sql`with stated as (
      select ${keySql(table)}, ${propertyColumnOf(table)}, ${column(on[0])} as link, ${total === undefined ? sql`0` : column(total)} as stated
      from ${tableIn(place, table.name)} as t${mine}),
    summed as (
      select t.key, t.property, t.stated, coalesce(sum(o.total) filter (where o.owner = t.property or ${isOfAll}), 0) as alone,
        coalesce(sum(o.total) filter (where o.owner is not null or ${isOfAll}), 0) as whole,
        coalesce(array_agg(distinct o.owner) filter (where o.owner is distinct from t.property and o.owner is not null), '{}') as others
      from stated as t left join (${partsOf(place, rule)}) as o on o.link = t.link group by 1, 2, 3)
    select key, property, others as unless, null::integer[] as with_any, null::integer[] as with_all from summed where stated <> alone
    union all
    select key, property, null, null, others from summed where stated <> whole and others <> '{}'`;
};

/** The violations for property sets. Undefined for rules about single rows, whose violations are the same in any set. */
export const scopedFindingsOf = (place: CheckPlace, table: Table, { rule }: Check): CheckStatement | undefined => {
  const found =
    rule.is === 'reference'
      ? referencesOf(place, table, rule)
      : rule.is === 'overlap'
        ? overlapping(place, table, rule)
        : rule.is === 'total'
          ? totalsOf(place, table, rule)
          : undefined;
  return (
    found &&
    compiled(sql`select property, unless, with_any, with_all, count(*) as count, (array_agg(key order by key))[1:${sql.lit(maxKeys)}]::text[] as keys
      from (${found}) as v group by 1, 2, 3, 4 order by property limit ${sql.lit(maxFindings + 1)}`)
  );
};

/** Whether a condition reads rows of other tables that belong to properties. What it finds in a part of them is not known. */
export const readsProperties = ({ rule, others }: Check): boolean =>
  rule.is === 'where' && others.some(({ kind, table }) => propertyPathOf(kind, table) !== shared);

/** Whether a violation is one in the rows of a set of properties alone. */
export const isWithin = ({ unless, with_any, with_all }: ScopedFinding, includes: (property: number) => boolean): boolean =>
  !unless?.some(includes) && (with_any?.some(includes) ?? true) && (with_all?.every(includes) ?? true);
