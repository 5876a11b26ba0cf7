/** A second load of the first customer, so that there are several versions, changed rows and deleted rows. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entries } from '../../src/catalogue/index.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { mapConcurrently, type Send } from './client.ts';
import { get, json } from './samples.ts';

const changed = 40;
const deleted = 3;

/** Rows that others refer to stay, because a required value may depend on them. */
const joined = new Set<string>(entries.flatMap(({ source }) => source.joins.map(({ table }) => table)));

const linesOf = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Loads some rows of each raw table with a new time of change, and deletes some others, with the command line. */
export const loadAgain = async (send: Send, estate: (...args: readonly string[]) => unknown): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'same-answers-load-'));
  try {
    const files = await mapConcurrently(Object.entries(rawTables), async ([name, { key, columns }]) => {
      const { data } = json(await get(send, `/raw/${name}?limit=${changed + deleted}`));
      const rows: Record<string, unknown>[] = data;
      const changedAt = 'changed_at' in columns ? { changed_at: '2025-01-02T03:04:05.678901Z' } : {};
      writeFileSync(join(folder, `${name}.ndjson`), linesOf(rows.slice(0, changed).map((row) => ({ ...row, ...changedAt }))));
      const gone = joined.has(name) ? [] : rows.slice(changed).map((row) => row[key]);
      const deletes = join(folder, `${name}.csv`);
      if (gone.length > 0) writeFileSync(deletes, [key, ...gone, ''].join('\n'));
      return { rows: join(folder, `${name}.ndjson`), deletes: gone.length > 0 ? [deletes] : [] };
    });
    const deletes = files.flatMap((file) => file.deletes);
    estate('sync', 'nord', ...files.map(({ rows }) => rows), '--upsert', '--delete', ...deletes, '--json');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
