/** The same list gives the same rows as CSV, workbook, JSON, Parquet, and as a table of MariaDB and PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withPreparedExport } from '../../src/sources/prepare-load.ts';
import { formatsOf, openLists } from '../../src/sources/readers/open-list.ts';
import type { Origin, Source } from '../../src/sources/source-file.ts';
import { csvOf, jsonOf, type List, listOf, parquetOf, tableOf, workbookOf } from './agreement.ts';
import { type ExportDatabase, hasMariadb, mariadbWith } from './databases.ts';
import { type Files, folderWith, readSourceFile, removeFolders } from './support.ts';

const server = process.env.DATABASE_URL;
const root = 'examples/sources';
const examples = readdirSync(root);
const closings: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  removeFolders();
  for (const close of closings) await close();
});

/** An export as lists in memory, and its source without anything that says how they are written. */
interface Export {
  readonly lists: ReadonlyMap<string, List>;
  readonly source: Source;
  /** The source with its origins in one form. */
  as(origin: (list: string) => Partial<Origin>, databases?: Source['databases']): Source;
}

const exportOf = async (example: string): Promise<Export> => {
  const source = readSourceFile(`${root}/${example}/source.yml`);
  if (source.databases) {
    if (!hasMariadb) return { lists: new Map(), source, as: () => source };
    const { readFileSync } = await import('node:fs');
    const erp = await mariadbWith(readFileSync(`${root}/${example}/export.sql`, 'utf8'));
    closings.push(() => erp.drop());
    source.databases = { erp: { type: 'mysql', url: erp.address } };
  }
  const lists = new Map<string, List>();
  const names = new Map<string, string>();
  const nameOf = (origin: Origin): string => {
    const { path, dialect, database, dbtable, query } = origin;
    const key = JSON.stringify([path, dialect, database, dbtable, query]);
    if (!names.has(key)) names.set(key, `list${names.size + 1}`);
    return names.get(key)!;
  };
  for (const origin of source.tables) {
    const name = nameOf(origin);
    if (lists.has(name)) continue;
    for await (const list of openLists(source, `${root}/${example}/export`, origin))
      lists.set(name, await listOf(list, formatsOf(source, origin)));
  }
  return {
    lists,
    source,
    as: (written, databases) => {
      const { dialect: _dialect, encoding: _encoding, databases: _databases, ...rest } = source;
      const tables = source.tables.map((rule) => {
        const {
          path: _p,
          files: _f,
          format: _o,
          encoding: _e,
          dialect: _d,
          database: _b,
          dbtable: _t,
          query: _q,
          watermark: _w,
          ...kept
        } = rule;
        return { ...kept, ...written(nameOf(rule)) };
      });
      return { ...rest, tables, ...(databases && { databases }) } as Source;
    },
  };
};

type Rows = Readonly<Record<string, readonly string[]>>;

/** All cells that a load would take, by raw table. */
const loaded = (source: Source, files: Files): Promise<Rows> =>
  withPreparedExport({ source, folder: folderWith(files) }, async ({ tables, rejections }) => {
    rejections.throwIfAny();
    const found: Record<string, string[]> = {};
    for (const { target, columns, pages } of tables) {
      const own: string[] = [];
      for await (const page of pages())
        for (const { key, values } of page.rows())
          own.push([key, ...values].map((value, index) => `${columns[index]}=${canonical(value)}`).join(' | '));
      found[target.table] = own;
    }
    return found;
  });

/** Some formats write zeros at the end of decimals. A day within a text has the form of its file, and a type has none. */
const canonical = (value: string | number | null): string | number | null =>
  typeof value === 'string'
    ? value
        .replace(/^(-?\d+\.\d*?)0+$/, '$1')
        .replace(/^(-?\d+)\.$/, '$1')
        .replaceAll(/(\d{2})\.(\d{2})\.(\d{4})/g, '$3-$2-$1')
    : value;

describe.each(examples)('%s', (example) => {
  let exported: Export;
  let expected: Rows;
  beforeAll(async () => {
    exported = await exportOf(example);
    if (exported.lists.size === 0) return;
    expected = await loaded(
      exported.as((list) => ({ path: `${list}.csv` })),
      Object.fromEntries([...exported.lists].map(([name, list]) => [`${name}.csv`, csvOf(list)])),
    );
  });

  test('has rows', (context) => {
    if (exported.lists.size === 0) return context.skip();
    expect(Object.values(expected).every((rows) => rows.length > 0)).toBe(true);
  });

  test.for(['xlsx', 'xlsb', 'xls', 'ods'] as const)('as a workbook: %s', async (kind, context) => {
    if (exported.lists.size === 0) return context.skip();
    const book = workbookOf(Object.fromEntries(exported.lists), kind);
    const source = exported.as((sheetName) => ({ path: `all.${kind}`, dialect: { sheetName } }));
    expect(await loaded(source, { [`all.${kind}`]: book })).toEqual(expected);
  });

  test.for<readonly [string, (list: List) => Buffer | string]>([
    ['json', jsonOf],
    ['parquet', parquetOf],
  ])('as %s', async ([ending, write], context) => {
    if (exported.lists.size === 0) return context.skip();
    const files = Object.fromEntries([...exported.lists].map(([name, list]) => [`${name}.${ending}`, write(list)]));
    expect(
      await loaded(
        exported.as((name) => ({ path: `${name}.${ending}` })),
        files,
      ),
    ).toEqual(expected);
  });

  test.runIf(hasMariadb)('as tables of MariaDB', async () => {
    const erp: ExportDatabase = await mariadbWith([...exported.lists].map(([name, list]) => tableOf(list, name, 'mysql')).join(' '));
    closings.push(() => erp.drop());
    const source = exported.as((dbtable) => ({ database: 'erp', dbtable }), { erp: { type: 'mysql', url: erp.address } });
    expect(await loaded(source, {})).toEqual(expected);
  });

  test.runIf(server)('as tables of PostgreSQL', async (context) => {
    if (exported.lists.size === 0) return context.skip();
    const schema = `agreement_${randomBytes(5).toString('hex')}`;
    const client = new pg.Client(server);
    await client.connect();
    await client.query(`create schema ${schema}`);
    closings.push(() => client.query(`drop schema ${schema} cascade`).then(() => client.end()));
    await client.query(`set search_path = ${schema}`);
    for (const [name, list] of exported.lists) await client.query(tableOf(list, name, 'postgres'));
    const source = exported.as((name) => ({ database: 'erp', dbtable: `${schema}.${name}` }), { erp: { type: 'postgres', url: server! } });
    expect(await loaded(source, {})).toEqual(expected);
  });
});
