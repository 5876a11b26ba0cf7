/**
 * The weighted average lease term against values computed by hand from the files in `small/` (contract: measures).
 *
 * On 2024-12-31 the tenancy 20402 ends in 1,095 days (fixed term) and the tenancy 20410 in 911 days (notice, before the end of its fixed
 * term). 20403 has no end.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, dataOf } from '../graphql/client.ts';
import { startService, type TestService } from '../support/service.ts';
import { load } from '../sync/support.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await load(service.database, ['test/catalogue/small'], { customer: 'nord' });
});
afterAll(() => service.stop());

const groups = '/contracts/contract_debits/groups';
const months = 'as_of:month(2024-11-30,2024-12-31)';

test('REST, over all rows and by property', async () => {
  // 1,095 days of 6,000 EUR a year and 911 days of 4,100 EUR a year. In November, each has 31 days more.
  expect((await service.get(`${groups}?measure=walt&by=${months}`)).json).toEqual([
    { as_of: '2024-11-30', walt: 2.88 },
    { as_of: '2024-12-31', walt: 2.79 },
  ]);
  expect((await service.get(`${groups}?measure=walt&by=property_id&by=as_of:year(2024-12-31,2024-12-31)`)).json).toEqual([
    { property_id: 1001, as_of: '2024-12-31', walt: 3 },
    { property_id: 1002, as_of: '2024-12-31', walt: 2.49 },
  ]);
});

test('GraphQL, with an order and a condition', async () => {
  const { found } = await dataOf(
    service,
    `{ found: contractDebitsGroups(
        asOf: { every: MONTH, from: "2024-11-30", to: "2024-12-31" }
        orderBy: [{ measure: WALT }]
        having: { measures: { walt: { gt: 2 } } }
      ) { groups { asOf measures { walt } } } }`,
  );
  expect(found.groups).toEqual([
    { asOf: '2024-12-31', measures: { walt: 2.79 } },
    { asOf: '2024-11-30', measures: { walt: 2.88 } },
  ]);
});

test('a tenancy that ended has no term left, and one without an end does not count', async () => {
  const by = 'as_of:year(2028-12-31,2028-12-31)';
  expect((await service.get(`${groups}?measure=walt&by=${by}&property_id=1002`)).json).toEqual([{ as_of: '2028-12-31', walt: 0 }]);
  expect((await service.get(`${groups}?measure=walt&by=${by}&account_id=20403`)).json).toEqual([{ as_of: '2028-12-31', walt: null }]);
});

test('without a series it is refused', async () => {
  const expected = 'walt needs a series of days, such as as_of:month(2025-01-01,2025-12-31)';
  const { status, text } = await service.get(`${groups}?measure=walt&by=property_id`);
  expect([status, text]).toEqual([422, expect.stringContaining(expected)]);
  const { errors } = await ask(service, '{ contractDebitsGroups { groups { measures { walt } } } }');
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining(expected)]);
});
