/**
 * The most expensive requests of one valid key: requests that have slowed down others, and requests just within the limits. Invalid requests
 * are in `invalid-requests.ts`. `test/isolation` uses them with wider bounds.
 */
import { catalogue } from '../../src/catalogue/index.ts';
import { limits } from '../../src/graphql/document/limits.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { aggregatableColumns, groupBounds, maxJoins } from '../../src/plan/groups/groups.ts';
import { snakeCase } from '../../src/query/relation-names.ts';
import { type Attack, byFilter, filtered, graphql, times } from './attack.ts';
import { connectionAttacks } from './connections.ts';
import { fileAttacks } from './file-builds.ts';
import { forgedHeaders } from './forged-headers.ts';
import { invalidRequests } from './invalid-requests.ts';

/** The JSON of a filter that is too deep for `JSON.stringify`. */
const nested = (depth: number): string => `${'{"not":'.repeat(depth)}{"orderId":{"eq":1}}${'}'.repeat(depth)}`;

const noMatch = `{ subject: { iContains: "no order is about this" } }`;

/** A filter from an order to its property and back to orders, repeated, with further comparisons at each level. */
const throughRelations = (rounds: number, innermost: object, others: readonly object[] = []): object => {
  if (rounds === 0) return innermost;
  const inner = { property: { orders: { some: throughRelations(rounds - 1, innermost, others) } } };
  return others.length > 0 ? { or: [inner, ...others] } : inner;
};

const orders = catalogue.tables.get('orders')!;
const countable = aggregatableColumns(orders, 'distinct');

/** Four columns of each table, for the maximum number of joins. */
const farKeys = catalogue.relations
  .get(orders.name)!
  .filter(({ kind }) => kind === 'to-one')
  .slice(0, maxJoins)
  .flatMap(({ name, target }) =>
    Object.keys(catalogue.tables.get(target)!.columns)
      .slice(0, 4)
      .map((column) => `${snakeCase(name)}.${column}`),
  );
const groupsBy = (keys: readonly string[]): string =>
  `/operations/orders/groups?by=${keys}&distinct=${countable}&order=-distinct_subject&limit=${groupBounds.max}`;

/** `columns` are all fields of an order. */
export const attacksOf = (columns: readonly string[]): readonly Attack[] => {
  const all = columns.join(' ');
  const within = Math.floor(Math.min(limits.values / 1_000, limits.selections) / (columns.length + 2));
  return [
    graphql(
      'relations with 45 aliased lists',
      () => `{ orders(first: 1000) { nodes { property { orders(first: 95) { ${times(45, (i) => `n${i}: nodes { orderId }`)} } } } } }`,
    ),
    filtered('or of 20,000 comparisons', () => ({ or: Array.from({ length: 20_000 }, (_, i) => ({ orderId: { eq: i } })) })),
    filtered(`or of ${limits.terms - 1} comparisons`, () => ({
      or: Array.from({ length: limits.terms - 1 }, (_, i) => ({ orderId: { eq: i * 17 } })),
    })),
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
    filtered('in of 140,000 integers', () => ({ orderId: { in: Array.from({ length: 140_000 }, (_, i) => i) } })),
    filtered(`in of ${limits.listed} integers`, () => ({ orderId: { in: Array.from({ length: limits.listed }, (_, i) => i * 3) } })),
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
    filtered(`a filter through ${limits.nesting} relations`, (turn) => throughRelations(limits.nesting / 2, { orderId: { ne: -turn } })),
    filtered('a filter through 12 relations, with 70 comparisons at each level', (turn) =>
      throughRelations(
        6,
        { orderId: { eq: -turn } },
        Array.from({ length: 70 }, (_, i) => ({ totalNet: { eq: -turn - i } })),
      ),
    ),
    graphql(
      'an order by a column behind five relations, and a count',
      (turn) =>
        `{ orders(filter: { orderId: { ne: ${-turn} } }, orderBy: [{ project: { parentProject: { offer: { floorArea: { property: { plotAreaSqm: DESC } } } } } }], first: 1000) { totalCount nodes { orderId } } }`,
    ),
    graphql(
      `groups of which ${groupBounds.max} per property are taken`,
      (turn) =>
        `{ ordersGroups(filter: { orderId: { ne: ${-turn} } }, topPer: { by: [{ column: PROPERTY_ID }], first: ${groupBounds.max} }, first: ${groupBounds.max}) { totalCount groups { key { propertyId orderId } count distinct { ${countable.map(camelCase).join(' ')} } } } }`,
    ),
    { name: `groups over ${maxJoins} relations, one for each order`, path: groupsBy(['order_id', ...farKeys]) },
    { name: 'the different values of every column', path: groupsBy([]) },
    { name: '20 large pages', path: '/operations/orders?limit=100000' },
    { name: '20 pages of 1,000 rows', path: '/operations/orders?limit=1000' },
    { name: '20 filters that match nothing', path: '/operations/orders?creditor_number=999999999' },
    { name: '150 slow readers of large raw pages', path: '/raw/order_hdr?limit=100000', atOnce: 150, bytesPerSecond: 1_000 },
    { name: 'eight large pages', path: '/operations/orders?limit=100000', atOnce: 8 },
    ...invalidRequests(),
    ...connectionAttacks,
    ...fileAttacks,
    ...forgedHeaders,
  ];
};
