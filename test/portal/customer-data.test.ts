/** The page of a customer's data: files are checked and loaded as on the command line, and nothing else comes in. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../../src/database/connections/transaction.ts';
import { createQuarantine, writeQuarantine } from '../../src/database/control/quarantine.ts';
import { holdProfile, readProfile } from '../../src/sync/profiles/kept-profiles.ts';
import { startInstance, startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { BilingualOperator } from './german.ts';
import { Operator, type PageAnswer, password } from './operator.ts';

let service: TestService;
let operator: Operator;
const page = '/portal/customers/nord/data';
const uploads = `${page}/uploads/`;

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password } });
  operator = await new BilingualOperator(service).signIn();
});
afterAll(() => service.stop());

type Sent = Readonly<Record<string, string>>;

/** Sends the form as a browser does: the fields in the order of the page, then the button. */
const send = async (
  files: Sent,
  action: 'check' | 'load',
  options: { source?: string; kept?: string; mode?: string; token?: string } = {},
) => {
  const form = new FormData();
  form.append('token', options.token ?? (await operator.hidden(page)).token ?? '');
  for (const [name, text] of Object.entries(files)) form.append('files', new Blob([text]), name);
  if (options.kept !== undefined) form.append('kept', options.kept);
  form.append('source', new Blob([options.source ?? '']), options.source === undefined ? '' : 'erp.yml');
  form.append('mode', options.mode ?? 'full');
  form.append('action', action);
  const answer = await operator.get(page, { method: 'POST', body: form });
  return answer.status === 303 && answer.location?.startsWith(uploads) ? ended(answer.location) : answer;
};

/** The page of an upload, once its check or load has ended. The page asks the browser to load it again until then. */
const ended = async (path: string): Promise<PageAnswer> => {
  let answer = await operator.get(path);
  await expect
    .poll(async () => {
      answer = await operator.get(path);
      return answer.headers.get('refresh');
    })
    .toBeNull();
  return answer;
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

const reportOf = ({ text }: PageAnswer): string => /role="(?:status|alert)">([\s\S]*?)<\/(?:section|main)>/.exec(text)?.[1] ?? text;

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`estate-scratch-${process.pid}-`));

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
  expect([refused.status, reportOf(refused)]).toEqual([200, expect.stringContaining('Nothing was changed.')]);
  expect(reportOf(refused)).not.toContain(tmpdir());
  expect((await operator.get(page)).text).toMatch(/<span class="pill bad">failed<\/span>/);
  expect((await operator.get('/portal/log')).text).toContain('load refused or failed');
});

test('the remedies of a refusal are those of the portal, in the report and in the history', async () => {
  const refused = await send({ 'creditor_hdr.csv': 'creditor_id,changed_at\n1,2026-01-01T00:00:00\n' }, 'load', { mode: 'upsert' });
  const { rows } = await service.database.pool.query('select error from estate.sync_runs order by id desc limit 1');
  for (const text of [reportOf(refused), rows[0].error]) {
    expect(text).toContain('or state formats.timezone in a source file');
    expect(text).not.toContain('--time-zone');
  }
});

test('a full file that lacks most rows is refused', async () => {
  const refused = await send({ 'creditor_hdr.ndjson': await changedCreditor('https://one.example') }, 'load');
  expect([refused.status, reportOf(refused)]).toEqual([200, expect.stringContaining('creditor_hdr')]);
  expect(await withWebsite('https://one.example')).toBe(0);
});

test('files that are no delivery are refused before anything is read', async () => {
  for (const [files, reason, status = 200] of [
    [{}, 'Choose the files to load.', 422],
    [{ 'person.xlsx': 'x' }, 'No list can be read.'],
    [{ 'creditor_hdr.csv': 'x', 'notes.txt': 'x' }, 'notes.txt cannot be loaded'],
    [{ '.creditor_hdr.csv': 'x' }, 'A file needs a name', 422],
    [{ [`${'long'.repeat(60)}.csv`]: 'x' }, 'A file needs a name', 422],
    [{ 'creditor_hdr.csv': 'a', 'folder/creditor_hdr.csv': 'b' }, 'Two files have the name', 422],
  ] as const) {
    const answer = await send(files, 'load');
    expect([answer.status, reportOf(answer)]).toEqual([status, expect.stringContaining(reason)]);
    expect(answer.text).not.toContain('estate-scratch');
  }
});

test('an export is loaded with its source file; an invalid source file is refused', async () => {
  const refused = await send({ 'liste.csv': 'Nr;Name\n' }, 'check', { source: 'tables: [' });
  expect(refused.status).toBe(200);
  expect(reportOf(refused)).toContain('erp.yml');
});

test('a kept source reads an upload without a source file, and each version can be downloaded', async () => {
  const sources = `${page}/sources`;
  const keep = async (text: string, token?: string) => {
    const form = new FormData();
    form.append('token', token ?? (await operator.hidden(sources)).token ?? '');
    form.append('source', new Blob([text]), 'erp.yml');
    return operator.get(sources, { method: 'POST', body: form });
  };
  const text = `# kept: <b>\n${person('path: "*.csv"')}`;
  expect(await keep(text)).toMatchObject({ status: 303, location: sources });
  expect((await operator.get(sources)).text).toContain('erp, version 1: download');
  const file = await operator.get(`${sources}/erp/1`);
  expect([file.status, file.text, file.headers.get('content-disposition')]).toEqual([200, text, expect.stringContaining('erp.yml')]);

  expect((await operator.get(page)).text).toContain('the kept source erp, version 1');
  const checked = await send({ 'liste.csv': 'Nr,Name\n1,A\n' }, 'load', { kept: 'erp' });
  expect(checked.text).toContain('erp.yml, version 1: liste.csv, uploaded by');
  expect((await operator.get(page)).text).toContain('erp, version 1');
  expect((await operator.get('/portal/log')).text).toContain('nord: erp.yml version 1, liste.csv');

  for (const [refused, reason] of [
    ['tables: [', 'erp.yml'],
    [`databases: { d: { type: postgres, url: "postgres://h" } }\n${text}`, 'names a database'],
    [text.replace('website: Name', `website: { constant: "\${KEY_SECRET}" }`), 'names a variable'],
  ] as const) {
    const answer = await keep(refused);
    expect([answer.status, reportOf(answer)]).toEqual([422, expect.stringContaining(reason)]);
  }
  expect((await keep(text, 'wrong')).status).toBe(403);
  for (const wrong of ['erp/2', 'erp/x', 'other/1', '..%2f/1']) expect((await operator.get(`${sources}/${wrong}`)).status).toBe(404);
  expect((await new Operator(service).get(`${sources}/erp/1`)).status).toBe(303);
  expect((await operator.submit(sources, {}, `${sources}/erp/end`)).status).toBe(303);
  expect((await operator.get(page)).text).toContain('No source is kept.');
  expect((await send({ 'liste.csv': 'x' }, 'load', { kept: 'erp' })).text).toContain('nord has no kept source');
  expect(leftovers()).toEqual([]);
});

test('rows and files that a load leaves out are named', async () => {
  const source = `name: erp
tables:
  - table: creditor_hdr
    path: liste.csv
    primaryKey: Nr
    mode: upsert
    invalidRows: { skip: 100 }
    columns: { creditor_no: Nr, person_id: Nr, account_id: Nr, payment_terms_days: Tage }
`;
  const { text } = await send({ 'liste.csv': 'Nr,Tage\n7,<ten>\n', 'notes.txt': 'x' }, 'check', { source });
  expect(text).toContain('creditor_hdr: 1 row is left out');
  expect(text).toContain('line 2, column Tage → payment_terms_days: &quot;&lt;ten&gt;&quot; is no number');
  expect(text).toContain('not loaded: notes.txt (no table of the source reads it)');
});

test('held deliveries and rows in quarantine are shown, and a button accepts the differences', async () => {
  const { pool } = service.database;
  const schema = 'customer_nord';
  const profile = { rows: 1, measured: 1, filled: {}, numbers: {}, dates: {}, codes: {}, netAboveGross: {} };
  const row = {
    table: 'creditor_hdr',
    entry: 0,
    key: 'K<1>',
    file: 'k.csv',
    line: 7,
    reasons: ['has no value'],
    row: { name: 'secret' },
    facts: null,
  };
  await withClient(pool, async (client) => {
    await holdProfile(
      client,
      schema,
      { table: 'creditor_hdr', source: 'erp', isWhole: true, profile },
      { run: 1, surprises: ['19 % of the rows <are> missing'] },
    );
    await createQuarantine(client, schema);
    await writeQuarantine(client, schema, { source: 'erp', tables: ['creditor_hdr'], rows: [{ ...row, since: new Date() }] });
  });
  const { text } = await operator.get(page);
  expect(text).toContain('19 % of the rows &lt;are&gt; missing');
  expect(text).toContain('k.csv, line 7');
  expect(text).not.toContain('secret');
  expect(await operator.submit(page, {}, `${page}/accept`)).toMatchObject({ status: 303, location: page });
  expect((await operator.get(page)).text).not.toContain('Held deliveries');
  expect(await withClient(pool, (client) => readProfile(client, schema, { table: 'creditor_hdr', source: 'erp', isWhole: true }))).toEqual(
    profile,
  );
  expect((await operator.get('/portal/log')).text).toContain('nord: creditor_hdr');
  // Of each table that would have the rows, a key sees their number, and nothing of them.
  const { json } = await service.get('/me', { key: keys.nordEnterprise });
  const failed = json.tables.flatMap((one: { failed_checks: { name: string; count: number; keys: string[] }[] }) => one.failed_checks);
  expect(failed).toContainEqual(expect.objectContaining({ name: 'creditor.quarantine', count: 1, keys: [] }));
  await withClient(pool, (client) => writeQuarantine(client, schema, { source: 'erp', tables: ['creditor_hdr'], rows: [] }));
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
  expect([whole.status, reportOf(whole)]).toEqual([200, expect.stringContaining('creditor_hdr.csv')]);
  const refused = await send({ 'creditor_hdr.csv': lines(68_000_000) }, 'check');
  expect([refused.status, reportOf(refused)]).toEqual([422, expect.stringContaining('is larger than')]);
  expect((await operator.get('/portal/customers/nobody/data', { method: 'POST', body: new FormData() })).status).toBe(422);
});

const list = 'Nr,Name\n1,A\n';
const person = (path: string, more = '') =>
  `name: erp\ntables:\n  - table: creditor_hdr\n    mode: upsert\n    primaryKey: Nr\n    ${path}\n    columns: { website: ${more || 'Name'} }\n`;

test('an uploaded source reaches nothing of the machine and of the database', async () => {
  const keysBefore = (await service.database.pool.query('select count(*) from estate.api_keys where name = $1', ['taken'])).rows;
  const attacks = {
    secret: `databases: { d: { type: postgres, url: "postgres://h/\${KEY_SECRET}" } }\n${person('database: d\n    dbtable: x')}`,
    control: `databases: { d: { type: postgres, url: "\${DATABASE_URL}" } }\n${person('database: d\n    dbtable: estate.api_keys')}`,
    written: `databases: { d: { type: postgres, url: "\${DATABASE_URL}" } }\n${person('database: d\n    query: "select 1; commit; update estate.api_keys set name = \'taken\'"')}`,
    constant: person('path: "*.csv"', `{ constant: "\${KEY_SECRET}" }`),
    file: person('path: "../../etc/passwd"'),
    absolute: person('path: /proc/self/environ'),
  };
  for (const source of Object.values(attacks)) {
    const answer = await send({ 'a.csv': list }, 'check', { source });
    expect(reportOf(answer)).toMatch(/names a database|names a variable|has no file/);
    for (const secret of ['test-secret', 'postgres://', 'estate-scratch', 'KEY_SECRET']) expect(answer.text).not.toContain(secret);
  }
  expect((await service.database.pool.query('select count(*) from estate.api_keys where name = $1', ['taken'])).rows).toEqual(keysBefore);
});

test('the log names who uploaded before anything is read, and a failed load is in the history', async () => {
  const answer = await send({ 'a.csv': list }, 'load', { source: 'tables: [' });
  expect(reportOf(answer)).toContain('Nothing was changed.');
  const log = (await operator.get('/portal/log')).text;
  expect(log).toContain('uploaded files to load');
  expect(log).toContain('nord: erp.yml, a.csv');
  const { rows } = await service.database.pool.query('select error from estate.sync_runs order by id desc limit 1');
  expect(rows[0].error).toContain('erp.yml');
});

test('the form is answered at once, and another instance shows the load and cancels it', async () => {
  const other = await startInstance(service.database, { PORTAL_PASSWORD: password });
  const form = new FormData();
  form.append('token', (await operator.hidden(page)).token ?? '');
  form.append('files', new Blob([`Nr,Name\n${'1,A\n'.repeat(2_000_000)}`]), 'a.csv');
  form.append('source', new Blob([person('path: "*.csv"\n    latest: $position')]), 'erp.yml');
  form.append('action', 'check');
  const { status, location } = await operator.get(page, { method: 'POST', body: form });
  expect([status, location]).toEqual([303, expect.stringContaining(uploads)]);
  const shown = await other.inject({ url: location ?? '', headers: { cookie: operator.cookie } });
  expect([shown.statusCode, shown.headers.refresh]).toEqual([200, '2']);
  expect(shown.body).toContain(`process ${process.pid}`);
  const token = /name="token" value="([^"]*)"/.exec(shown.body.split('<main')[1] ?? '')?.[1] ?? '';
  const cancelled = await other.inject({
    method: 'POST',
    url: location ?? '',
    headers: { cookie: operator.cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token }).toString(),
  });
  expect(cancelled.statusCode).toBe(303);
  expect(reportOf(await ended(location ?? ''))).toContain('The load was cancelled.');
  await other.close();
  expect(leftovers()).toEqual([]);
});

test('a third delivery at once is refused, and the end of the service ends the others', async () => {
  const one = await startInstance(service.database, { PORTAL_PASSWORD: password });
  await one.listen({ host: '127.0.0.1', port: 0 });
  const { port } = one.server.address() as { port: number };
  const there = await new Operator({ url: `http://127.0.0.1:${port}` }).signIn();
  const post = async () => {
    const form = new FormData();
    form.append('token', (await there.hidden(page)).token ?? '');
    form.append('files', new Blob([`Nr,Name\n${'1,A\n'.repeat(2_000_000)}`]), 'a.csv');
    form.append('source', new Blob([person('path: "*.csv"\n    latest: $position')]), 'erp.yml');
    form.append('action', 'load');
    return there.get(page, { method: 'POST', body: form });
  };
  const [first, second] = [await post(), await post()];
  expect([first.status, second.status]).toEqual([303, 303]);
  const third = await post();
  expect([third.status, third.text]).toEqual([422, expect.stringContaining('2 deliveries are received or loaded already')]);
  await one.close();
  for (const { location } of [first, second])
    expect(reportOf(await operator.get(location ?? ''))).toContain('The service stopped, so the load was cancelled.');
  const { rows } = await service.database.pool.query('select error from estate.sync_runs order by id desc limit 2');
  expect(rows.map(({ error }) => error)).toEqual(Array(2).fill('The service stopped, so the load was cancelled.'));
  expect(leftovers()).toEqual([]);
});
