/** Access to the portal. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { Operator, password } from './operator.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password, TRUST_PROXY: 'true' } });
});
afterAll(() => service.stop());

/** Each test uses a separate address, so that lock-outs are independent. */
let last = 0;
const newcomer = (headers: Record<string, string> = {}) => new Operator(service, { 'X-Forwarded-For': `203.0.113.${++last}`, ...headers });

test('every page redirects a visitor to the sign-in, and the sign-in back to the page', async () => {
  const operator = newcomer();
  const { status, location } = await operator.get('/portal/keys?customer=nord');
  expect([status, location]).toEqual([303, '/portal/sign-in?to=%2Fportal%2Fkeys%3Fcustomer%3Dnord']);
  const answer = await operator.submit(location ?? '', { password }, '/portal/sign-in');
  expect([answer.status, answer.location]).toEqual([303, '/portal/keys?customer=nord']);
});

test('the target after sign-in is always in the portal', async () => {
  for (const to of ['https://evil.example/', '//evil.example', '/portal/../../evil']) {
    const answer = await newcomer().submit(`/portal/sign-in?to=${encodeURIComponent(to)}`, { password }, '/portal/sign-in');
    expect([to, answer.location]).toEqual([to, '/portal']);
  }
});

test('the session cookie is signed, HttpOnly, SameSite=Strict and only for the portal', async () => {
  const operator = newcomer();
  const { headers } = await operator.submit('/portal/sign-in', { password });
  const cookie = headers.get('set-cookie') ?? '';
  for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/portal', 'Expires=']) expect(cookie).toContain(attribute);
  expect(cookie).not.toContain('Secure');
  const changed = operator.cookie.replace(/\.\d{13}\./, '.9999999999999.');
  expect(changed).not.toBe(operator.cookie);
  operator.cookie = changed;
  expect((await operator.get('/portal')).status).toBe(303);
});

test('a visitor cannot forge a session of an operator', async () => {
  const operator = newcomer();
  await operator.get('/portal/sign-in');
  operator.cookie = operator.cookie.replace('visitor', 'operator');
  expect((await operator.get('/portal')).status).toBe(303);
});

test('no header makes the cookie Secure: the public URL does', async () => {
  const { headers } = await newcomer({ 'X-Forwarded-Proto': 'https' }).submit('/portal/sign-in', { password });
  expect(headers.get('set-cookie')).not.toContain('Secure');
});

test('a wrong password is refused and logged, and five lock out the address but no other', async () => {
  const operator = newcomer();
  for (let attempt = 1; attempt <= 5; attempt++) {
    const { status, text } = await operator.submit('/portal/sign-in', { password: `wrong ${attempt}` });
    expect(status).toBe(403);
    expect(text).toContain('That is not the password.');
  }
  const locked = await operator.submit('/portal/sign-in', { password });
  expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '900']);
  expect(locked.text).toContain('Try again in 15 min');
  const log = await (await newcomer().signIn()).get('/portal/log');
  expect(log.text.match(/refused sign-in/g)).toHaveLength(5);
  expect(log.text).not.toContain('wrong 1');
});

test('concurrent attempts are counted before the password is checked', async () => {
  const operator = newcomer();
  const fields = { ...(await operator.hidden('/portal/sign-in')), password: 'wrong' };
  const answers = await Promise.all(Array.from({ length: 12 }, () => operator.post('/portal/sign-in', fields)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(403), ...Array(7).fill(429)]);
});

test('while many addresses try passwords, others wait for only a few checks, and a refused one learns when to come back', {
  timeout: 120_000,
}, async () => {
  const visitors = Array.from({ length: 12 }, () => newcomer());
  const forms = await Promise.all(visitors.map((visitor) => visitor.hidden('/portal/sign-in')));
  const operator = newcomer();
  const form = await operator.hidden('/portal/sign-in');
  const flood = visitors.flatMap((visitor, index) =>
    Array.from({ length: 5 }, () => visitor.post('/portal/sign-in', { ...forms[index], password: 'wrong' })),
  );
  let isOver = false;
  const answers = Promise.all(flood).finally(() => {
    isOver = true;
  });
  // The first refusal says that the queue is full.
  await Promise.race(flood.map(async (answer) => ((await answer).status === 503 ? undefined : new Promise(() => {}))));
  const entered = await operator.post('/portal/sign-in', { ...form, password });
  expect([entered.status, entered.location, isOver]).toEqual([303, '/portal', false]);

  const refused = (await answers).filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(20);
  for (const { headers, text } of refused) {
    expect([headers.get('retry-after'), headers.get('content-type')]).toEqual(['5', 'text/html; charset=utf-8']);
    expect(text).toContain('Too many sign-ins are being checked.');
  }
});

test('signing out ends the session, not only the cookie', async () => {
  const operator = await newcomer().signIn();
  const { cookie } = operator;
  expect((await operator.submit('/portal', {}, '/portal/sign-out')).location).toBe('/portal/sign-in');
  operator.cookie = cookie;
  expect((await operator.get('/portal')).status).toBe(303);
});

test('a form needs its token; a missing, forged or foreign one is refused', async () => {
  const [operator, other] = [await newcomer().signIn(), await newcomer().signIn()];
  const name = 'Forged GmbH';
  const fields = { slug: 'forged', name, tier: 'basic' };
  const foreign = (await other.hidden('/portal/customers')).token ?? '';
  for (const token of [undefined, '', 'x', 'ü'.repeat(43), foreign]) {
    const { status } = await operator.post('/portal/customers', { ...fields, ...(token !== undefined && { token }) });
    expect(status).toBe(403);
  }
  const json = await operator.get('/portal/customers', {
    method: 'POST',
    body: JSON.stringify(fields),
    headers: { 'Content-Type': 'application/json' },
  });
  expect(json.status).toBe(400);
  expect((await operator.get('/portal/customers')).text).not.toContain(name);
  expect((await newcomer().post('/portal/sign-in', { password })).status).toBe(403);
});
