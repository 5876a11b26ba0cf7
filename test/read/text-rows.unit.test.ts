/** Rows as text: what the bytes of a row decode to. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextRows } from '../../src/read/text-rows.ts';

/** The body of a `DataRow` message. */
const rowBytes = (fields: readonly (string | null)[]): Buffer => {
  const count = Buffer.alloc(2);
  count.writeInt16BE(fields.length);
  const parts = fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(field === null ? -1 : Buffer.byteLength(field));
    return [length, Buffer.from(field ?? '')];
  });
  return Buffer.concat([count, ...parts]);
};

test('any row comes out as it went in, wherever it lies among other bytes', () => {
  const field = fc.option(fc.string({ unit: 'binary', maxLength: 300 }));
  fc.assert(
    fc.property(fc.array(fc.array(field)), fc.nat(20), (rows, gap) => {
      const sink = new TextRows();
      for (const row of rows) {
        const body = rowBytes(row);
        sink.row(Buffer.concat([Buffer.alloc(gap, 0xff), body, Buffer.alloc(gap)]), gap, gap + body.length);
      }
      expect(sink.found).toEqual(rows);
    }),
  );
});
