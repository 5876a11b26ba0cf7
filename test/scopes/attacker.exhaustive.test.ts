/**
 * No answer to a key with a scope depends on hidden data: neither values, nor counts, nor errors, nor cursors, tags and 304s (contract: data
 * scopes).
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onServer, openTestDatabase } from '../support/database.ts';
import { rounds, seed } from '../support/rounds.ts';
import { startServiceOn, type TestService } from '../support/service.ts';
import { attack, cases, describeLeak, separate } from './attack.ts';
import { type Interface, interfaces, ofRows, Requests } from './requests.ts';
import { sampleValues } from './worlds.ts';

const perCase = (full: number) => Math.ceil(rounds(full) / Object.keys(cases).length);
/** What each test asks, and how often. */
const attacks: readonly (readonly [name: string, count: number, only: readonly Interface[]])[] = [
  ['on any interface', perCase(onServer ? 4_000 : 800), interfaces],
  ['with conditions, orders and columns of rows, and in groups', perCase(onServer ? 2_000 : 400), ofRows],
];

const folder = mkdtempSync(join(tmpdir(), 'estate-attacks-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Persists documents that ask for what the database has. A request by hash does not show their text, so it contains no hidden values. */
const persist = async (database: TestService['database'], into: string): Promise<readonly string[]> => {
  const requests = new Requests(seed, { values: await sampleValues({ database }), cursors: [], etags: [] });
  const documents = requests.documents(400).filter((text) => !text.includes('canary'));
  mkdirSync(into);
  for (const [index, text] of documents.entries()) writeFileSync(join(into, `${index}.graphql`), text);
  return documents;
};

describe.each(Object.entries(cases))('%s', (name, each) => {
  let one: TestService;
  let other: TestService;
  let documents: readonly string[];
  beforeAll(async () => {
    const [first, second] = await Promise.all([openTestDatabase(), openTestDatabase()]);
    // Addresses in answers name no port, so that equal answers are equal bytes.
    const environment = { PERSISTED_DIR: join(folder, name.replaceAll(/\W+/g, '-')), PUBLIC_URL: 'http://localhost:8080' };
    documents = await persist(first, environment.PERSISTED_DIR);
    [one, other] = await Promise.all([startServiceOn(first, { environment }), startServiceOn(second, { environment })]);
    await separate({ one, other }, each);
  });
  afterAll(() => Promise.all([one.stop(), other.stop()]));

  test.each(attacks)('nothing hidden can be found %s', { timeout: 3_600_000 }, async (where, count, only) => {
    const { asked, statuses, leak } = await attack({ one, other, documents }, each, { count, seed, only });
    console.log(`${name}, ${where}: ${asked} requests, ${JSON.stringify(statuses)}`);
    expect(leak && describeLeak(leak)).toBeUndefined();
    expect(statuses['200']).toBeGreaterThan(asked / 3);
  });
});
