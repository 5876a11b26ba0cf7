/**
 * Randomly damaged files are refused, or loaded as they mean (contract: files in loads; values in loads). What a file means is decided by a
 * reader in this test, which shares no code with the loader.
 */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { OperatorError } from '../../src/errors.ts';
import { fileRows } from '../../src/sync/files/file-rows.ts';
import { Rejections } from '../../src/sync/files/rejections.ts';
import { copyInput } from '../../src/sync/staging/copy-input.ts';
import type { Target } from '../../src/sync/target.ts';
import { RowChecks } from '../../src/sync/values/check-rows.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { rounds, seedOf } from '../support/rounds.ts';
import { Deliveries, seededRandom } from './support.ts';

const cases = rounds(onServer ? 5_000 : 500);

const types = {
  id: 'integer',
  name: 'text',
  amount: 'numeric(10,2)',
  day: 'date',
  at: 'timestamp with time zone',
  open: 'boolean',
} as const;
const names = Object.keys(types);
const target: Target = {
  table: 'sample',
  key: 'id',
  tier: 'basic',
  columns: new Map(Object.entries(types).map(([name, type]) => [name, { type, required: name === 'id' }])),
  unique: [],
  isNew: false,
};

const rows = [
  ['1', '"Haus ""Rose"", 3/4"" pipe"', '1234.50', '2024-12-31', '2024-12-31T23:59:59Z', 'true'],
  ['2', 'Bergstraße', '', '2017-03-01', '2017-03-01 00:00:00+01', 'f'],
  ['3', '"two\nlines"', '-0.05', '', '', ''],
  ['4', '""', '7', '2000-02-29', '2000-02-29T12:00:00.123456-03:30', '1'],
  ['5', 'Zoë Müller', '99999999.99', '1999-01-31', '1999-01-31T00:00:00Z', '0'],
];
const csv = `${[names, ...rows].map((row) => row.join()).join('\r\n')}\r\n`;
const ndjson = `${rows
  .map(([id, name, amount]) => `{"id":${id},"name":${JSON.stringify(name)},"amount":${amount || 'null'}}`)
  .join('\n')}\n`;

type Pick = (max: number) => number;
const insertable = ['"', ',', '\n', '\r', '\r\n', ';', '\\.', '.', '-', '0', '\uFEFF', 'é', '\0', '{', '}', '\\', '\\ud800', ' '].map(
  (text) => Buffer.from(text),
);
const damages: readonly ((bytes: Buffer, pick: Pick) => Buffer)[] = [
  (bytes, pick) => {
    const copy = Buffer.from(bytes);
    copy[pick(copy.length)] = pick(256);
    return copy;
  },
  (bytes, pick) => bytes.subarray(0, pick(bytes.length)),
  (bytes, pick) => {
    const at = pick(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + pick(3))]);
  },
  (bytes, pick) => {
    const at = pick(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), insertable[pick(insertable.length)]!, bytes.subarray(at)]);
  },
  (bytes, pick) => {
    const lines = bytes.toString('latin1').split(/(?<=\n)/);
    const [from, to] = [pick(lines.length), pick(lines.length)];
    lines.splice(to, 0, lines[from]!);
    return Buffer.from(lines.join(''), 'latin1');
  },
  (bytes) => Buffer.from(bytes.toString('utf8'), 'latin1'),
  (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le'),
];

const isRealDay = (text: string): boolean => {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === '' || year === '0000') return false;
  return (
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= new Date(Date.UTC(Number(year) + 400 * 5, Number(month), 0)).getUTCDate()
  );
};

/** The canonical value; undefined if the text has another form. */
const meanings: Readonly<Record<string, (text: string) => string | undefined>> = {
  integer: (text) => (/^[+-]?\d{1,10}$/.test(text) && Math.abs(Number(text)) < 2 ** 31 ? String(Number(text)) : undefined),
  text: (text) => (text.includes('\0') || /\p{Surrogate}/u.test(text) ? undefined : text),
  'numeric(10,2)': (text) => {
    const [, whole, fraction = '', exponent] = /^([+-]?\d*)(?:\.(\d*))?(e[+-]?\d+)?$/i.exec(text) ?? [];
    if (whole === undefined || !/\d/.test(text) || Math.abs(Number(text)) >= 1e8) return undefined;
    return exponent === undefined && fraction.length > 2 ? undefined : String(Number(text));
  },
  date: (text) => (isRealDay(text) ? text : undefined),
  'timestamp with time zone': (text) => {
    const [, day = '', time, zone] = /^(.{10})[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)$/i.exec(text) ?? [];
    if (zone === undefined || !isRealDay(day)) return undefined;
    const offset = zone.toUpperCase() === 'Z' ? 'Z' : zone.length === 3 ? `${zone}:00` : zone.replace(/^(...):?(..)$/, '$1:$2');
    const instant = Date.parse(`${day}T${time}${offset}`);
    return Number.isNaN(instant) ? undefined : String(instant);
  },
  boolean: (text) => {
    if (/^(?:t|true|1)$/i.test(text)) return 'true';
    return /^(?:f|false|0)$/i.test(text) ? 'false' : undefined;
  },
};

type Table = (string | null)[][];

const meaningOfValue = (name: string, text: string | null): string | null | undefined => {
  if (text === null) return name === 'id' ? undefined : null;
  return meanings[types[name as keyof typeof types]]!(text);
};

const meaningOfCsv = (text: string): Table | undefined => {
  const end = /^[^"\n]*?(\r?\n)/.exec(text)?.[1];
  if (end === undefined) return undefined;
  const record = new RegExp(`((?:"(?:[^"]|"")*"|[^",\\r\\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\\r\\n]*))*)${end}`, 'y');
  const records: string[][] = [];
  for (let at = 0; at < text.length; at = record.lastIndex) {
    record.lastIndex = at;
    const found = record.exec(text)?.[1];
    if (found === undefined) return undefined;
    records.push([...found.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^",]*)/g)].map(([, value]) => value!));
  }
  const plain = (value: string) => (value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
  const [header = [], ...data] = records;
  const columns = header.map(plain);
  if (new Set(columns).size !== columns.length || columns.some((name) => !names.includes(name))) return undefined;
  return tableOf(
    columns,
    data.map((fields) => fields.map((value) => (value === '' ? null : plain(value)))),
  );
};

const tableOf = (columns: readonly string[], data: readonly (readonly (string | null)[])[]): Table | undefined => {
  const table: Table = [];
  for (const fields of data) {
    if (fields.length !== columns.length) return undefined;
    const row = names.map((name) => (columns.includes(name) ? meaningOfValue(name, fields[columns.indexOf(name)]!) : null));
    if (row.includes(undefined)) return undefined;
    table.push(row as (string | null)[]);
  }
  return table;
};

const meaningOfNdjson = (text: string): Table | undefined => {
  const objects: Record<string, unknown>[] = [];
  for (const line of text.split('\n')) {
    if (/^[ \t\r]*$/.test(line)) continue;
    try {
      const value: unknown = JSON.parse(line);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
      // A member that occurs twice is lost by JSON.parse: count the names in the text without its values.
      const members = line.replaceAll(/:\s*"(?:[^"\\]|\\.)*"/g, ':0').match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? [];
      if (members.length !== Object.keys(value).length) return undefined;
      objects.push(value as Record<string, unknown>);
    } catch {
      return undefined;
    }
  }
  const columns = Object.keys(objects[0] ?? {});
  if (objects.some((one) => Object.keys(one).some((name) => !columns.includes(name)))) return undefined;
  return tableOf(
    columns,
    objects.map((one) => columns.map((name) => (one[name] === undefined || one[name] === null ? null : String(one[name])))),
  );
};

const meaningOf = (bytes: Buffer, format: 'csv' | 'ndjson'): Table | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return format === 'csv' ? meaningOfCsv(text) : meaningOfNdjson(text);
  } catch {
    return undefined;
  }
};

let database: Database;
const deliveries = new Deliveries();
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  deliveries.remove();
});

test.each(['csv', 'ndjson'] as const)('%s', { timeout: 3_600_000 }, async (format) => {
  const whole = Buffer.from(format === 'csv' ? csv : ndjson);
  expect(meaningOf(whole, format)).toHaveLength(rows.length);
  const client = await database.pool.connect();
  let taken = 0;
  try {
    await client.query(
      `create temporary table sample (${Object.entries(types)
        .map(([name, type]) => `${name} ${type}`)
        .join(', ')})`,
    );
    for (let round = 1; round <= cases / 2; round++) {
      const pick = seededRandom(seedOf(round));
      let bytes = damages[pick(damages.length)]!(whole, pick);
      if (pick(3) === 0) bytes = damages[pick(damages.length)]!(bytes, pick);
      const file = {
        path: deliveries.write(`sample.${format}`, bytes),
        name: 'sample',
        table: 'sample',
        format,
        compression: undefined,
        purpose: 'rows',
      } as const;
      const loaded = await loadSample(client, fileRows(file));
      if (!loaded) continue;
      taken++;
      expect(loaded, `round ${round}: ${JSON.stringify(bytes.toString('latin1'))}`).toEqual(meaningOf(bytes, format));
    }
  } finally {
    client.release(true);
  }
  expect(taken).toBeGreaterThan(cases / 50);
});

/** The rows as PostgreSQL reads them; undefined if they are refused. */
const loadSample = async (client: pg.PoolClient, source: ReturnType<typeof fileRows>) => {
  try {
    const columns = await source.readColumns();
    if (new Set(columns).size !== columns.length || columns.some((name) => !names.includes(name)) || !columns.includes('id'))
      return undefined;
    const rejections = new Rejections('each');
    const checks = new RowChecks({ rows: source, columns, target, zone: undefined }, rejections);
    await client.query('truncate sample');
    const input = copyInput(source, columns, { checks, rejections, read: () => {}, seen: () => {} });
    await database.copy(client, `copy sample (${columns.join()}) from stdin (format csv, header true)`, input).catch((error: unknown) => {
      // The checks know all types of this table, so that PostgreSQL refuses nothing.
      expect(rejections.count, String(error)).toBeGreaterThan(0);
      rejections.throwIfAny();
    });
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
  const { rows: read } = await client.query<{ row: (string | null)[] }>(
    `select array[id::text, name, trim_scale(amount)::text, day::text, (extract(epoch from at) * 1000)::text, open::text] as row from sample`,
  );
  return read.map(({ row }) =>
    row.map((value, index) =>
      value === null || ![2, 4].includes(index) ? value : String(index === 4 ? Math.trunc(Number(value)) : Number(value)),
    ),
  );
};
