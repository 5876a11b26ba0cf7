/**
 * Workbooks (.xlsx, .xlsm, .xlsb, .xls, .ods), as a person sees them: `01127` in the format `00000` is text, `19%` is 19, and what cannot be
 * read is no null but a rejection with its cell (decision 117).
 */

import { statSync } from 'node:fs';
import * as sheetjs from '@e965/xlsx';
import { OperatorError } from '../../errors.ts';
import { refuseLargeArchive } from '../../sync/files/archive.ts';
import { formatOfBytes, isZip } from '../../sync/files/formats.ts';
import { type FilePath, openFile } from '../../sync/files/open-file.ts';
import { shown } from '../../sync/files/rejections.ts';
import type { Dialect } from '../source-file.ts';
import { type Cell, type SourceList, type SourceRow, UnreadableCell } from '../source-rows.ts';
import { FormulaScan } from './formula-scan.ts';
import { withHeader } from './headed.ts';
import { RepeatedCells } from './repeated-cells.ts';
import { type BookCell, type BookSheet, notesOf } from './sheet-notes.ts';
import { type DateSystem, numberCell } from './workbook-numbers.ts';

/** A workbook is held in memory. */
const maxBytes = { packed: 256 * 1024 * 1024, unpacked: 512 * 1024 * 1024 } as const;
const maxCells = 10_000_000;

interface Book {
  readonly names: readonly string[];
  readonly hidden: readonly string[];
  readonly dates: DateSystem;
  sheet(name: string): BookSheet;
  /** The cells with a formula and without a stored value. */
  formulas(name: string): ReadonlySet<string>;
}

const bytesOf = async (file: FilePath): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of openFile(file)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes.packed)
      throw new OperatorError(`${shown(file.name)} has more than ${maxBytes.packed / 2 ** 20} MB: deliver such a list as CSV.`);
  }
  return Buffer.concat(chunks);
};

const tooManyCells = (name: string) =>
  new OperatorError(`${shown(name)} has more than ${maxCells.toLocaleString('en')} cells: deliver it as CSV.`);

const readBook = async (file: FilePath): Promise<Book> => {
  const bytes = await bytesOf(file);
  if (formatOfBytes(bytes) !== 'xlsx')
    throw new OperatorError(`${shown(file.name)} is no workbook: it is neither .xlsx, .xlsb, .ods nor .xls.`);
  const formulas = new FormulaScan();
  const repeated = new RepeatedCells();
  const see = (path: string, chunk: Buffer) => {
    formulas.see(path, chunk);
    repeated.see(path, chunk);
    if (repeated.count > maxCells) throw tooManyCells(file.name);
  };
  if (isZip(bytes)) await refuseLargeArchive(bytes, { name: file.name, maxBytes: maxBytes.unpacked, see });
  try {
    const book = sheetjs.read(bytes, { dense: true, cellNF: true, cellText: false, cellHTML: false, cellStyles: true });
    if (book.SheetNames.length === 0) throw new Error('it has no sheet');
    const hidden = book.SheetNames.filter((_, index) => (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) > 0);
    return {
      names: book.SheetNames,
      hidden,
      dates: book.Workbook?.WBProps?.date1904 ? '1904' : '1900',
      sheet: (name) => {
        // The library leaves out a sheet that it cannot read.
        const sheet = book.Sheets[name] as unknown as BookSheet | undefined;
        if (sheet === undefined)
          throw new OperatorError(`${shown(file.name)}, sheet ${shown(name)}, cannot be read: its part is damaged or missing.`);
        return sheet;
      },
      formulas: (name) => {
        const own = book.Workbook?.Sheets?.[book.SheetNames.indexOf(name)] as { readonly id?: string } | undefined;
        return formulas.cellsOf(own?.id);
      },
    };
  } catch (error) {
    const { message } = error as Error;
    if (/password|encrypted/i.test(message))
      throw new OperatorError(`${shown(file.name)} is a workbook with a password: save it without one.`);
    throw new OperatorError(`${shown(file.name)} is no workbook that can be read: ${shown(message)}`);
  }
};

/** The workbook that was read last. All sheets of a file are read one after the other, and it is opened once for them. */
let last: { readonly identity: string; readonly book: Promise<Book> } | undefined;

const openBook = (file: FilePath): Promise<Book> => {
  const { size, mtimeNs, ino } = statSync(file.path, { bigint: true });
  const identity = JSON.stringify([file.path, file.entry ?? '', String(size), String(mtimeNs), String(ino)]);
  if (last?.identity !== identity) last = { identity, book: readBook(file) };
  return last.book;
};

/** The names of the sheets of a workbook. */
export const sheetNames = async (file: FilePath): Promise<readonly string[]> => (await openBook(file)).names;

/** Errors of formulas as LibreOffice writes them, as text. */
const errorText = /^(?:#(?:REF!|N\/A|DIV\/0!|NAME\?|NULL!|NUM!|VALUE!|SPILL!|CALC!|BEZUG!|NV|WERT!|ZAHL!)|Err:\d{3})$/;
const errorNames: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
};

/** The reason why a cell is not read. */
const remedies = {
  error: 'is the error of a formula: correct it in the workbook',
  formula: 'is a formula without a stored value: open the workbook in Excel or LibreOffice, and save it',
} as const;

/** How the cells of a sheet are read. */
interface Reading {
  readonly sheet: string;
  readonly dates: DateSystem;
  readonly formulas: ReadonlySet<string>;
}

const cellOf = ({ sheet, dates, formulas }: Reading, cell: BookCell | undefined, row: number, column: number): Cell => {
  if (cell === undefined) return null;
  const { t: type, v: value, f: formula } = cell;
  const unreadable = (text: string, reason: string) =>
    new UnreadableCell(`Sheet '${sheet}', cell ${sheetjs.utils.encode_cell({ r: row, c: column })}: ${text}`, reason);
  if (formula !== undefined && (value === undefined || value === null || formulas.has(sheetjs.utils.encode_cell({ r: row, c: column }))))
    return unreadable(`=${formula}`, remedies.formula);
  if (type === 'e') return unreadable(errorNames[Number(value)] ?? cell.w ?? 'an error', remedies.error);
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return errorText.test(value) ? unreadable(value, remedies.error) : value;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return numberCell(value, cell.z, dates, unreadable);
  return unreadable(String(value), remedies.error);
};

const batchSize = 1_000;

async function* rowsOf(file: FilePath, name: string, { sheet, dates, formulas }: Book): AsyncGenerator<readonly SourceRow[]> {
  const data = sheet(name)['!data'] ?? [];
  const reading = { sheet: name, dates, formulas: formulas(name) };
  const width = data.reduce((most, row) => Math.max(most, row?.length ?? 0), 0);
  let cells = 0;
  let batch: SourceRow[] = [];
  for (let row = 0; row < data.length; row++) {
    const own = data[row];
    if (own === undefined || own.length === 0) continue;
    cells += width;
    if (cells > maxCells) throw tooManyCells(`${file.name}, sheet ${name}`);
    batch.push({ line: row + 1, cells: Array.from({ length: width }, (_, column) => cellOf(reading, own[column], row, column)) });
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Reads one sheet. A sheet has at most 1,048,576 rows, and its workbook is held in memory. */
export const readWorkbook = async (file: FilePath, dialect: Dialect): Promise<SourceList> => {
  const book = await openBook(file);
  const { sheetName = book.names[0] ?? '' } = dialect;
  if (!book.names.includes(sheetName))
    throw new OperatorError(`${shown(file.name)} has no sheet '${shown(sheetName)}'. It has: ${shown(book.names.join(', '))}.`);
  const list = await withHeader(`${file.name}, sheet ${sheetName}`, rowsOf(file, sheetName, book), dialect);
  return { ...list, notes: notesOf(book.sheet(sheetName), book.hidden.includes(sheetName)) };
};
