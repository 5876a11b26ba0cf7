/**
 * A key with a scope gets the answer that a key without one gets from a database which holds nothing else (contract: data scopes). The
 * database is filtered by SQL of its own (`worlds.ts`).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onServer } from '../support/database.ts';
import { rounds, seed } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Answered, ask } from './answers.ts';
import { cases, nextPages, saveQuestions } from './attack.ts';
import type { KnownPage } from './guesses.ts';
import { keyForAll } from './keys.ts';
import { type Interface, interfaces, ofRows, type Question, Requests } from './requests.ts';
import { sampleValues, strip } from './worlds.ts';

const perCase = (full: number) => Math.ceil(rounds(full) / Object.keys(cases).length);
/** What each test asks, and how often. */
const questions: readonly (readonly [name: string, count: number, only: readonly Interface[]])[] = [
  ['on any interface', perCase(onServer ? 2_000 : 400), interfaces],
  ['with conditions, orders and columns of rows, and in groups', perCase(onServer ? 600 : 200), ofRows],
];
/** The most further pages of a request that are compared. */
const maxNext = 3;
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

/** The request of the page that follows. */
const pageAfter = ({ headers, ...question }: Question, { path, cursor }: KnownPage): Question => {
  const [at, search] = path.split('?');
  const query = new URLSearchParams(search);
  query.delete('offset');
  query.set('cursor', cursor);
  return { ...question, path: `${at}?${query}` };
};

describe.each(Object.entries(cases))('%s', (name, { scope, ...hidden }) => {
  let whole: TestService;
  let part: TestService;
  beforeAll(async () => {
    [whole, part] = await Promise.all([startService(), startService()]);
    await strip(part, hidden);
  });
  afterAll(() => Promise.all([whole.stop(), part.stop()]));

  test.each(questions)('equals the same request to the part alone %s', { timeout: 3_600_000 }, async (where, count, only) => {
    const [key, open] = [await keyForAll(whole, scope), await keyForAll(part, null)];
    const pool = { values: await sampleValues(part), cursors: [], etags: [] };
    if (only.includes('questions')) await saveQuestions({ one: whole, other: part }, seed);
    const requests = new Requests(seed, pool, only);
    let [compared, further] = [0, 0];
    const compare = async (mine: Question, theirs: Question): Promise<readonly [Answered, Answered] | undefined> => {
      const answers = await Promise.all([ask(whole, key, mine), ask(part, open, theirs)]);
      const [{ status, told }, { told: expected }] = answers;
      // What the scope hides is refused, which the attacker test covers.
      if (!isWhole(status, told)) {
        expect(told).toMatch(/^(?:4\d\d\n|200\n(?:.|\n)*(?:"errors":\[|"isError":true|"error":\{))/);
        return undefined;
      }
      expect([mine, comparable(told)]).toEqual([mine, comparable(expected)]);
      return answers;
    };
    for (let asked = 0; compared < count && asked < 4 * count; asked++) {
      const question = requests.next();
      if (!isOfData(question)) continue;
      let answers = await compare(question, question);
      if (!answers) continue;
      compared++;
      // Each key continues with its own cursors, which have different signatures.
      for (let page = 0; answers && page < maxNext; page++) {
        const [mine, theirs] = answers.map((each) => nextPages(question, each)[0]);
        if (!mine || !theirs) break;
        answers = await compare(pageAfter(question, mine), pageAfter(question, theirs));
        if (answers) further++;
      }
    }
    console.log(`${name}, ${where}: ${compared} answers and ${further} further pages compared`);
    expect(compared).toBeGreaterThan(count * 0.9);
  });
});
