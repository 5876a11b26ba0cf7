/** Common clients with generated types, as in a frontend: Apollo Client, urql, graphql-request. */
import { createHash } from 'node:crypto';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { GraphQLClient } from 'graphql-request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from '../../src/web/graphiql/examples.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { dataOf } from './client.ts';
import { OrdersPageDocument, type OrdersPageQuery } from './generated/graphql.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const headers = { 'X-API-Key': keys.nordProfessional };
type Variables = { first: number; after?: string; withOffer: boolean };
type Ask = (variables: Variables) => Promise<OrdersPageQuery | undefined>;

const clients: Record<string, () => Ask> = {
  'Apollo Client': () => {
    const client = new ApolloClient({ cache: new InMemoryCache(), link: new HttpLink({ uri: `${service.url}/graphql`, headers }) });
    return async (variables) => (await client.query({ query: OrdersPageDocument, variables })).data;
  },
  urql: () => {
    const client = new Client({
      url: `${service.url}/graphql`,
      exchanges: [cacheExchange, fetchExchange],
      fetchOptions: { headers },
      preferGetMethod: false,
    });
    return async (variables) => (await client.query(OrdersPageDocument, variables).toPromise()).data;
  },
  'graphql-request': () => {
    const client = new GraphQLClient(`${service.url}/graphql`, { headers });
    return (variables) => client.request(OrdersPageDocument, variables);
  },
};

describe.each(Object.keys(clients))('%s', (name) => {
  test('follows pages, and omits fields that are not included', async () => {
    const ask = clients[name]!();
    const one = await ask({ first: 2, withOffer: true });
    const two = await ask({ first: 2, withOffer: false, after: one?.orders.pageInfo.endCursor ?? '' });
    const ids = [...(one?.orders.nodes ?? []), ...(two?.orders.nodes ?? [])].map(({ orderId }) => orderId);
    const { rows } = await service.database.pool.query('select order_id from customer_nord.orders order by order_id desc limit 4');
    expect(ids).toEqual(rows.map((row) => row.order_id));
    expect(one?.orders.nodes[0]).toHaveProperty('offer');
    expect(two?.orders.nodes[0]).not.toHaveProperty('offer');
  });
});

test('an error reaches a client with its code', async () => {
  const client = new ApolloClient({ cache: new InMemoryCache(), link: new HttpLink({ uri: `${service.url}/graphql`, headers }) });
  const failure = await client.query({ query: gql`{ orders(first: 0) { totalCount } }` }).catch((error: unknown) => error);
  expect(JSON.stringify(failure)).toContain('INVALID_PARAMETER');
});

test.each(Object.entries(examples))('the example %s returns rows', async (_name, document) => {
  const data = await dataOf(service, document);
  expect(JSON.stringify(data)).toMatch(/"(nodes|groups|catalog)":\[\{/);
});

describe('automatic persisted queries, which the service does not have', () => {
  /** A `fetch` that records the kinds of requests: with the text of the document, or by hash alone. */
  const recording = () => {
    const sent: string[] = [];
    const record: typeof fetch = (url, init) => {
      const { query } = JSON.parse(String(init?.body)) as { readonly query?: string };
      sent.push(query === undefined ? 'hash' : 'text');
      return fetch(url, init);
    };
    return { sent, record };
  };
  const uri = () => `${service.url}/graphql`;

  test('Apollo Client falls back to the text, and sends no further hash', async () => {
    const { sent, record } = recording();
    const persisted = new PersistedQueryLink({ sha256: (text) => createHash('sha256').update(text).digest('hex') });
    const link = persisted.concat(new HttpLink({ uri: uri(), headers, fetch: record }));
    const client = new ApolloClient({ cache: new InMemoryCache(), link });
    for (const first of [1, 2]) {
      const { data } = await client.query({ query: OrdersPageDocument, variables: { first, withOffer: false } });
      expect(data?.orders.nodes).toHaveLength(first);
    }
    expect(sent).toEqual(['hash', 'text', 'text']);
  });

  test('urql falls back to the text, and sends no further hash', async () => {
    const { sent, record } = recording();
    const exchanges = [persistedExchange({ preferGetForPersistedQueries: false }), fetchExchange];
    const client = new Client({ url: uri(), exchanges, fetchOptions: { headers }, fetch: record, preferGetMethod: false });
    for (const first of [1, 2]) {
      const { data } = await client.query(OrdersPageDocument, { first, withOffer: false }).toPromise();
      expect(data?.orders.nodes).toHaveLength(first);
    }
    expect(sent).toEqual(['hash', 'text', 'text']);
  });
});
