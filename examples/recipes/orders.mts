/**
 * TypeScript with openapi-fetch: a copy of the orders (copy), its nightly update (delta), a filtered report (report), and a year (year).
 *
 * ESTATE_URL and ESTATE_KEY say where and who. The copy is orders.json with its data version in orders.version. The types are made by
 * `npx openapi-typescript "$ESTATE_URL/openapi.json" -o estate.d.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import createClient from 'openapi-fetch';
import type { components, paths } from './estate.d.ts';

type Order = components['schemas']['orders'];

const { ESTATE_URL = '', ESTATE_KEY = '' } = process.env;
const estate = createClient<paths>({ baseUrl: ESTATE_URL, headers: { 'X-API-Key': ESTATE_KEY } });

/** The data of an answer. A refusal is an error with its detail. */
const accepted = <T,>({ data, error }: { data?: T; error?: unknown }): T => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

const save = (rows: Iterable<Order>, version: number | string) => {
  writeFileSync('orders.json', JSON.stringify([...rows].sort((one, other) => one.order_id - other.order_id)));
  writeFileSync('orders.version', String(version));
};

const changes = (since_version: number, cursor: string) =>
  estate.GET('/operations/orders/deltas', { params: { query: { since_version, limit: 10_000, cursor } } });

const tasks = {
  copy: async () => {
    // The first request for a version builds its file. After some seconds the answer is a 202.
    for (;;) {
      const answer = await fetch(`${ESTATE_URL}/files/orders/latest.ndjson.gz`, { headers: { 'X-API-Key': ESTATE_KEY } });
      if (!answer.ok) throw new Error(await answer.text());
      if (answer.status === 200) {
        const lines = gunzipSync(await answer.arrayBuffer())
          .toString()
          .trimEnd()
          .split('\n');
        return save(
          lines.map((line) => JSON.parse(line) as Order),
          answer.headers.get('X-Data-Version') ?? 0,
        );
      }
      await setTimeout(Number(answer.headers.get('Retry-After')) * 1_000);
    }
  },
  delta: async () => {
    const rows = new Map((JSON.parse(readFileSync('orders.json', 'utf8')) as Order[]).map((row) => [row.order_id, row]));
    const since_version = Number(readFileSync('orders.version', 'utf8'));
    let version = since_version;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await changes(since_version, cursor);
      const { upserts, deletes, to_version, next_cursor } = accepted(answer);
      for (const row of upserts) rows.set(row.order_id, row);
      for (const key of deletes) rows.delete(key as number);
      [version, cursor] = [to_version, next_cursor];
    }
    save(rows.values(), version);
  },
  report: async () => {
    const where = ['order_date>=2025-01-01', 'status:in(executed,approved)'];
    const query = { where, by: ['trade'], count: '', sum: ['total_net' as const], order: ['-sum_total_net'], format: 'csv' as const };
    const answer = await estate.GET('/operations/orders/groups', { params: { query }, parseAs: 'text' });
    process.stdout.write(String(accepted(answer)));
  },
  year: async () => {
    const where = ['order_date>=2025-01-01', 'order_date<2026-01-01'];
    const columns = ['order_id', 'order_date', 'property.city', 'total_net', 'days:days(order_date,closed_date)'];
    const query = { where, columns, limit: 100_000, format: 'csv' as const };
    const answer = await estate.GET('/operations/orders', { params: { query }, parseAs: 'text' });
    process.stdout.write(String(accepted(answer)));
  },
};

await tasks[process.argv[2] as keyof typeof tasks]();
