/**
 * A straightforward server: Fastify, `pg`, rows as objects, `JSON.stringify`. It has no keys, limits or quotas, and its cursors are plain ids.
 * Its `/catalog` is a constant with the headers of the service, which shows the cost of the headers.
 */
import Fastify from 'fastify';
import pg from 'pg';
import { catalogue } from '../src/catalogue/index.ts';
import { groupByCategory } from '../src/execute/visible.ts';
import { commonHeaders } from '../src/http/responses/headers.ts';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
  (text) => `${text.slice(0, 10)}T${text.slice(11, -3).replace(/\.\d+$/, (digits) => digits.padEnd(7, '0'))}Z`,
);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c TimeZone=UTC' });
const orders = `${process.env.CUSTOMER_SCHEMA ?? 'customer_bench'}.orders`;

interface Query {
  readonly property_id?: string;
  readonly limit: string;
  readonly cursor?: string;
}

const app = Fastify({ keepAliveTimeout: 60_000 });
app.get<{ Querystring: Query }>('/operations/orders', async (request, reply) => {
  const { property_id, cursor, limit } = request.query;
  const [column, value] = property_id ? ['property_id =', property_id] : ['order_id >', cursor ?? 0];
  const [rows, count] = await Promise.all([
    pool.query(`select * from ${orders} where ${column} $1 order by order_id limit ${Number(limit)}`, [value]),
    property_id && pool.query(`select count(*) from ${orders} where property_id = $1`, [property_id]),
  ]);
  if (count) reply.header('X-Total-Count', count.rows[0].count);
  return rows.rows;
});
const tables = Buffer.from(JSON.stringify({ categories: groupByCategory([...catalogue.tables.values()]) }));
let remaining = 1e9;
app.get('/catalog', async (_request, reply) =>
  reply
    .headers(commonHeaders(crypto.randomUUID(), { limit: 1e9, remaining: remaining--, resetSeconds: 3_600, isExceeded: false }))
    .headers({ ETag: 'W/"aaaaaaaaaaaaaaaaaaaaaa"', 'Server-Timing': 'queue;dur=0.0, database;dur=0.0, total;dur=0.1' })
    .type('application/json; charset=utf-8')
    .send(tables),
);
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.once('SIGTERM', () => process.exit());
