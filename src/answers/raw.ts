/** Raw tables and their pages (contract: raw tables). */
import { z } from 'zod';
import { instant, longCount, namedAnswers, rowCount, text } from './values.ts';

export const rawRow = z.looseObject({}).describe('a row of the source');

export const rawPage = z
  .object({
    data: z.array(rawRow),
    count: longCount.describe('rows in this page'),
    next_cursor: text.nullable().describe('cursor for the next page; null when all rows have been fetched'),
    total_rows: longCount.describe('rows in the whole table'),
  })
  .register(namedAnswers, { id: 'RawPage' });

export const rawTable = z
  .object({
    table: text.describe('name of the raw table'),
    endpoint_url: text.describe('the path of the table'),
    key: text.describe('integer column that the table pages by'),
    row_count: rowCount,
    snapshot_at: instant.nullable().describe('time of the last successful sync'),
  })
  .register(namedAnswers, { id: 'RawTable' });
