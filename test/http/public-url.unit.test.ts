/** The setting PUBLIC_URL, and the addresses that follow from it (contract: public URL). */
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { PublicUrl, refuseOwnPaths } from '../../src/http/public-url.ts';
import { documentOf } from '../../src/web/pages/frame.ts';
import { html } from '../../src/web/pages/html.ts';
import { withPublicPaths } from '../../src/webhooks/message.ts';

describe('PUBLIC_URL', () => {
  test.each([
    ['', ''],
    ['https://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['HTTPS://Example.com:443/estate/', 'https://example.com/estate'],
    ['http://127.0.0.1:8080/data/estate-2', 'http://127.0.0.1:8080/data/estate-2'],
    ['http://[::1]:8080/~a/b_c.d', 'http://[::1]:8080/~a/b_c.d'],
  ])('%s is %s', (PUBLIC_URL, expected) => expect(readConfig({ PUBLIC_URL }).PUBLIC_URL).toBe(expected));

  test.each([
    'example.com/estate',
    '/estate',
    'ftp://example.com/estate',
    'https://user:secret@example.com/estate',
    'https://example.com/estate?',
    'https://example.com/estate?a=1',
    'https://example.com/estate#top',
    'https://example.com//estate',
    'https://example.com/estate//',
    'https://example.com/a%2Fb',
    'https://example.com/a;b',
    `https://example.com/a"b`,
    `https://a'b/estate`,
  ])('%s is refused', (PUBLIC_URL) =>
    expect(() => readConfig({ PUBLIC_URL })).toThrow(/^PUBLIC_URL must be an http:\/\/ or https:\/\/ address/),
  );
});

describe('without PUBLIC_URL', () => {
  const publicUrl = new PublicUrl('', 8080);

  test('addresses begin with this machine and the port, which the system may give', () => {
    expect(publicUrl.address).toBe('http://localhost:8080');
    const free = new PublicUrl('', 0);
    free.listensAt(49_152);
    expect(free.address).toBe('http://localhost:49152');
  });

  test('paths stay as they are', () => {
    expect([publicUrl.to('/catalog'), publicUrl.withoutPrefix('/estate/catalog'), publicUrl.server]).toEqual([
      '/catalog',
      '/estate/catalog',
      '/',
    ]);
  });
});

describe('with a path prefix', () => {
  const publicUrl = new PublicUrl('https://example.com/estate');

  test('addresses begin with it, whatever the port is', () => {
    publicUrl.listensAt(8080);
    expect(publicUrl.address).toBe('https://example.com/estate');
    expect(publicUrl.server).toBe('https://example.com/estate');
    expect(publicUrl.to('/operations/orders?limit=1')).toBe('/estate/operations/orders?limit=1');
  });

  test.each([
    ['/estate', '/'],
    ['/estate/', '/'],
    ['/estate?a=1', '/?a=1'],
    ['/estate/catalog?a=/estate/', '/catalog?a=/estate/'],
    ['/estate/estate/catalog', '/estate/catalog'],
    ['/catalog', '/catalog'],
    ['/estates/catalog', '/estates/catalog'],
    ['/Estate/catalog', '/Estate/catalog'],
    ['*', '*'],
  ])('%s means %s', (target, expected) => expect(publicUrl.withoutPrefix(target)).toBe(expected));
});

test.each([
  ['https://example.com/operations', 'operations'],
  ['https://example.com/docs/estate', 'docs'],
  ['https://example.com/estate', undefined],
  ['https://example.com', undefined],
])('%s begins like a path of the service: %s', async (text, first) => {
  const app = Fastify();
  refuseOwnPaths(app, new PublicUrl(text), ['operations']);
  app.get('/docs/page', () => '');
  const refused = `PUBLIC_URL must not begin its path with /${first}, which is a path of the service`;
  await (first ? expect(app.ready()).rejects.toThrow(refused) : app.ready());
});

describe('a page', () => {
  const body = html`<a href="/docs#a">a</a><a href="//other">b</a><a href="#c">c</a><img src="/x"><form action="/portal"><button formaction="/y">
${'<a href="/text">'}</button></form><link href="data:,">`;

  test('is the same without a prefix', () => {
    const text = documentOf({ prefix: '', title: 'T', body });
    expect(text).toContain(body.text);
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">\n/);
  });

  test('has the prefix before each path of the service, and on its root element', () => {
    const text = documentOf({ prefix: '/estate', title: 'T', body, scripts: ['/assets/1/a.js'] });
    expect(text).toMatch(/^<!doctype html>\n<html lang="en" data-prefix="\/estate">\n/);
    expect(text).toContain(`<a href="/estate/docs#a">a</a><a href="//other">b</a><a href="#c">c</a><img src="/estate/x">`);
    expect(text).toContain(`<form action="/estate/portal"><button formaction="/estate/y">\n&lt;a href=&quot;/text&quot;&gt;`);
    expect(text).toContain('<script src="/estate/assets/1/a.js"');
    expect(text).toMatch(/<link rel="stylesheet" href="\/estate\/assets\/\w+\/estate\.css">/);
  });
});

test('events of webhooks have the prefix in their paths, and nowhere else', () => {
  const data = JSON.stringify({ tables: [{ endpoint_url: '/raw/we"ird' }, { endpoint_url: '/a/b' }], note: '"endpoint_url":"/c"' });
  const { tables, note } = JSON.parse(withPublicPaths(data, (path) => `/estate${path}`));
  expect([tables, note]).toEqual([[{ endpoint_url: '/estate/raw/we"ird' }, { endpoint_url: '/estate/a/b' }], '"endpoint_url":"/c"']);
  expect(withPublicPaths(data, (path) => path)).toBe(data);
});
