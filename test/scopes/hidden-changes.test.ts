/**
 * What a key learns from a change of columns that it may not read: that a row changed, never what (contract: personal columns). Each load
 * changes one row: a visible column, a column of one class, or both. Keys without a scope, without a class and with one class are compared.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScopeDefinition } from '../../src/catalogue/data-scope.ts';
import { type PersonalClass, personalClasses } from '../../src/catalogue/personal.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { startService, type TestService } from '../support/service.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';
import { keyForAll } from './keys.ts';

/** A column of each class, a visible column, and the tables that show them. */
interface Case {
  readonly source: 'creditor_hdr' | 'person';
  readonly columns: Partial<Record<PersonalClass | 'visible', string>>;
  readonly shown: readonly (readonly [table: string, path: string])[];
}

const sources: readonly Case[] = [
  {
    source: 'creditor_hdr',
    columns: { name: 'contact_name', contact: 'contact_phone', bank: 'iban', tax: 'tax_number', visible: 'rating' },
    shown: [
      ['creditor_hdr', '/raw/creditor_hdr'],
      ['creditor', '/stakeholder/creditor'],
    ],
  },
  { source: 'person', columns: { birth: 'birth_date', visible: 'person_type_key' }, shown: [['person', '/raw/person']] },
];

const scopes: readonly (ScopeDefinition | null)[] = [null, { personal: [] }, ...personalClasses.map((one) => ({ personal: [one] }))];
const reads = (scope: ScopeDefinition | null, parts: readonly string[]) =>
  parts.some((part) => part === 'visible' || !scope?.personal || scope.personal.some((each) => each === part));

/** A value of the column that no row has: the whole numbers and days follow each other. */
const valueFor: Readonly<Record<string, (step: number) => string>> = {
  integer: (step) => String(100 + step),
  date: (step) => `1901-01-${10 + step}`,
  text: (step) => `UNSEEN${step}`,
};

let service: TestService;
let keysOfScopes: string[];
const deliveries = new Deliveries();

beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '0' } });
  keysOfScopes = await Promise.all(scopes.map((scope) => keyForAll(service, scope)));
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

/** What a key sees of a table. The page has all rows. */
const look = async (key: string, [table, path]: Case['shown'][number]) => {
  const page = await service.get(`${path}?limit=100000`, { key });
  const { tables } = (await service.get('/me', { key })).json;
  const { version, row_count } = tables.find((each: { table: string }) => each.table === table);
  expect([page.status, page.headers.get('x-data-version')]).toEqual([200, String(version)]);
  const rows: Record<string, unknown>[] = page.json.data ?? page.json;
  return { text: JSON.stringify(rows), rows, tag: page.headers.get('etag') as string, version, row_count };
};

describe.each(sources)('$source', ({ source, columns, shown }) => {
  const classes = personalClasses.filter((each) => columns[each]);
  const changes = [['visible'], ...classes.flatMap((each) => [[each], [each, 'visible']])] as (keyof Case['columns'])[][];

  test.each(changes.map((parts, step) => ({ parts, step })))('a change of $parts', async ({ parts, step }) => {
    const views = scopes.flatMap((scope, at) => shown.map((table) => ({ scope, table, key: keysOfScopes[at] as string })));
    const lookAll = () => Promise.all(views.map(({ key, table }) => look(key, table)));
    const before = await lookAll();

    const data = await readTableData(service.database, source);
    const keyColumn = rawTables[source].key;
    const row = data.rows[step % data.rows.length] as (string | null)[];
    const values = parts.map((part) => {
      const column = columns[part] as string;
      const type = (rawTables[source].columns as Record<string, string>)[column]?.replace(' not null', '') as string;
      const value = (valueFor[type] as (step: number) => string)(step);
      row[data.columns.indexOf(column)] = value;
      return { part, value };
    });
    const id = Number(row[data.columns.indexOf(keyColumn)]);
    await load(service.database, [deliveries.write(`${source}.csv`, asCsv(data))]);
    const after = await lookAll();

    for (const [at, { scope, table, key }] of views.entries()) {
      const [old, now] = [before[at], after[at]] as [(typeof before)[0], (typeof after)[0]];
      const seen = [scope, table[0], parts];

      // The version grows, and the tag changes, for every key alike.
      expect([seen, now.version, now.row_count]).toEqual([seen, old.version + 1, old.row_count]);
      const again = (tag: string) => service.get(`${table[1]}?limit=100000`, { key, headers: { 'If-None-Match': tag } });
      expect([seen, (await again(old.tag)).status, (await again(now.tag)).status]).toEqual([seen, 200, 304]);

      // The rows have the same bytes unless the key reads one of the columns.
      expect([seen, now.text === old.text]).toEqual([seen, !reads(scope, parts)]);

      // The delta names the row for every key alike, with the bytes of the page.
      const delta = await service.get(`${table[1]}/deltas?since_version=${old.version}`, { key });
      const changed = now.rows.filter((each) => each[keyColumn] === id);
      expect([seen, delta.json]).toEqual([
        seen,
        { from_version: old.version, to_version: now.version, upserts: changed, deletes: [], next_cursor: null },
      ]);
      for (const { part, value } of values)
        expect([seen, part, JSON.stringify(delta.json.upserts).includes(value)]).toEqual([seen, part, reads(scope, [part])]);
    }
  });
});
