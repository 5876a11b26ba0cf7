/**
 * Finds the rows that a category table cannot accept because a required value is missing. It reports the cause: the raw row of the value,
 * or the reference without a target.
 */
import type pg from 'pg';
import { rawTables } from '../../catalogue/raw/index.ts';
import type { Join, Table } from '../../catalogue/table.ts';
import { type ColumnPosition, expressionOf, sourceOf } from '../../database/ddl.ts';
import { quote } from '../../database/identifier.ts';
import { findPlaces } from '../files/file-rows.ts';
import { Rejections, rejectionsShown } from '../files/rejections.ts';
import { namesInFile } from '../files/rows.ts';
import { aliasOf } from './dependants.ts';
import type { RawChange } from './raw-changes.ts';

/** The source of a missing value: columns of a raw row. */
interface Cause {
  readonly raw: keyof typeof rawTables;
  readonly key: string;
  readonly columns: readonly string[];
  readonly what: string;
}

interface MissingValues {
  /** The keys of the driving row and each joined row, by alias; null if there is none. */
  readonly keys: Readonly<Record<string, string | null>>;
  readonly missing: readonly string[];
  readonly total: number;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const findMissingValues = async (client: pg.ClientBase, place: ColumnPosition, table: Table): Promise<MissingValues[]> => {
  const required = Object.entries(table.columns).filter(([, column]) => column.required);
  const aliases = [{ as: table.source.as, table: table.source.table }, ...table.source.joins];
  const keys = aliases.map(({ as, table: raw }) => `${literal(as)}, ${as}.${quote(rawTables[raw].key)}::text`);
  const missing = required.map(([name]) => `case when ${expressionOf(table, name)} is null then ${literal(name)} end`);
  const { rows } = await client.query<MissingValues>(
    `select json_build_object(${keys.join(', ')}) as keys, array_remove(array[${missing.join(', ')}], null) as missing, count(*) over () as total
     ${sourceOf(place, table)}
     where ${required.map(([name]) => `${expressionOf(table, name)} is null`).join(' or ')}
     order by ${table.source.as}.${quote(rawTables[table.source.table].key)} limit ${rejectionsShown}`,
  );
  return rows;
};

/** The columns that an expression reads, by alias. */
const readsOf = (expression: string): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const [, alias = '', column = ''] of expression.matchAll(/\b(\w+)\."?(\w+)"?/g)) {
    const columns = found.get(alias) ?? [];
    if (!columns.includes(column)) found.set(alias, [...columns, column]);
  }
  return found;
};

const causeOf = (table: Table, { keys }: MissingValues, column: string): Cause => {
  const { source } = table;
  const what = `${table.name}.${column}`;
  const rawOf = (alias: string) => source.joins.find(({ as }) => as === alias)?.table ?? source.table;
  const read = readsOf(expressionOf(table, column));
  const isBroken = (join: Join) => keys[join.as] === null && keys[aliasOf(join)] !== null;
  // The first join on the path of the value that finds no row.
  const onTheWay = (join: Join): boolean =>
    read.has(join.as) || source.joins.some((later) => aliasOf(later) === join.as && onTheWay(later));
  const broken = source.joins.find((join) => isBroken(join) && onTheWay(join));
  if (broken) {
    const [alias = '', reference = ''] = broken.equals.split('.');
    return {
      raw: rawOf(alias),
      key: keys[alias] ?? '',
      columns: [reference],
      what: `it leads to no row of ${broken.table}, and ${what} requires one`,
    };
  }
  const [alias, columns] = [...read].find(([as]) => keys[as] != null) ?? [source.as, [column]];
  return { raw: rawOf(alias), key: keys[alias] ?? '', columns, what: `${what} requires a value, and this row gives none` };
};

/** Throws an `OperatorError` that names the problems of each category table; does nothing if there are none. */
export const refuseUnpublishable = async (
  client: pg.ClientBase,
  place: ColumnPosition,
  tables: readonly Table[],
  changes: readonly RawChange[],
): Promise<void> => {
  const causes: Cause[] = [];
  let rest = 0;
  for (const table of tables) {
    const found = await findMissingValues(client, place, table);
    causes.push(...found.flatMap((values) => values.missing.map((column) => causeOf(table, values, column))));
    rest += Math.max(0, (found[0]?.total ?? 0) - found.length);
  }
  const rejections = new Rejections('each');
  for (const raw of new Set(causes.map((cause) => cause.raw))) {
    const ofTable = causes.filter((cause) => cause.raw === raw);
    const staged = changes.find((change) => change.staged.target.table === raw)?.staged;
    const source = staged?.source;
    const places = source && (await findPlaces(source, staged.columns, rawTables[raw].key, new Set(ofTable.map(({ key }) => key))));
    for (const { key, columns, what } of ofTable) {
      const found = places?.get(key);
      // A row that is not part of this load is identified by its key.
      const place = source && found ? { file: source.name, ...found } : { file: `table ${raw}, row ${rawTables[raw].key} ${key}` };
      rejections.add({ ...place, column: namesInFile(found?.labels, staged?.columns ?? [], columns) }, { reason: what });
    }
  }
  rejections.addUnseen(rest);
  rejections.throwIfAny();
};
