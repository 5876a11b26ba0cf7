import { afterAll, beforeAll, expect, test } from 'vitest';
import { Directories } from '../../src/cache/directory.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { findAllDifferences, findDifferences } from '../../src/database/inspect.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const ofSued = [
  'customer sued: table offers is missing and not offered',
  'customer sued: table tenants differs: contract_number is character varying instead of text, dunning_level is missing',
];

const differences = async (slug: string) => findDifferences(service.database, catalogue, [(await findCustomer(service.database, slug)).id]);

test('a customer that matches the catalogue has no differences', async () => {
  expect(await differences('nord')).toEqual([]);
});

test('every table that is missing or differs is named, with its columns', async () => {
  const sql = sqlOn(service);
  await sql('drop table customer_sued.offers');
  await sql('alter table customer_sued.tenants drop column dunning_level, alter column contract_number type varchar(100)');
  await sql('alter table customer_sued.owner add column something text');
  expect(await differences('sued')).toEqual(ofSued);
  expect(await differences('nord')).toEqual([]);
  expect(await findAllDifferences(service.database, catalogue)).toEqual(ofSued);
});

test("differences are logged once, at the customer's first request", async () => {
  const { id, schema_name: schema } = await findCustomer(service.database, 'sued');
  const heard: string[] = [];
  await new Promise<void>((resolve) => {
    const directories = new Directories(service.database, catalogue, (words) => {
      heard.push(words);
      if (heard.length === ofSued.length) resolve();
    });
    for (let asked = 0; asked < 3; asked++) void directories.of({ id, schema });
  });
  expect(heard).toEqual(ofSued);
});

test('a missing table is not offered to that customer', async () => {
  const statusOf = async (path: string, key: string) => (await service.get(path, { key })).status;
  expect(await statusOf('/operations/offers?limit=1', keys.suedEnterprise)).toBe(404);
  expect(await statusOf('/meta/offers/values/offer_type', keys.suedEnterprise)).toBe(404);
  expect(await statusOf('/operations/offers?limit=1', keys.nordEnterprise)).toBe(200);
  for (const path of ['/catalog', '/tables', '/changes?since=2024-01-01'])
    expect((await service.get(path, { key: keys.suedEnterprise })).text).not.toContain('"offers"');
});
