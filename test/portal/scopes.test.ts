/** The data scope of a key in the portal: chosen when a key is issued or rotated, shown in lists, and logged (contract: data scopes). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { BilingualOperator } from './german.ts';
import { idOf, keyIn, type Operator, password } from './operator.ts';

let service: TestService;
let operator: Operator;
beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password } });
  operator = await new BilingualOperator(service).signIn();
});
afterAll(() => service.stop());

const fields = (...more: readonly (readonly [string, string])[]): [string, string][] => [
  ['customer', 'nord'],
  ['name', 'limited'],
  ['tier', 'professional'],
  ['groups', 'rest'],
  ...more.map(([name, value]): [string, string] => [name, value]),
];
const scopeOf = async (key: string) => (await service.get('/me', { key })).json.scope;

test('a key can be limited to classes and properties', async () => {
  const { text } = await operator.submit(
    '/portal/keys/new',
    fields(['data', 'limited'], ['personal', 'contact'], ['personal', 'tax'], ['ids', '1002, 1001\n1001'], ['companies', '10 20']),
  );
  const key = keyIn(text);
  expect(await scopeOf(key)).toEqual({ personal: ['contact', 'tax'], properties: { ids: [1001, 1002], companies: ['10', '20'] } });
  const page = (await operator.get(`/portal/keys/${idOf(key)}`)).text;
  expect(page).toContain('without personal data: name, bank, birth; properties 1001, 1002; companies 10, 20');
  expect((await operator.get('/portal/keys')).text).toContain('limited</span>');
  expect((await operator.get('/portal/log')).text).toContain('without personal data: name, bank, birth');
});

test('without a choice, or with all data, a key has no scope', async () => {
  for (const more of [[], [['data', 'all'] as const, ['ids', '1001'] as const]])
    expect(await scopeOf(keyIn((await operator.submit('/portal/keys/new', fields(...more))).text))).toBeUndefined();
});

test.each([
  [[['data', 'limited'], ...['name', 'contact', 'bank', 'tax', 'birth'].map((each) => ['personal', each])], 'Nothing is limited'],
  [
    [
      ['data', 'limited'],
      ['ids', '1001 x'],
    ],
    'properties.ids must list property ids',
  ],
  [[['data', 'some']], 'Choose which data the key reads'],
] as const)('%j is refused at its field', async (more, reason) => {
  const { status, text } = await operator.submit('/portal/keys/new', fields(...(more as readonly (readonly [string, string])[])));
  expect(status).toBe(422);
  expect(text).toContain(reason);
});

test('a rotation shows the scope and can change it', async () => {
  const old = keyIn((await operator.submit('/portal/keys/new', fields(['data', 'limited'], ['ids', '1001']))).text);
  const path = `/portal/keys/${idOf(old)}/rotate`;
  expect((await operator.get(path)).text).toMatch(/name="ids"[^>]*value="1001"/);
  const changed = keyIn(
    (
      await operator.submit(path, [
        ['overlap', '24'],
        ['data', 'limited'],
        ['personal', 'name'],
        ['ids', '1002'],
      ])
    ).text,
  );
  expect(await scopeOf(changed)).toEqual({ personal: ['name'], properties: { ids: [1002] } });
  expect(await scopeOf(old)).toEqual({ personal: [], properties: { ids: [1001] } });
  const same = keyIn((await operator.submit(`/portal/keys/${idOf(changed)}/rotate`, [['overlap', '24']])).text);
  expect(await scopeOf(same)).toEqual({ personal: ['name'], properties: { ids: [1002] } });
});

test('the form for rights does not change the scope', async () => {
  const key = keyIn((await operator.submit('/portal/keys/new', fields(['data', 'limited']))).text);
  const path = `/portal/keys/${idOf(key)}`;
  await operator.submit(
    path,
    [
      ['tier', 'basic'],
      ['groups', 'rest'],
      ['data', 'all'],
      ['scope', ''],
    ],
    `${path}/rights`,
  );
  const { rows } = await service.database.pool.query('select tier, scope from estate.api_keys where id = $1', [idOf(key)]);
  expect(rows).toEqual([{ tier: 'basic', scope: { personal: [] } }]);
});
