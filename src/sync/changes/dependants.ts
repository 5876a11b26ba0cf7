/**
 * Finds the category rows that changed raw rows can affect. It follows from each table's source in the catalogue.
 *
 * A category row depends on its driving row and on the rows that are joined to it in a chain. Assume that it changes while its driving row
 * does not. Consider the first join that finds another row than before. The join value comes from an unchanged row, so it is the same
 * before and after. It is an old or new value of a changed row in the join column. Therefore it is sufficient to follow, in the new data,
 * the joins that lead to an old or new value of a changed row.
 */
import type { Catalogue } from '../../catalogue/index.ts';
import type { Join, Table } from '../../catalogue/table.ts';
import type { ColumnPosition } from '../../database/ddl.ts';
import { quote } from '../../database/identifier.ts';
import { newValue, oldValue } from './differences.ts';

/** The column of the driving table that provides the category table's key. Throws if the key is an expression. */
export const drivingKey = ({ name, key, columns }: Table): string => {
  const from = columns[key]?.from ?? key;
  if (!/^\w+$/.test(from)) throw new Error(`The key of ${name} must be a column of its driving table`);
  return from;
};

/** The columns of a raw table whose old and new values lead to dependent category rows. */
export const linkColumns = (catalogue: Catalogue, raw: string): readonly string[] => {
  const columns = new Set<string>();
  for (const table of catalogue.tables.values()) {
    if (table.source.table === raw) columns.add(drivingKey(table));
    for (const join of table.source.joins) if (join.table === raw) columns.add(join.column);
  }
  return [...columns];
};

/** The alias on the left side of a join. */
export const aliasOf = ({ equals }: Join): string => equals.split('.', 1)[0] as string;

/** The joins that a join's `equals` depends on, in order. */
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

/** `alias.column` with a quoted column. */
const path = (text: string): string => {
  const [alias = '', column = ''] = text.split('.');
  return `${alias}.${quote(column)}`;
};

/** The keys of category rows that may differ, from the recorded differences of each changed raw table. */
export const reachedKeys = (place: ColumnPosition, table: Table, changed: ReadonlyMap<string, string>): string => {
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
