import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultAsOf } from '../../demo/generate.ts';
import { openTestDatabase } from '../support/database.ts';

/** The facts of the dictionary: `-- NAME: fact.` and a query that finds violations. */
const facts = readFileSync(new URL('../goldens/integrity.sql', import.meta.url), 'utf8')
  .split(/^-- (?=[A-Z]+-)/m)
  .map((text) => text.trim())
  .filter(Boolean)
  .map((text) => {
    const [heading = '', ...lines] = text.split('\n');
    return [heading, lines.join('\n').replaceAll(/:'?as_of'?/g, () => `date '${defaultAsOf}'`)] as const;
  });

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('the facts are parsed', () => {
  expect(facts.length).toBeGreaterThan(40);
});

describe.each(['nord', 'sued'])('every fact of the dictionary holds for %s', (slug) => {
  test.each(facts)('%s', async (_, query) => {
    const client = await database.pool.connect();
    try {
      await client.query(`set search_path to customer_${slug}`);
      expect((await client.query(query)).rows.slice(0, 5)).toEqual([]);
    } finally {
      await client.query('reset search_path');
      client.release();
    }
  });
});
