/** Saved questions as a tool: which ones it lists, its variables, its bounds, and its errors (contract: tools for agents). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { QuestionStore } from '../../src/access/questions.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { examples } from '../../src/web/graphiql/examples.ts';
import { ask } from '../graphql/client.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';
import { type Agent, agentKey, connect } from './agent.ts';

const documents = {
  properties: '# Which properties are there?\n{ properties(first: 3) { nodes { propertyId propertyName } } }',
  tenants:
    '# Who rents in a property?\nquery ($property: Int!) { tenants(first: 5, filter: { propertyId: { eq: $property } }) { nodes { tenantId name } } }',
  ledger: '# Accounts\n{ accounts(first: 1) { nodes { accountId } } }',
  everything: `{ ${Array.from({ length: 10 }, (_, at) => `o${at}: orders(first: 1000) { nodes { orderId subject status totalNet } }`).join(' ')} }`,
} as const;

let service: TestService;
let agent: Agent;
beforeAll(async () => {
  service = await startService();
  const store = new QuestionStore(service.database);
  for (const [name, document] of Object.entries(documents)) await store.add({ name, document }, 'nord');
  await store.add({ name: 'others', document: documents.properties }, 'sued');
  agent = await connect(service, await agentKey(service));
});
afterAll(async () => {
  await agent.close();
  await service.stop();
});

const toolOf = async ({ client }: Agent) => (await client.listTools()).tools.find(({ name }) => name === 'run_question');

/** The names of the questions in the schema of the tool, and what the list has. */
const questionsIn = async (of: Agent) => {
  const schema = (await toolOf(of))?.inputSchema.properties?.question as unknown as { readonly enum: readonly string[] };
  const { data, note, mark } = await of.call('list_questions');
  return { names: schema.enum, listed: data.questions as { question: string; title: string; variables: unknown }[], note, mark };
};

test('lists the questions of the customer that the key may ask, with their titles and variables', async () => {
  const { names, listed, note, mark } = await questionsIn(agent);
  const saved = Object.keys(documents).sort();
  expect(names).toEqual([...saved, ...Object.keys(examples)]);
  expect(listed.map(({ question }) => question)).toEqual(names);
  expect(listed).toContainEqual({ question: 'tenants', title: 'Who rents in a property?', variables: { property: 'Int!' } });
  expect([note, mark]).toEqual([expect.stringContaining(`${names.length} of ${names.length} questions.`), { 'estate/untrusted': true }]);
  const basic = await connect(service, await agentKey(service, { tier: 'basic' }));
  const ofBasic = await questionsIn(basic);
  expect(ofBasic.names).toEqual(expect.arrayContaining(['properties', 'property-units', 'vacancy-by-month']));
  expect(JSON.stringify(ofBasic)).not.toMatch(/tenants|ledger|rent-roll|arrears/);
  await basic.close();
});

test('answers the examples by the names of their files, as GraphQL does', async () => {
  const { data } = await ask(service, examples['dearest-trades']);
  expect((await agent.call('run_question', { question: 'dearest-trades' })).data).toEqual(data);
  const refused: string[] = [];
  for (const question of Object.keys(examples)) {
    const { isError, text } = await agent.call('run_question', { question, variables: null });
    if (isError && !/The answer has \d+ KB, more than 64/.test(text)) refused.push(`${question}: ${text}`);
  }
  expect(refused).toEqual([]);
});

test('a saved question comes before an example of its name', async () => {
  await new QuestionStore(service.database).add({ name: 'dearest-trades', document: documents.properties }, 'sued');
  const customer = await findCustomer(service.database, 'sued');
  const { key } = await new KeyStore(service.database, testSecret).create({ customer, tier: 'enterprise', groups: ['agents'] });
  const other = await connect(service, key);
  expect((await other.call('run_question', { question: 'dearest-trades' })).data.properties.nodes).toHaveLength(3);
  await other.close();
});

test('answers as the link of the question does, within the data scope of the key', async () => {
  const { json } = await service.get('/questions/properties', { key: keys.nordEnterprise });
  const { data, note, mark } = await agent.call('run_question', { question: 'properties' });
  expect(data).toEqual(json.data);
  expect(note).toContain('The answer to properties.');
  expect(mark).toEqual({ 'estate/untrusted': true });
  const part = await connect(service, await agentKey(service, { scope: { properties: { ids: [1001] } } }));
  const asked = await part.call('run_question', { question: 'properties', variables: null });
  expect(asked.data.properties.nodes.map(({ propertyId }: { propertyId: number }) => propertyId)).toEqual([1001]);
  await part.close();
});

test('takes variables by name, and refuses wrong ones', async () => {
  const { json } = await service.get('/questions/tenants?property=1001', { key: keys.nordEnterprise });
  expect((await agent.call('run_question', { question: 'tenants', variables: { property: 1001 } })).data).toEqual(json.data);
  const refusals = [
    [{}, 'question'],
    [{ question: 'nothing' }, 'question'],
    [{ question: 'others' }, 'question'],
    [{ question: 'tenants' }, 'property'],
    [{ question: 'tenants', variables: [] }, 'variables'],
    [{ question: 'tenants', variables: { property: 'x' } }, 'property'],
    [{ question: 'tenants', variables: { propertyId: 1 } }, 'propertyId'],
    [{ question: 'properties', name: 'x' }, 'name'],
  ] as const;
  for (const [given, named] of refusals) {
    const { isError, text } = await agent.call('run_question', given);
    expect([given, isError, text]).toEqual([given, true, expect.stringContaining(named)]);
  }
});

test('refuses an answer that is longer than a result, because a part of it would be wrong', async () => {
  const { isError, text } = await agent.call('run_question', { question: 'everything' });
  expect([isError, text]).toEqual([true, expect.stringMatching(/The answer has \d+ KB, more than 64/)]);
});
