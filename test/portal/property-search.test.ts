/** The search of properties in the form for a key: buttons that show the form again, without scripts (contract: data scopes). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { BilingualOperator } from './german.ts';
import { idOf, keyIn, type Operator, password } from './operator.ts';

let service: TestService;
let operator: Operator;
let properties: { property_id: number; property_name: string; company_number: string }[];
beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password } });
  operator = await new BilingualOperator(service).signIn();
  ({ rows: properties } = await service.database.pool.query('select * from customer_nord.properties order by property_id'));
});
afterAll(() => service.stop());

const path = '/portal/keys/new';
type Field = readonly [string, string];
const send = (...more: readonly Field[]) =>
  operator.submit(path, [['customer', 'nord'], ['name', 'found'], ['tier', 'professional'], ['groups', 'rest'], ...more]);
const idsIn = (text: string) => /name="ids"[^>]*value="([^"]*)"/.exec(text)?.[1];
const offered = (text: string) => [...text.matchAll(/name="pick" value="(\d+)"/g)].map(([, id]) => Number(id));
const keyCount = async () => (await service.database.pool.query('select count(*)::integer as n from estate.api_keys')).rows[0].n as number;

test('a search shows the form again with its values and the matches, and issues nothing', async () => {
  const before = await keyCount();
  const { property_id, property_name } = properties[1]!;
  const { status, text } = await send(['step', 'search'], ['find', property_name.slice(0, 6).toUpperCase()], ['personal', 'contact']);
  expect(status).toBe(200);
  expect(offered(text)).toContain(property_id);
  expect(text).toContain('value="found"');
  expect(text).toContain('value="contact" checked');
  expect(text).not.toContain('value="bank" checked');
  expect(text).toContain('<option value="limited" selected>');
  expect(await keyCount()).toBe(before);
});

test('words of a search must all match, and ids match by their start', async () => {
  const { property_id, property_name } = properties[0]!;
  expect(offered((await send(['step', 'search'], ['find', String(property_id)])).text)).toEqual([property_id]);
  expect((await send(['step', 'search'], ['find', `${property_name} nowhere`])).text).toContain('No property matches.');
  for (const find of ['%', '_', "'; drop schema estate", '\\'])
    expect((await send(['step', 'search'], ['find', find])).text).toContain('No property matches.');
});

test('all properties of a company are chosen at once, and the key reads them', async () => {
  const { company_number } = properties[0]!;
  const own = properties.filter((each) => each.company_number === company_number).map(({ property_id }) => property_id);
  expect((await operator.get(`${path}?customer=nord`)).text).toContain(
    `<option value="${company_number}">company ${company_number}</option>`,
  );
  const { text } = await send(['step', 'add-all'], ['company', company_number], ['ids', '7'], ['personal', 'name']);
  const ids = idsIn(text)!;
  expect(text).toContain('chosen</span>');
  const key = keyIn((await send(['data', 'limited'], ['personal', 'name'], ['ids', ids])).text);
  const { scope } = (await service.get('/me', { key })).json;
  expect(scope).toEqual({ personal: ['name'], properties: { ids: [7, ...own] } });
});

test('checked properties are added, by their button or when the key is issued', async () => {
  const [one, two] = properties.map(({ property_id }) => String(property_id)) as [string, string];
  const { text } = await send(['step', 'add'], ['find', one.slice(0, 2)], ['pick', two], ['pick', 'x'], ['ids', one]);
  expect(idsIn(text)).toBe(`${one}, ${two}`);
  const key = keyIn((await send(['data', 'limited'], ['ids', one], ['pick', two])).text);
  expect((await service.get('/me', { key })).json.scope.properties).toEqual({ ids: [Number(one), Number(two)] });
});

test('the default button searches if there is a search, and issues the key otherwise', async () => {
  expect(offered((await send(['step', 'enter'], ['find', String(properties[0]!.property_id)])).text)).toHaveLength(1);
  expect(keyIn((await send(['step', 'enter'], ['find', ' '])).text)).toMatch(/^est_/);
});

test('a rotation has the search of the customer of its key', async () => {
  const key = keyIn((await send(['data', 'limited'], ['ids', '1-5'])).text);
  const rotate = `/portal/keys/${idOf(key)}/rotate`;
  expect(idsIn((await operator.get(rotate)).text)).toBe('1-5');
  const { property_id } = properties[0]!;
  const { text, status } = await operator.submit(rotate, [
    ['overlap', '24'],
    ['step', 'add-all'],
    ['ids', '1-5'],
    ['find', String(property_id)],
  ]);
  expect([status, idsIn(text)]).toEqual([200, `1-5, ${property_id}`]);
});

test('without a customer there is nothing to find', async () => {
  const { status, text } = await operator.submit(path, [
    ['step', 'search'],
    ['customer', 'nobody'],
    ['find', '1'],
  ]);
  expect(status).toBe(200);
  expect(text).toContain('No property matches.');
});

test('many thousand properties make no large page', async () => {
  await service.database.pool.query(`insert into customer_nord.properties
    select (jsonb_populate_record(p, jsonb_build_object('property_id', 20000 + n * 3, 'company_number', 'many'))).*
    from customer_nord.properties p, generate_series(1, 9990) n where p.property_id = ${properties[0]!.property_id}`);
  const { text } = await send(['step', 'search'], ['company', 'many']);
  expect(text).toContain('9,990 properties match; the first 25');
  expect(text.length).toBeLessThan(20_000);
  // Ids without runs are the longest text that a form sends.
  const added = await send(['step', 'add-all'], ['company', 'many']);
  const ids = idsIn(added.text)!;
  const key = keyIn((await send(['data', 'limited'], ['ids', ids])).text);
  const { rows } = await service.database.pool.query(
    "select jsonb_array_length(scope->'properties'->'ids') as n from estate.api_keys where id = $1",
    [idOf(key)],
  );
  expect(rows).toEqual([{ n: 9_990 }]);
  const full = await send(['step', 'add-all'], ['company', 'many'], ['ids', '1-20']);
  expect([full.status, full.text.includes('at most 10,000 properties')]).toEqual([422, true]);
});
