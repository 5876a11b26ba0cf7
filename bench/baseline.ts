/**
 * The baseline: the least work that gives the same responses. It uses `node:http`, the PostgreSQL wire protocol and one conversion of
 * bytes. It has no keys, quotas, log, checks or GraphQL. The difference is the cost of what the service guarantees.
 *
 *   DATABASE_URL=postgres://… CUSTOMER_SCHEMA=customer_bench node --import tsx bench/baseline.ts
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { catalogue } from '../src/catalogue/index.ts';
import { groupByCategory } from '../src/execute/visible.ts';
import { lengthAt, Out, shapeOf } from './baseline/json.ts';
import { type Bound, Postgres, type Statement } from './baseline/postgres.ts';

const schema = process.env.CUSTOMER_SCHEMA ?? 'customer_bench';
const orders = `${schema}.orders`;

const aliased = (table: string, columns: string, inside = '') =>
  columns.split(' ').map((column) => `${table}.${column} as "${inside}${column.replace(/_(.)/g, (_, letter) => letter.toUpperCase())}"`);

const ownColumns = 'order_id property_id order_type status total_net order_date';
const offerColumns = 'offer_hdr_id property_id creditor_id offer_value offer_type status_text';
const noteColumns = 'report_hdr_id property_id report_type status priority_text report_date';
const objectColumns = 'to_id to_name to_type manufacturer status condition_rating';
const tenColumns = 'order_id property_id order_number order_type status subject total_net total_gross order_date is_insurance_claim';
const nestedOrder = 'order_id order_type status total_net order_date subject';
const nestedOffer = 'offer_hdr_id creditor_id offer_value offer_type status_text offer_accepted';

const texts = {
  count: `select count(*) from ${orders} where property_id = $1`,
  ofProperty: `select * from ${orders} where property_id = $1 order by order_id limit 100`,
  behind1000: `select * from ${orders} where order_id > $1 order by order_id limit 1000`,
  behind100000: `select * from ${orders} where order_id > $1 order by order_id limit 100000`,
  withRelations: `select ${[
    ...aliased('o', ownColumns),
    ...aliased('f', offerColumns, 'offer.'),
    ...aliased('n', noteColumns, 'notification.'),
    ...aliased('t', objectColumns, 'technicalObject.'),
  ]} from (select * from ${orders} where property_id = $1 order by order_id limit 50) o
    left join ${schema}.offers f using (offer_hdr_id) left join ${schema}.notifications n using (report_hdr_id)
    left join ${schema}.technical_objects t on t.to_id = o.to_hdr_id order by o.order_id`,
  properties: `select ${aliased('p', 'property_id property_name entrance address unit_count market_value')}
    from ${schema}.properties p where property_id >= $1 order by property_id limit 20`,
  ordersOfProperties: `select p.property_id as parent, ${[...aliased('o', nestedOrder), ...aliased('f', nestedOffer, 'offer.')]}
    from (select property_id from ${schema}.properties where property_id >= $1 order by property_id limit 20) p
    cross join lateral (select * from ${orders} where property_id = p.property_id order by order_id limit 20) o
    left join ${schema}.offers f on f.offer_hdr_id = o.offer_hdr_id order by p.property_id, o.order_id`,
  tenColumns: `select ${aliased('o', tenColumns)} from ${orders} o where order_id >= $1 order by order_id limit 1000`,
};
type Name = keyof typeof texts;
const statements = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { name, text }])) as Record<Name, Statement>;

const connections = await Promise.all(
  Array.from({ length: 4 }, () => Postgres.open(process.env.DATABASE_URL ?? '', Object.values(statements))),
);
const columns = (name: Name) => connections[0]!.columns.get(name)!;

const idle = [...connections];
const waiting: ((connection: Postgres) => void)[] = [];
const release = (connection: Postgres) => {
  const next = waiting.shift();
  if (next) next(connection);
  else idle.push(connection);
};
const take = async (): Promise<Postgres> => idle.pop() ?? new Promise((resolve) => waiting.push(resolve));

/** The statements that are sent together, and the text after their rows. */
interface Reading {
  readonly queries: readonly Bound[];
  readonly finish?: () => void;
}

const send = async (response: ServerResponse, [before, after]: readonly [string, string], read: (out: Out) => Reading): Promise<void> => {
  const connection = await take();
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const out = new Out(response, connection);
  out.put(Buffer.from(before));
  const { queries, finish } = read(out);
  await connection.run(queries);
  finish?.();
  out.put(Buffer.from(after));
  out.end();
  // An ended response emits no drain event.
  connection.resume();
  release(connection);
};

const COMMA = Buffer.from(',');
const list = (name: Name) => {
  const shape = shapeOf(columns(name));
  /** Writes the rows of the statement. */
  return (out: Out, value: string): Bound => {
    let count = 0;
    const row: Bound['row'] = (bytes, at, end) => {
      if (count++ > 0) out.put(COMMA);
      out.row(shape, bytes, at, end);
    };
    return { statement: statements[name], values: [value], row };
  };
};

const textAt = (bytes: Buffer, at: number) => bytes.toString('latin1', at + 4, at + 4 + lengthAt(bytes, at));

const propertyShape = shapeOf(columns('properties'), ',"orders":{"nodes":[');
const orderShape = shapeOf(columns('ordersOfProperties').slice(1));
const [endOfOrders, betweenProperties] = [Buffer.from(']}}'), Buffer.from(']}},')];

/** All properties first, then the orders in the order of their properties. */
const propertiesWithOrders = (out: Out, from: string): Reading => {
  const properties: { readonly id: string; readonly row: Buffer }[] = [];
  let [current, count] = [-1, 0];
  const next = () => {
    if (current >= 0) out.put(betweenProperties);
    const { row } = properties[++current]!;
    out.row(propertyShape, row, 0, row.length);
    count = 0;
  };
  const property: Bound['row'] = (bytes, at, end) => properties.push({ id: textAt(bytes, at), row: Buffer.from(bytes.subarray(at, end)) });
  const order: Bound['row'] = (bytes, at, end) => {
    const id = textAt(bytes, at);
    while (properties[current]?.id !== id) next();
    if (count++ > 0) out.put(COMMA);
    out.row(orderShape, bytes, at + 4 + id.length, end);
  };
  return {
    queries: [
      { statement: statements.properties, values: [from], row: property },
      { statement: statements.ordersOfProperties, values: [from], row: order },
    ],
    finish: () => {
      while (current < properties.length - 1) next();
      if (current >= 0) out.put(endOfOrders);
    },
  };
};

const ordersOfProperty = list('ofProperty');
const pageWithTotal = (response: ServerResponse) => (out: Out, property: string) => ({
  queries: [
    {
      statement: statements.count,
      values: [property],
      row: (bytes: Buffer, at: number) => response.setHeader('X-Total-Count', textAt(bytes, at)),
    },
    ordersOfProperty(out, property),
  ],
});

const array = ['[', ']'] as const;
const nodes = (name: string) => [`{"data":{"${name}":{"nodes":[`, ']}}}'] as const;
const single = (name: Name) => {
  const rows = list(name);
  return () => (out: Out, value: string) => ({ queries: [rows(out, value)] });
};

type Workload = (response: ServerResponse) => (out: Out, value: string) => Reading;
/** Handlers by path. The query string is the only value. */
const work: Readonly<Record<string, readonly [texts: readonly [string, string], read: Workload]>> = {
  '/orders-of-property': [array, pageWithTotal],
  '/orders-behind-1000': [array, single('behind1000')],
  '/orders-behind-100000': [array, single('behind100000')],
  '/orders-with-relations': [nodes('orders'), single('withRelations')],
  '/properties-with-orders': [nodes('properties'), () => propertiesWithOrders],
  '/ten-columns': [nodes('orders'), single('tenColumns')],
};

const tables = Buffer.from(JSON.stringify({ categories: groupByCategory([...catalogue.tables.values()]) }));
const sendBytes = (response: ServerResponse, status: number, type: string, body: Buffer) =>
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
const sendProblem = (response: ServerResponse, status: number, title: string, detail: string, instance: string) =>
  sendBytes(
    response,
    status,
    'application/problem+json',
    Buffer.from(JSON.stringify({ type: 'about:blank', title, status, detail, instance })),
  );

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const [path = '', value = ''] = (request.url ?? '').split('?');
  const asked = work[path];
  if (asked) void send(response, asked[0], (out) => asked[1](response)(out, value));
  else if (request.headers['if-none-match']) response.writeHead(304).end();
  else if (path === '/catalog') sendBytes(response, 200, 'application/json; charset=utf-8', tables);
  else if (path === '/keyless') sendProblem(response, 401, 'Unauthorized', 'API key required', path);
  else sendProblem(response, 404, 'Not Found', 'Category or table not found', path);
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}
`),
);
process.once('SIGTERM', () => process.exit());
