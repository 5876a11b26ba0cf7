/** Rows that are changed by SQL stay invisible until the data is declared restored (docs/administration.md, Changes by hand). */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withClient } from '../../src/database/connections/transaction.ts';
import { ensureEpoch } from '../../src/database/control/epoch.ts';
import { startService, type TestService } from '../support/service.ts';
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

  await withClient(service.database.pool, (client) => ensureEpoch(client, 'in any case'));
  await vi.waitFor(async () => {
    const after = await service.get(path, { headers: { 'If-None-Match': etag } });
    expect([after.status, after.json.data[0].company_name]).toEqual([200, 'Changed by hand']);
  });
});
