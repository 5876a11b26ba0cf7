/** Rows as fields of COPY: what is written is read again, whatever stands before and after a row. */
import { expect, test } from 'vitest';
import { FieldWriter, noneMissing, valuesOfRow } from '../../src/sources/keys/copy-fields.ts';
import { seededRandom } from '../sync/support.ts';

const texts = [null, null, '', 'a', '"', '""', 'a,b', 'a"b', ',', 'zwei\nZeilen', 'Grüße', '0107', ' ', '\\N', 'x'.repeat(100)];

test.each([1, 2, 3, 7])('random rows of %i columns', (columns) => {
  const pick = seededRandom(columns);
  const missing = noneMissing(columns);
  const writer = new FieldWriter(missing);
  const rows = Array.from({ length: 3_000 }, () => Array.from({ length: columns }, () => texts[pick(texts.length)]!));
  const written = rows.map((row) => {
    writer.begin();
    for (const text of row) writer.text(text);
    return writer.end();
  });
  // All rows are in the same bytes, one after the other.
  expect(written.map((row) => valuesOfRow(row, columns))).toEqual(rows);
  expect(missing.values).toEqual(Array.from({ length: columns }, (_, at) => rows.filter((row) => row[at] === null).length));
});
