/** Questions that keys save: rights, checks, preconditions, limits, audit (contract: questions of keys). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { KeyQuestions } from '../../src/access/key-questions.ts';
import { KeyStore, type NewKey } from '../../src/access/keys.ts';
import { QuestionStore, Questions, questionLimits } from '../../src/access/questions.ts';
import { defaultGroups } from '../../src/catalogue/tiers.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';

const document = `# Which properties are there?
query Properties($first: Int = 3, $ids: [Int!]) {
  properties(first: $first, filter: { propertyId: { in: $ids } }) { nodes { propertyId } }
}`;
const orders = '{ orders(first: 1) { nodes { orderId } } }';
const accounts = '{ accounts(first: 1) { nodes { accountName } } }';

let service: TestService;
let saver: string;
let colleague: string;

const issue = async (rights: Partial<NewKey> = {}): Promise<{ id: string; key: string }> => {
  const customer = await findCustomer(service.database, 'nord');
  return new KeyStore(service.database, testSecret).create({
    customer,
    tier: 'enterprise',
    groups: [...defaultGroups, 'questions'],
    name: 'Controlling',
    ...rights,
  });
};

beforeAll(async () => {
  service = await startService();
  saver = (await issue()).key;
  colleague = (await issue({ name: 'Letting' })).key;
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.database.pool.query('delete from estate.questions');
});

interface Change {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly method?: 'PUT' | 'DELETE';
}

const change = async (name: string, { key = saver, headers = {}, body, method = 'PUT' }: Change = {}) => {
  const answer = await fetch(`${service.url}/questions/${name}`, {
    method,
    headers: { 'X-API-Key': key, ...(method === 'PUT' && { 'Content-Type': 'application/json' }), ...headers },
    ...(method === 'PUT' && { body: typeof body === 'string' ? body : JSON.stringify(body ?? { document }) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, json: text === '' ? undefined : JSON.parse(text) };
};
const refusal = async (name: string, options: Change) => {
  const { status, json } = await change(name, options);
  return [status, json.detail];
};

describe('saving', () => {
  test('answers 201 with the question, which every key of the customer then asks', async () => {
    const { status, headers, json } = await change('properties');
    expect([status, headers.get('Location'), headers.get('ETag')]).toEqual([201, '/questions/properties', json.etag]);
    expect(json).toEqual({
      name: 'properties',
      title: 'Which properties are there?',
      endpoint_url: '/questions/properties',
      variables: [
        { name: 'first', type: 'Int' },
        { name: 'ids', type: '[Int!]' },
      ],
      formats: ['json', 'csv'],
      document,
      saved_by: 'Controlling',
      saved_at: expect.stringMatching(/^\d{4}-.*Z$/),
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
    expect((await service.get('/questions', { key: keys.nordBasic })).json).toEqual([json]);
    expect((await service.get('/questions/properties', { key: keys.nordBasic })).json.data.properties.nodes).toHaveLength(3);
    expect((await service.get('/questions', { key: keys.suedEnterprise })).json).toEqual([]);
    expect((await service.get('/questions/properties', { key: keys.suedEnterprise })).status).toBe(404);
  });

  test('makes a description the title, and values the defaults of variables', async () => {
    const body = { document, description: 'Zwei Häuser', variables: { first: 1, ids: [1001, 1002] } };
    const { json } = await change('two', { body });
    expect(json.title).toBe('Zwei Häuser');
    expect(json.document.split('\n').slice(0, 2)).toEqual([
      '# Zwei Häuser',
      'query Properties($first: Int = 1, $ids: [Int!] = [1001, 1002]) {',
    ]);
    expect((await service.get('/questions/two')).json.data.properties.nodes).toHaveLength(1);
  });

  test('writes values of every kind as literals', async () => {
    const typed = `query ($where: OrderFilter!, $order: [OrderOrderBy!], $text: String) {
      orders(filter: { and: [$where, { subject: { eq: $text } }] }, orderBy: $order, first: 1) { nodes { orderId } }
    }`;
    const variables = {
      where: { totalNet: { gte: 500.5 }, trade: { in: ['a "quoted" word', 'b\n'] } },
      order: [{ orderId: 'DESC' }],
      text: null,
    };
    const { status, json } = await change('kinds', { body: { document: typed, variables } });
    expect([status, json.detail ?? json.document.split('\n')[0]]).toEqual([
      201,
      'query ($where: OrderFilter! = {totalNet: {gte: 500.5}, trade: {in: ["a \\"quoted\\" word", "b\\n"]}}, $order: [OrderOrderBy!] = [{orderId: DESC}], $text: String) {',
    ]);
  });

  test('of a name that exists needs its tag', async () => {
    const { json } = await change('properties');
    const body = { document: orders };
    expect(await refusal('properties', { body })).toEqual([
      428,
      'There is a question of this name: send its etag in If-Match to replace it',
    ]);
    expect(await refusal('properties', { body, headers: { 'If-None-Match': '*' } })).toEqual([412, 'There is a question of this name']);
    const stale = { body, headers: { 'If-Match': '"another"' } };
    expect(await refusal('properties', stale)).toEqual([412, 'The question has none of the tags in If-Match']);
    expect(await refusal('nothing', stale)).toEqual([412, 'The question has none of the tags in If-Match']);
    const replaced = await change('properties', { body, headers: { 'If-Match': json.etag }, key: colleague });
    expect([replaced.status, replaced.json.document, replaced.json.saved_by]).toEqual([200, orders, 'Letting']);
    expect((await change('properties', { body, headers: { 'If-Match': '*' } })).status).toBe(200);
    expect((await change('fresh', { body, headers: { 'If-None-Match': '*' } })).status).toBe(201);
  });

  test('of one name at the same time has one winner', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => change('race')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 428)]);
  });

  test('ends at the number of questions of a customer', async () => {
    const { id, slug, schema_name: schema } = await findCustomer(service.database, 'nord');
    const store = new KeyQuestions(service.database, new Questions(service.database));
    const from = { caller: { keyId: 'any', customer: { id, slug, schema } }, address: '::1' };
    for (let at = 0; at < questionLimits.ofCustomer; at++) await store.save(from, { name: `q${at}`, document: orders }, () => {});
    expect(await refusal('more', {})).toEqual([409, 'The customer has 200 questions of keys, which is the maximum: remove one first']);
    expect((await change('q0', { headers: { 'If-Match': '*' } })).status).toBe(200);
  });
});

describe('removal', () => {
  test('is a 204, with the tag if it is given', async () => {
    await change('gone');
    const method = 'DELETE';
    expect(await refusal('gone', { method, headers: { 'If-Match': '"another"' } })).toEqual([
      412,
      'The question has none of the tags in If-Match',
    ]);
    expect((await change('gone', { method, key: colleague })).status).toBe(204);
    expect((await service.get('/questions/gone')).status).toBe(404);
    expect(await refusal('gone', { method })).toEqual([404, 'There is no question of this name']);
  });
});

describe('rights', () => {
  test('are the groups questions and graphql, and a valid key', async () => {
    const forbidden = [403, 'Invalid or disabled API key'];
    for (const method of ['PUT', 'DELETE'] as const) {
      expect(await refusal('x', { method, key: keys.nordEnterprise })).toEqual(forbidden);
      expect(await refusal('x', { method, key: (await issue({ groups: ['questions', 'rest'] })).key })).toEqual(forbidden);
      expect((await change('x', { method, key: 'est_no_key' })).status).toBe(401);
    }
    expect((await service.get('/me', { key: saver })).json.groups).toEqual([...defaultGroups, 'questions']);
  });

  test('do not include questions of the operator', async () => {
    const store = new QuestionStore(service.database);
    await store.add({ name: 'general', document }, undefined);
    await store.add({ name: 'own', document }, 'nord');
    for (const name of ['general', 'own'])
      for (const method of ['PUT', 'DELETE'] as const)
        expect(await refusal(name, { method, headers: { 'If-Match': '*' } })).toEqual([403, 'Only the operator saves this question']);
    await change('of-key');
    await store.add({ name: 'of-key', document: orders }, 'nord');
    const saved = (await store.list('nord')).map(({ name, saved_by }) => [name, saved_by]);
    expect(saved).toEqual([
      ['general', null],
      ['of-key', null],
      ['own', null],
    ]);
  });

  test('of the key bound what it saves, and rights of the reader bound what is read', async () => {
    const basic = await issue({ tier: 'basic' });
    expect(await refusal('orders', { key: basic.key, body: { document: orders } })).toEqual([
      422,
      'body -> document: Cannot query field "orders" on type "Query". Did you mean "nodes"?',
    ]);
    const scoped = await issue({ scope: { properties: { ids: [1001] } } });
    const body = { document: '{ properties { nodes { propertyId } } }' };
    expect((await change('scoped', { key: scoped.key, body })).status).toBe(201);
    expect((await service.get('/questions/scoped', { key: scoped.key })).json.data.properties.nodes).toEqual([{ propertyId: 1001 }]);
    expect((await service.get('/questions/scoped')).json.data.properties.nodes.length).toBeGreaterThan(1);
    const hidden = { document: '{ creditors(first: 1) { nodes { name } } }' };
    expect((await change('hidden', { key: scoped.key, body: hidden })).status).toBe(422);
    await change('accounts', { body: { document: accounts } });
    expect((await service.get('/questions', { key: basic.key })).text).not.toContain('accounts');
  });
});

test.each<[unknown, string | number]>([
  ['no JSON', 400],
  [[], 400],
  [{}, 'body -> document: Field required'],
  [{ document, title: 'x' }, "body -> 'title': Input should be one of document, description, variables"],
  [{ document: 1 }, 'body -> document: Input should be a string'],
  [{ document: '{' }, 'body -> document: Syntax Error: Expected Name, found <EOF>.'],
  [{ document: '{ nothing }' }, 'body -> document: Cannot query field "nothing" on type "Query".'],
  [{ document: `query A ${orders} query B ${orders}` }, 'body -> document: A question is a document with exactly one operation, a query.'],
  [{ document, description: 'two\nlines' }, 'body -> description: Input should be one line of at most 200 characters'],
  [{ document, description: 'x'.repeat(201) }, 'body -> description: Input should be one line of at most 200 characters'],
  [{ document, description: 'nul \0' }, 'body -> description: Input should have no character U+0000'],
  [{ document, variables: [] }, 'body -> variables: Input should be an object of variables and values'],
  [{ document, variables: { frist: 1 } }, "body -> variables: The document has no variable 'frist'"],
  [{ document, variables: { first: 'many' } }, 'body -> variables: Int cannot represent non-integer value: "many"'],
  [{ document, variables: { ids: [[[[1]]]] } }, 'body -> variables: Int cannot represent non-integer value: [[[1]]]'],
  [{ document: `# ${'x'.repeat(33_000)}\n${document}` }, 'body -> document: Input should have at most 32 KB'],
])('the body %j is refused', async (body, reason) => {
  const { status, json } = await change('refused', { body });
  expect([status, typeof reason === 'number' ? json.status : json.detail]).toEqual(
    typeof reason === 'number' ? [reason, reason] : [422, reason],
  );
});

test('a name, a type of the body and a method are checked', async () => {
  expect(await refusal('Upper', {})).toEqual([
    422,
    'path -> name: Input should be small letters, digits, _ and -, a letter first, at most 63',
  ]);
  expect((await change('x', { headers: { 'Content-Type': 'text/plain' } })).status).toBe(415);
  const { status, headers } = await fetch(`${service.url}/questions/x`, { method: 'PATCH', headers: { 'X-API-Key': saver } });
  expect([status, headers.get('Allow')]).toEqual([405, 'GET, HEAD, PUT, DELETE']);
  expect((await fetch(`${service.url}/questions`, { method: 'PUT', headers: { 'X-API-Key': saver } })).status).toBe(405);
});

test('changes are in the audit log, with the public id of the key', async () => {
  const { id, key } = await issue();
  await change('logged', { key });
  await change('logged', { key, method: 'DELETE' });
  const { rows } = await service.database.pool.query('select actor, action, subject from estate.audit_log order by id desc limit 2');
  expect(rows).toEqual([
    { actor: `key ${id}`, action: 'removed question', subject: 'logged, customer nord' },
    { actor: `key ${id}`, action: 'saved question', subject: 'logged, customer nord' },
  ]);
});

test('a key without a name shows its public id, and a revoked key leaves its questions', async () => {
  const { id, key } = await issue({ name: '' });
  expect((await change('unnamed', { key })).json.saved_by).toBe(id);
  await new KeyStore(service.database, testSecret).revoke(id);
  expect((await service.get('/questions/unnamed')).status).toBe(200);
});

test('with PERSISTED_ONLY, only the operator saves', async () => {
  const only = await startService({ environment: { PERSISTED_ONLY: 'true' } });
  try {
    const customer = await findCustomer(only.database, 'nord');
    const { key } = await new KeyStore(only.database, testSecret).create({
      customer,
      tier: 'basic',
      groups: ['graphql', 'questions'],
    });
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const answer = await fetch(`${only.url}/questions/x`, { method: 'PUT', headers, body: JSON.stringify({ document }) });
    expect([answer.status, (await answer.json()).detail]).toEqual([403, 'Only the operator saves questions of this service']);
  } finally {
    await only.stop();
  }
});

test('origins of CORS_ORIGINS may change questions', async () => {
  const open = await startService({ environment: { CORS_ORIGINS: 'https://app.example' } });
  try {
    const answer = await fetch(`${open.url}/questions/x`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'PUT' },
    });
    expect([answer.status, answer.headers.get('Access-Control-Allow-Methods')]).toEqual([204, 'GET, HEAD, POST, PUT, DELETE']);
  } finally {
    await open.stop();
  }
});
