/**
 * The most expensive things that one valid key can ask for: what was seen to hurt others, and what stands just within the
 * limits. Also asked, with loose bounds, by `test/isolation`.
 */
import { limits } from '../../src/graphql/limits.ts';

export interface Attack {
  readonly name: string;
  readonly path: string;
  /** Body of a POST; a GET without. */
  readonly body?: (turn: number) => string;
  /** Bytes a second that each reader takes; all at once without. */
  readonly bytesPerSecond?: number;
  /** Requests under way at once; 20 unless it says otherwise. */
  readonly atOnce?: number;
}

const times = (count: number, text: (index: number) => string): string => Array.from({ length: count }, (_, i) => text(i)).join(' ');

const graphql = (name: string, query: (turn: number) => string, variables?: unknown): Attack => ({
  name,
  path: '/graphql',
  body: (turn) => JSON.stringify({ query: query(turn), variables }),
});

/** The JSON of a filter; deeper than `JSON.stringify` goes. */
const nested = (depth: number): string => `${'{"not":'.repeat(depth)}{"orderId":{"eq":1}}${'}'.repeat(depth)}`;

const byFilter = 'query ($filter: OrderFilter) { orders(filter: $filter) { totalCount nodes { orderId } } }';
const noMatch = `{ subject: { iContains: "no order is about this" } }`;

/** `columns` are all fields of an order, `bookings` of a booking position. */
export const attacksOf = (columns: readonly string[]): readonly Attack[] => {
  const all = columns.join(' ');
  const within = Math.floor(Math.min(limits.values / 1_000, limits.fields) / (columns.length + 2));
  return [
    graphql(
      'relations with 45 aliased lists',
      () => `{ orders(first: 1000) { nodes { property { orders(first: 95) { ${times(45, (i) => `n${i}: nodes { orderId }`)} } } } } }`,
    ),
    graphql('or of 20,000 comparisons', () => byFilter, {
      filter: { or: Array.from({ length: 20_000 }, (_, i) => ({ orderId: { eq: i } })) },
    }),
    graphql(`or of ${limits.terms - 1} comparisons`, () => byFilter, {
      filter: { or: Array.from({ length: limits.terms - 1 }, (_, i) => ({ orderId: { eq: i * 17 } })) },
    }),
    graphql(
      '45 aliases of nested __schema',
      () => `{ ${times(45, (i) => `s${i}: __schema { types { name fields { name type { name fields { name } } } } }`)} }`,
    ),
    graphql(
      'four connections with twelve lists, all columns',
      () => `{ ${times(4, (i) => `c${i}: orders(first: 1000) { ${times(11, (j) => `n${j}: nodes { ${all} }`)} }`)} }`,
    ),
    graphql(
      'all columns up to the limit of values',
      () => `{ ${times(within, (i) => `c${i}: orders(first: 1000, offset: ${i * 1_000}) { nodes { ${all} } }`)} }`,
    ),
    graphql(
      '50 filtered counts',
      (turn) => `{ ${times(50, (i) => `c${i}: orders(filter: { totalNet: { gt: ${turn * 50 + i} } }) { totalCount }`)} }`,
    ),
    graphql('in of 140,000 integers', () => byFilter, { filter: { orderId: { in: Array.from({ length: 140_000 }, (_, i) => i) } } }),
    graphql(`in of ${limits.listed} integers`, () => byFilter, {
      filter: { orderId: { in: Array.from({ length: limits.listed }, (_, i) => i * 3) } },
    }),
    graphql(
      'iContains without match, count and order',
      () => `{ orders(filter: ${noMatch}, orderBy: [{ propertyId: DESC }]) { totalCount nodes { orderId } } }`,
    ),
    ...[3_000, limits.nesting - 1].map((depth) => ({
      name: `filters nested ${depth} deep`,
      path: '/graphql',
      body: () => `{"query":${JSON.stringify(byFilter)},"variables":{"filter":${nested(depth)}}}`,
    })),
    graphql(
      '490 fields of one name with one of their own',
      () => `{ orders(first: 1) { nodes { ${'property { propertyId } '.repeat(490)} } } }`,
    ),
    graphql('a document of 900 KB, each time another', (turn) => `# ${turn}${'x'.repeat(900_000)}\n{ __typename }`),
    { name: '20 large pages', path: '/operations/orders?limit=100000' },
    { name: '20 pages of 1,000 rows', path: '/operations/orders?limit=1000' },
    { name: '20 filters that match nothing', path: '/operations/orders?creditor_number=999999999' },
    { name: '150 slow readers of large raw pages', path: '/raw/order_hdr?limit=100000', atOnce: 150, bytesPerSecond: 1_000 },
    { name: '300 slow readers of pages', path: '/operations/orders?limit=1000', atOnce: 300, bytesPerSecond: 1_000 },
    { name: 'eight large pages', path: '/operations/orders?limit=100000', atOnce: 8 },
  ];
};
