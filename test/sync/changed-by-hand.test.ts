/** Rows that are changed by SQL stay invisible until the data is declared restored (docs/administration.md, Changes by hand). */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { beginEpochForAll } from '../../src/database/control/epoch.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const path = '/raw/person?limit=1';

test('a row changed by SQL is shown only after `estate restored`', async () => {
  const before = await service.get(path);
  const etag = before.headers.get('etag') ?? '';
  await sqlOn(service)("update customer_nord.person set company_name = 'Changed by hand' where true");

  expect((await service.get(path)).text).toBe(before.text);
  expect((await service.get(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);

  await beginEpochForAll(service.database);
  await vi.waitFor(async () => {
    const after = await service.get(path, { headers: { 'If-None-Match': etag } });
    expect([after.status, after.json.data[0].company_name]).toEqual([200, 'Changed by hand']);
  });
});

test.each(['0', '64'])(
  'after `estate restored`, the first page of each customer has a new version (%s MB of response cache)',
  async (megabytes) => {
    const own = await startService({ environment: { RESPONSE_CACHE_MB: megabytes } });
    try {
      for (const key of [keys.nordEnterprise, keys.suedEnterprise]) {
        const before = await own.get(path, { key });
        await beginEpochForAll(own.database);
        await vi.waitFor(async () => {
          const after = await own.get(`${path}&offset=1`, { key });
          expect(Number(after.headers.get('x-data-version'))).toBeGreaterThan(Number(before.headers.get('x-data-version')));
        });
        const unseen = await own.get(path, { key });
        expect(Number(unseen.headers.get('x-data-version'))).toBeGreaterThan(Number(before.headers.get('x-data-version')));
        expect(unseen.headers.get('etag')).not.toBe(before.headers.get('etag'));
      }
    } finally {
      await own.stop();
    }
  },
);
