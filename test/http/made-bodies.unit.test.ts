/** Pages and descriptions are made once for each name, within a bound of bytes (contract: compression). */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { MadeBodies, madeOnce } from '../../src/http/responses/made-bodies.ts';

/** Bodies that are made of these texts, and the names that were made. */
const recorded = (bodies: MadeBodies) => {
  const made: string[] = [];
  const of = (name: string, text = name) =>
    bodies.of(name, async () => {
      made.push(name);
      return text;
    });
  return { made, of };
};

test('requests for one name share its body, its tag and its compressed forms', async () => {
  const { made, of } = recorded(new MadeBodies(10_000));
  const [first, second] = await Promise.all([of('page'), of('page')]);
  const third = await of('page');
  expect(made).toEqual(['page']);
  expect([first, third]).toEqual([second, first]);
  expect(third.encoded('br')).toBe(first.encoded('br'));
  expect(
    [await third.encoded('br'), await third.encoded('gzip')].map((bytes, at) => String([brotliDecompressSync, gunzipSync][at]!(bytes))),
  ).toEqual(['page', 'page']);
  expect([String(third.bytes), third.etag === (await of('other')).etag]).toEqual(['page', false]);
});

test('a failure is not kept', async () => {
  const bodies = new MadeBodies(10_000);
  const failing = () => bodies.of('page', async () => Promise.reject(new Error('no article')));
  const results = await Promise.allSettled([failing(), failing()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(String((await recorded(bodies).of('page')).bytes)).toBe('page');
});

test('the least recently used bodies are evicted when the bytes are used up', async () => {
  const { made, of } = recorded(new MadeBodies(1_000));
  for (const name of ['first', 'second', 'third', 'first']) await of(name, name.padEnd(200, '-'));
  await of('third', '');
  expect(made).toEqual(['first', 'second', 'third', 'first']);
  // One that is larger than all bytes is made for each request.
  for (const name of ['large', 'large']) expect((await of(name, name.repeat(1_000))).bytes.length).toBe(5_000);
});

test('a body of a process is made for its first request, and again after a failure', async () => {
  let calls = 0;
  const body = madeOnce(async () => {
    calls++;
    if (calls === 1) throw new Error('no article');
    return `call ${calls}`;
  });
  await expect(Promise.all([body(), body()])).rejects.toThrow('no article');
  const [first, second] = await Promise.all([body(), body()]);
  expect([String(first.bytes), second === first, (await body()) === first, calls]).toEqual(['call 2', true, true, 2]);
});
