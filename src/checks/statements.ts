/**
 * The SQL of checks. Rules about single rows of a table share one scan of it, which also counts rows, nulls and sums. The rules that have
 * violations, and those about several rows, have a statement of their own that finds the violating rows by property.
 *
 * Names come from the catalogue and are qualified. Values are bound. A load translates the names of tables that it replaces (`TableNames`).
 */
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Check, CheckRule } from '../catalogue/check-rule.ts';
import { farYears, nullableColumns, summedColumns } from '../catalogue/checks.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { lookupSource, lookups } from '../catalogue/lookups.ts';
import { shared } from '../catalogue/property-path.ts';
import type { Table } from '../catalogue/table.ts';
import { Binding, column } from '../sql/bindings.ts';
import { conditionSql, db } from '../sql/select.ts';
import { parseCheckCondition } from './condition.ts';

export interface CheckStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The number of keys that are kept as examples, of each property. */
export const maxKeys = 5;

type Sql = RawBuilder<unknown> | Expression<unknown>;

/** Where the checks of a customer run. */
export interface CheckPlace {
  readonly catalogue: Catalogue;
  readonly schema: string;
}

export const tableIn = ({ schema }: CheckPlace, name: string) => sql.table(`${schema}.${name}`);

export const compiled = (query: RawBuilder<unknown>): CheckStatement => {
  const { sql: text, parameters } = query.compile(db);
  // Conditions bind functions of a plan; those of checks are constant.
  const values = parameters.map((value) => (value instanceof Binding ? value.value(undefined as never) : value));
  return { text, values };
};

export const checkConditionOn = (place: CheckPlace, table: string, text: string, alias: string): Sql => {
  const { condition } = parseCheckCondition(place.catalogue, table, text, table);
  const source = { schema: place.schema, customerId: 0, kind: 'category' as const, name: table, sort: [], cursor: undefined };
  return conditionSql(condition, () => condition, { source, alias });
};

const sumOf = (names: readonly string[]) =>
  sql.join(
    names.map((name) => column(name)),
    sql` + `,
  );

/** What a rule about single rows needs: a joined table, if any, and the condition of its violation. */
export interface RowRule {
  readonly join?: Sql;
  readonly violated: Sql;
}

/** `alias` is that of the joined table. Undefined for rules about several rows, and against the last load. */
export const rowRuleOf = (place: CheckPlace, { table, rule }: Pick<Check, 'table' | 'rule'>, alias: string): RowRule | undefined => {
  switch (rule.is) {
    case 'reference': {
      const { table: target, column: key, isUnique } = rule.target;
      const rows = isUnique ? sql`${tableIn(place, target)}` : sql`(select distinct s.${sql.id(key)} from ${tableIn(place, target)} as s)`;
      return {
        join: sql`left join ${rows} as ${sql.id(alias)} on ${column(key, alias)} = ${column(rule.column)}`,
        violated: sql`${column(rule.column)} is not null and ${column(key, alias)} is null`,
      };
    }
    case 'code': {
      const code = sql`${column(rule.column)}::text`;
      const own = sql`select from ${tableIn(place, lookupSource)} as o where o.catalog_name = ${rule.lookup} and o.value_key = ${code}`;
      const codes = lookups[rule.lookup].map(([value]) => value);
      return { violated: sql`${column(rule.column)} is not null and not ${code} = any(${codes}::text[]) and not exists (${own})` };
    }
    case 'period':
      return { violated: sql`${column(rule.to)} < ${column(rule.from)}` };
    case 'future':
      return { violated: sql`${column(rule.column)} > current_date + ${sql.lit(farYears)} * interval '1 year'` };
    case 'sum': {
      const less = rule.less ? sql` - (${sumOf(rule.less)})` : sql``;
      return { violated: sql`${sumOf(rule.parts)}${less} <> ${column(rule.total)}` };
    }
    case 'where':
      return { violated: checkConditionOn(place, table, rule.where, 't') };
    default:
      return undefined;
  }
};

export const isRowRule = ({ is }: CheckRule): boolean => ['reference', 'code', 'period', 'future', 'sum', 'where'].includes(is);

/**
 * One scan of a table: the number of rows, the numbers of nulls, the sums of absolute amounts, and the number of violations of each rule.
 */
export const scanOf = (place: CheckPlace, table: Table, rules: readonly RowRule[]): CheckStatement => {
  const counts = rules.map(({ violated }) => sql`count(*) filter (where ${violated})`);
  const nulls = nullableColumns(table).map((name) => sql`count(*) - count(${column(name)})`);
  const sums = summedColumns(table).map((name) => sql`coalesce(sum(abs(${column(name)})), 0)::float8`);
  const joins = rules.flatMap(({ join }) => (join ? [join] : []));
  return compiled(sql`select count(*) as rows, array[${sql.join(nulls)}]::bigint[] as nulls, array[${sql.join(sums)}]::float8[] as sums,
    array[${sql.join(counts)}]::bigint[] as counts
    from ${tableIn(place, table.name)} as t ${sql.join(joins, sql` `)}`);
};

export const keySql = (table: Table) => sql`${column(table.key)} as key`;

/** The property of a row `t`; null if rows of the table have none of their own. */
export const propertyColumnOf = ({ property }: Table) => {
  const own = property !== undefined && property !== shared && property.via.length === 0 ? column(property.column) : sql`null::integer`;
  return sql`${own} as property`;
};

/**
 * The rows that an overlap compares: `key`, `property`, `begins`, `ends` and the columns of `by`. A row without a value, or one that ends
 * before it begins, overlaps with none.
 */
export const overlapsOf = (place: CheckPlace, table: Table, rule: Extract<CheckRule, { is: 'overlap' }>): RawBuilder<unknown> => {
  const [from, to] = [column(rule.from), sql`coalesce(${column(rule.to)}, 'infinity')`];
  const where = rule.where === undefined ? sql`` : sql` and ${checkConditionOn(place, table.name, rule.where, 't')}`;
  const by = rule.by.map((name) => column(name));
  const known = sql.join(
    by.map((each) => sql`${each} is not null`),
    sql` and `,
  );
  return sql`select ${keySql(table)}, ${propertyColumnOf(table)}, ${from} as begins, ${to} as ends, ${sql.join(by)}
    from ${tableIn(place, table.name)} as t where ${known} and ${to} >= ${from}${where}`;
};

/** The rows that violate a check: `key` and `property`. */
const violationsOf = (place: CheckPlace, table: Table, check: Check): RawBuilder<unknown> => {
  const { rule } = check;
  const rowRule = rowRuleOf(place, check, 'r');
  const rows = tableIn(place, table.name);
  const found = sql`${keySql(table)}, ${propertyColumnOf(table)}`;
  if (rowRule) return sql`select ${found} from ${rows} as t ${rowRule.join ?? sql``} where ${rowRule.violated}`;
  if (rule.is === 'overlap') {
    const partition = sql`partition by ${sql.join(rule.by.map((name) => column(name, 'p')))} order by p.begins, p.key`;
    return sql`select key, property from (select p.key, p.property, p.begins,
      max(p.ends) over (${partition} rows between unbounded preceding and 1 preceding) as latest
      from (${overlapsOf(place, table, rule)}) as p) as v where v.begins <= v.latest`;
  }
  if (rule.is === 'total') {
    const { of, on, column: total, where } = rule;
    const sum = of.sum === undefined ? sql`count(*)` : sql`sum(${column(of.sum, 'o')})`;
    const counted = of.where === undefined ? sql`` : sql` where ${checkConditionOn(place, of.table, of.where, 'o')}`;
    const others = sql`select ${column(on[1], 'o')} as link, ${sum} as total from ${tableIn(place, of.table)} as o${counted} group by 1`;
    const own = total === undefined ? sql`0` : column(total);
    const mine = where === undefined ? sql`` : sql` and ${checkConditionOn(place, table.name, where, 't')}`;
    return sql`select ${found} from ${rows} as t left join (${others}) as s on s.link = ${column(on[0])}
      where ${own} <> coalesce(s.total, 0)${mine}`;
  }
  throw new Error(`The check ${check.name} has no rows`);
};

/** The violations of a check by property: their number and the first keys. */
export const findingsOf = (place: CheckPlace, table: Table, check: Check): CheckStatement =>
  compiled(sql`select property, count(*) as count, (array_agg(key order by key))[1:${sql.lit(maxKeys)}]::text[] as keys
    from (${violationsOf(place, table, check)}) as v group by property order by property`);
