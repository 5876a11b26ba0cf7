/** From files without a source file to loaded rows: each step is a page, and the text of the source is all that a person changes. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { CustomerStore } from '../../src/access/customers.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { startInstance, startService, type TestService } from '../support/service.ts';
import { BilingualOperator } from './german.ts';
import { Operator, type PageAnswer, password } from './operator.ts';

let service: TestService;
let operator: Operator;

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password } });
  operator = await new BilingualOperator(service).signIn();
  await new CustomerStore(service.database).add(catalogue, { slug: 'desk', name: 'Desk', tier: 'enterprise' });
});
afterAll(() => service.stop());

const page = '/portal/customers/desk/data';
const rentRoll = 'examples/sources/rent-roll/export/mieterliste.csv';

/** Follows the page of an upload until it has ended. A draft ends with the address of its page. */
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

type Files = Readonly<Record<string, string | Buffer>>;

const drop = async (files: Files, kept = ''): Promise<PageAnswer> => {
  const form = new FormData();
  form.append('token', (await operator.hidden(page)).token ?? '');
  for (const [name, content] of Object.entries(files)) form.append('files', new Blob([new Uint8Array(Buffer.from(content))]), name);
  form.append('kept', kept);
  form.append('action', 'check');
  const { location, ...answer } = await operator.get(page, { method: 'POST', body: form });
  return location?.startsWith(`${page}/uploads/`) ? ended(location) : { location, ...answer };
};

/** The address of the draft for the files. */
const draftOf = async (files: Files, kept = ''): Promise<string> => {
  const { status, location, text } = await drop(files, kept);
  expect([status, location ?? text]).toEqual([303, expect.stringContaining(`${page}/drafts/`)]);
  return location!;
};

const textOf = async (draft: string): Promise<string> => (await operator.get(`${draft}/source`)).text;

const doubtsOf = async (draft: string): Promise<string[]> => [
  ...new Set([...(await operator.get(draft)).text.matchAll(/name="doubt" value="([^"]*)"/g)].map(([, id = '']) => id)),
];

const answer = (draft: string, doubt: string, said: Readonly<Record<string, string>>) =>
  operator.submit(draft, { doubt, ...said }, `${draft}/answer`);

/** What a person who knows the rent list says. */
const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'missing/is_active': { constant: 'true' },
  'missing/person_type_key': { constant: 'natural' },
  'missing/status_key': { constant: 'active' },
  'missing/tenant_type_key': { constant: 'residential' },
  'missing/payment_interval_key': { constant: 'monthly' },
  'missing/currency': { constant: 'EUR' },
};

/** Answers all doubts, the questions with “It is right as it is”. Returns their number. */
const answerAll = async (draft: string): Promise<number> => {
  let count = 0;
  for (let open = await doubtsOf(draft); open.length > 0; open = await doubtsOf(draft)) {
    const [doubt = ''] = open;
    const { status, text } = await answer(draft, doubt, known[doubt] ?? { choice: 'It is right as it is' });
    expect([doubt, status, status === 303 ? '' : text]).toEqual([doubt, 303, '']);
    expect(++count).toBeLessThanOrEqual(10);
  }
  return count;
};

const check = async (draft: string): Promise<PageAnswer & { path: string }> => {
  const { status, location, text } = await operator.submit(draft, {}, `${draft}/check`);
  expect([status, location ?? text]).toEqual([303, expect.stringContaining(`${page}/uploads/`)]);
  return { ...(await ended(location!)), path: location! };
};

const load = async (draft: string, checked: { readonly path: string }, fields: Readonly<Record<string, string>> = {}) => {
  const { location, ...refused } = await operator.submit(checked.path, fields, `${draft}/load`);
  return location === null ? { location, ...refused } : ended(location);
};

const figures = async () => {
  const { rows } = await service.database.pool.query(
    `select (select count(*)::int from customer_desk.floor_area) as units, (select count(*)::int from customer_desk.tenancy_hdr) as tenancies,
       (select coalesce(sum(net_amount), 0)::text from customer_desk.contract_condition where debit_type_key = 'basic_rent') as rent`,
  );
  return rows[0];
};

/** The figures of the list, from its own lines. */
const listed = () => {
  const lines = readFileSync(rentRoll, 'utf8')
    .split(/\r?\n/)
    .slice(3)
    .map((line) => line.split(';'))
    .filter(([property = '']) => property !== '' && property !== 'Summe');
  const lets = lines.filter((cells) => cells[9] !== 'Leerstand');
  const rent = lets.reduce((sum, cells) => sum + Number((cells[12] || '0').replace('.', '').replace(',', '.')), 0);
  return { units: lines.length, tenancies: lets.length, rent: rent.toFixed(2) };
};

test('a rent list becomes rows by at most ten answers, and its source is kept', async () => {
  const draft = await draftOf({ 'mieterliste.csv': readFileSync(rentRoll) });
  const first = await operator.get(draft);
  for (const part of [
    'mieterliste.csv → person.last_name',
    '“Aydin, Selma”',
    'doubtful',
    'rows looked at',
    '<li aria-current="step">Understand',
  ])
    expect(first.text).toContain(part);
  expect(await textOf(draft)).toContain('# needs a value: is_active');

  const early = await check(draft);
  expect(early.text).toContain('has a question: answer it in the source file');
  expect(early.text).not.toContain('>Load</button>');

  await answerAll(draft);
  const text = await textOf(draft);
  expect(text).toContain('is_active: { constant: true }');
  expect(text).toContain('# units are numbered within their property');
  for (const gone of ['question:', 'needs a value', 'QUESTION', 'are open']) expect(text).not.toContain(gone);
  expect((await operator.submit(draft, { name: 'Rent List' }, `${draft}/name`)).status).toBe(422);
  expect((await operator.submit(draft, { name: 'rent-list' }, `${draft}/name`)).status).toBe(303);

  const checked = await check(draft);
  expect(checked.text).toContain('The files can be loaded.');
  expect(checked.text).toMatch(/Rows in and out[\s\S]*<code>floor_area<\/code>/);
  const { units, rent } = listed();
  const shownRent = Number(rent).toLocaleString('en', { minimumFractionDigits: 2 });
  for (const figure of ['Figures to compare with paper', String(units), shownRent]) expect(checked.text).toContain(`>${figure}<`);
  expect((await figures()).units).toBe(0);
  const loaded = await load(draft, checked);
  expect(loaded.text).toContain('They are loaded.');
  expect(loaded.text).toContain('href="/portal/customers/desk/explore"');
  expect(await figures()).toEqual(listed());
  expect((await operator.get(`${page}/sources/rent-list/1`)).text).toBe(await textOf(draft));
  const log = (await operator.get('/portal/log')).text;
  for (const action of [
    'uploaded files to draft',
    'answered a doubt of a draft',
    'named a draft',
    'checked a draft',
    'loaded files',
    'kept source',
  ])
    expect(log).toContain(action);
});

test('rows that a load deletes are confirmed with their number, and files survive another instance', async () => {
  const whole = readFileSync(rentRoll, 'utf8').split('\n');
  const at = whole.findIndex((line) => line.startsWith('HAF12') && line.includes('Leerstand'));
  const draft = await draftOf({ 'mieterliste.csv': whole.filter((_, index) => index !== at).join('\n') }, '+draft');
  const kept = (await operator.get(`${page}/sources/rent-list/1`)).text;
  expect((await operator.submit(draft, { text: kept }, `${draft}/source`)).status).toBe(303);
  expect(await textOf(draft)).toBe(kept);

  const other = await startInstance(service.database, { PORTAL_PASSWORD: password });
  await other.listen({ host: '127.0.0.1', port: 0 });
  const { port } = other.server.address() as { port: number };
  const there = await new Operator({ url: `http://127.0.0.1:${port}` }).signIn();
  const { location } = await there.submit(draft, {}, `${draft}/check`);
  const checked = { ...(await ended(location!)), path: location! };
  await other.close();
  expect(checked.text).toContain('Delete 1 row of floor_area');

  const { units } = listed();
  for (const fields of [{}, { deletes: 'floor_area:2' }]) {
    const refused = await load(draft, checked, fields as Readonly<Record<string, string>>);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Confirm the deleted rows: 1 of floor_area.')]);
  }
  expect((await figures()).units).toBe(units);
  const loaded = await load(draft, checked, { deletes: 'floor_area:1' });
  expect(loaded.text).toContain('They are loaded.');
  expect((await figures()).units).toBe(units - 1);
});

test('on the second day, a column with another name and a new one are doubts, and the answers are the next version', async () => {
  const renamed = readFileSync(rentRoll, 'utf8')
    .split('\r\n')
    .map((line) => (/^(?:Objekt|[A-Z]{3}\d+);/.test(line) ? `${line};${line.startsWith('Objekt') ? 'Balkon' : 'ja'}` : line))
    .join('\r\n')
    .replace('Nettokaltmiete', 'Kaltmiete');
  const before = (await operator.get(`${page}/sources/rent-list/1`)).text;
  expect([before.includes('Nettokaltmiete'), renamed.includes('Kaltmiete;'), renamed.includes(';Balkon')]).toEqual([true, true, true]);
  const draft = await draftOf({ 'mieterliste.csv': renamed }, 'rent-list');
  expect((await operator.get(draft)).text).toContain('nothing was loaded');
  const open = await doubtsOf(draft);
  expect(open).toEqual([expect.stringMatching(/^gone\/\d\/Nettokaltmiete$/), 'new/0/Kaltmiete', 'new/0/Balkon']);
  expect((await answer(draft, open[0]!, { column: 'Straße' })).status).toBe(422);
  expect((await answer(draft, open[0]!, { column: 'Kaltmiete' })).status).toBe(303);
  expect(await doubtsOf(draft)).toEqual(['new/0/Balkon']);
  expect((await answer(draft, 'new/0/Balkon', { choice: 'Do not load it' })).status).toBe(303);
  expect(await doubtsOf(draft)).toEqual([]);
  const after = await textOf(draft);
  expect(after.replaceAll(/#.*$/gm, '')).not.toContain('Nettokaltmiete');
  expect(after.split('\n').filter((line) => line.includes('#')).length).toBe(
    before.split('\n').filter((line) => line.includes('#')).length,
  );
  const checked = await check(draft);
  expect(checked.text).toContain('The files can be loaded.');
  expect((await load(draft, checked)).text).toContain('They are loaded.');
  expect(await figures()).toEqual(listed());
  expect((await operator.get(`${page}/sources/rent-list/2`)).text).toBe(after);
  // The third day needs no answer.
  const third = await drop({ 'mieterliste.csv': renamed }, 'rent-list');
  expect(third.text).toContain('this is what a load would do');
});

test('an answer that nobody offered, and a text that is no source, change nothing', async () => {
  const list = `Objekt;Einheit;Fläche;Sollmiete;Datum\n${Array.from({ length: 30 }, (_, index) => `10;${index + 1};50;45.${200 + index};03/04/2025\n`).join('')}`;
  const draft = await draftOf({ 'einheiten.csv': list });
  const before = await textOf(draft);
  const { text } = await operator.get(draft);
  expect(text).toContain('“45.200” is 45200');
  const [question = ''] = (await doubtsOf(draft)).filter((id) => id.startsWith('question/'));
  for (const said of [{ choice: 'other' }, {}, { constant: 'x' }, { column: 'Objekt' }] as Readonly<Record<string, string>>[])
    expect((await answer(draft, question, said)).status).toBe(422);
  expect((await answer(draft, 'question/99/x', { choice: 'x' })).status).toBe(422);
  const bomb = `a: &a [${'x,'.repeat(50)}]\n${'bcdefghij'
    .split('')
    .map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]},`.repeat(50)}]`)
    .join('\n')}\n`;
  for (const [hostile, reason] of [
    ['tables: [', 'the source file'],
    [`${'['.repeat(5_000)}`, 'too many levels'],
    [bomb, 'the source file'],
    [before.replace('path: einheiten.csv', 'path: ../../etc/passwd'), ''],
    [`databases: { d: { type: postgres, url: "postgres://h" } }\n${before}`, 'names a database'],
    [before.replace('name: export', 'name: "<script>alert(1)</script>"'), 'name'],
  ] as const) {
    const answered = await operator.submit(draft, { text: hostile }, `${draft}/source`);
    if (reason === '') expect(answered.status).toBe(303);
    else expect([answered.status, answered.text]).toEqual([422, expect.stringContaining(reason)]);
    expect(answered.text).not.toContain('<script>alert');
  }
  // A path that leads out of the delivery is no file.
  expect((await check(draft)).text).toContain('has no file');
  expect((await operator.submit(draft, { text: before }, `${draft}/source`)).status).toBe(303);
  expect((await answer(draft, question, { choice: '“45.200” is 45200' })).status).toBe(303);
  const rule = parseDocument(await textOf(draft), { merge: true }).toJS().tables[0].columns;
  expect(JSON.stringify(rule)).toContain('"groupChar":"."');
});

test('a file that cannot be read is a refusal, and text of files is never markup', async () => {
  expect((await drop({ 'a.bin': Buffer.from([0, 1, 2, 255]) })).text).toContain('No list can be read.');
  const draft = await draftOf({
    'einheiten <b>.csv': 'Objekt;Einheit;<script>x</script>\n1;1;<img src=x>\n1;2;y\n',
    'notes.bin': Buffer.from([0, 1, 2, 255]),
  });
  const { text } = await operator.get(draft);
  expect(text).toContain('&lt;script&gt;x&lt;/script&gt;');
  expect(text).toContain('Not read:');
  for (const markup of ['<script>x', '<img', 'estate-scratch']) expect(text).not.toContain(markup);
  for (const wrong of ['x', '%00']) expect((await operator.get(`${page}/drafts/${wrong}`)).status).toBe(404);
  expect((await operator.post(`${draft}/answer`, { doubt: 'x' })).status).toBe(403);
  expect((await new Operator(service).get(draft)).location).toContain('/portal/sign-in');
});
