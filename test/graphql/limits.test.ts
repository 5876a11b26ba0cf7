/** Limits before execution, each named in its error, and errors without internal details (contract: schema per tier; GraphQL errors). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { statementsDuring } from '../support/statements.ts';
import { ask, dataOf } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** `{ orders { nodes { property { orders { nodes …` with a leaf at the given depth. */
const deep = (levels: number): string => {
  const steps = ['orders(first: 1)', 'nodes', 'property'];
  const path = Array.from({ length: levels - 1 }, (_, index) => steps[index % 3]);
  return `{ ${path.join(' { ')} { __typename ${path.at(-1) === 'nodes' ? 'orderId' : path.at(-1) === 'property' ? 'propertyId' : 'totalCount'} ${'}'.repeat(levels)}`;
};
const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join(' ');

describe('limits', () => {
  test.each([
    ['depth 10', deep(10), undefined],
    ['depth 11', deep(11), 'The document exceeds the limit of 10 for depth: it has 11'],
    [
      'depth through fragments',
      '{ ...a } fragment a on Query { orders(first: 1) { nodes { property { ...b } } } } fragment b on Property { orders(first: 1) { nodes { property { ...c } } } } fragment c on Property { orders(first: 1) { nodes { property { orders { totalCount } } } } }',
      'The document exceeds the limit of 10 for depth: it has 11',
    ],
    ['50 aliases', `{ ${times(50, (i) => `a${i}: rateLimit { limit }`)} }`, undefined],
    ['51 aliases', `{ ${times(51, (i) => `a${i}: rateLimit { limit }`)} }`, 'The document exceeds the limit of 50 for aliases: it has 51'],
    [
      'aliases through fragments',
      `{ ${times(4, () => '... on Query { orders(first: 1) { nodes { ...f } } }')} } fragment f on Order { ${times(13, (i) => `a${i}: orderId`)} }`,
      'The document exceeds the limit of 50 for aliases: it has 52',
    ],
    ['tokens', `{ orders(first: 1) { nodes { ${'orderId '.repeat(4_000)} } } }`, 'The document exceeds the limit of 4000 for tokens'],
    ['lines', `${'\n'.repeat(4_999)}{ __typename }`, undefined],
    [
      'more lines',
      `${'# a\r\n'.repeat(2_500)}${'\r'.repeat(2_500)}{ __typename }`,
      'The document exceeds the limit of 5000 for lines: it has 5001',
    ],
    ['nodes within the limit', '{ orders(first: 1000) { nodes { property { orders(first: 98) { nodes { orderId } } } } } }', undefined],
    [
      'nodes beyond it',
      '{ orders(first: 1000) { nodes { property { orders(first: 99) { nodes { orderId } } } } } }',
      'The document asks for more than 100000 nodes, the limit of its cost',
    ],
    [
      'reads',
      `{ ${times(41, (i) => `a${i}: orders(first: 1) { nodes { property { unitCount } offer { offerValue } notification { status } project { status } } }`)} }`,
      'The document asks for more than 200 lists and relations',
    ],
  ])('%s', async (_name, query, message) => {
    let answer = await ask(service, '{ __typename }');
    const statements = await statementsDuring(async () => {
      answer = await ask(service, query);
    });
    if (message === undefined) {
      expect(answer.errors).toEqual([]);
      return;
    }
    expect(answer).toMatchObject({ status: 400, data: undefined, errors: [{ message, extensions: { code: 'LIMIT_EXCEEDED' } }] });
    expect(statements).toEqual([]);
  });

  test('fragments that multiply are refused at once', async () => {
    const fragments = times(
      24,
      (i) => `fragment f${i} on Query { ${i < 23 ? `...f${i + 1} ... on Query { ...f${i + 1} }` : 'a: orders(first: 1) { totalCount }'} }`,
    );
    const started = performance.now();
    const { errors } = await ask(service, `{ ...f0 } ${fragments}`);
    expect(errors[0].extensions.code).toBe('LIMIT_EXCEEDED');
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('introspection is exempt from the depth', async () => {
    const ofType = (levels: number): string => (levels === 0 ? 'name' : `name ofType { ${ofType(levels - 1)} }`);
    const { __schema } = await dataOf(service, `{ __schema { types { fields { args { type { ${ofType(9)} } } } } } }`);
    expect(__schema.types.length).toBeGreaterThan(50);
  });

  test('the extensions contain cost and limit', async () => {
    const { extensions } = await ask(
      service,
      '{ orders(first: 20) { nodes { offer { offerValue } property { orders(first: 3) { nodes { orderId } } } } } }',
    );
    expect(extensions).toEqual({
      cost: { nodes: 20 + 20 + 20 + 60, limit: 100_000, values: 1 + 20 * 2 + 20 + 20 + 20 + 60, valuesLimit: 1_000_000 },
    });
  });

  test('an alias that would be lost is refused', async () => {
    const { data, errors } = await ask(service, '{ orders(first: 1) { nodes { __proto__: orderId } } }');
    expect([data, errors[0].message]).toEqual([null, 'An alias cannot be __proto__']);
  });

  test('a batch is refused', async () => {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'X-API-Key': keys.nordEnterprise, 'Content-Type': 'application/json' },
      body: JSON.stringify([{ query: '{ __typename }' }]),
    });
    expect(response.status).toBe(400);
  });
});

describe('limits of work and of values', () => {
  const byFilter = 'query ($filter: OrderFilter) { orders(filter: $filter, first: 1) { totalCount } }';
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
  const relations = (count: number) => numbers(count).map((eq) => ({ property: { unitCount: { eq } } }));
  const nested = (depth: number): object => (depth === 0 ? { orderId: { eq: 1 } } : { not: nested(depth - 1) });
  const literal = (depth: number): string => `${'{ not: '.repeat(depth)}{ orderId: { eq: 1 } }${' }'.repeat(depth)}`;

  test.each([
    ['terms', { or: numbers(998).map((eq) => ({ orderId: { eq } })) }, undefined],
    [
      'more terms',
      { or: numbers(1_000).map((eq) => ({ orderId: { eq } })) },
      'The document exceeds the limit of 1000 for terms: it has 1001',
    ],
    [
      'filters through relations as 40 terms each',
      { or: [...relations(24), ...numbers(15).map((eq) => ({ orderId: { eq } }))] },
      undefined,
    ],
    [
      'more filters through relations',
      { or: [...relations(24), ...numbers(16).map((eq) => ({ orderId: { eq } }))] },
      'The document exceeds the limit of 1000 for terms: it has 1001',
    ],
    ['values in a list', { orderId: { in: numbers(10_000) } }, undefined],
    ['more values in a list', { orderId: { in: numbers(10_001) } }, 'The document exceeds the limit of 10000 for listed: it has 10001'],
    ['filters in filters', nested(19), undefined],
    ['more filters in filters', nested(21), 'The document exceeds the limit of 20 for nesting: it has 21'],
    ['values of variables', { or: numbers(20_000).map(() => ({})) }, 'The document exceeds the limit of 20000 for inputs: it has 20001'],
  ])('%s', async (_name, filter, message) => {
    const answer = await ask(service, byFilter, { variables: { filter } });
    if (message === undefined) expect(answer.errors).toEqual([]);
    else expect(answer).toMatchObject({ status: 400, data: undefined, errors: [{ message, extensions: { code: 'LIMIT_EXCEEDED' } }] });
  });

  test('filters far too deep for recursion', async () => {
    const variables = `{"filter":${'{"not":'.repeat(3_000)}{}${'}'.repeat(3_000)}}`;
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'X-API-Key': keys.nordEnterprise, 'Content-Type': 'application/json' },
      body: `{"query":${JSON.stringify(byFilter)},"variables":${variables}}`,
    });
    expect((await response.json()).errors[0].extensions).toEqual({ code: 'LIMIT_EXCEEDED' });
    const { errors } = await ask(service, `{ orders(filter: ${literal(900)}) { totalCount } }`);
    expect(errors[0].extensions).toEqual({ code: 'LIMIT_EXCEEDED' });
  });

  test.each([
    [
      'selections',
      `{ orders(first: 1) { nodes { ${times(2_000, (i) => `x${i}`)} } } }`,
      'The document exceeds the limit of 2000 for selections: it has 2001',
    ],
    [
      'input objects of the text',
      `{ orders(filter: { or: [${'{} '.repeat(500)}] }) { totalCount } }`,
      'The document exceeds the limit of 500 for objects: it has 501',
    ],
    [
      'pairs of fields',
      `{ orders(first: 1) { nodes { ${'orderId '.repeat(201)} } } }`,
      'The document exceeds the limit of 20000 for pairs: it has 20100',
    ],
    [
      'pairs of fragments',
      `{ ${times(201, (i) => `...f${i}`)} } ${times(201, (i) => `fragment f${i} on Query { x${i}: __typename }`)}`,
      'The document exceeds the limit of 50 for aliases: it has 201',
    ],
    [
      'pairs of fragments without aliases',
      `{ orders(first: 1) { nodes { ${times(201, () => '...f')} } } } fragment f on Order { property { unitCount } }`,
      'The document exceeds the limit of 20000 for pairs: it has 60300',
    ],
    [
      'aliases of introspection',
      `{ ${times(51, (i) => `a${i}: __schema { queryType { name } }`)} }`,
      'The document exceeds the limit of 50 for aliases: it has 51',
    ],
    [
      'aliases inside introspection',
      `{ __schema { types { ${times(51, (i) => `a${i}: name`)} } } }`,
      'The document exceeds the limit of 50 for aliases: it has 51',
    ],
    [
      'aliases of __typename',
      `{ orders(first: 1) { nodes { ${times(51, (i) => `a${i}: __typename`)} } } }`,
      'The document exceeds the limit of 50 for aliases: it has 51',
    ],
    [
      'values of introspection',
      `{ ${times(34, (i) => `s${i}: __schema { types { fields { type { fields { type { name } } ofType { fields { name type { name } } } } } } }`)} }`,
      'The document exceeds the limit of 200000 for introspected: it has 200001',
    ],
    [
      'lists that are shown more than once count more than once',
      `{ orders(first: 1000) { nodes { property { orders(first: 45) { n1: nodes { orderId } n2: nodes { orderId } n3: edges { cursor } } } } } }`,
      'The document asks for more than 100000 nodes, the limit of its cost',
    ],
    [
      'values',
      `{ properties(first: 50) { nodes { orders(first: 1000) { nodes { ${times(21, (i) => `a${i}: subject`)} } } } } }`,
      'The document asks for more than 1000000 values, the limit of its answer',
    ],
  ])('%s', async (_name, query, message) => {
    const answer = await ask(service, query);
    expect(answer).toMatchObject({ status: 400, data: undefined });
    expect(answer.errors[0].message).toBe(message);
    expect(answer.errors[0].extensions).toEqual({ code: 'LIMIT_EXCEEDED' });
  });

  test('an answer up to the limit of values is complete', async () => {
    const { fields } = (await dataOf(service, '{ __type(name: "Order") { fields { name type { kind ofType { kind } } } } }')).__type;
    const scalars = fields.filter(
      ({ type }: { type: { kind: string; ofType?: { kind: string } } }) => (type.ofType ?? type).kind === 'SCALAR',
    );
    const all = scalars.map(({ name }: { name: string }) => name).join(' ');
    const lists = Math.floor(900 / scalars.length);
    const { data, errors, extensions } = await ask(
      service,
      `{ ${times(lists, (i) => `a${i}: orders(first: 1000) { nodes { ${all} } }`)} }`,
    );
    expect(errors).toEqual([]);
    expect(extensions.cost.values).toBeGreaterThan(800_000);
    expect(data.a1).toEqual(data.a0);
  });
});

describe('errors before execution', () => {
  test.each([
    [
      'a variable of another type',
      'query ($n: Int) { orders(first: $n) { totalCount } }',
      { variables: { n: 'many' } },
      'INVALID_PARAMETER',
    ],
    ['a variable that is missing', 'query ($n: Int!) { orders(first: $n) { totalCount } }', {}, 'INVALID_PARAMETER'],
    ['a mutation', 'mutation { deleteOrders }', {}, 'INVALID_PARAMETER'],
    ['an operation that is not there', 'query a { __typename }', { operationName: 'b' }, 'OPERATION_RESOLUTION_FAILURE'],
  ])('%s is a 400 without data', async (_name, query, options, code) => {
    const { status, data, errors } = await ask(service, query, options);
    expect([status, data, errors[0].extensions]).toEqual([400, undefined, { code }]);
  });

  test('numbers beyond 64 bits equal nothing', async () => {
    for (const beyond of ['9223372036854775808', '-9223372036854775809', '9'.repeat(40)]) {
      const { budgets, budgetById } = await dataOf(
        service,
        'query ($n: BigInt!) { budgets(filter: { budgetId: { eq: $n } }) { totalCount } budgetById(budgetId: $n) { comment } }',
        { variables: { n: beyond } },
      );
      expect([budgets.totalCount, budgetById]).toEqual([0, null]);
    }
    const { budgets } = await dataOf(service, '{ budgets(filter: { budgetId: { in: ["9223372036854775808"] } }) { totalCount } }');
    expect(budgets.totalCount).toBe(0);
  });
});

describe('tables above the tier do not exist', () => {
  test.each([
    ['{ orders { totalCount } }', keys.nordBasic, 'Cannot query field "orders" on type "Query".'],
    ['{ order { totalCount } }', keys.nordBasic, 'Cannot query field "order" on type "Query".'],
    ['{ properties { nodes { order { totalCount } } } }', keys.nordBasic, 'Cannot query field "order" on type "Property".'],
    ['{ acounts { totalCount } }', keys.nordProfessional, 'Cannot query field "acounts" on type "Query".'],
    ['query ($f: OrderFilte) { __typename }', keys.nordBasic, 'Unknown type "OrderFilte".'],
    ['{ __type(name: "Property") { name } ...f } fragment f on Accounts { __typename }', keys.nordProfessional, 'Unknown type "Accounts".'],
  ])('%s', async (query, key, message) => {
    const { errors } = await ask(service, query, { key });
    expect(errors[0].message.split(' Did you mean')[0]).toBe(message);
    expect(JSON.stringify(errors)).not.toMatch(/Did you mean.*(orders|accounts|Order|Account)/i);
  });

  test('by name they are null in introspection', async () => {
    expect(await dataOf(service, '{ __type(name: "Order") { name } }', { key: keys.nordBasic })).toEqual({ __type: null });
  });

  test('their codes are those of a table that does not exist', async () => {
    const [above, absent] = await Promise.all(
      ['orders', 'nothing'].map((table) =>
        ask(service, `{ lookupValues(table: "${table}", column: "order_type") { value } }`, { key: keys.nordBasic }),
      ),
    );
    expect(above!.errors[0].message.replace('orders', 'nothing')).toBe(absent!.errors[0].message);
    expect(absent!.errors[0].extensions).toEqual({ code: 'NO_LOOKUP_VALUES' });
  });
});

test('an error of the database is masked', async () => {
  await service.database.pool.query('alter table customer_sued.offers rename column offer_value to offer_value_gone');
  const { data, errors, status } = await ask(service, '{ orders(first: 50) { nodes { offer { offerValue } } } }', {
    key: keys.suedEnterprise,
  });
  expect(status).toBe(200);
  expect(data).toBeNull();
  expect(errors).toEqual([
    { message: 'Internal server error', locations: [{ line: 1, column: 3 }], path: ['orders'], extensions: { code: 'INTERNAL' } },
  ]);
  await service.database.pool.query('alter table customer_sued.offers rename column offer_value_gone to offer_value');
  expect((await ask(service, '{ offers(first: 1) { nodes { offerValue } } }', { key: keys.suedEnterprise })).errors).toEqual([]);
});
