/** Common clients with generated types, as in a frontend: Apollo Client, urql, graphql-request. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
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
