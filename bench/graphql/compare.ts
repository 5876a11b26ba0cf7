/**
 * The GraphQL face against a straightforward server over the same database (`baseline.ts`), in turn, on one machine.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench:graphql
 *
 * The database needs a customer `bench` (`estate demo --customer bench --scale bench`). Answers are compared before they are
 * timed. `alone`: one request after the other; `8 at once`: over eight connections.
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { issueKey, median, type Server, startServer, startService } from '../service.ts';

const documents = {
  '50 orders with offer, notification, technical object': `{ orders(first: 50) { nodes {
    orderId propertyId orderType status totalNet orderDate
    offer { offerHdrId propertyId creditorId offerValue offerType statusText }
    notification { reportHdrId propertyId reportType status priorityText reportDate }
    technicalObject { toId toName toType manufacturer status conditionRating } } } }`,
  '20 properties, 20 orders each, their offers': `{ properties(first: 20) { nodes {
    propertyId propertyName entrance address unitCount marketValue
    orders(first: 20) { nodes { orderId orderType status totalNet orderDate subject
      offer { offerHdrId creditorId offerValue offerType statusText offerAccepted } } } } } }`,
  '1,000 orders, 10 fields': `{ orders(first: 1000) { nodes {
    orderId propertyId orderNumber orderType status subject totalNet totalGross orderDate isInsuranceClaim } } }`,
};

const rounds = Number(process.env.ROUNDS ?? 15);
const roundMs = 250;
/** Until the compiler is done with the code, and every connection has planned its statements for good: some thousand requests. */
const warmUpMs = 6_000;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

const post = (url: string, key: string, query: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json', 'X-API-Key': key };
    const call = request(`${url}/graphql`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks).toString()));
    });
    call.on('error', reject).end(JSON.stringify({ query }));
  });

/** Milliseconds per request while asking for a time, `atOnce` requests under way at any moment. */
const time = async (atOnce: number, duration: number, ask: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  let answers = 0;
  const lane = async () => {
    for (; performance.now() - started < duration; answers++) await ask();
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return (performance.now() - started) / answers;
};

const compare = async (servers: readonly Server[], key: string, query: string, atOnce: number) => {
  const times = servers.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, { url }] of servers.entries()) times[index]?.push(await time(atOnce, roundMs, () => post(url, key, query)));
  return times.map(median);
};

const { key, schema, revoke } = await issueKey('bench');
const servers = await Promise.all([
  startService({ NODE_ENV: 'production' }),
  startServer('baseline', ['--import', 'tsx', 'bench/graphql/baseline.ts'], { CUSTOMER_SCHEMA: schema, NODE_ENV: 'production' }),
]);
try {
  for (const [name, query] of Object.entries(documents)) {
    const [ours, theirs] = await Promise.all(servers.map(async ({ url }) => JSON.parse(await post(url, key, query)).data));
    assert.ok(ours, name);
    assert.deepEqual(ours, theirs, name);
    for (const { url } of servers) await time(2, warmUpMs, () => post(url, key, query));
    for (const atOnce of [1, 8]) {
      const [estate = 0, baseline = 0] = await compare(servers, key, query, atOnce);
      const figures = `${estate.toFixed(2)} ms against ${baseline.toFixed(2)} ms, ${(baseline / estate).toFixed(2)} times`;
      console.log(`${name.padEnd(54)} ${atOnce === 1 ? 'alone    ' : '8 at once'}  ${figures}`);
    }
  }
} finally {
  agent.destroy();
  for (const server of servers) await server.stop();
  await revoke();
}
