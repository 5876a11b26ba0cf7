/** Settings that depend on each other. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bulkPoolSizeOf, readConfig } from '../../src/config.ts';
import { testSecret } from '../support/settings.ts';

const sizeOf = (settings: Readonly<Record<string, string>>): number =>
  bulkPoolSizeOf(readConfig({ DATABASE_URL: 'postgres://x/y', KEY_SECRET: testSecret, ...settings }));

test('workers share the connections for large pages, unless a number is given', () => {
  expect(['1', '2', '4', '16'].map((workers) => sizeOf({ WORKERS: workers }))).toEqual([16, 8, 4, 3]);
  expect(sizeOf({ WORKERS: '4', BULK_POOL_SIZE: '7' })).toBe(7);
  expect(() => sizeOf({ BULK_POOL_SIZE: 'many' })).toThrow('BULK_POOL_SIZE must be auto or a whole number from 1 to 1000');
});

test('a setting under its previous name is refused', () => {
  expect(readConfig({}).RESPONSE_CACHE_MB).toBe(64);
  expect(() => readConfig({ ANSWER_CACHE_MB: '7' })).toThrow('ANSWER_CACHE_MB is now RESPONSE_CACHE_MB');
});

/** Files that show settings to operators. */
const published = [
  'README.md',
  'Dockerfile',
  '.env.example',
  ...readdirSync('.').filter((name) => /^docker-compose.*yml$/.test(name)),
].concat(
  ['docs', 'docs/guide', 'ops'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(?:md|yml|cfg|conf)$/.test(name))
      .map((name) => `${folder}/${name}`),
  ),
);

test('no published value is accepted as a secret with a database server', () => {
  const server = { DATABASE_URL: 'postgres://x/y', KEY_SECRET: testSecret };
  const earlier = ['only-for-a-trial-on-this-machine', 'at least 16 characters, the same on every instance'];
  for (const KEY_SECRET of earlier)
    expect(() => readConfig({ ...server, KEY_SECRET })).toThrow(/^KEY_SECRET is a value from the documentation/);
  const PORTAL_PASSWORD = 'at least 12 characters';
  expect(() => readConfig({ ...server, PORTAL_PASSWORD })).toThrow(/^PORTAL_PASSWORD is a value from the documentation/);
  const shown = published.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(
      /\b(KEY_SECRET|PORTAL_PASSWORD)(?:=|: )(?:\$\{\w+:-([^}]+)\}|'([^']+)'|"([^"$]+)"|([\w-]{8,}))/g,
    ),
  ]);
  for (const [, name = '', ...values] of shown)
    expect(() => readConfig({ ...server, [name]: values.find(Boolean) })).toThrow(/is a value from the documentation|must have at least/);
});
