/**
 * Sums over related rows: a row of a group is marked if it is the first one that leads to its related row (contract: sums over relations).
 * The marked rows are a derived table in place of the rows. Keys and related values are its columns, so they are computed once.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { type Groups, onceOf, type SumOnce } from '../plan/groups/groups.ts';
import { type Path, stepsKey } from '../plan/paths.ts';
import { type Any, column } from './bindings.ts';
import { db, type Query, seriesDay } from './select.ts';

/** Columns of the derived table. No column of a table has a blank in its name. */
const keyColumn = (name: string) => `key ${name}`;
const valueColumn = (name: string) => `value ${name}`;
const relatedColumn = (name: string) => `related ${name}`;
const onlyColumn = (name: string) => `only ${name}`;
const firstColumn = (name: string) => `first ${name}`;
const dayColumn = 'series day';

interface Parts {
  readonly keys: readonly (readonly [name: string, value: Expression<Any>])[];
  readonly reach: (path: Path) => Expression<Any>;
  /** The condition of a value on the rows that count. */
  readonly conditionOf: (value: SumOnce) => Expression<SqlBool> | undefined;
}

/** The column that identifies the related row. */
const targetOf = ({ via }: SumOnce): Path => ({ via, column: via.at(-1)!.targetColumn });

/** Rows of groups with their keys, and with a mark for each sum over related rows. */
export const markedOnce = (rows: Query, { keys: groupKeys, values }: Groups, { keys, reach, conditionOf }: Parts): Query => {
  const sums = onceOf(values);
  const isSeries = groupKeys.some(({ series }) => series);
  const computed = rows.selectAll('t').select([
    ...keys.map(([name, value]) => sql`${value}`.as(keyColumn(name))),
    ...sums.flatMap((value) => {
      const only = conditionOf(value);
      return [
        sql`${reach(value)}`.as(valueColumn(value.name)),
        sql`${reach(targetOf(value))}`.as(relatedColumn(value.name)),
        ...(only ? [sql`coalesce(${only}, false)`.as(onlyColumn(value.name))] : []),
      ];
    }),
    ...(isSeries ? [sql`${seriesDay}`.as(dayColumn)] : []),
  ]);
  // Sums over the same relation without a condition have the same marks.
  const firstBy = new Map<string, Expression<Any>>();
  const marks = sums.map((value) => {
    const { name, via, where } = value;
    const shared = where ? name : stepsKey(via);
    const by = [...keys.map(([key]) => keyColumn(key)), relatedColumn(name), ...(where ? [onlyColumn(name)] : [])].map((each) =>
      column(each),
    );
    const first = firstBy.get(shared) ?? sql`row_number() over (partition by ${sql.join(by)}) = 1`;
    firstBy.set(shared, first);
    return sql`${where ? sql`${column(onlyColumn(name))} and ` : sql``}${first}`.as(firstColumn(name));
  });
  const marked = db.selectFrom(computed.as('t')).selectAll('t').select(marks);
  const found = db.selectFrom(marked.as('t')) as Query;
  if (!isSeries) return found;
  const day = sql`lateral (select ${column(dayColumn)})`.as<'series'>(sql`series(day)`);
  return found.innerJoin(day, (join) => join.onTrue()) as unknown as Query;
};

/** A key of a group of marked rows. */
export const markedKey = (name: string): Expression<Any> => column(keyColumn(name));

/** The sum of the marked rows. */
export const sumOfMarked = ({ name }: SumOnce): Expression<Any> =>
  sql`sum(${column(valueColumn(name))}) filter (where ${column(firstColumn(name))})`;
