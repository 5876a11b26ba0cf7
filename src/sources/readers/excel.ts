/** Sheets of Excel workbooks (.xlsx). Cells have types; dates are those of the cell's format. */
import { OperatorError } from '../../errors.ts';
import { magicOf, oldWorkbook, openBytes, type SourcePath } from '../files/bytes.ts';
import { shown } from '../rejections.ts';
import type { Dialect } from '../source-file.ts';
import type { Cell, SourceList, SourceRow } from '../source-rows.ts';
import { withHeader } from './headed.ts';
import type { Sheet } from './workbook.ts';

/** Excel computes with 15 digits. Further digits of a stored number are noise. */
const excelDigits = 15;

/** Times are fractions of a day, and the library cuts them to milliseconds: 08:15:00 can become 08:14:59.999. Hundredths of a second are exact. */
const timeUnitMs = 10;

const cellOf = (value: unknown): Cell => {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return new Date(Math.round(value.getTime() / timeUnitMs) * timeUnitMs);
  if (typeof value === 'number') return Number(value.toPrecision(excelDigits));
  return value as Cell;
};

/** A workbook is held in memory. */
const maxBytes = 512 * 1024 * 1024;

const bytesOf = async (path: SourcePath): Promise<Buffer | string> => {
  if (path.entry === undefined) {
    if ((await magicOf(path.path)) === 'ole') throw new OperatorError(`${shown(path.name)} is ${oldWorkbook}.`);
    return path.path;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of await openBytes(path)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const sheetsOf = async (path: SourcePath): Promise<readonly Sheet[]> => {
  const [{ readSheets }, { refuseLargeArchive }] = await Promise.all([import('./workbook.ts'), import('../files/archive.ts')]);
  const bytes = await bytesOf(path);
  await refuseLargeArchive(bytes, path.name, maxBytes);
  return readSheets(bytes, path.name);
};

/** The names of the sheets of a workbook. */
export const sheetNames = async (path: SourcePath): Promise<string[]> => (await sheetsOf(path)).map(({ name }) => name);

async function* rowsOf(data: readonly (readonly unknown[])[]): AsyncGenerator<SourceRow> {
  for (const [index, cells] of data.entries()) yield { line: index + 1, cells: cells.map(cellOf) };
}

/** Reads one sheet. A sheet has at most 1,048,576 rows, and it is held in memory. */
export const readExcel = async (path: SourcePath, dialect: Dialect): Promise<SourceList> => {
  const sheets = await sheetsOf(path);
  const { sheetName } = dialect;
  const sheet = sheetName === undefined ? sheets[0] : sheets.find(({ name }) => name === sheetName);
  if (!sheet)
    throw new OperatorError(
      `${shown(path.name)} has no sheet '${shown(sheetName ?? '')}'. It has: ${shown(sheets.map(({ name }) => name).join(', '))}.`,
    );
  return withHeader(`${path.name}, sheet ${sheet.name}`, rowsOf(sheet.data), dialect);
};
