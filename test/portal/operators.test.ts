/** Named operators: sign-in, names in the log, and secrecy. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeHash } from '../../src/access/password.ts';
import { readConfig } from '../../src/config.ts';
import { startService, startServiceOn, type TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';
import { Operator, password } from './operator.ts';

const [annas, bens] = ['annas own password', 'bens own password'];
const hashes = { anna: writeHash(annas), 'ben@example.org': writeHash(bens) };
const environment = {
  PORTAL_OPERATORS: Object.entries(hashes)
    .map(([name, hash]) => `${name}:${hash}`)
    .join(','),
  TRUST_PROXY: '1',
};
let named: TestService;
let both: TestService;

beforeAll(async () => {
  named = await startService({ environment });
  both = await startServiceOn({ ...named.database, close: async () => {} }, { environment: { ...environment, PORTAL_PASSWORD: password } });
});
afterAll(async () => {
  await both.stop();
  await named.stop();
});

/** Each has a separate address, so that lock-outs are independent. */
let last = 0;
const newcomer = (service = named) => new Operator(service, { 'X-Forwarded-For': `203.0.113.${++last}` });
const enter = (operator: Operator, name: string, password: string) => operator.submit('/portal/sign-in', { name, password });

test('an operator signs in by name, which pages and log show', async () => {
  const operator = newcomer();
  expect((await enter(operator, ' Anna ', annas)).status).toBe(303);
  expect((await operator.get('/portal')).text).toContain('<span class="operator" title="Signed in as anna">anna</span>');
  await operator.submit('/portal/customers', { slug: 'by-anna', name: 'By Anna', tier: 'basic' });
  const { text } = await operator.get('/portal/log?q=by-anna');
  expect(text).toMatch(
    /<td data-label="What">added customer<\/td>.*<td data-label="Who">anna<\/td><td data-label="From">203\.0\.113\.\d+<\/td>/s,
  );
});

test('existing and unknown names are refused with the same text', async () => {
  const answers = [];
  for (const [name, text] of [
    ['anna', 'wrong'],
    ['anna', bens],
    ['carl', 'wrong'],
    ['', password],
    ['constructor', ''],
  ] as const) {
    const { status, text: page } = await enter(newcomer(), name, text);
    answers.push([status, page.match(/role="alert">([^<]*)/)?.[1]]);
  }
  expect(new Set(answers.map(String))).toEqual(new Set(['403,That is not the name and the password of an operator.']));
});

test('the input for a name is logged only if it is a name', async () => {
  for (const name of ['anna', annas, 'carl']) await enter(newcomer(), name, 'wrong');
  const operator = newcomer();
  await enter(operator, 'anna', annas);
  const { text } = await operator.get('/portal/log?q=refused');
  expect(text).toContain('wrong password of anna');
  expect(text).toContain('no such name');
  expect(text).not.toContain(annas);
  expect(text).not.toContain('carl');
});

test('the shared password still works, without a name', async () => {
  const operator = newcomer(both);
  expect((await enter(operator, '', password)).status).toBe(303);
  expect((await operator.get('/portal')).text).not.toContain('class="operator"');
  expect((await operator.get('/portal/log?q=signed+in')).text).toMatch(/data-label="Who">portal [\w-]{4}</);
  expect((await enter(newcomer(both), '', annas)).text).toContain('That is not the password.');
  expect((await enter(newcomer(both), 'ben@example.org', bens)).status).toBe(303);
});

test('five wrong passwords lock out the address, whatever the names', async () => {
  const operator = newcomer();
  for (const name of ['anna', 'ben@example.org', 'carl', 'dora', '']) expect((await enter(operator, name, 'wrong')).status).toBe(403);
  expect((await enter(operator, 'anna', annas)).status).toBe(429);
});

test('a changed or removed password of one operator ends only the sessions of that operator', async () => {
  const [anna, ben] = [newcomer(), newcomer()];
  await enter(anna, 'anna', annas);
  await enter(ben, 'ben@example.org', bens);
  for (const PORTAL_OPERATORS of [
    `anna:${writeHash('another of annas')},ben@example.org:${hashes['ben@example.org']}`,
    `ben@example.org:${hashes['ben@example.org']}`,
  ]) {
    const later = await startServiceOn({ ...named.database, close: async () => {} }, { environment: { PORTAL_OPERATORS } });
    const statuses = [];
    for (const { cookie } of [anna, ben]) {
      const operator = new Operator(later);
      operator.cookie = cookie;
      statuses.push((await operator.get('/portal')).status);
    }
    expect(statuses).toEqual([303, 200]);
    await later.stop();
  }
});

test('nobody can change the operator of a session', async () => {
  const operator = newcomer();
  await enter(operator, 'anna', annas);
  const { cookie } = operator;
  for (const name of ['.ben%40example.org.', '.', '.visitor.']) {
    operator.cookie = cookie.replace('.anna.', () => name);
    expect(operator.cookie).not.toBe(cookie);
    expect((await operator.get('/portal')).status).toBe(303);
  }
});

test('KEY_SECRET alone signs no session of an operator', async () => {
  // A visitor's cookie is signed with the secret alone. So is each of these, for every kind and name.
  const key = createHmac('sha256', testSecret).update('portal sessions').digest();
  const statuses = [];
  for (const [kind, name] of [
    ['operator', ''],
    ['operator', '.anna'],
    ['operator', '.carl'],
    ['visitor', '.anna'],
  ]) {
    const content = `${kind}.${'A'.repeat(16)}.${Date.now() + 3_600_000}${name}`;
    const operator = newcomer();
    operator.cookie = `estate_portal=${content}.${createHmac('sha256', key).update(`cookie ${content}`).digest('base64url')}`;
    statuses.push((await operator.get('/portal')).status);
  }
  expect(statuses).toEqual([303, 303, 303, 303]);
});

test.each([
  'anna',
  'anna:plain text',
  `Anna:${hashes.anna}`,
  `anna:${hashes.anna},anna:${hashes.anna}`,
  `visitor:${hashes.anna}`,
  `a b:${hashes.anna}`,
  `anna:${hashes.anna}:more`,
])('%s is refused as a setting, without repeating it', (text) => {
  expect(() => readConfig({ PORTAL_OPERATORS: text })).toThrow(/^PORTAL_OPERATORS must be name:hash, separated by commas[^\n]*$/);
  try {
    readConfig({ PORTAL_OPERATORS: text });
  } catch (error) {
    expect(String(error)).not.toContain(hashes.anna);
  }
});
