/** The language of the portal: the choice of the browser that Explore also keeps, else the browser's own language. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { languageOf } from '../../src/web/pages/language.ts';
import { startService, type TestService } from '../support/service.ts';
import { Operator, password } from './operator.ts';

let service: TestService;
let operator: Operator;

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password } });
  operator = await new Operator(service).signIn();
});
afterAll(() => service.stop());

test.each([
  ['', '', 'en'],
  ['', 'de', 'de'],
  ['', 'de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['', 'en-GB,de;q=0.9', 'en'],
  ['', 'del', 'en'],
  ['estate-language=en', 'de', 'en'],
  ['a=b; estate-language=de; c=d', 'en', 'de'],
  ['my-estate-language=de', 'en', 'en'],
  ['estate-language=fr', 'de', 'de'],
])('the cookies %j and the language %j give %s', (cookies, preferred, language) => {
  expect(languageOf(cookies, preferred)).toBe(language);
});

/** What the page with these headers says. */
const said = async (headers: Readonly<Record<string, string>>, path = '/portal/keys/new?customer=nord') => {
  const { text } = await operator.get(path, { headers });
  return {
    page: /<html lang="(\w+)"/.exec(text)?.[1],
    content: /<main id="content"[^>]* lang="(\w+)"/.exec(text)?.[1],
    signOut: /<button class="plain"[^>]*>(Sign out|Abmelden)</.exec(text)?.[1],
  };
};

test('the frame is in the language of the browser, and a page without German texts says that it is English', async () => {
  expect(await said({})).toEqual({ page: 'en', content: undefined, signOut: 'Sign out' });
  expect(await said({ 'Accept-Language': 'de-DE,de;q=0.9' })).toEqual({ page: 'de', content: 'en', signOut: 'Abmelden' });
});

test('a choice is a cookie without a credential, and leads back to the page', async () => {
  const page = '/portal/keys/new?customer=nord';
  const action = `/portal/language?to=${encodeURIComponent(page)}`;
  const { token = '' } = await operator.hidden(page, action);
  const body = (language: string) => new URLSearchParams({ token, language });
  const chosen = await operator.get(action, { method: 'POST', body: body('de'), headers: { Cookie: operator.cookie } });
  expect([chosen.status, chosen.location, chosen.headers.get('set-cookie')]).toEqual([
    303,
    page,
    'estate-language=de; Max-Age=31536000; Path=/; SameSite=Lax',
  ]);
  operator = await new Operator(service).signIn();
  expect(await said({ Cookie: `${operator.cookie}; estate-language=de` })).toMatchObject({ page: 'de' });
  const other = await operator.hidden(page, action);
  const unknown = await operator.post(action, { ...other, language: 'fr' });
  expect([unknown.status, unknown.headers.get('set-cookie')]).toEqual([303, null]);
  const elsewhere = await operator.post('/portal/language?to=https%3A%2F%2Fevil.example%2F', { ...other, language: 'fr' });
  expect(elsewhere.location).toBe('/portal');
  expect((await operator.post(action, { language: 'de' })).status).toBe(403);
});

test('the sign-in and errors are German, with the same choice', async () => {
  const visitor = new Operator(service, { 'Accept-Language': 'de' });
  const signIn = await visitor.get('/portal/sign-in');
  for (const words of ['<html lang="de"', 'Passwort des Betreibers', 'name="language" value="en" lang="en">English'])
    expect(signIn.text).toContain(words);
  const refused = await visitor.submit('/portal/sign-in', { password: 'wrong' });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Das ist nicht das Passwort.')]);
  await visitor.signIn();
  expect((await visitor.get('/portal/nothing')).text).toContain('Diese Seite gibt es nicht');
  expect((await visitor.get('/portal/customers/nobody')).text).toContain('<p class="lead"><span lang="en">');
});
