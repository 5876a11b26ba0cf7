/** The clients of the benchmarks fail at any answer that was not expected, so that no figure is the time of a refusal. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, Client, fetchAnswer } from '../../bench/client.ts';

/** Answers with the status and the body of the query. */
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://test');
  const body = searchParams.get('body') ?? '';
  response.writeHead(Number(searchParams.get('status')), { 'Content-Length': body.length }).end(body);
});
let url: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const ask = async (path: string, status?: number): Promise<string> => {
  const client = await Client.to(url);
  try {
    return (await client.ask({ path, ...(status && { status }) })).head.slice(9, 12);
  } finally {
    client.close();
  }
};

test.each([401, 429, 500, 503])('%i', async (status) => {
  const path = `/page?status=${status}&body=refused`;
  await expect(ask(path)).rejects.toThrow(`${status}`);
  await expect(bodyOf({ url }, { path })).rejects.toThrow(`/page is answered ${status}: refused`);
  await expect(fetchAnswer(url + path)).rejects.toThrow(`/page is answered ${status}: refused`);
  expect(await ask(path, status)).toBe(String(status));
  expect(await bodyOf({ url }, { path, status })).toBe('refused');
  expect((await fetchAnswer(url + path, {}, 200, status)).status).toBe(status);
  await expect(ask('/page?status=200&body=x', status)).rejects.toThrow('200');
});

test('a GraphQL answer with errors', async () => {
  const path = `/graphql?status=200&body=${encodeURIComponent('{"data":{"orders":null},"errors":[{"message":"late"}]}')}`;
  await expect(ask(path)).rejects.toThrow('has errors');
  await expect(bodyOf({ url }, { path })).rejects.toThrow('has errors');
  expect(await bodyOf({ url }, { path: '/graphql?status=200&body={"data":{}}' })).toBe('{"data":{}}');
});
