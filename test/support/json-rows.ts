/** Runs the row writer on messages of the server. */

import { BufferPool } from '../../src/body.ts';
import type { ProtocolField } from '../../src/database/connections/pg-session.ts';
import { chunkSize, JsonOut } from '../../src/wire/json-out.ts';
import { JsonRows, type RowsOptions } from '../../src/wire/json-rows.ts';

/** The body of a `DataRow` message. */
export const dataRow = (values: readonly (string | null)[]): Buffer => {
  const fields = values.map((value) => {
    const text = Buffer.from(value ?? '');
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? -1 : text.length);
    return Buffer.concat([length, text]);
  });
  const count = Buffer.alloc(2);
  count.writeUInt16BE(values.length);
  return Buffer.concat([count, ...fields]);
};

/** The output of the writer for these rows, as one text and by chunk. */
export const writeRows = (
  fields: readonly ProtocolField[],
  values: readonly (readonly (string | null)[])[],
  options: Partial<RowsOptions> = {},
) => {
  const chunks: Buffer[] = [];
  const rows = new JsonRows(new JsonOut(new BufferPool(chunkSize), (chunk) => chunks.push(chunk)), {
    hidden: 0,
    limit: Number.POSITIVE_INFINITY,
    ...options,
  });
  rows.describe(fields);
  for (const row of values) {
    // Rows are not at the start of the received buffer.
    const body = dataRow(row);
    const received = Buffer.concat([Buffer.from('before'), body, Buffer.from('behind')]);
    rows.row(received, 6, 6 + body.length);
  }
  rows.end();
  return { rows, chunks, text: Buffer.concat(chunks).toString() };
};
