/** A draft of a source file: what the files of an export look like, and what that says about raw tables. */
import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { magicOf, type SourcePath } from '../files/bytes.ts';
import { listFiles } from '../files/named-files.ts';
import { openQuery, tablesOf } from '../readers/database.ts';
import { sheetNames } from '../readers/excel.ts';
import { formatOfName, openFile } from '../readers/open-list.ts';
import { shown } from '../rejections.ts';
import { type Dialect, type Formats, parseDatabases } from '../source-file.ts';
import type { DraftedList } from './drafted-list.ts';
import { type ListProfile, profile } from './profile.ts';
import { propose, type TableProposal } from './propose.ts';
import { proposeRentRoll } from './rent-roll.ts';
import { sniff } from './sniff.ts';
import { writeDraft } from './write.ts';

const sniffed = 64 * 1024;

const firstBytes = async (path: string): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffed), 0, sniffed, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Whether the last line has its end, in any encoding. */
const hasLastLineEnd = async (path: string): Promise<boolean> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4));
    return /[\r\n]\0?$/.test(buffer.subarray(0, bytesRead).toString('latin1'));
  } finally {
    await file.close();
  }
};

type Look = Pick<DraftedList, 'origin'> & { readonly path: SourcePath };

/** The lists of one file: one, or one for each sheet. Empty if the file is of no known kind. */
const looksOf = async (folder: string, name: string): Promise<Look[]> => {
  const path = { path: join(folder, name), name };
  const kind = await magicOf(path.path).catch(() => 'other' as const);
  if (kind === 'zip' && formatOfName(name) === 'xlsx')
    return (await sheetNames(path)).map((sheetName, index) => ({
      path,
      origin: { path: name, ...(index > 0 && { dialect: { sheetName } }) },
    }));
  if (kind === 'parquet') return [{ path, origin: { path: name, format: 'parquet' } }];
  const format = formatOfName(name);
  if (kind !== 'other' || !format) return [];
  if (format !== 'csv') return [{ path, origin: { path: name } }];
  const bytes = await firstBytes(path.path);
  if (/^"?(?:EXTF|DTVF)/.test(bytes.toString('latin1'))) return [{ path, origin: { path: name, format: 'datev' } }];
  const { encoding, dialect } = sniff(bytes, await hasLastLineEnd(path.path));
  return [{ path, origin: { path: name, ...(encoding !== 'utf-8' && { encoding }), dialect } }];
};

/** The header of a sheet is its first row in which most columns have text. */
const withSheetHeader = async ({ path, origin }: Look): Promise<Look['origin']> => {
  if (formatOfName(path.name) !== 'xlsx') return origin;
  const plain = await openFile({}, { ...origin, dialect: { ...origin.dialect, headerRows: [], header: [] } }, path);
  const rows: { line: number; texts: number; filled: number }[] = [];
  for await (const { line, cells } of plain.rows) {
    const filled = cells.filter((cell) => cell !== null && cell !== '');
    rows.push({ line, texts: filled.filter((cell) => typeof cell === 'string').length, filled: filled.length });
    if (rows.length >= 20) break;
  }
  const width = Math.max(0, ...rows.map(({ filled }) => filled));
  const header = rows.find(({ texts, filled }) => filled > width / 2 && texts === filled);
  if (!header || header.line === 1) return origin;
  const dialect: Dialect = { ...origin.dialect, headerRows: [header.line] };
  return { ...origin, dialect };
};

/** A rent roll fills several tables, another list one. */
const proposalsOf = (name: string, list: ListProfile): readonly TableProposal[] => {
  const one = propose(name, list);
  return proposeRentRoll(list) ?? (one ? [one] : []);
};

const draftList = async (look: Look): Promise<DraftedList> => {
  const origin = await withSheetHeader(look);
  const list = await openFile({}, origin, look.path);
  const found = await profile(list);
  const formats = Object.assign({}, ...found.columns.map((column) => column.formats)) as Formats;
  const dialect = found.hasFooter && origin.format !== 'datev' ? { ...origin.dialect, footerRows: 1 } : origin.dialect;
  return {
    name: list.name,
    origin: { ...origin, ...(dialect && { dialect }) },
    profile: found,
    formats,
    proposals: proposalsOf(list.name, found),
  };
};

export interface Draft {
  readonly lists: readonly DraftedList[];
  readonly text: string;
}

/** Looks at all tables of the databases that a source file names. */
const draftDatabases = async (path: string): Promise<Draft> => {
  const databases = parseDatabases(readFileSync(path, 'utf8'), basename(path));
  const lists: DraftedList[] = [];
  for (const [name, rule] of Object.entries(databases))
    for (const dbtable of await tablesOf(rule, name)) {
      const origin = { database: name, dbtable };
      const list = await openQuery(rule, origin, undefined);
      const found = await profile(list);
      await list.close?.();
      lists.push({ name: dbtable, origin, profile: found, formats: {}, proposals: proposalsOf(dbtable, found) });
    }
  return { lists, text: writeDraft(lists, [], databases) };
};

/**
 * Looks at all files of a folder and writes a draft. Files that it cannot read are named in it. If `folder` is a source file with `databases`,
 * it looks at their tables.
 */
export const draftSource = async (folder: string): Promise<Draft> => {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile()) return draftDatabases(folder);
  const lists: DraftedList[] = [];
  const unread: string[] = [];
  for (const name of listFiles(folder)) {
    try {
      const looks = await looksOf(folder, name);
      if (looks.length === 0) unread.push(`${shown(name)}: no format that is read`);
      for (const look of looks) lists.push(await draftList(look));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      unread.push(error.message);
    }
  }
  if (lists.length === 0) throw new OperatorError(`${shown(folder)} has no list that can be read. ${unread.join('; ')}`);
  return { lists, text: writeDraft(lists, unread) };
};
