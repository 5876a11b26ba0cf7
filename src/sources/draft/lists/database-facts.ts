/** What a database says of its tables: their primary keys, what their columns refer to, and the comments of columns. */
import { openQuery } from '../../readers/database.ts';
import type { DatabaseRule } from '../../source-file.ts';

export interface TableFacts {
  readonly primaryKey: readonly string[];
  /** The table that a column refers to. */
  readonly references: ReadonlyMap<string, string>;
  readonly comments: ReadonlyMap<string, string>;
}

const keys = {
  postgres: `select n.nspname || '.' || c.relname, a.attname, k.contype::text, fn.nspname || '.' || f.relname
    from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join lateral unnest(k.conkey) with ordinality as u(number, place) on true
    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number
    left join pg_catalog.pg_class f on f.oid = k.confrelid left join pg_catalog.pg_namespace fn on fn.oid = f.relnamespace
    where k.contype in ('p', 'f') and n.nspname not in ('pg_catalog', 'information_schema') order by k.oid, u.place`,
  mysql: `select table_name, column_name, case when constraint_name = 'PRIMARY' then 'p' else 'f' end, referenced_table_name
    from information_schema.key_column_usage
    where table_schema = database() and (constraint_name = 'PRIMARY' or referenced_table_name is not null)
    order by table_name, constraint_name, ordinal_position`,
  sqlserver: `select s.name + '.' + t.name as listed, c.name as col, 'p' as kind, cast(null as nvarchar(300)) as other, t.object_id as place,
    0 as constraint_id, x.key_ordinal as position from sys.indexes i
    join sys.index_columns x on x.object_id = i.object_id and x.index_id = i.index_id
    join sys.columns c on c.object_id = x.object_id and c.column_id = x.column_id
    join sys.tables t on t.object_id = i.object_id join sys.schemas s on s.schema_id = t.schema_id
    where i.is_primary_key = 1 and x.is_included_column = 0
    union all select s.name + '.' + t.name, c.name, 'f', rs.name + '.' + r.name, t.object_id, k.constraint_object_id, k.constraint_column_id
    from sys.foreign_key_columns k
    join sys.tables t on t.object_id = k.parent_object_id join sys.schemas s on s.schema_id = t.schema_id
    join sys.columns c on c.object_id = k.parent_object_id and c.column_id = k.parent_column_id
    join sys.tables r on r.object_id = k.referenced_object_id join sys.schemas rs on rs.schema_id = r.schema_id
    order by place, constraint_id, position`,
} as const;

const comments = {
  postgres: `select n.nspname || '.' || c.relname, a.attname, d.description from pg_catalog.pg_description d
    join pg_catalog.pg_class c on c.oid = d.objoid and d.classoid = 'pg_catalog.pg_class'::regclass
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid
    where d.objsubid > 0 and n.nspname not in ('pg_catalog', 'information_schema')`,
  mysql:
    "select table_name, column_name, column_comment from information_schema.columns where table_schema = database() and column_comment <> ''",
  sqlserver: `select s.name + '.' + t.name as listed, c.name as col, cast(p.value as nvarchar(400)) as comment from sys.extended_properties p
    join sys.tables t on t.object_id = p.major_id join sys.schemas s on s.schema_id = t.schema_id
    join sys.columns c on c.object_id = p.major_id and c.column_id = p.minor_id where p.class = 1 and p.name = 'MS_Description'`,
} as const;

async function* textsOf(database: DatabaseRule, name: string, query: string): AsyncGenerator<string[]> {
  const { rows, close } = await openQuery(database, { database: name, query }, undefined);
  for await (const batch of rows) for (const { cells } of batch) yield cells.map((cell) => (cell === null ? '' : String(cell)));
  await close?.();
}

/** The facts of all tables of a database, by the name of the table. */
export const databaseFacts = async (database: DatabaseRule, name: string): Promise<ReadonlyMap<string, TableFacts>> => {
  interface Found {
    readonly primaryKey: string[];
    readonly references: Map<string, string>;
    readonly comments: Map<string, string>;
  }
  const facts = new Map<string, Found>();
  const of = (table: string): Found => {
    const found: Found = facts.get(table) ?? { primaryKey: [], references: new Map(), comments: new Map() };
    facts.set(table, found);
    return found;
  };
  for await (const [table = '', column = '', kind, other = ''] of textsOf(database, name, keys[database.type]))
    if (kind === 'p') of(table).primaryKey.push(column);
    else of(table).references.set(column, other);
  for await (const [table = '', column = '', comment = ''] of textsOf(database, name, comments[database.type]))
    of(table).comments.set(column, comment);
  return facts;
};
