/** Ordinary values of CSV are converted in their bytes. They become what the slow conversion of their text makes of them. */
import { expect, test } from 'vitest';
import { byteValue, writeByteValue } from '../../src/sources/columns/byte-value.ts';
import { columnValue } from '../../src/sources/columns/column-value.ts';
import { RowColumns, RowKeys } from '../../src/sources/columns/row-columns.ts';
import { FieldWriter, noneMissing, valuesOfRow } from '../../src/sources/keys/copy-fields.ts';
import { Spool } from '../../src/sources/keys/spool.ts';
import { withScratch } from '../../src/sources/scratch.ts';
import type { Formats } from '../../src/sources/source-file.ts';
import { Rejection } from '../../src/sync/files/rejections.ts';
import { seededRandom } from '../sync/support.ts';

const types = ['text', 'integer', 'bigint', 'numeric(8,2)', 'numeric', 'date', 'timestamptz', 'boolean'];
const formats: readonly Formats[] = [
  {},
  { decimalChar: ',', groupChar: '.', dateFormats: ['%d.%m.%Y'], missingValues: ['', '-', '31.12.9999', '0'] },
  { decimalChar: '.', groupChar: ',', dateFormats: ['%m/%d/%Y', '%d.%m.%Y'], trailingMinus: true, parentheses: true },
  { groupChar: "'", dateFormats: ['%Y-%d-%m'], trim: false },
  { decimalChar: ',', dateFormats: ['%d-%m-%Y'], bareNumber: false, trueValues: ['1', 'ja'], falseValues: ['nein'], timezone: 'UTC' },
];
/** Forms that are near to ordinary ones. */
const ordinary = [
  '0',
  '-0',
  '00',
  '007',
  '-7',
  '+7',
  '12.5',
  '12,5',
  '1.234,56',
  '1,234.56',
  '1.23',
  "1'234",
  '12.34.567',
  '1234.5',
  '.5',
  '5.',
  '99999999999',
  '999999.99',
  '1000000',
  '1.000.000',
  '2024-02-29',
  '2023-02-29',
  '2024-03-01',
  '2024-13-01',
  '29.02.2024',
  '29.02.2023',
  '02/29/2024',
  '31.12.9999',
  '31-01-2024',
  '1.2.2024',
  '0000-01-01',
  '2024-03-04T05:06:07Z',
  '2024-03-04 05:06:07Z',
  '2024-03-04T05:06:07+01',
  '2024-03-04T25:06:07Z',
  'true',
  'TRUE',
  't',
  'f',
  '1',
  'ja',
  'nein',
  'yes',
  '-',
  ' x',
  'x ',
  'x',
  'Größe',
  'a,b',
  'a;b',
  '\u00a0x',
  'x\u2003',
  '€ 5',
  '5 €',
  'x\u0085',
  'x\u007f',
  'x\ufffd',
  'a\tb',
];
const alphabet = [...'0123456789..,,--+ /:TZtfae\'"äß\u00a0\u0001'];

const out = new FieldWriter(noneMissing(1));

/** The value of the field that the bytes become; undefined if they have another form. */
const fromBytes = (text: string, type: string, formats: Formats): string | null | undefined => {
  const convert = byteValue({ from: 'a' }, type, formats);
  const bytes = Buffer.from(`,${text},`);
  out.begin();
  if (!convert || !writeByteValue(convert, bytes, 1, bytes.length - 1, false, out)) return undefined;
  return valuesOfRow(out.end(), 1)[0];
};

const fromText = (text: string, type: string, formats: Formats): string | null => {
  const columns = new RowColumns({ name: 'a.csv', columns: ['a'], rows: (async function* () {})() }, new RowKeys());
  try {
    return columnValue({ from: 'a' }, type, columns, formats)({ line: 1, cells: [text] });
  } catch (error) {
    if (error instanceof Rejection) return `rejected: ${error.reason}`;
    throw error;
  }
};

test.each(types)('%s', (type) => {
  const random = seededRandom(20_240);
  const pick = <T>(all: readonly T[]): T => all[random(all.length)]!;
  const strange = Array.from({ length: 1_500 }, () => Array.from({ length: 1 + random(11) }, () => pick(alphabet)).join(''));
  const changed = Array.from({ length: 1_500 }, () => {
    const text = pick(ordinary);
    const at = random(text.length);
    // A digit becomes another digit, so that many days are real.
    if (random(2) === 0) return text.replaceAll(/[0-9]$|(?<=[-.][01])[0-9]/g, () => String(random(10)));
    return text.slice(0, at) + pick(alphabet) + text.slice(at + random(2));
  });
  let converted = 0;
  for (const own of formats)
    for (const text of [...ordinary, ...strange, ...changed]) {
      const found = fromBytes(text, type, own);
      if (found === undefined) continue;
      converted++;
      const wanted = fromText(text, type, own);
      if (found !== wanted) expect([text, own, found]).toEqual([text, own, wanted]);
    }
  expect(converted).toBeGreaterThan(10);
});

test('rows of the spool are those that were appended, with values of every form', async () => {
  await withScratch(async (folder) => {
    const values = [
      ['a', null, 'b,"c"', ''],
      [null, null, null, null],
      ['Größe\n2', '1', '2\u2028', 'x'.repeat(100_000)],
    ];
    const spool = new Spool(`${folder}/rows`, 4);
    const missing = noneMissing(4);
    const writer = new FieldWriter(missing);
    for (const [index, row] of values.entries()) {
      writer.begin();
      for (const value of row) writer.text(value);
      const placed = { file: `${index}.csv`, line: index + 2, fields: writer.end() };
      await spool.append([placed, placed], { keys: [index + 1, 4e15 + index], rules: index });
    }
    await spool.end();
    const missingAfter = noneMissing(4);
    const replacing = new FieldWriter(missingAfter);
    const read: unknown[] = [];
    let text = '';
    for await (const page of spool.read()) {
      text += page.text.toString('utf8');
      for (const row of page.rows()) {
        read.push([row.file, row.line, row.key, row.rule, row.position, row.values]);
        row.put(1, 77);
        expect(valuesOfRow(row.write(replacing), 4)).toEqual(row.values.with(1, '77'));
      }
    }
    const expected = values.flatMap((row, index) =>
      [index + 1, 4e15 + index].map((key, second) => [`${index}.csv`, index + 2, key, index, index * 2 + second, row]),
    );
    expect(read).toEqual(expected);
    expect(text.startsWith('1,"a",,"b,""c""",""\n4000000000000000,"a",')).toBe(true);
    expect(missing).toEqual({ rows: 3, values: [1, 2, 1, 1] });
    expect(missingAfter).toEqual({ rows: 6, values: [2, 0, 2, 2] });
  });
});
