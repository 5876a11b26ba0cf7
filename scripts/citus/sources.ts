/** Exports with their source files: both databases load the same rows, assign the same keys, and find the same failed checks. */
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import type { SyncResult } from '../../src/sync/request.ts';
import { report } from './report.ts';

/** A database with the service's tables, and its command line. */
export interface Side {
  readonly address: string;
  readonly estate: (...args: readonly string[]) => string;
}

/** Examples whose export is files. */
const examples = ['german-erp', 'english-excel', 'datev', 'rent-roll'] as const;

const slugOf = (example: string): string => example.replaceAll('-', '');

/** What loads of an example leave: changes of the first and of a repeated load, failed checks, rows of each raw table, and assigned keys. */
const loadExample = async ({ address, estate }: Side, example: string) => {
  const folder = `examples/sources/${example}`;
  const slug = slugOf(example);
  estate('customer', 'add', slug, '--name', example, '--tier', 'enterprise');
  const load = (): SyncResult => JSON.parse(estate('sync', slug, `${folder}/export`, '--source', `${folder}/source.yml`, '--json'));
  const [first, again] = [load(), load()];
  const { failed } = JSON.parse(estate('check', slug, '--all', '--json')) as { failed: readonly Record<string, unknown>[] };
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const rows: [table: string, rows: unknown][] = [];
    for (const { kind, table } of first.tables.filter((one) => one.inserted > 0))
      rows.push([
        `${kind} ${table}`,
        (await client.query(`select to_jsonb(t) - 'created_at' - 'changed_at' as row from customer_${slug}.${table} t order by 1`)).rows,
      ]);
    const keys = (await client.query(`select table_name, source, key_text, key from customer_${slug}._source_keys order by 1, 2, 3`)).rows;
    const checks = failed.map(({ name, count }) => [name, count]);
    return { first: first.tables, again: again.tables, checks, rows, keys };
  } finally {
    await client.end();
  }
};

export const checkSources = async (plain: Side, citus: Side): Promise<boolean> => {
  let isGood = true;
  for (const example of examples) {
    const expected = await loadExample(plain, example);
    const found = await loadExample(citus, example);
    const differing = (Object.keys(expected) as (keyof typeof expected)[]).filter(
      (part) => !isDeepStrictEqual(found[part], expected[part]),
    );
    const isWhole =
      expected.keys.length > 0 && expected.rows.length > 0 && found.again.every((one) => one.inserted + one.updated + one.deleted === 0);
    const words = `${expected.rows.length} tables, ${expected.keys.length} keys, ${expected.checks.length} checks`;
    isGood =
      report(
        isWhole && differing.length === 0,
        `the export ${example} with its source: ${words}${differing.length > 0 ? `; other ${differing.join(', ')}` : ''}`,
      ) && isGood;
  }
  return isGood;
};
