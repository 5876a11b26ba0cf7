/** The page of a customer's data: files are checked and loaded as on the command line, and nothing else comes in. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { Operator, type PageAnswer, password } from './operator.ts';

let service: TestService;
let operator: Operator;
const page = '/portal/customers/nord/data';

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password } });
  operator = await new Operator(service).signIn();
});
afterAll(() => service.stop());

type Sent = Readonly<Record<string, string>>;

/** Sends the form as a browser does: the fields in the order of the page, then the button. */
const send = async (files: Sent, action: 'check' | 'load', options: { source?: string; mode?: string; token?: string } = {}) => {
  const form = new FormData();
  form.append('token', options.token ?? (await operator.hidden(page)).token ?? '');
  for (const [name, text] of Object.entries(files)) form.append('files', new Blob([text]), name);
  form.append('source', new Blob([options.source ?? '']), options.source === undefined ? '' : 'erp.yml');
  form.append('mode', options.mode ?? 'full');
  form.append('action', action);
  return operator.get(page, { method: 'POST', body: form });
};

/** The first creditor as the line of a file, with another website. */
const changedCreditor = async (website: string): Promise<string> => {
  const { rows } = await service.database.pool.query<{ row: object }>(
    'select to_jsonb(c) as row from customer_nord.creditor_hdr c order by creditor_id limit 1',
  );
  return `${JSON.stringify({ ...rows[0]?.row, website })}\n`;
};

const withWebsite = async (website: string): Promise<number> => {
  const { rowCount } = await service.database.pool.query('select from customer_nord.creditor_hdr where website = $1', [website]);
  return rowCount ?? 0;
};

const reportOf = ({ text }: PageAnswer): string => /role="(?:status|alert)">([\s\S]*?)<section>/.exec(text)?.[1] ?? text;

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('estate-upload-'));

test('the page shows loads, tables and the form', async () => {
  const { status, text } = await operator.get(page);
  expect(status).toBe(200);
  for (const part of ['<code>orders</code>', '<code>order_hdr</code>', 'enctype="multipart/form-data"']) expect(text).toContain(part);
  expect((await operator.get('/portal/customers/nord')).text).toContain(`href="${page}"`);
});

test('a check says what a load would do, and changes nothing', async () => {
  const website = 'https://new.example';
  const file = { 'creditor_hdr.ndjson': await changedCreditor(website) };
  const checked = await send(file, 'check', { mode: 'upsert' });

  expect([checked.status, reportOf(checked)]).toEqual([200, expect.stringContaining('Nothing was changed')]);
  expect(checked.text).toContain('What a load would change');
  expect(await withWebsite(website)).toBe(0);
  const loaded = await send(file, 'load', { mode: 'upsert' });
  expect([loaded.status, reportOf(loaded)]).toEqual([200, expect.stringContaining('They are loaded.')]);
  expect(await withWebsite(website)).toBe(1);
  expect((await operator.get('/portal/log')).text).toContain('nord: creditor_hdr.ndjson');
  expect((await operator.get(page)).text).toContain('creditor_hdr.ndjson');
});

test('a refused file is named with the reason, and the failure is in the history', async () => {
  const refused = await send({ 'creditor_hdr.csv': 'creditor_id;website\n1;A\n' }, 'load');
  expect([refused.status, reportOf(refused)]).toEqual([422, expect.stringContaining('Nothing was changed.')]);
  expect(reportOf(refused)).not.toContain(tmpdir());
  expect((await operator.get(page)).text).toMatch(/<span class="pill bad">failed<\/span>/);
  expect((await operator.get('/portal/log')).text).toContain('load refused or failed');
});

test('a full file that lacks most rows is refused', async () => {
  const refused = await send({ 'creditor_hdr.ndjson': await changedCreditor('https://one.example') }, 'load');
  expect([refused.status, reportOf(refused)]).toEqual([422, expect.stringContaining('creditor_hdr')]);
  expect(await withWebsite('https://one.example')).toBe(0);
});

test('files that are no delivery are refused before anything is read', async () => {
  for (const [files, reason] of [
    [{}, 'Choose the files to load.'],
    [{ 'person.xlsx': 'x' }, 'holds no .csv or .ndjson files'],
    [{ 'creditor_hdr.csv': 'x', 'notes.txt': 'x' }, 'notes.txt cannot be loaded'],
    [{ '.creditor_hdr.csv': 'x' }, 'A file needs a name'],
    [{ 'creditor_hdr.csv': 'a', 'folder/creditor_hdr.csv': 'b' }, 'Two files have the name'],
  ] as const) {
    const answer = await send(files, 'load');
    expect([answer.status, reportOf(answer)]).toEqual([422, expect.stringContaining(reason)]);
  }
});

test('an export is loaded with its source file; an invalid source file is refused', async () => {
  const refused = await send({ 'liste.csv': 'Nr;Name\n' }, 'check', { source: 'tables: [' });
  expect(refused.status).toBe(422);
  expect(reportOf(refused)).toContain('erp.yml');
});

test('a form without the token of its session is refused, and no file is kept', async () => {
  const before = leftovers();
  const answer = await send({ 'creditor_hdr.csv': 'creditor_id,name\n' }, 'load', { token: 'wrong' });
  expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('This form is not valid any more')]);
  const visitor = await new Operator(service).get(page, { method: 'POST', body: new FormData() });
  expect([visitor.status, visitor.location]).toEqual([303, '/portal/sign-in']);
  expect(leftovers()).toEqual(before);
});

test('a large file arrives whole; one that is too large is refused', async () => {
  const lines = (size: number) => `${'x'.repeat(999)}\n`.repeat(size / 1_000);
  const whole = await send({ 'creditor_hdr.csv': lines(8_000_000) }, 'check');
  expect([whole.status, reportOf(whole)]).toEqual([422, expect.stringContaining('creditor_hdr.csv')]);
  const refused = await send({ 'creditor_hdr.csv': lines(68_000_000) }, 'check');
  expect([refused.status, reportOf(refused)]).toEqual([422, expect.stringContaining('is larger than')]);
  expect((await operator.get('/portal/customers/nobody/data', { method: 'POST', body: new FormData() })).status).toBe(422);
});
