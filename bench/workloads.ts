/** The workloads, and the requests for each server. */
import type { Server } from '../scripts/support/server.ts';
import { type Client, fetchAnswer, type HttpRequest } from './client.ts';
import { type Headers, ordersOf, type PagePosition, positionsOf, propertiesOf } from './requests.ts';
import type { Contender } from './rounds.ts';

export type Peer = 'service' | 'straightforward' | 'resolvers' | 'baseline';
type Ask = Contender['ask'];

export interface Workload {
  readonly id: string;
  readonly name: string;
  readonly connections: number;
  /** The servers that run it, and their requests. */
  readonly asks: Readonly<Partial<Record<Peer, Ask>>>;
  /** The first requests of each server. All servers must give the same answers to them. */
  readonly same: Readonly<Partial<Record<Peer, readonly HttpRequest[]>>>;
  /** Other requests that fill the response cache first, so that no measured request is answered from it. */
  readonly before?: readonly HttpRequest[];
  /** Responses until a process is warm (see `rounds.ts`). Larger responses need fewer. */
  readonly warmUp: number;
  /** Its responses are so large that the first hundred of a process mean nothing. */
  readonly isLarge?: true;
}

const connections = 8;
const compared = 3;
/** A page has 140 KB, and the response cache holds 64 MB. */
const otherPages = 700;

const repeating =
  (requests: readonly HttpRequest[]): Ask =>
  (client, turn) =>
    client.ask(requests[turn % requests.length]!);

const workload = (
  id: string,
  name: string,
  requests: Readonly<Partial<Record<Peer, readonly HttpRequest[]>>>,
  warmUp = 2_000,
): Workload => ({
  id,
  name,
  connections: connections,
  warmUp,
  asks: Object.fromEntries(Object.entries(requests).map(([peer, list]) => [peer, repeating(list)])),
  same: Object.fromEntries(Object.entries(requests).map(([peer, list]) => [peer, list.slice(0, compared)])),
});

const documents = {
  relations: `query ($from: Int!) { orders(first: 50, filter: { propertyId: { eq: $from } }) { nodes {
    orderId propertyId orderType status totalNet orderDate
    offer { offerHdrId propertyId creditorId offerValue offerType statusText }
    notification { reportHdrId propertyId reportType status priorityText reportDate }
    technicalObject { toId toName toType manufacturer status conditionRating } } } }`,
  lists: `query ($from: Int!) { properties(first: 20, filter: { propertyId: { gte: $from } }) { nodes {
    propertyId propertyName entrance address unitCount marketValue
    orders(first: 20) { nodes { orderId orderType status totalNet orderDate subject
      offer { offerHdrId creditorId offerValue offerType statusText offerAccepted } } } } } }`,
  wide: `query ($from: Int!) { orders(first: 1000, filter: { orderId: { gte: $from } }) { nodes {
    orderId propertyId orderNumber orderType status subject totalNet totalGross orderDate isInsuranceClaim } } }`,
};

const post = (query: string, from: number, headers: Headers): HttpRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json' },
  body: JSON.stringify({ query, variables: { from } }),
});

interface Document {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  /** The path on the baseline. */
  readonly path: string;
  /** The values of the variable. */
  readonly from: readonly number[];
  readonly warmUp?: number;
}

const graphql = ({ id, name, query, path, from, warmUp }: Document, headers: Headers): Workload => {
  const requests = from.map((value) => post(query, value, headers));
  return workload(
    id,
    name,
    { service: requests, resolvers: requests, baseline: from.map((value) => ({ path: `${path}?${value}` })) },
    warmUp,
  );
};

/** All orders by cursor, 100,000 per page. The page after the last one is empty. */
const walk = async (client: Client, headers: Headers): Promise<undefined> => {
  const path = '/operations/orders?limit=100000';
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { head } = await client.ask({ path: `${path}&cursor=${cursor}`, headers });
    const next = /^x-next-cursor: *(\S+)/im.exec(head)?.[1];
    cursor = next && encodeURIComponent(next);
  }
  return undefined;
};

const walkOfBaseline = async (client: Client, begins: readonly number[]): Promise<undefined> => {
  for (const id of begins) await client.ask({ path: `/orders-behind-100000?${id}` });
  return undefined;
};

const page = '/operations/orders?limit=100';

/** The `ETag` of a page, for a 304. */
const tagOf = async ({ url }: Server, headers: Headers): Promise<string> => {
  const response = await fetchAnswer(url + page, { headers });
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
};

export const listWorkloads = async (service: Server, headers: Headers): Promise<readonly Workload[]> => {
  const properties = propertiesOf();
  const positions = await positionsOf(service, headers);
  const firstOrder = Math.min(...positions.map(({ id }) => id));
  const ofProperty = (id: number): HttpRequest => ({ path: `/operations/orders?limit=100&property_id=${id}`, headers });
  const behind = ({ cursor }: PagePosition): HttpRequest => ({
    path: `/operations/orders?limit=1000&cursor=${encodeURIComponent(cursor)}`,
    headers,
  });
  const catalog: HttpRequest = { path: '/catalog', headers };
  const large: HttpRequest = { path: '/operations/orders?limit=100000', headers };
  const begins = Array.from({ length: 6 }, (_, at) => firstOrder - 1 + at * 100_000);
  const etag = await tagOf(service, headers);
  const small = (id: string, name: string, request: HttpRequest, ofBaseline = request) =>
    workload(id, name, { service: [request], baseline: [ofBaseline] });
  const ofBaseline = properties.map((id) => ({ path: `/orders-of-property?${id}` }));
  const toOne = properties.map((id) => post(documents.relations, id, headers));
  const before = properties.slice(0, otherPages).map((id) => ({ path: `/operations/orders?limit=99&property_id=${id}`, headers }));
  const list: readonly Workload[] = [
    workload('W1', '100 orders of one property, exact total', {
      service: properties.map(ofProperty),
      straightforward: properties.map(ofProperty),
      baseline: ofBaseline,
    }),
    workload('W1 again', 'the same property again and again', { service: [ofProperty(properties[0]!)], baseline: [ofBaseline[0]!] }),
    workload(
      'W2',
      '1,000 orders at a random cursor',
      {
        service: positions.map(behind),
        straightforward: positions.map(({ id }) => ({ path: `/operations/orders?limit=1000&cursor=${id}` })),
        baseline: positions.map(({ id }) => ({ path: `/orders-behind-1000?${id}` })),
      },
      500,
    ),
    {
      ...workload('W3', '100,000 orders in one answer, alone', {
        service: [large],
        straightforward: [large],
        baseline: [{ path: '/orders-behind-100000?0' }],
      }),
      connections: 1,
      warmUp: 1,
      isLarge: true,
    },
    {
      ...workload('W3 at once', 'the same, eight at once', { service: [large], baseline: [{ path: '/orders-behind-100000?0' }] }),
      warmUp: 1,
      isLarge: true,
    },
    {
      id: 'W4',
      name: '500,000 orders by cursor, 100,000 a page',
      connections: 1,
      asks: { service: (client) => walk(client, headers), baseline: (client) => walkOfBaseline(client, begins) },
      same: {},
      warmUp: 1,
      isLarge: true,
    },
    graphql(
      {
        id: 'W5',
        name: 'GraphQL: 50 orders × 3 to-one',
        query: documents.relations,
        path: '/orders-with-relations',
        from: properties,
      },
      headers,
    ),
    workload('W5 again', 'the same document again and again', {
      service: [toOne[0]!],
      baseline: [{ path: `/orders-with-relations?${properties[0]}` }],
    }),
    graphql(
      {
        id: 'W6',
        name: 'GraphQL: 20 properties × 20 orders × 1',
        query: documents.lists,
        path: '/properties-with-orders',
        from: properties,
        warmUp: 1_000,
      },
      headers,
    ),
    graphql(
      {
        id: 'W7',
        name: 'GraphQL: 1,000 orders × 10 fields',
        query: documents.wide,
        path: '/ten-columns',
        from: ordersOf(firstOrder),
        warmUp: 500,
      },
      headers,
    ),
    workload('W8 catalog', '/catalog', { service: [catalog], straightforward: [catalog], baseline: [catalog] }),
    small('W8 304', 'a page that is still the same', { path: page, headers: { ...headers, 'If-None-Match': etag }, status: 304 }),
    small('W8 401', 'no key', { path: '/keyless', status: 401 }),
    small('W8 404', 'no such path', { path: '/nowhere', headers, status: 404 }),
  ];
  return list.map((work) => ((work.same.service?.length ?? 0) > 1 ? { ...work, before } : work));
};

/** Pages and documents without a key, compressed. They differ between versions, and the other servers have none. */
export const pagesWorkload: Workload = {
  ...workload('W9 pages', 'pages and documents without a key', {
    service: [
      '/',
      '/docs',
      '/docs/groups',
      '/docs/tables/orders',
      '/.well-known/api-catalog',
      '/explore',
      '/llms.txt',
      '/docs/filters.md',
    ].map((path) => ({ path, headers: { 'Accept-Encoding': 'br' } })),
  }),
  same: {},
};

/** A workload for comparisons with an earlier version. The other servers have no such filter. */
export const filteredWorkload = async (service: Server, headers: Headers): Promise<Workload> => {
  const filter = '&order_type=inspection';
  const positions = await positionsOf(service, headers, filter);
  const behind = ({ cursor }: PagePosition) => ({
    path: `/operations/orders?limit=1000${filter}&cursor=${encodeURIComponent(cursor)}`,
    headers,
  });
  return workload('W2 filter', '1,000 orders of a type, by cursor', { service: positions.map(behind) }, 500);
};
