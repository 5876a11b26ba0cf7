/** The bytes of a list in each format that sources read. */
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Dialect, TableRule } from '../../../src/sources/source-file.ts';
import { workbookOf, zipOf } from '../archives.ts';
import type { Cell } from './columns.ts';
import { instantOf, isAmbiguous, localTime, once, pick, type Random, type Style, shuffled } from './style.ts';

export const formats = ['csv', 'csv', 'csv', 'ndjson', 'json', 'xlsx', 'parquet'] as const;
export type Format = (typeof formats)[number];

/** A list as it is to be written. Cells are by column. */
export interface List {
  readonly names: readonly string[];
  readonly columns: readonly (readonly Cell[])[];
  readonly rows: number;
}

export type Origin = Pick<TableRule, 'path' | 'encoding' | 'dialect' | 'format' | 'files'>;

const rowsOf = ({ columns, rows }: List): Cell[][] => Array.from({ length: rows }, (_, row) => columns.map((cells) => cells[row] ?? null));

/** All bytes of an encoding of one byte, by character. */
const bytesOf = (encoding: string): ReadonlyMap<string, number> => {
  const decoder = new TextDecoder(encoding);
  return new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte), { stream: true }), byte]));
};
const single = new Map(['windows-1252', 'iso-8859-15', 'macintosh'].map((encoding) => [encoding, bytesOf(encoding)]));

/** The bytes of texts in one encoding that has all their characters. */
const encoded = (random: Random, texts: readonly string[]): Pick<Written, 'encoding' | 'bytes'> => {
  const characters = new Set(texts.flatMap((text) => [...text]));
  const able = [...single].filter(([, known]) => [...characters].every((character) => known.has(character)));
  const encoding = pick(random, ['utf-8', 'utf-8', 'utf-16le', 'utf-16be', ...able.map(([name]) => name)]);
  const mark = encoding.startsWith('utf') && once(random, 2) ? '\ufeff' : '';
  const known = single.get(encoding);
  const bytesOfText = (text: string): Buffer => {
    if (known) return Buffer.from([...text].map((character) => known.get(character)!));
    if (encoding === 'utf-8') return Buffer.from(mark + text);
    const little = Buffer.from(mark + text, 'utf16le');
    return encoding === 'utf-16le' ? little : little.swap16();
  };
  return { ...(encoding !== 'utf-8' && { encoding }), bytes: texts.map(bytesOfText) };
};

/** The lists of one origin, written in one way. */
interface Written {
  readonly bytes: readonly Buffer[];
  readonly encoding?: string;
  readonly dialect?: Dialect;
}

/** The names of the header over two lines: a name of two words can be split. */
const overTwoLines = (names: readonly string[]): readonly (readonly string[])[] => {
  const split = names.map((name) => name.split(' '));
  return [split.map(([first = '']) => first), split.map((words) => words.slice(1).join(' '))];
};

const repeats = (names: readonly string[]): boolean => names.some((name) => /\(\d+\)$/.test(name));
/** A repeated name has its number in the source only. */
const inFile = (name: string): string => name.replace(/ \(\d+\)$/, '');

const textOf = ({ missing }: Style, cell: Cell): string => (cell === null ? missing : typeof cell === 'string' ? cell : cell.text);

const csv = (random: Random, style: Style, lists: readonly List[]): Written => {
  const { names } = lists[0]!;
  const delimiter = pick(random, [';', ',', '\t', '|']);
  const bodies = lists.map((list) => rowsOf(list).map((row) => row.map((cell) => textOf(style, cell))));
  const isSimple = [...names, ...bodies.flat(2)].every((text) => !text.includes(delimiter) && !/[\r\n]/.test(text));
  const quote = isSimple && once(random, 3) ? false : pick(random, ['"', '"', "'"] as const);
  const commentChar = once(random, 5) && !bodies.flat().some(([first = '']) => first.startsWith('#')) ? '#' : undefined;
  const hasHeader = !once(random, 6);
  const isDouble = hasHeader && !repeats(names) && once(random, 4);
  const titles = hasHeader ? pick(random, [[], [], ['Liste'], ['Liste der Objekte', ''], ['', 'Stand']]) : [];
  const footers = once(random, 4) ? 1 + random(2) : 0;
  const newline = pick(random, ['\n', '\r\n', '\r\n', '\r']);
  const lastLineEnd = !once(random, 6);
  const field = (text: string): string => {
    if (quote === false) return text;
    const needs = text.includes(quote) || text.includes(delimiter) || /[\r\n]/.test(text);
    return needs || once(random, 6) ? `${quote}${text.replaceAll(quote, () => quote + quote)}${quote}` : text;
  };
  const line = (cells: readonly string[]) => cells.map(field).join(delimiter);
  const between = () => (once(random, 12) ? [''] : commentChar && once(random, 8) ? ['# a comment; "x'] : []);
  const header = hasHeader ? (isDouble ? overTwoLines(names) : [names.map(inFile)]) : [];
  const textOfBody = (body: readonly (readonly string[])[]): string => {
    const lines = [
      ...titles,
      ...header.map(line),
      ...body.flatMap((row) => [...between(), line(row)]),
      ...Array.from({ length: footers }, () => line(names.map((_, index) => (index === 0 ? 'Summe' : 'x')))),
    ];
    return lines.join(newline) + (lastLineEnd ? newline : '');
  };
  const first = titles.length + 1;
  return {
    ...encoded(random, bodies.map(textOfBody)),
    dialect: {
      ...(delimiter !== ',' && { delimiter }),
      ...(quote !== '"' && { quoteChar: quote }),
      ...(commentChar !== undefined && { commentChar }),
      headerRows: hasHeader ? (isDouble ? [first, first + 1] : [first]) : [],
      ...(!hasHeader && { header: [...names] }),
      footerRows: footers,
      lastLineEnd,
    },
  };
};

type Members = { [name: string]: string | Members };

/** A name such as `a.b` is that of a member of an object. */
const nested = (entries: readonly (readonly [name: string, json: string])[]): string => {
  const members: Members = {};
  for (const [name, json] of entries) {
    const path = name.split('.');
    let at = members;
    for (const step of path.slice(0, -1)) {
      at[step] ??= {};
      at = at[step] as Members;
    }
    at[path.at(-1)!] = json;
  }
  const asText = (value: string | Members): string =>
    typeof value === 'string'
      ? value
      : `{${Object.entries(value)
          .map(([name, one]) => `${JSON.stringify(name)}:${asText(one)}`)
          .join(',')}}`;
  return asText(members);
};

const jsonOf = (cell: Cell): string => {
  if (cell === null) return 'null';
  if (typeof cell === 'string') return JSON.stringify(cell);
  if (cell.type === 'date') return JSON.stringify(cell.text);
  if (cell.type === 'timestamptz') return JSON.stringify(cell.text.replace(' ', 'T').replace('+00', 'Z'));
  return cell.text;
};

const json = (random: Random, lists: readonly List[], isArray: boolean): Written => {
  const isSparse = once(random, 2);
  const textOfList = (list: List): string => {
    const { names, columns } = list;
    const isFilled = columns.map((cells) => cells.some((cell) => cell !== null));
    const members = (row: readonly Cell[]) =>
      row.flatMap((cell, index) => (cell === null && isSparse && isFilled[index] ? [] : [[names[index]!, jsonOf(cell)] as const]));
    const objects = rowsOf(list).map((row) => nested(shuffled(random, members(row))));
    return isArray ? `[${objects.join(',\n')}]` : objects.map((one) => `${one}\n`).join('');
  };
  return encoded(random, lists.map(textOfList));
};

const dayMs = 86_400_000;
const excelDay = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`) / dayMs + 25_569;

/** A cell of a workbook. Times have no zone there. */
const excelOf = ({ zone }: Style, cell: Cell) => {
  if (cell === null || typeof cell === 'string') return cell;
  const { type, text } = cell;
  if (type === 'boolean') return text === 'true';
  if (type === 'date') return { day: excelDay(`${text} 00:00:00`) };
  if (type !== 'timestamptz') return Number(text);
  const { ms, fraction } = instantOf(text);
  const local = localTime(ms, zone);
  const isExact = fraction === '' && !isAmbiguous(ms, zone);
  return isExact ? { day: excelDay(local) } : text.replace(' ', 'T').replace('+00', 'Z');
};

type SheetRows = Parameters<typeof workbookOf>[0][string];

/** Sheets with title rows and rows of sums. */
const sheets = (
  random: Random,
  style: Style,
  lists: readonly List[],
): { readonly rows: readonly SheetRows[]; readonly dialect: Dialect } => {
  const titles = random(3);
  const footers = once(random, 4) ? 1 : 0;
  const rowsOfList = (list: List): SheetRows => [
    ...Array.from({ length: titles }, (_, index) => (index === 0 ? ['Liste'] : [])),
    list.names.map(inFile),
    ...rowsOf(list).map((row) => row.map((cell) => excelOf(style, cell))),
    ...Array.from({ length: footers }, () => list.names.map(() => 'Summe')),
  ];
  return { rows: lists.map(rowsOfList), dialect: { headerRows: [titles + 1], footerRows: footers } };
};

const parquetTypes = (
  type: string,
): { readonly type: string; readonly converted_type?: string; readonly scale?: number; readonly precision?: number } => {
  if (type === 'boolean') return { type: 'BOOLEAN' };
  if (type === 'integer' || type === 'bigint') return { type: 'INT64' };
  if (type === 'date') return { type: 'INT32', converted_type: 'DATE' };
  if (type === 'timestamptz') return { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' };
  if (type === 'text') return { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
  const [, precision, scale] = /(\d+),(\d+)/.exec(type)!;
  return { type: 'INT64', converted_type: 'DECIMAL', precision: Number(precision), scale: Number(scale) };
};

const parquetOf = (cell: Cell): unknown => {
  if (cell === null || typeof cell === 'string') return cell;
  const { type, text } = cell;
  if (type === 'boolean') return text === 'true';
  if (type === 'date') return new Date(`${text}T00:00:00Z`);
  if (type !== 'timestamptz') return BigInt(text.replace('.', ''));
  const { ms, fraction } = instantOf(text);
  return BigInt(ms) * 1_000n + BigInt(fraction.padEnd(6, '0'));
};

const parquet = (random: Random, { names, columns, rows }: List): Buffer =>
  Buffer.from(
    parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: names.length },
        ...names.map((name, index) => {
          const typed = columns[index]!.find((cell) => cell !== null && typeof cell === 'object') as { type: string } | undefined;
          return { name, repetition_type: 'OPTIONAL', ...parquetTypes(typed?.type ?? 'text') };
        }),
      ],
      columnData: names.map((name, index) => ({ name, data: columns[index]!.map(parquetOf) })),
      rowGroupSize: Math.max(1, pick(random, [rows, 3, 1])),
    } as unknown as Parameters<typeof parquetWriteBuffer>[0]),
  );

const write = (random: Random, format: Exclude<Format, 'xlsx'>, style: Style, lists: readonly List[]): Written => {
  if (format === 'csv') return csv(random, style, lists);
  if (format === 'parquet') return { bytes: lists.map((list) => parquet(random, list)) };
  return json(random, lists, format === 'json');
};

/** The files of an export. Lists that are packed together wait for `end`. */
export class ExportFiles {
  readonly #random: Random;
  readonly #files = new Map<string, Buffer>();
  readonly #zipped: { name: string; bytes: Buffer }[] = [];
  readonly #sheets: Record<string, SheetRows> = {};

  constructor(random: Random) {
    this.#random = random;
  }

  /** Adds lists with the same columns, and returns their origin in a source file. Several lists are files that a glob names. */
  add(format: Format, name: string, style: Style, lists: readonly List[]): Origin {
    return lists.length === 1 ? this.#addOne(format, name, style, lists[0]!) : this.#addAll(format, name, style, lists);
  }

  #addOne(format: Format, name: string, style: Style, list: List): Origin {
    const random = this.#random;
    const fileName = `${name}.${format}`;
    if (format === 'xlsx') {
      const { rows, dialect } = sheets(random, style, [list]);
      const sheetName = name.slice(0, 31);
      if (once(random, 2)) {
        this.#sheets[sheetName] = rows[0]!;
        return { path: 'mappe.xlsx', dialect: { ...dialect, sheetName } };
      }
      this.#files.set(fileName, workbookOf({ Tabelle1: rows[0]! }));
      return { path: fileName, dialect };
    }
    const { bytes, ...origin } = write(random, format, style, [list]);
    if (format !== 'parquet' && once(random, 5)) {
      this.#zipped.push({ name: fileName, bytes: bytes[0]! });
      return { path: `export.zip/${fileName}`, ...origin };
    }
    if (format !== 'parquet' && once(random, 5)) {
      this.#files.set(`${fileName}.gz`, gzipSync(bytes[0]!));
      return { path: `${fileName}.gz`, ...origin };
    }
    this.#files.set(fileName, bytes[0]!);
    return { path: fileName, ...origin };
  }

  #addAll(format: Format, name: string, style: Style, lists: readonly List[]): Origin {
    const common = { path: `${name}_*.${format}`, files: 'all' } as const;
    const addFiles = (bytes: readonly Buffer[]) => bytes.forEach((one, index) => void this.#files.set(`${name}_${index}.${format}`, one));
    if (format === 'xlsx') {
      const { rows, dialect } = sheets(this.#random, style, lists);
      addFiles(rows.map((one) => workbookOf({ Tabelle1: one })));
      return { ...common, dialect };
    }
    const { bytes, ...origin } = write(this.#random, format, style, lists);
    addFiles(bytes);
    return { ...common, ...origin };
  }

  end(): ReadonlyMap<string, Buffer> {
    if (this.#zipped.length > 0) this.#files.set('export.zip', zipOf(this.#zipped));
    if (Object.keys(this.#sheets).length > 0) this.#files.set('mappe.xlsx', workbookOf(this.#sheets));
    return this.#files;
  }
}
