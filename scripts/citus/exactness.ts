/**
 * Readers beside loads: whether each answer has the rows of the version that it names.
 *
 * A load writes the number of its version into each row. Loads change the table in place and replace it in turn.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { findSourceFiles } from '../../src/sync/files/source-files.ts';
import type { Progress } from '../../src/sync/request.ts';
import { sync } from '../../src/sync/sync.ts';
import type { ApiResponse, Send } from '../same-answers/client.ts';
import type { KeyName } from '../support/versions.ts';

export interface Exactness {
  readonly answers: number;
  readonly loads: number;
  /** Answers with rows of another version, and failed requests, in words. */
  readonly wrong: readonly string[];
}

/** Asks for a path, whatever the status of the answer. */
export const read = (send: Send, path: string, key: KeyName = 'enterprise'): Promise<ApiResponse> =>
  send({ method: 'GET', path, key, expects: 'data' });

const table = 'person';
const column = 'company_name';
const lanes = 8;
const inPlace = { fewest: Number.POSITIVE_INFINITY };
const replaced = { fewest: 1, share: 0 };

/** Creates a function that loads the table with its next version in each row. Even numbers change the table in place. */
export const createLoader = async (database: Database, slug: string, folder: string) => {
  const customer = await findCustomer(database, slug);
  const { schema_name: schema } = customer;
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select to_jsonb(t) - '${column}' as row from "${schema}"."${table}" t order by 1`,
  );
  return async (load: number, progress?: Progress): Promise<number> => {
    const { rows: state } = await database.pool.query<{ version: number }>(
      `select version from "${schema}"._datasets where kind = 'raw' and name = '${table}'`,
    );
    const version = (state[0]?.version ?? 0) + 1;
    const path = join(folder, `${table}.ndjson`);
    writeFileSync(path, rows.map(({ row }) => `${JSON.stringify({ ...(row as object), [column]: `version ${version}` })}\n`).join(''));
    const files = findSourceFiles([path], 'rows');
    const replacing = load % 2 === 0 ? inPlace : replaced;
    await sync({ database, catalogue }, customer, { mode: 'full', retentionHours: 24, files, replacing }, progress);
    return version;
  };
};

/** What is wrong with an answer; undefined if nothing. */
const problemOf = (path: string, status: number, text: string, header: string | undefined): string | undefined => {
  if (status !== 200) return `${path}: ${status}`;
  const body = JSON.parse(text);
  const rows: Record<string, unknown>[] = body.upserts ?? body.data;
  const version = body.upserts ? body.to_version : Number(header);
  const torn = rows.find((row) => row[column] !== `version ${version}`);
  return torn && `${path}: ${torn[column]} under version ${version}`;
};

/** Asks for pages and deltas, small and large, until there are `wanted` answers, while one load follows another. */
export const checkExactness = async (database: Database, send: Send, slug: string, wanted: number): Promise<Exactness> => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-exact-'));
  const wrong: string[] = [];
  let [answers, loads] = [0, 0];
  try {
    const load = await createLoader(database, slug, folder);
    let version = await load(0);
    const paths = (n: number) =>
      [
        `/raw/${table}?limit=20&offset=${n % 7}`,
        `/raw/${table}?limit=5000`,
        `/raw/${table}/deltas?since_version=${version - 1}`,
        `/raw/${table}/deltas?since_version=${version - 1}&limit=5000`,
      ][n % 4] as string;
    const readInLane = async (lane: number) => {
      for (let n = lane; answers < wanted; n++) {
        const path = paths(n);
        const { status, body, headers } = await read(send, path);
        answers++;
        const problem = problemOf(path, status, body.toString(), headers.get('x-data-version'));
        if (problem) wrong.push(problem);
      }
    };
    const reading = Promise.all(Array.from({ length: lanes }, (_, lane) => readInLane(lane)));
    while (answers < wanted) version = await load(++loads);
    await reading;
    return { answers, loads, wrong };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
