/** The tables whose data changed (contract: changes). */
import { z } from 'zod';
import { category, endpointUrl, instant, namedAnswers, rowCount, tableName, version } from './values.ts';

export const change = z
  .object({
    category,
    table: tableName,
    endpoint_url: endpointUrl,
    synced_at: instant.nullable().describe('end of the last successful sync'),
    changed_at: instant.describe('end of the last sync that changed the data'),
    row_count: rowCount,
    version,
  })
  .meta({ title: 'Change', description: 'the state of a table whose data changed' })
  .register(namedAnswers, { id: 'Change' });

export const changes = z
  .object({
    since: instant.describe('the requested point in time'),
    generated_at: instant.describe('time of this answer'),
    changes: z.array(change),
  })
  .register(namedAnswers, { id: 'Changes' });
