/** Every option of source files, and every word that an option may have, is in a source that a test loads. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkSource } from '../../src/sources/check.ts';
import { parseSource, sourceSchema } from '../../src/sources/source-file.ts';
import { folderWith, removeFolders } from './support.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
}

/** Exercised elsewhere, or not at all for the reason that is given. */
const elsewhere = [
  // Each format has its damaged forms in formats.unit.test.ts.
  /format=(?:ndjson|json|xlsx|parquet)$/,
  // databases.test.ts reads both; no server of SQL Server runs in the tests.
  /type=(?:postgres|sqlserver)$/,
  // checks/loads.test.ts loads sources with checks of every kind.
  /^checks(?:[.=]|$)/,
  // left-out.test.ts loads rows that cannot be loaded in each way.
  /^tables\.invalidRows/,
  // questions.unit.test.ts: a question has no effect but to refuse.
  /^tables\.(?:columns\.)?question$/,
  // A joined list is opened as the rows of a table are.
  /^tables\.lists\.(?:files|format|database|query|dbtable)/,
];

/** The names of all options below a schema, and the words of those that have a list of words. */
function* optionsOf(schema: Schema, path = ''): Generator<string> {
  for (const one of schema.anyOf ?? []) yield* optionsOf(one, path);
  for (const word of schema.enum ?? (typeof schema.const === 'string' ? [schema.const] : [])) yield `${path}=${word}`;
  if (schema.items) yield* optionsOf(schema.items, path);
  if (schema.additionalProperties) yield* optionsOf(schema.additionalProperties, path);
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    const below = path === '' ? name : `${path}.${name}`;
    yield below;
    yield* optionsOf(one, below);
  }
}

/** The same names for a value, which has the names that the schema leaves open as well. */
function* usedIn(value: unknown, schema: Schema, path = ''): Generator<string> {
  for (const one of schema.anyOf ?? []) yield* usedIn(value, one, path);
  if (typeof value === 'string') yield `${path}=${value}`;
  if (Array.isArray(value) && schema.items) for (const item of value) yield* usedIn(item, schema.items, path);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, one] of Object.entries(value)) {
    const known = schema.properties?.[name];
    if (known) {
      const below = path === '' ? name : `${path}.${name}`;
      yield below;
      yield* usedIn(one, known, below);
    } else if (schema.additionalProperties) yield* usedIn(one, schema.additionalProperties, path);
  }
}

/** The formats of a column, a list, a table and a source are one option, and so are the dialects, and the conditions on rows. */
const merged = (option: string): string =>
  option
    .replace(/^tables\.(?:columns\.|lists\.)?(?=(?:formats|dialect)\.)/, '')
    .replace(/^tables\.lists\.(?=(?:keep|skip)(?:\.|$))/, 'tables.');

const files = [
  ...readdirSync('test/sources/exports').map((name) => `test/sources/exports/${name}`),
  ...readdirSync('examples/sources').map((name) => `examples/sources/${name}/source.yml`),
];

test('no option is unexercised', () => {
  const schema = sourceSchema() as Schema;
  const used = new Set(files.flatMap((file) => [...usedIn(parse(readFileSync(file, 'utf8'), { merge: true }), schema)].map(merged)));
  const all = [...new Set([...optionsOf(schema)].map(merged))];
  expect(all.length).toBeGreaterThan(80);
  expect(all.filter((option) => !used.has(option) && !elsewhere.some((pattern) => pattern.test(option)))).toEqual([]);
});

test.each([
  ['path: a.csv, watermark: at', 'watermark needs database and mode: upsert'],
  ['path: a.csv, database: erp', 'either path or database is needed'],
  ['database: erp, query: select 1', "databases has no 'erp'"],
  ['path: a.csv, lists: [{ as: b, on: { x: y } }]', 'person.b: either path or database is needed'],
])('%s is refused', (origin, message) => {
  expect(() => parseSource(`name: x\ntables:\n  - { table: person, primaryKey: nr, columns: {}, ${origin} }\n`, 'x.yml')).toThrow(message);
});

const withTable = (options: string, source = '') =>
  `name: x\n${source}tables:\n  - { table: person, primaryKey: nr, path: a.csv, columns: { birth_date: { from: b } }, ${options} }\n`;

test.each([
  ['formats: { dateFormats: ["%d.%I"] }', "tables.0 (person).formats.dateFormats: '%d.%I' has a directive that is unknown or repeated"],
  ['formats: { dateFormats: ["%d.%d"] }', "tables.0 (person).formats.dateFormats: '%d.%d' has a directive"],
  ['formats: { timezone: Europe/Berlni }', "tables.0 (person).formats.timezone: 'Europe/Berlni' is no time zone"],
  ['formats: { decimalChar: ",", groupChar: "," }', "tables.0 (person).formats.groupChar: ',' is the decimalChar, too"],
  ['encoding: windows-1521', "tables.0 (person).encoding: 'windows-1521' is unknown"],
  ['skip: [{ column: x }]', "tables.0 (person).skip.0: the condition on 'x' needs in, startsWith or empty"],
  ['keep: [{ column: x }]', "tables.0 (person).keep.0: the condition on 'x' needs"],
  ['lists: [{ path: b.csv, as: b, on: { x: y }, encoding: "?" }]', "tables.0 (person).lists.b.encoding: '?' is unknown"],
])('an option that cannot be read is refused with its place: %s', (options, message) => {
  expect(() => parseSource(withTable(options), 'x.yml')).toThrow(`x.yml: ${message}`);
});

test.each([
  ['encoding: "?"\n', "x.yml: source.encoding: '?' is unknown"],
  ['formats: { dateFormats: ["%Q"] }\n', "x.yml: formats.dateFormats: '%Q' has a directive"],
])('an option of all tables that cannot be read is refused with its place: %s', (source, message) => {
  expect(() => parseSource(withTable('mode: full', source), 'x.yml')).toThrow(message);
});

test('a default that its column cannot take is refused with the table, and is no internal error', async () => {
  const source = parseSource(
    'name: x\ntables:\n  - { table: person, primaryKey: nr, path: a.csv, columns: { person_type_key: t, birth_date: { from: b, default: never } } }\n',
    'x.yml',
  );
  const folder = folderWith({ 'a.csv': 'nr,t,b\n1,natural,\n' });
  const { errors } = await checkSource({ source, folder, questions: {} }, undefined);
  expect(errors).toEqual([expect.stringContaining("person: 'never' is no date or time")]);
  removeFolders();
});
