/** Settings that depend on each other. */
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

test('a setting can also be read under its previous name', () => {
  expect(readConfig({}).RESPONSE_CACHE_MB).toBe(64);
  expect(readConfig({ ANSWER_CACHE_MB: '7' }).RESPONSE_CACHE_MB).toBe(7);
  expect(readConfig({ ANSWER_CACHE_MB: '7', RESPONSE_CACHE_MB: '8' }).RESPONSE_CACHE_MB).toBe(8);
});
