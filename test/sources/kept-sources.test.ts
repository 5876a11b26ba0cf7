/** Sources that are kept with a customer (contract: kept sources). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentSources, endSource, findKeptSource, keepSource, parseVersion, sourceHistory } from '../../src/sources/kept/kept-sources.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { startService, type TestService } from '../support/service.ts';
import { LoadedCustomer } from './support.ts';

let service: TestService;
let owner: LoadedCustomer;
beforeAll(async () => {
  service = await startService();
  owner = await LoadedCustomer.add(service.database, 'keeper');
});
afterAll(() => service.stop());

const anna = { name: 'anna', address: '10.0.0.1' };
const textOf = (name: string, comment: string, more = '') =>
  `# ${comment}\nname: ${name}\n${more}tables:\n  - table: creditor_hdr\n    path: "*.csv"\n    mode: upsert\n    primaryKey: Nr\n    columns: { website: Name }\n`;

const keep = (text: string, after?: number) =>
  keepSource(service.database.control, { customer: owner.customer, actor: anna }, { source: parseSource(text, 'erp.yml'), text, after });
const find = (wanted: { name?: string; version?: number } = {}) => findKeptSource(service.database.control, owner.customer, wanted);

test('each text is a version with its comments; the log names who kept it', async () => {
  await expect(find()).rejects.toThrow('keeper has no kept source.');
  const first = await keep(textOf('erp', 'für Müller: <b>'), 0);
  expect(first).toMatchObject({ name: 'erp', version: 1, kept_by: 'anna', isEnd: false });
  expect(await keep(textOf('erp', 'für Müller: <b>'))).toEqual(first);
  expect(await keep(textOf('erp', 'second'), 1)).toMatchObject({ version: 2 });

  expect((await find()).text).toBe(textOf('erp', 'second'));
  expect((await find({ name: 'erp', version: 1 })).text).toBe(textOf('erp', 'für Müller: <b>'));
  const { rows } = await service.database.pool.query(
    "select actor, address, subject from estate.audit_log where action = 'kept source' order by id",
  );
  expect(rows).toEqual([1, 2].map((version) => ({ actor: 'anna', address: '10.0.0.1', subject: `keeper: erp, version ${version}` })));
});

test('of two changes of one version, the second is refused', async () => {
  await expect(keep(textOf('erp', 'late'), 1)).rejects.toThrow('The source erp has a newer version, which somebody else kept meanwhile');
  const both = await Promise.allSettled([keep(textOf('race', 'a'), 0), keep(textOf('race', 'b'), 0)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await endSource(service.database.control, { customer: owner.customer, actor: anna }, 'race');
});

test('several sources need a name, and an ended source is found by its version only', async () => {
  await keep(textOf('south', 'x'));
  await expect(find()).rejects.toThrow('keeper has the kept sources erp, south: name one.');
  await expect(find({ name: "a'; drop" })).rejects.toThrow("keeper has no kept source 'a'; drop'. It has erp, south.");
  await endSource(service.database.control, { customer: owner.customer, actor: anna }, 'south');
  expect((await currentSources(service.database.control, owner.customer)).map(({ name }) => name)).toEqual(['erp']);
  expect((await find({ name: 'south', version: 1 })).version).toBe(1);
  await expect(find({ name: 'south', version: 2 })).rejects.toThrow("keeper has no version 2 of a source 'south'.");
  expect((await sourceHistory(service.database.control, owner.customer)).filter(({ name }) => name === 'south')).toMatchObject([
    { version: 2, isEnd: true },
    { version: 1, isEnd: false },
  ]);
  expect(await keep(textOf('south', 'again'))).toMatchObject({ version: 3 });
  await endSource(service.database.control, { customer: owner.customer, actor: anna }, 'south');
});

test('a version never changes, and goes with its customer', async () => {
  await expect(service.database.pool.query("update estate.kept_sources set text = 'x'")).rejects.toThrow('kept_sources only grows');
  await expect(service.database.pool.query('truncate estate.kept_sources')).rejects.toThrow('kept_sources only grows');
});

test('a password of a database is refused, and a variable in its place is not', async () => {
  const withUrl = (url: string) => textOf('base', 'x', `databases: { d: { type: postgres, url: "${url}" } }\n`);
  for (const url of ['postgres://me:hunter2@db/x', 'postgres://me@db/x?password=hunter2']) {
    const refused = await keep(withUrl(url)).catch((error: Error) => error.message);
    expect(refused).toContain('has a password');
    expect(refused).not.toContain('hunter2');
  }
  expect(await keep(withUrl(`postgres://me:\${SOURCE_PASSWORD}@db/x`))).toMatchObject({ name: 'base', version: 1 });
  expect(await keep(withUrl(`\${SOURCE_URL}`))).toMatchObject({ name: 'base', version: 2 });
  await endSource(service.database.control, { customer: owner.customer, actor: anna }, 'base');
});

test.each(['', '0', '1e3', '-1', '٣', '99999999999'])('%j is no version', (text) => {
  expect(() => parseVersion(text)).toThrow('is no version');
});
