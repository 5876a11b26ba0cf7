/** The outcome of a check is kept with its question: lists parse nothing, and another schema checks once (contract: saved questions). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { QuestionStore } from '../../src/access/questions.ts';
import { defaultGroups } from '../../src/catalogue/tiers.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { agentKey, connect } from '../agents/agent.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';

/** More tokens than the cache of parsed documents takes. */
const large = `query ($first: Int = 1) { properties(first: $first, filter: { propertyId: { in: [${'1001 '.repeat(2_500)}] } }) { nodes { propertyId } } }`;
const ofOneList = '# One list\n{ properties(first: 1) { nodes { propertyId } } }';
const ofOrders = '{ orders(first: 1) { nodes { orderId } } }';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  const store = new QuestionStore(service.database);
  await store.add({ name: 'large', document: large }, 'nord');
  await store.add({ name: 'list', document: ofOneList }, 'nord');
  await store.add({ name: 'orders', document: ofOrders }, 'nord');
});
afterAll(() => service.stop());

const outcomesOf = async (name: string): Promise<readonly unknown[]> => {
  const { rows } = await service.database.pool.query('select outcomes from estate.questions where name = $1', [name]);
  return Object.values(rows[0].outcomes);
};
const listed = async (key: string) => (await service.get('/questions', { key })).json as { name: string; document: string }[];
const namesOf = (questions: readonly { name: string }[]) => questions.map(({ name }) => name);

test('a list keeps what each schema makes of a question, and parses nothing again', async () => {
  expect(namesOf(await listed(keys.nordEnterprise))).toEqual(['large', 'list', 'orders']);
  expect(namesOf(await listed(keys.nordBasic))).toEqual(['large', 'list']);
  const variables = [{ name: 'first', type: 'Int' }];
  expect(await outcomesOf('large')).toEqual([
    { lists: 1, variables },
    { lists: 1, variables },
  ]);
  expect(await outcomesOf('list')).toEqual(Array(2).fill({ lists: 1, variables: [] }));
  expect(await outcomesOf('orders')).toEqual(expect.arrayContaining([{ lists: 1, variables: [] }, null]));
  // A document that nobody can parse shows that nobody does.
  const before = await listed(keys.nordEnterprise);
  await service.database.pool.query("update estate.questions set document = '# Changed {{'");
  const changed = () => listed(keys.nordEnterprise);
  await expect
    .poll(async () => new Set((await changed()).map(({ document }) => document)), { timeout: 30_000 })
    .toEqual(new Set(['# Changed {{']));
  expect(namesOf(await changed())).toEqual(namesOf(before));
  expect((await changed()).map((each) => ({ ...each, document: '', title: '', etag: '' }))).toEqual(
    before.map((each) => ({ ...each, document: '', title: '', etag: '' })),
  );
  expect(namesOf(await listed(keys.nordBasic))).toEqual(['large', 'list']);
  const agent = await connect(service, await agentKey(service));
  const { data } = await agent.call('list_questions');
  expect(data.questions.slice(0, 3).map(({ question }: { question: string }) => question)).toEqual(['large', 'list', 'orders']);
  await agent.close();
});

test('an outcome of another schema does not count', async () => {
  await service.database.pool.query(`update estate.questions set document = $1, outcomes = '{"another": null}' where name = 'list'`, [
    ofOneList,
  ]);
  const listThenRead = async () => {
    expect(namesOf(await listed(keys.nordEnterprise))).toContain('list');
    return outcomesOf('list');
  };
  // An instance uses questions that it has read for 2 seconds.
  await expect.poll(listThenRead, { timeout: 60_000 }).toEqual(expect.arrayContaining([null, { lists: 1, variables: [] }]));
});

test('a question is checked when it is saved, within stated sizes', async () => {
  const customer = await findCustomer(service.database, 'nord');
  const groups = [...defaultGroups, 'questions' as const];
  const { key } = await new KeyStore(service.database, testSecret).create({ customer, tier: 'enterprise', groups });
  const save = async (name: string, document: string) => {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.url}/questions/${name}`, { method: 'PUT', headers, body: JSON.stringify({ document }) });
    return [answer.status, (await answer.json()).detail];
  };
  expect(await save('saved', ofOneList)).toEqual([201, undefined]);
  expect(await outcomesOf('saved')).toEqual([{ lists: 1, variables: [] }]);
  const withVariables = (names: readonly string[]) =>
    `query (${names.map((name) => `$${name}: Int!`).join()}) { properties(first: 1, filter: { propertyId: { in: [${names.map((name) => `$${name}`).join()}] } }) { nodes { propertyId } } }`;
  expect(await save('many', withVariables(Array.from({ length: 51 }, (_, at) => `v${at}`)))).toEqual([
    422,
    'body -> document: A question has at most 50 variables.',
  ]);
  expect(await save('long', withVariables([`ignore_all_${'x'.repeat(60)}`]))).toEqual([
    422,
    'body -> document: The name of a variable has at most 63 characters.',
  ]);
});
