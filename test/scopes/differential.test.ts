/**
 * A key with a scope gets the answer that a key without one gets from a database which holds nothing else (contract: data scopes). The
 * database is filtered by SQL of its own (`worlds.ts`). `SCOPE_QUESTIONS` sets the number of requests, `SEED` the seed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onServer } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { ask } from './answers.ts';
import { cases, saveQuestions } from './attack.ts';
import { keyForAll } from './keys.ts';
import { type Question, Requests } from './requests.ts';
import { sampleValues, strip } from './worlds.ts';

const count = Math.ceil(Number(process.env.SCOPE_QUESTIONS ?? (onServer ? 2_000 : 400)) / Object.keys(cases).length);
const seed = Number(process.env.SEED ?? 28);
const macLength = 12;

/** A cursor without its signature, which names the scope. */
const unsigned = (cursor: string) => Buffer.from(cursor, 'base64url').subarray(macLength).toString();

/** An answer without signatures and tags, and without what describes the key. */
const comparable = (told: string): string =>
  told
    .replaceAll(
      /(\\?")(next_cursor|endCursor|startCursor)\\?":\\?"([^"\\]+)\\?"/g,
      (_all, quote, name, cursor) => `${quote}${name}${quote}:${JSON.stringify(unsigned(cursor))}`,
    )
    .replaceAll(/^(x-next-cursor: )(.+)$/gm, (_all, name, cursor) => name + unsigned(cursor))
    .replaceAll(/^(?:link|etag|content-length): .*$/gm, '')
    // An id of a hidden table costs nothing.
    .replaceAll(/"cost":\{[^}]*\}/g, '')
    .replaceAll(/"row_?[cC]ount":(?:\d+|null)/g, '');

/** Documents about the key and the service differ between the keys, and a key with a scope sees less of the schema. */
const isOfData = ({ path, body = '' }: Question) =>
  !/^\/(?:me|changes|catalog|tables|docs|openapi|raw\/tables|files)|\/deltas/.test(path) &&
  !/^\/questions$/.test(path) &&
  !/\b(?:me|changes|catalog|__type|lookupValues|list_tables|describe_table|get_changes|tools\/list|discover)\b/.test(body + path);

/** Whether an answer has data, and no error of a field or of a tool. */
const isWhole = (status: number, told: string) => status === 200 && !/"errors":\[|"isError":true|"error":\{/.test(told);

describe.each(Object.entries(cases))('%s', (name, { scope, ...hidden }) => {
  let whole: TestService;
  let part: TestService;
  beforeAll(async () => {
    [whole, part] = await Promise.all([startService(), startService()]);
    await strip(part, hidden);
  });
  afterAll(() => Promise.all([whole.stop(), part.stop()]));

  test('equals the same request to the part alone', { timeout: 3_600_000 }, async () => {
    const [key, open] = [await keyForAll(whole, scope), await keyForAll(part, null)];
    const pool = { values: await sampleValues(part), cursors: [], etags: [] };
    await saveQuestions({ one: whole, other: part }, seed);
    const requests = new Requests(seed, pool);
    let compared = 0;
    for (let asked = 0; compared < count && asked < 4 * count; asked++) {
      const question = requests.next();
      if (!isOfData(question)) continue;
      const [mine, theirs] = await Promise.all([ask(whole, key, question), ask(part, open, question)]);
      // What the scope hides is refused, which the attacker test covers.
      if (!isWhole(mine.status, mine.told)) {
        expect(mine.told).toMatch(/^(?:4\d\d\n|200\n(?:.|\n)*(?:"errors":\[|"isError":true|"error":\{))/);
        continue;
      }
      compared++;
      expect([question, comparable(mine.told)]).toEqual([question, comparable(theirs.told)]);
    }
    console.log(`${name}: ${compared} answers compared`);
    expect(compared).toBeGreaterThan(count * 0.9);
  });
});
