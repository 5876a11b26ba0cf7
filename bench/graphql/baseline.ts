/**
 * What `compare.ts` measures against: a straightforward Yoga + Pothos + DataLoader server over the same tables, as one
 * would write it by hand: whole rows, one loader per relation, a window function for the first rows of each parent.
 * No keys, no limits, no quota.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import SchemaBuilder from '@pothos/core';
import DataLoader from 'dataloader';
import { createYoga } from 'graphql-yoga';
import pg from 'pg';
import type { Kind } from '../../src/catalogue/column.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { camelCase, typeName } from '../../src/graphql/names.ts';

type Row = Record<string, unknown>;
interface Context {
  readonly byKey: (table: string, column: string) => DataLoader<unknown, Row | undefined>;
  readonly children: (table: string, column: string, first: number) => DataLoader<unknown, Row[]>;
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const schemaName = process.env.CUSTOMER_SCHEMA ?? 'customer_bench';

const loadByKey = (table: string, column: string) =>
  new DataLoader<unknown, Row | undefined>(async (keys) => {
    const { rows } = await pool.query<Row>(`select * from ${schemaName}.${table} where ${column} = any($1)`, [keys]);
    const found = new Map(rows.map((row) => [row[column], row]));
    return keys.map((key) => found.get(key));
  });

const loadChildren = (table: string, column: string, order: string, first: number) =>
  new DataLoader<unknown, Row[]>(async (keys) => {
    const { rows } = await pool.query<Row>(
      `select * from (select *, row_number() over (partition by ${column} order by ${order}) as n from ${schemaName}.${table} where ${column} = any($1)) t where n <= $2 order by ${order}`,
      [keys, first],
    );
    const found = new Map<unknown, Row[]>(keys.map((key) => [key, []]));
    for (const row of rows) found.get(row[column])?.push(row);
    return keys.map((key) => found.get(key) ?? []);
  });

const createContext = (): Context => {
  const loaders = new Map<string, DataLoader<unknown, never>>();
  const once = <L>(key: string, make: () => L): L => {
    if (!loaders.has(key)) loaders.set(key, make() as never);
    return loaders.get(key) as L;
  };
  return {
    byKey: (table, column) => once(`${table}.${column}`, () => loadByKey(table, column)),
    children: (table, column, first) =>
      once(`${table}.${column} ${first}`, () => loadChildren(table, column, catalogue.tables.get(table)!.key, first)),
  };
};

const builder = new SchemaBuilder<{ Context: Context }>({});
const shown = ['orders', 'offers', 'notifications', 'technical_objects', 'properties'];
const scalar: Partial<Record<Kind, 'Int' | 'Float' | 'Boolean'>> = { integer: 'Int', bigint: 'Float', number: 'Float', boolean: 'Boolean' };
const refs = new Map(shown.map((name) => [name, builder.objectRef<Row>(typeName(name))]));
const connections = new Map(
  shown.map((name) => [
    name,
    builder.objectRef<Row[]>(`${typeName(name)}Connection`).implement({
      fields: (t) => ({ nodes: t.field({ type: [refs.get(name)!], resolve: (rows) => rows }) }),
    }),
  ]),
);

for (const name of shown) {
  const table = catalogue.tables.get(name)!;
  builder.objectType(refs.get(name)!, {
    fields: (t) => ({
      ...Object.fromEntries(
        Object.entries(table.columns).map(([column, { kind }]) => [
          camelCase(column),
          t.field({ type: scalar[kind] ?? 'String', nullable: true, resolve: (row) => row[column] as never }),
        ]),
      ),
      ...Object.fromEntries(
        (catalogue.relations.get(name) ?? [])
          .filter(({ target }) => shown.includes(target))
          .map(({ name: relation, kind, column, target, targetColumn }) => [
            relation,
            kind === 'to-one'
              ? t.field({
                  type: refs.get(target)!,
                  nullable: true,
                  resolve: async (row, _args, context) =>
                    row[column] === null ? null : ((await context.byKey(target, targetColumn).load(row[column])) as never),
                })
              : t.field({
                  type: connections.get(target)!,
                  args: { first: t.arg.int({ defaultValue: 100 }) },
                  resolve: (row, { first }, context) => context.children(target, targetColumn, first ?? 100).load(row[column]),
                }),
          ]),
      ),
    }),
  });
}

builder.queryType({
  fields: (t) =>
    Object.fromEntries(
      shown.map((name) => [
        camelCase(name),
        t.field({
          type: connections.get(name)!,
          args: { first: t.arg.int({ defaultValue: 100 }), offset: t.arg.int({ defaultValue: 0 }) },
          resolve: async (_root, { first, offset }) => {
            const order = catalogue.tables.get(name)!.key;
            return (await pool.query<Row>(`select * from ${schemaName}.${name} order by ${order} limit $1 offset $2`, [first, offset]))
              .rows;
          },
        }),
      ]),
    ),
});

const yoga = createYoga({ schema: builder.toSchema(), context: createContext, logging: false });
/** Longer than the other server's warm-up, during which connections are idle. */
const keepAliveTimeout = 60_000;
const server = createServer({ keepAliveTimeout }, yoga).listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
