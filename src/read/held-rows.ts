/** Rows that are held in memory as a whole. */
import type pg from 'pg';
import { JsonRows, type RowsOptions } from './json-rows.ts';
import { readRows } from './row-query.ts';
import type { BoundStatement } from './statement.ts';

/** Reads a statement's rows to the end; `body` is their JSON, `rows` what was noted of them. */
export const holdRows = async (
  client: pg.PoolClient,
  statement: BoundStatement,
  options: Pick<RowsOptions, 'hidden' | 'limit'>,
): Promise<{ readonly rows: JsonRows; readonly body: readonly Buffer[] }> => {
  const body: Buffer[] = [];
  const rows = new JsonRows({ ...options, emit: (chunk) => body.push(chunk) });
  await readRows(client, statement, rows);
  rows.end();
  return { rows, body };
};
