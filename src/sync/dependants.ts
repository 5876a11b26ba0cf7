/**
 * Which category rows a change of raw rows can reach; it follows from each table's source in the catalogue.
 *
 * A category row depends on its driving row and on the rows that are joined to it one behind the other. If it changes while
 * its driving row does not, take the first join that now finds another row than before: what it is found by stands in a row
 * that has not changed, so that value is the same before and after, and it is a value that the joined table's changed rows
 * have or had in the join's column. Therefore it suffices to follow, in the new data, the joins that lead to an old or new
 * value of a changed row.
 */
import type { Catalogue } from '../catalogue/index.ts';
import type { Join, Table } from '../catalogue/table.ts';
import type { Place } from '../database/ddl.ts';
import { quote } from '../database/identifier.ts';
import { newValue, oldValue } from './differences.ts';

/** The driving table's column that a category table's key is taken from. Throws if the key is an expression. */
export const drivingKey = ({ name, key, columns }: Table): string => {
  const from = columns[key]?.from ?? key;
  if (!/^\w+$/.test(from)) throw new Error(`The key of ${name} must be a column of its driving table`);
  return from;
};

/** Columns of a raw table whose old and new values lead to the category rows that depend on a row of it. */
export const witnesses = (catalogue: Catalogue, raw: string): readonly string[] => {
  const columns = new Set<string>();
  for (const table of catalogue.tables.values()) {
    if (table.source.table === raw) columns.add(drivingKey(table));
    for (const join of table.source.joins) if (join.table === raw) columns.add(join.column);
  }
  return [...columns];
};

/** The alias of the row that a join starts from. */
export const aliasOf = ({ equals }: Join): string => equals.split('.', 1)[0] as string;

/** The joins that a join's `equals` needs, in their order. */
const leadingTo = ({ source }: Table, join: Join): readonly Join[] => {
  const needed: Join[] = [];
  for (let alias = aliasOf(join); alias !== source.as; ) {
    const parent = source.joins.find(({ as }) => as === alias);
    if (!parent) throw new Error(`The join ${join.as} has no parent ${alias}`);
    needed.unshift(parent);
    alias = aliasOf(parent);
  }
  return needed;
};

const both = (changed: string, column: string): string =>
  `select ${oldValue(column)} from ${changed} union select ${newValue(column)} from ${changed}`;

/** `alias.column` with its column quoted. */
const path = (text: string): string => {
  const [alias = '', column = ''] = text.split('.');
  return `${alias}.${quote(column)}`;
};

/** Keys of a category table whose rows may differ, given the noted differences of each changed raw table. */
export const reachedKeys = (place: Place, table: Table, changed: ReadonlyMap<string, string>): string => {
  const { source } = table;
  const key = drivingKey(table);
  const driving = changed.get(source.table);
  const joined = source.joins.flatMap((join) => {
    const differences = changed.get(join.table);
    if (differences === undefined) return [];
    const joins = leadingTo(table, join).map(
      (parent) => ` join ${place(parent.table)} ${parent.as} on ${parent.as}.${quote(parent.column)} = ${path(parent.equals)}`,
    );
    return [
      `select ${source.as}.${quote(key)} from ${place(source.table)} ${source.as}${joins.join('')} where ${path(join.equals)} in (${both(differences, join.column)})`,
    ];
  });
  return [...(driving === undefined ? [] : [both(driving, key)]), ...joined].join('\nunion\n');
};
