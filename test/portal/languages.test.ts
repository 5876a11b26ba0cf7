/** The language of the portal: the choice of the browser that Explore also keeps, else the browser's own language. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { languageOf } from '../../src/web/pages/language.ts';
import { startInstance, startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { englishOn } from './german.ts';
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
const said = async (headers: Readonly<Record<string, string>>, path = '/portal/usage') => {
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
  const action = '/portal/language?to=%2Fportal%2Fkeys%2Fnew';
  const { token = '' } = await operator.hidden(page, action);
  const body = (language: string) => new URLSearchParams({ token, language });
  const chosen = await operator.get(action, { method: 'POST', body: body('de'), headers: { Referer: `${service.url}${page}` } });
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
  expect(unknown.location).toBe('/portal/keys/new');
  const elsewhere = await operator.post('/portal/language?to=https%3A%2F%2Fevil.example%2F', { ...other, language: 'fr' });
  expect(elsewhere.location).toBe('/portal');
  expect((await operator.post(action, { language: 'de' })).status).toBe(403);
  const searched = await operator.get('/portal/language?to=%2Fportal%2Fkeys', {
    method: 'POST',
    body: new URLSearchParams({ ...other, language: 'fr' }),
    headers: { Referer: `${service.url}/portal/keys?q=${keys.nordBasic}` },
  });
  expect([searched.status, searched.location]).toEqual([303, '/portal/keys']);
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

const page = '/portal/customers/nord/data';

test('an English text on a German page would be found', async () => {
  const { text } = await operator.get(page);
  const found = englishOn(text.replace('<html lang="en"', '<html lang="de"'));
  for (const words of [
    'Sign out',
    'Load files',
    'deliveries at once.',
    'Category tables',
    'Optional: describes an export of an ERP system.',
  ])
    expect(found.join('\n')).toContain(words);
  expect(englishOn(text)).toEqual([]);
});

test('refusals of the portal are German, and those of the loader say that they are English', async () => {
  const german = await new Operator(service, { 'Accept-Language': 'de' }).signIn();
  const send = async (path: string, field: string, files: readonly (readonly [name: string, text: string])[]) => {
    const form = new FormData();
    form.append('token', (await german.hidden(path)).token ?? '');
    for (const [name, text] of files) form.append(field, new Blob([text]), name);
    const { status, text } = await german.get(path, { method: 'POST', body: form });
    expect([status, englishOn(text)]).toEqual([422, []]);
    return /role="alert">([\s\S]*?)<\/div>/.exec(text)?.[1];
  };
  const refused = (text: string) => `<p>Nichts wurde geändert.</p><pre>${text}</pre>`;
  expect(await send(page, 'files', [])).toBe(refused('Wählen Sie die Dateien aus, die geladen werden sollen.'));
  const twice = ['a.csv', 'b/a.csv'].map((name) => [name, 'x'] as const);
  expect(await send(page, 'files', twice)).toBe(refused('Zwei Dateien heißen „a.csv“.'));
  expect(await send(`${page}/sources`, 'source', [])).toBe(
    refused('Wählen Sie die Beschreibung der Quelle aus, die hinterlegt werden soll.'),
  );
  expect(await send(`${page}/sources`, 'source', [['erp.yml', 'tables: [']])).toContain('<pre><span lang="en">');
  for (const [path, words] of [
    [`${page}/uploads/00000000-0000-0000-0000-000000000000`, 'Diesen Upload gibt es nicht'],
    [`${page}/drafts/00000000-0000-0000-0000-000000000000`, 'Diesen Entwurf gibt es nicht'],
  ] as const)
    expect((await german.get(path)).text).toContain(words);
});

test('the form of a key that delivers files is German, with its refusals and with the key', async () => {
  const german = await new Operator(service, { 'Accept-Language': 'de' }).signIn();
  const path = '/portal/keys/new';
  const fields = { customer: 'nord', name: 'ERP', tier: 'basic' };
  const refused = await german.submit(path, { ...fields, expires: '2020-01-01' });
  for (const words of [
    'Nichts wurde geändert: 2 Felder sind noch nicht richtig.',
    'Wählen Sie mindestens eine Gruppe von Endpunkten.',
    'Ein Schlüssel kann nur an einem künftigen Tag ablaufen.',
    'Dateien liefern, und nichts anderes',
  ])
    expect(refused.text).toContain(words);
  expect([refused.status, englishOn(refused.text)]).toEqual([422, []]);
  const mixed = await german.submit(path, [...Object.entries({ ...fields, groups: 'rest' }), ['groups', 'deliveries']]);
  expect([mixed.status, mixed.text]).toEqual([422, expect.stringContaining('<span class="problem" id="groups-problem"><span lang="en">')]);
  const issued = await german.submit(path, { ...fields, groups: 'deliveries' });
  expect([issued.status, englishOn(issued.text)]).toEqual([200, []]);
  expect(issued.text).toContain('Kopieren Sie ihn jetzt.');
});

test('the cookie of the language is limited to the path prefix, and to https if the service is', async () => {
  const app = await startInstance(service.database, { PORTAL_PASSWORD: password, PUBLIC_URL: 'https://data.example/estate' });
  const ask = (method: 'GET' | 'POST', url: string, headers: Readonly<Record<string, string>> = {}, payload = '') =>
    app.inject({ method, url, headers, payload });
  const signIn = await ask('GET', '/portal/sign-in');
  const cookie = String(signIn.headers['set-cookie']).split(';', 1)[0] ?? '';
  const token = /name="token" value="([^"]*)"/.exec(signIn.body)?.[1] ?? '';
  expect(signIn.body).toContain('action="/estate/portal/language?to=%2Fportal%2Fsign-in"');
  const chosen = await ask(
    'POST',
    '/portal/language?to=%2Fportal%2Fsign-in',
    {
      Cookie: cookie,
      'Content-Type': 'application/x-www-form-urlencoded',
      Referer: 'https://data.example/estate/portal/sign-in?to=%2Fportal%2Fkeys',
    },
    new URLSearchParams({ token, language: 'de' }).toString(),
  );
  expect([chosen.statusCode, chosen.headers.location, chosen.headers['set-cookie']]).toEqual([
    303,
    '/estate/portal/sign-in?to=%2Fportal%2Fkeys',
    'estate-language=de; Max-Age=31536000; Path=/estate/; Secure; SameSite=Lax',
  ]);
  await app.close();
});
