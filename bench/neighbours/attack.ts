/** What an attack is, and attacks by a GraphQL document. */

/** The service under attack, and one of the attacker's keys. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly key: string;
}

/** The address of the attacker's client. Other clients of the benchmark have 127.0.0.1, so that limits per address tell them apart. */
export const localAddress = '127.0.0.2';

export interface Attack {
  readonly name: string;
  /** `{turn}` in it is replaced by the number of the request, so that no response is shared. */
  readonly path: string;
  /** The body of a POST. Undefined: GET. */
  readonly body?: (turn: number) => string;
  /** Headers of a request without a key. Undefined: a request with a key. */
  readonly openHeaders?: (turn: number) => Readonly<Record<string, string>>;
  /** Bytes per second that each client reads. Undefined: as fast as possible. */
  readonly bytesPerSecond?: number;
  /** Requests in flight; 20 by default. */
  readonly atOnce?: number;
  /** What a client repeats if it is not a plain request. Resolves with the outcome. */
  readonly round?: (target: Target) => Promise<string>;
}

export const times = (count: number, text: (index: number) => string): string => Array.from({ length: count }, (_, i) => text(i)).join(' ');

export const graphql = (name: string, query: (turn: number) => string): Attack => ({
  name,
  path: '/graphql',
  body: (turn) => JSON.stringify({ query: query(turn) }),
});

/** A document with one variable, the filter of orders. */
export const byFilter = 'query ($filter: OrderFilter) { orders(filter: $filter) { totalCount nodes { orderId } } }';
export const filtered = (name: string, filter: (turn: number) => object): Attack => ({
  name,
  path: '/graphql',
  body: (turn) => JSON.stringify({ query: byFilter, variables: { filter: filter(turn) } }),
});
