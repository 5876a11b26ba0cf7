/**
 * Invalid requests, each as expensive as possible for its kind, and valid documents that are expensive to check. Each text differs from the
 * previous one, so that no cache can answer.
 */
import { limits } from '../../src/graphql/document/limits.ts';
import { type Attack, filtered, graphql, times } from './attack.ts';

const inOrders = (text: string): string => `{ orders(first: 1) { nodes { ${text} } } }`;
const list = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const post = (name: string, body: (turn: number) => string): Attack => ({ name, path: '/graphql', body });
const operations = (text: (index: number) => string): string => times(limits.operations, (i) => `query q${i} ${text(i)}`);

/** Long names and values, within the limit of a body. */
const tooLong = 'X'.repeat(200_000);
const longText = 'X'.repeat(130_000);
/** Each line break is sent as two letters. */
const lines = '\n'.repeat(limits.lines - 10);

export const invalidRequests = (): readonly Attack[] => [
  graphql('980 unknown fields', (turn) => inOrders(times(980, (i) => `orderI${turn}x${i}`))),
  filtered('3,000 unknown input fields', (turn) => Object.fromEntries(list(3_000, (i) => [`orderI${turn}x${i}`, { eq: 1 }]))),
  filtered('990 unknown input fields of 16 letters', (turn) =>
    Object.fromEntries(list(990, (i) => [`${turn}x${i}x`.padEnd(16, 'o'), { eq: 1 }])),
  ),
  filtered('10,000 invalid list values', (turn) => ({ orderId: { in: list(10_000, (i) => `x${turn + i}`) } })),
  graphql('400 variables of unknown types', (turn) => `query (${times(400, (i) => `$v${i}: OrderFilte${turn}x${i}`)}) { __typename }`),
  graphql(
    '360 fragments on unknown types',
    (turn) => `{ ${times(360, (i) => `...f${i}`)} } ${times(360, (i) => `fragment f${i} on Orde${turn}x${i} { a }`)}`,
  ),
  graphql(
    '300 inline fragments over the same fields',
    (turn) => `# ${turn}\n${inOrders(times(300, () => '... { orderId subject status }'))}`,
  ),
  {
    name: 'groups with 200 invalid keys and 200 invalid conditions',
    path: `/operations/orders/groups?by=${list(200, (i) => `colour${i}`)}&having=${list(200, (i) => `size${i}>=x`)}`,
  },
  {
    name: 'groups by so many names as a request can hold',
    path: `/operations/orders/groups?by=${list(3_500, () => 'a')}&order=${list(3_500, () => 'b')}`,
  },
  filtered('43,000 empty objects', () => ({ or: list(43_000, () => ({})) })),
  filtered('19,900 empty objects', () => ({ or: list(19_900, () => ({})) })),
  filtered('64,000 values of an enum that has none of them', (turn) => ({ orderTypeIs: list(64_000, () => turn % 10) })),
  graphql(
    'a list literal of 3,900 wrong values',
    (turn) => `{ orders(filter: { orderId: { in: [${times(3_900, () => `"${turn}"`)}] } }) { totalCount } }`,
  ),
  graphql('1,900 empty objects as literals', (turn) => `{ orders(filter: { or: [${'{} '.repeat(1_900)}] }) { x${turn} } }`),
  graphql('490 empty objects as literals', (turn) => `{ orders(filter: { or: [${'{} '.repeat(490)}] }) { x${turn} } }`),
  graphql('200 fields of one name', (turn) => `# ${turn}\n${inOrders('property { propertyId } '.repeat(140))}`),
  graphql(
    'a cycle of 480 fragments',
    (turn) => `# ${turn}\n{ ...f0 } ${times(480, (i) => `fragment f${i} on Query { ...f${(i + 1) % 480} }`)}`,
  ),
  graphql(
    'a chain of fragments, spread 45 times',
    (turn) =>
      `{ ${times(45, (i) => `a${i}: orders(first: 1) { nodes { ...f0 } }`)} } ${times(300, (i) => `fragment f${i} on Order { ${i < 299 ? `...f${i + 1}` : `x${turn}`} }`)}`,
  ),
  graphql(
    'operations that share 1,600 uses of a variable',
    (turn) =>
      `# ${turn}\n${operations(() => '($v: [BigInt!]) { ...f }')} fragment f on Query { orders(filter: { orderId: { in: [${'$v '.repeat(1_600)}] } }) { totalCount } }`,
  ),
  graphql('1,900 unknown directives', (turn) => `{ __typename ${times(1_900, (i) => `@inclde${turn}x${i}`)} }`),
  graphql('1,200 unknown arguments', (turn) => `{ orders(${times(1_200, (i) => `filte${turn}x${i}: 1`)}) { totalCount } }`),
  graphql('1,200 arguments of one name', (turn) => `{ orders(${times(1_200, () => `first: ${turn}`)}) { totalCount } }`),
  graphql('an enum value of 200 KB', (turn) => `{ orders(filter: { orderTypeIs: [${tooLong}${turn}] }) { totalCount } }`),
  graphql('an enum value of 128 KB', (turn) => `{ orders(filter: { orderTypeIs: [${longText}${turn}] }) { totalCount } }`),
  graphql('an unknown field of 128 KB', (turn) => `{ ${longText}${turn} }`),
  graphql('no GraphQL behind the maximum of lines', (turn) => `${lines}{ ${turn} }`),
  graphql('errors behind 120,000 lines', (turn) => `${'\n'.repeat(120_000)}{ ${times(20, (i) => `x${turn}x${i}`)} }`),
  graphql('no GraphQL behind 120,000 lines', (turn) => `${'\n'.repeat(120_000)}{ ${turn} }`),
  graphql(
    'introspection with 45 aliases and unknown fields',
    (turn) => `{ ${times(45, (i) => `s${i}: __schema { types { ${times(18, (j) => `x${turn}x${j}`)} } }`)} }`,
  ),
  graphql(
    '450 fields that conflict with the last of their name',
    (turn) => `# ${turn}\n${inOrders(`${times(450, () => 'property { propertyId }')} property: offer { offerValue }`)}`,
  ),
  post('unknown parameters of 200 KB', (turn) => JSON.stringify({ query: '{ __typename }', [`${tooLong}${turn}`]: 1 })),
  post('unknown persisted operations', (turn) =>
    JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: `${longText}${turn}` } } }),
  ),
  { name: 'a GET with 15 KB of unknown fields', path: `/graphql?query=${encodeURIComponent(`{${times(950, (i) => `orderIdd${i}`)}}`)}` },
];
