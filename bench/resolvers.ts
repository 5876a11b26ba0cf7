/**
 * A conventional server of Yoga, Pothos and DataLoader over the same tables: whole rows, one loader per relation, and a window function for the
 * first rows of each parent. It has no keys, limits or quotas.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import SchemaBuilder from '@pothos/core';
import DataLoader from 'dataloader';
import { createYoga } from 'graphql-yoga';
import pg from 'pg';
import type { Kind } from '../src/catalogue/column.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { camelCase, rowTypeName } from '../src/graphql/schema/names.ts';

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
const refs = new Map(shown.map((name) => [name, builder.objectRef<Row>(rowTypeName(name))]));
const connections = new Map(
  shown.map((name) => [
    name,
    builder.objectRef<Row[]>(`${rowTypeName(name)}Connection`).implement({
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

const comparison = builder.inputType('IntComparison', { fields: (t) => ({ eq: t.int(), gte: t.int() }) });
const comparable = ['property_id', 'order_id'];
const filter = builder.inputType('Filter', {
  fields: (t) => Object.fromEntries(comparable.map((column) => [camelCase(column), t.field({ type: comparison })])),
});
type Filter = Readonly<Record<string, { readonly eq?: number | null; readonly gte?: number | null } | null>>;

/** The condition of a filter, with its values as parameters from the first one on. */
const conditionOf = (asked: Filter): { readonly text: string; readonly values: readonly number[] } => {
  const terms = comparable.flatMap((column) => {
    const { eq, gte } = asked[camelCase(column)] ?? {};
    return [...(eq == null ? [] : [[`${column} =`, eq] as const]), ...(gte == null ? [] : [[`${column} >=`, gte] as const])];
  });
  const text = terms.map(([term], index) => `${term} $${index + 1}`).join(' and ');
  return { text: text && `where ${text}`, values: terms.map(([, value]) => value) };
};

builder.queryType({
  fields: (t) =>
    Object.fromEntries(
      shown.map((name) => [
        camelCase(name),
        t.field({
          type: connections.get(name)!,
          args: { first: t.arg.int({ defaultValue: 100 }), offset: t.arg.int({ defaultValue: 0 }), filter: t.arg({ type: filter }) },
          resolve: async (_root, { first, offset, filter }) => {
            const order = catalogue.tables.get(name)!.key;
            const { text, values } = conditionOf((filter ?? {}) as Filter);
            const page = `order by ${order} limit ${Number(first)} offset ${Number(offset)}`;
            return (await pool.query<Row>(`select * from ${schemaName}.${name} ${text} ${page}`, [...values])).rows;
          },
        }),
      ]),
    ),
});

const yoga = createYoga({ schema: builder.toSchema(), context: createContext, logging: false });
/** Longer than the warm-up of the other server, during which connections are idle. */
const keepAliveTimeout = 60_000;
const server = createServer({ keepAliveTimeout }, yoga).listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
