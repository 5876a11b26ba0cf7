/** The versions of PostgreSQL that docs/operating.md states. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { onServer, openTestDatabase } from '../support/database.ts';

const stated = (pattern: RegExp): string | undefined => pattern.exec(readFileSync('docs/operating.md', 'utf8'))?.[1];

test.skipIf(onServer)('of the embedded database', async () => {
  const database = await openTestDatabase();
  const { rows } = await database.pool.query<{ server_version: string }>('show server_version');
  await database.close();
  expect(stated(/embedded\s+database, which is PostgreSQL (\d+)/)).toBe(rows[0]?.server_version.split('.')[0]);
});

test('of the containers', () => {
  const images = readFileSync('docker-compose.yml', 'utf8').matchAll(/image: postgres:(\d+)/g);
  expect(new Set([...images].map(([, version]) => version))).toEqual(new Set([stated(/`docker-compose.yml` uses PostgreSQL (\d+)/)]));
});
