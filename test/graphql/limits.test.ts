/** Limits before execution, each named in its rejection, and errors that say no more than they should (semantics 30, 31). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { ask, dataOf, statementsDuring } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** `{ orders { nodes { property { orders { nodes …` down to a leaf at the given depth. */
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

  test('fragments that multiply themselves are refused at once', async () => {
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

  test('cost and limit stand in the extensions', async () => {
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

describe('what is above the tier does not exist', () => {
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

  test('by name it is null in introspection', async () => {
    expect(await dataOf(service, '{ __type(name: "Order") { name } }', { key: keys.nordBasic })).toEqual({ __type: null });
  });

  test('its codes are those of a table that does not exist', async () => {
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
