/** The process that reads what came over HTTP: it reaches nothing but its files, and its limits are refusals. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { draftOutside } from '../../src/sources/outside/draft-outside.ts';
import { outsideLimits } from '../../src/sources/outside/limits.ts';
import type { SentMapping, SentRow } from '../../src/sources/outside/protocol.ts';
import { type ReadingLimits, ReadingProcess } from '../../src/sources/outside/reading-process.ts';
import { makeScratch, removeScratch, sweepScratch, withScratch } from '../../src/sources/scratch.ts';
import { Cancelled } from '../../src/sync/cancel.ts';

type Limits = { readonly [Name in keyof ReadingLimits]: number };

/** Reads a folder with these files. */
const reading = async <T>(
  files: Readonly<Record<string, string | Buffer>>,
  work: (process: ReadingProcess, folder: string) => Promise<T>,
  limits: Limits = outsideLimits,
  signal?: AbortSignal,
): Promise<T> =>
  withScratch(async (folder) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const process = new ReadingProcess(folder, signal, limits);
    try {
      return await work(process, folder);
    } finally {
      await process.stop();
    }
  });

const source = (text: string, name = 'erp.yml') => ({ do: 'source', text, name }) as const;

const plain = 'name: erp\ntables:\n  - table: person_hdr\n    path: "*.csv"\n    primaryKey: Nr\n    columns: { last_name: Name }\n';

const mapping = (columns: object, path = '*.csv'): SentMapping => ({
  rule: { table: 'person_hdr', path, files: 'all', primaryKey: 'Nr', columns: columns as SentMapping['rule']['columns'] },
  target: { table: 'person_hdr', key: 'person_id', columns: Object.keys(columns).map((name) => [name, { type: 'text', required: false }]) },
  columns: Object.keys(columns),
  references: [],
  labels: ['Nr', ...Object.keys(columns)],
});

const rowsOf = async (process: ReadingProcess, sent: SentMapping) => {
  const rows: SentRow[] = [];
  const lists: string[] = [];
  const parts = process.ask<'rows'>({ do: 'rows', mapping: sent });
  for (;;) {
    const { value, done } = await parts.next();
    if (done) return { rows, lists, counts: value };
    if ('list' in value) lists.push(value.list.name);
    else rows.push(...value.rows);
  }
};

test('the rows of a source come in order, with their lists, counts and rejections', async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `${index},Name ${index}`);
  await reading({ 'a.csv': `Nr,Name\n${lines.join('\n')}\n,Nobody\n`, 'b.csv': 'Nr,Name\n' }, async (process) => {
    expect(await process.answer<'source'>(source(plain.replace('path: "*.csv"', 'path: "*.csv"\n    files: all')))).toMatchObject({
      name: 'erp',
    });
    const { rows, lists, counts } = await rowsOf(process, mapping({ last_name: 'Name' }));
    expect(lists).toEqual(['a.csv', 'b.csv']);
    expect(rows).toHaveLength(5_001);
    expect(rows[4_999]).toMatchObject({ file: 'a.csv', key: '4999', fields: 'Name 4999', cells: ['4999', 'Name 4999'] });
    expect(counts).toEqual({ read: 5_001, skipped: 0, rejected: 0, missing: { rows: 5_000, values: [0] } });
    expect(rows[5_000]).toMatchObject({ file: 'a.csv', key: null, reasons: [{ column: 'Nr' }], cells: ['', 'Nobody'] });
  });
});

test('a source names no database and no variable', async () => {
  const databases = `databases: { control: { type: postgres, url: "postgres://h/\${KEY_SECRET}" } }\n`;
  const query = plain.replace('path: "*.csv"', 'database: control\n    query: select 1; commit; update estate.api_keys set name = 1');
  for (const text of [`${databases}${query}`, `${databases}${plain}`, plain.replace('Name }', `"\${DATABASE_URL}" }`)])
    await reading({ 'a.csv': 'Nr,Name\n' }, async (process) => {
      const refused = await process.answer<'source'>(source(text)).catch((error: Error) => error.message);
      expect(refused).toMatch(/^erp\.yml names a (?:database|variable of the environment)/);
      expect(refused).not.toMatch(/postgres:|KEY_SECRET|DATABASE_URL/);
    });
});

test('the process has no environment, and reads its own folder only', async () => {
  process.env.KEY_SECRET = 'the secret of the service';
  const beside = makeScratch();
  writeFileSync(join(beside, 'secret.csv'), 'Nr,Name\n1,secret\n');
  for (const path of ['../*/secret.csv', '/etc/passwd', join(beside, 'secret.csv'), '/proc/self/environ'])
    await reading({ 'a.csv': 'Nr,Name\n1,x\n' }, async (process) => {
      await process.answer<'source'>(source(plain));
      const refused = await rowsOf(process, mapping({ last_name: 'Name' }, path)).catch((error: Error) => error.message);
      expect(refused).toMatch(/^The export has no file/);
    });
  const file = {
    path: join(beside, 'secret.csv'),
    name: 'x.csv',
    table: 'x',
    format: 'csv',
    compression: undefined,
    purpose: 'rows',
  } as const;
  await reading({}, async (process) => {
    const refused = await process.answer<'columns'>({ do: 'columns', file }).catch((error: Error) => error.message);
    expect(refused).toBe('The files cannot be read: an unexpected error occurred (Error).');
  });
  removeScratch(beside);
});

test('a process that takes too much memory or time is ended, with the reason', async () => {
  const open = async (process: ReadingProcess) => {
    await process.answer<'source'>(source(plain));
    return rowsOf(process, mapping({ last_name: 'Name' }, 'a.json.gz'));
  };
  const bomb = { 'a.json.gz': gzipSync(`[${'{"Nr":1,"Name":"x"},'.repeat(1_500_000)}{}]`) };
  const within = { ...outsideLimits, quietSeconds: 300 };
  for (const [limits, reason] of [
    [{ ...within, heapMegabytes: 16 }, /^Reading the files took more than 16 MB of memory/],
    [{ ...within, memoryMegabytes: 20 }, /^Reading the files took more than 20 MB of memory/],
    [{ ...within, quietSeconds: 0.001 }, /^Reading the files made no progress for/],
    [{ ...within, seconds: 0.001 }, /^Reading the files took more than 0.001 seconds/],
  ] as const)
    await reading(bomb, (process) => expect(open(process)).rejects.toThrow(reason), limits);
});

test('a signal ends the process, and its reason is the error', async () => {
  const abort = new AbortController();
  await reading(
    {},
    async (process) => {
      abort.abort(new Cancelled('The load was cancelled.'));
      await expect(process.answer<'source'>(source(plain))).rejects.toThrow('The load was cancelled.');
    },
    outsideLimits,
    abort.signal,
  );
});

test('a consumer that stops early leaves the stream in order', async () => {
  await reading({ 'a.csv': `Nr,Name\n${Array.from({ length: 20_000 }, (_, index) => `${index},x\n`).join('')}` }, async (process) => {
    await process.answer<'source'>(source(plain));
    const parts = process.ask<'rows'>({ do: 'rows', mapping: mapping({ last_name: 'Name' }) });
    await parts.next();
    await parts.return(undefined as never);
    expect((await rowsOf(process, mapping({ last_name: 'Name' }))).rows).toHaveLength(20_000);
  });
});

test('folders of processes that have ended are removed, others stay', () => {
  const own = makeScratch();
  const [pid, beginning] = own.split('estate-scratch-')[1]!.split('-') as [string, string];
  const dead = [join(tmpdir(), `estate-scratch-${pid}-1-abcdef`), join(tmpdir(), `estate-scratch-4194303-${beginning}-abcdef`)];
  for (const folder of dead) mkdirSync(folder, { recursive: true });
  writeFileSync(join(dead[0]!, 'person.rows'), 'personal data');
  expect(sweepScratch()).toBeGreaterThanOrEqual(2);
  for (const folder of dead) expect(() => readFileSync(join(folder, 'person.rows'))).toThrow(/ENOENT/);
  writeFileSync(join(own, 'a'), 'here');
  expect(readFileSync(join(own, 'a'), 'utf8')).toBe('here');
  removeScratch(own);
});

test('a draft comes with its questions, its lists and what is not read; the files name no folder of the machine', async () => {
  await withScratch(async (folder) => {
    const list = `Objekt;Einheit;Sollmiete;Datum\n${Array.from({ length: 30 }, (_, index) => `10;${index + 1};45.${200 + index};03/04/2025\n`).join('')}`;
    for (const [name, content] of Object.entries({ 'einheiten.csv': list, 'notes.bin': Buffer.from([0, 1, 2, 255]), '<b>.csv': '' }))
      writeFileSync(join(folder, name), content);
    const seen: string[] = [];
    const { text, questions, lists, unread } = await draftOutside(folder, { see: (name) => seen.push(name) });
    expect(parseDocument(text).errors).toEqual([]);
    expect(questions.join()).toContain('Sollmiete');
    expect(lists.find(({ name }) => name === 'einheiten.csv')).toMatchObject({
      origin: { path: 'einheiten.csv', dialect: { delimiter: ';' } },
      columns: ['Objekt', 'Einheit', 'Sollmiete', 'Datum'].map((name) => expect.objectContaining({ name })),
      rows: 30,
    });
    expect(unread.join()).toContain('notes.bin');
    expect(seen).toContain('einheiten.csv');
    expect(JSON.stringify({ text, questions, lists, unread })).not.toContain(folder);
  });
});

test('a draft of nothing, of a bomb and after a cancellation is a refusal', async () => {
  const draft = (files: Readonly<Record<string, string | Buffer>>, options: Parameters<typeof draftOutside>[1] = {}) =>
    withScratch(async (folder) => {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
      return draftOutside(folder, options);
    });
  await expect(draft({ 'a.bin': Buffer.from([0, 1, 2, 255]) })).rejects.toThrow(/^No list can be read\. a\.bin/);
  await expect(draft({})).rejects.toThrow('No list can be read.');
  const bomb = { 'a.json.gz': gzipSync(`[${'{"Nr":1,"Name":"x"},'.repeat(1_500_000)}{}]`) };
  await expect(draft(bomb, { limits: { ...outsideLimits, memoryMegabytes: 20 } })).rejects.toThrow(/took more than 20 MB of memory/);
  await expect(draft(bomb, { signal: AbortSignal.abort(new Cancelled('The load was cancelled.')) })).rejects.toThrow(
    'The load was cancelled.',
  );
});
