/** Zip archives and workbooks for the tests. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface Packed {
  readonly name: string;
  readonly bytes: Buffer | string;
  /** The size that the archive states, if it is not the real one. */
  readonly statedSize?: number;
}

const numbers = (...values: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer =>
  Buffer.concat(
    values.map(([value, size]) => {
      const buffer = Buffer.alloc(size);
      buffer.writeUIntLE(value, 0, size);
      return buffer;
    }),
  );

/** A zip archive. */
export const zipOf = (files: readonly Packed[]): Buffer => {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, statedSize } of files) {
    const plain = Buffer.from(bytes as string);
    const packed = deflateRawSync(plain);
    const fileName = Buffer.from(name);
    const facts = numbers(
      [0x0800, 2],
      [8, 2],
      [0, 4],
      [crc32(plain), 4],
      [packed.length, 4],
      [statedSize ?? plain.length, 4],
      [fileName.length, 2],
      [0, 2],
    );
    const local = Buffer.concat([numbers([0x04034b50, 4], [20, 2]), facts, fileName, packed]);
    directory.push(
      Buffer.concat([numbers([0x02014b50, 4], [20, 2], [20, 2]), facts, numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), fileName]),
    );
    parts.push(local);
    offset += local.length;
  }
  const end = Buffer.concat(directory);
  const count: readonly [number, 2] = [files.length, 2];
  return Buffer.concat([...parts, end, numbers([0x06054b50, 4], [0, 2], [0, 2], count, count, [end.length, 4], [offset, 4], [0, 2])]);
};

/** A day as a number of Excel: the days since the end of 1899. */
export interface ExcelDay {
  readonly day: number;
}

type Value = string | number | boolean | ExcelDay | null;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const cellOf = (value: Value, reference: string): string => {
  if (value === null) return '';
  if (typeof value === 'string') return `<c r="${reference}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
  if (typeof value === 'boolean') return `<c r="${reference}" t="b"><v>${Number(value)}</v></c>`;
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
  return `<c r="${reference}" s="1"><v>${value.day}</v></c>`;
};

/** The letters of a column, counted from 0. */
const lettersOf = (column: number): string =>
  (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** A workbook with these sheets. */
export const workbookOf = (sheets: Readonly<Record<string, readonly (readonly Value[])[]>>): Buffer => {
  const names = Object.keys(sheets);
  const files: Packed[] = names.map((name, index) => ({
    name: `xl/worksheets/sheet${index + 1}.xml`,
    bytes: `${header}<worksheet xmlns="${main}"><sheetData>${sheets[name]!.map(
      (row, at) => `<row r="${at + 1}">${row.map((value, column) => cellOf(value, `${lettersOf(column)}${at + 1}`)).join('')}</row>`,
    ).join('')}</sheetData></worksheet>`,
  }));
  const relations = (entries: readonly string[]) =>
    `${header}<Relationships xmlns="${packages}/relationships">${entries.join('')}</Relationships>`;
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${office}/${type}" Target="${target}"/>`;
  return zipOf([
    {
      name: '[Content_Types].xml',
      bytes: `${header}<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
    },
    { name: '_rels/.rels', bytes: relations([relation(1, 'officeDocument', 'xl/workbook.xml')]) },
    {
      name: 'xl/workbook.xml',
      bytes: `${header}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
        .map((name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes: relations([
        ...names.map((_, index) => relation(index + 1, 'worksheet', `worksheets/sheet${index + 1}.xml`)),
        relation(names.length + 1, 'styles', 'styles.xml'),
      ]),
    },
    {
      name: 'xl/styles.xml',
      bytes: `${header}<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    },
    ...files,
  ]);
};
