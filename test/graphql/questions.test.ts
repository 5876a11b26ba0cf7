/** Saved questions by a link: JSON and CSV, variables, access, cache (contract: saved questions). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuestionStore } from '../../src/access/questions.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkQuestion } from '../../src/graphql/questions/check.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { ask } from './client.ts';

const documents = {
  arrears: `# Which properties have the highest arrears?
query Arrears($first: Int = 3) {
  tenantsGroups(orderBy: [{ measure: ARREARS, direction: DESC }], first: $first) {
    groups { key { property { propertyId propertyName } } measures { arrears } }
  }
}`,
  orders: `query ($ids: [Int!], $trade: String) {
  orders(filter: { orderId: { in: $ids }, trade: { eq: $trade } }) { nodes { orderId subject total: totalNet offer { creditor { name } } } }
}`,
  edges: '{ properties(first: 2) { edges { cursor node { propertyId } } } }',
  units: '{ properties(first: 2) { nodes { propertyId floorAreas(first: 2) { nodes { floorAreaId } } } } }',
  empty: '{ properties(filter: { propertyId: { eq: -1 } }) { nodes { propertyId propertyName } } }',
  subjects: 'query Subjects($subjects: [String!]!) { orders(filter: { subject: { in: $subjects } }) { totalCount } }',
  accounts: '{ accounts(first: 1) { nodes { accountName } } }',
};

let service: TestService;
beforeAll(async () => {
  service = await startService();
  const store = new QuestionStore(service.database);
  for (const [name, document] of Object.entries(documents)) {
    checkQuestion(catalogue, document);
    await store.add({ name, document }, undefined);
  }
  await store.add({ name: 'own', document: documents.empty }, 'nord');
  await store.add({ name: 'replaced', document: documents.empty }, undefined);
  await store.add({ name: 'replaced', document: documents.edges }, 'nord');
});
afterAll(() => service.stop());

const detailOf = async (path: string, key: string = keys.nordEnterprise) => {
  const { status, json } = await service.get(path, { key });
  return [status, json.detail];
};

describe('an answer', () => {
  test('is that of GraphQL, also from the response cache', async () => {
    const { data } = await ask(service, documents.arrears);
    const first = await service.get('/questions/arrears');
    expect([first.status, first.headers.get('Content-Type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(first.json).toEqual({ data });
    expect((await service.get('/questions/arrears')).text).toBe(first.text);
  });

  test('takes variables, with lists separated by commas and empty values left out', async () => {
    expect((await service.get('/questions/arrears?first=1')).json.data.tenantsGroups.groups).toHaveLength(1);
    const { data } = (await service.get('/questions/orders?ids=1,2,3&trade=')).json;
    expect(data.orders.nodes.map(({ orderId }: { orderId: number }) => orderId)).toEqual(
      (await service.database.pool.query('select order_id from customer_nord.orders where order_id in (1, 2, 3) order by 1')).rows.map(
        ({ order_id }) => order_id,
      ),
    );
  });

  test('takes lists of values with commas and quotes in quotes', async () => {
    const { pool } = service.database;
    const subjects = ['roof, gutter', 'a "quoted" word', 'plain>=2'];
    for (const [at, subject] of subjects.entries())
      await pool.query(
        `update customer_nord.orders set subject = $1 where order_id = (select order_id from customer_nord.orders order by 1 offset $2 limit 1)`,
        [subject, at],
      );
    const list = '"roof, gutter","a ""quoted"" word", plain>=2';
    expect((await service.get(`/questions/subjects?subjects=${encodeURIComponent(list)}`)).json.data.orders.totalCount).toBe(3);
    const [status, detail] = await detailOf(`/questions/subjects?subjects=${encodeURIComponent('"roof')}`);
    expect([status, detail]).toEqual([422, 'query -> subjects: A quote does not end its value; double a quote inside of one']);
  });

  test('continues a list that is repeated, and takes the last of other repeated parameters', async () => {
    const idsOf = async (query: string) =>
      (await service.get(`/questions/orders?${query}`)).json.data.orders.nodes.map(({ orderId }: { orderId: number }) => orderId);
    expect(await idsOf('ids=1&ids=&ids=2,3')).toEqual(await idsOf('ids=1,2,3'));
    expect((await service.get('/questions/arrears?first=many&first=2')).json.data.tenantsGroups.groups).toHaveLength(2);
  });

  test('refuses parameters that are no variables, and values that do not fit', async () => {
    expect(await detailOf('/questions/arrears?frist=1')).toEqual([422, "query -> 'frist': Input should be one of first, format"]);
    expect((await detailOf('/questions/arrears?first=many'))[0]).toBe(422);
    expect((await detailOf('/questions/arrears?first=0'))[0]).toBe(422);
    expect((await detailOf(`/questions/arrears?first=${'x'.repeat(5_000)}`))[1]).toHaveLength(200);
    expect((await detailOf('/questions/arrears?format=xml'))[0]).toBe(422);
  });
});

describe('CSV', () => {
  test('has the rows of the list with the digits of the database, by format or Accept', async () => {
    const csv = await service.get('/questions/arrears?format=csv');
    expect(csv.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.headers.get('Content-Disposition')).toBe('attachment; filename=arrears.csv');
    const { text } = await service.get('/questions/arrears');
    const digits = [...text.matchAll(/"arrears":(-?[\d.]+)/g)].map(([, number]) => number);
    const [head, ...lines] = csv.text.trimEnd().split('\r\n');
    expect(head).toBe('key.property.propertyId,key.property.propertyName,measures.arrears');
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(digits);
    const accepted = await service.get('/questions/arrears', { headers: { Accept: 'text/csv' } });
    expect([accepted.text, accepted.headers.get('Content-Disposition')]).toEqual([csv.text, null]);
    expect((await service.get('/questions/arrears?format=csv')).text).toBe(csv.text);
  });

  test('has aliases, rows of edges, and the columns of an empty list', async () => {
    const head = async (path: string) => (await service.get(path)).text.split('\r\n')[0];
    expect(await head('/questions/orders?ids=1&format=csv')).toBe('orderId,subject,total,offer.creditor.name');
    expect(await head('/questions/edges?format=csv')).toBe('cursor,propertyId');
    expect((await service.get('/questions/empty?format=csv')).text).toBe('propertyId,propertyName\r\n');
  });

  test('is a 422 for a document with several lists', async () => {
    expect((await service.get('/questions/units?format=csv')).headers.get('Content-Disposition')).toBeNull();
    expect(await detailOf('/questions/units?format=csv')).toEqual([
      422,
      'query -> format: CSV is for a question with one list; this one has 2',
    ]);
  });
});

describe('access', () => {
  test('a key without the tier or the endpoint group gets a 403, and the list leaves the question out', async () => {
    expect((await detailOf('/questions/accounts', keys.nordBasic))[0]).toBe(403);
    const names = async (key: string) => (await service.get('/questions', { key })).json.map(({ name }: { name: string }) => name);
    expect(await names(keys.nordEnterprise)).toContain('accounts');
    expect(await names(keys.nordBasic)).not.toContain('accounts');
    expect((await service.get('/questions/arrears', { key: null })).status).toBe(401);
  });

  test('a question belongs to its customer, and replaces a general one', async () => {
    expect((await service.get('/questions/own')).status).toBe(200);
    expect(await detailOf('/questions/own', keys.suedEnterprise)).toEqual([404, 'There is no question of this name']);
    expect((await service.get('/questions/replaced')).json.data.properties.edges).toHaveLength(2);
    expect((await service.get('/questions/replaced', { key: keys.suedEnterprise })).json.data.properties.nodes).toEqual([]);
  });

  test('the list has titles, variables and forms', async () => {
    const listed: { name: string }[] = (await service.get('/questions')).json;
    expect(listed.find(({ name }) => name === 'arrears')).toEqual({
      name: 'arrears',
      title: 'Which properties have the highest arrears?',
      endpoint_url: '/questions/arrears',
      variables: [{ name: 'first', type: 'Int' }],
      formats: ['json', 'csv'],
      document: documents.arrears,
      saved_by: null,
      saved_at: expect.any(String),
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
    expect(listed.find(({ name }) => name === 'units')).toMatchObject({ formats: ['json'] });
  });
});

test.each([
  ['{', /no GraphQL document/],
  ['{ a } query B { b }', /exactly one operation/],
  ['mutation { a }', /exactly one operation/],
  ['{ nothing }', /not valid/],
  ['query ($format: Int) { properties(first: $format) { totalCount } }', /cannot be called 'format'/],
])('the document %s is refused', (document, reason) => expect(() => checkQuestion(catalogue, document)).toThrow(reason));

test('names are checked, and removal reports an unknown question', async () => {
  const store = new QuestionStore(service.database);
  await expect(store.add({ name: '../x', document: documents.empty }, undefined)).rejects.toThrow(/no name of a question/);
  await expect(store.remove('nothing', undefined)).rejects.toThrow(/There is no question nothing/);
  await store.add({ name: 'gone', document: documents.empty }, 'nord');
  await store.remove('gone', 'nord');
  expect((await store.list('nord')).map(({ name }) => name)).not.toContain('gone');
});
