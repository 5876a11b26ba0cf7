/** A draft of a source file: what the files of an export look like, and what that says about raw tables. */
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { namesIn } from '../../sync/files/archive.ts';
import { type FormatName, formatOfBytes, formatOfName } from '../../sync/files/formats.ts';
import { type FilePath, openFile } from '../../sync/files/open-file.ts';
import { shown } from '../../sync/files/rejections.ts';
import { listFiles } from '../files/named-files.ts';
import { openQuery, tablesOf } from '../readers/database.ts';
import { readers } from '../readers/formats.ts';
import { openList } from '../readers/open-list.ts';
import { parseDatabases } from '../source-file.ts';
import type { SourceList, SourceRow } from '../source-rows.ts';
import type { DraftedList } from './drafted-list.ts';
import { commonFormats } from './forms/common-formats.ts';
import { conventionsOf, readingOf } from './forms/settle.ts';
import { databaseFacts } from './lists/database-facts.ts';
import { headerOf } from './lists/header.ts';
import { profile } from './lists/profile.ts';
import { sniff } from './lists/sniff.ts';
import { currencyOf, type Known, withDerived } from './proposals/derive.ts';
import { withOtherLists } from './proposals/other-lists.ts';
import type { TableProposal } from './proposals/proposal.ts';
import { proposeAll } from './proposals/proposals.ts';
import type { KnownList } from './proposals/propose.ts';
import { provenCents } from './signs/amounts.ts';
import { valueSignsOf } from './signs/value-signs.ts';
import { questionsIn, writeDraft } from './write.ts';

const sniffed = 64 * 1024;

/** The first bytes of a file, and whether its last line has its end. */
interface Ends {
  readonly start: Buffer;
  readonly hasLastLineEnd: boolean;
}

/** The file is read whole, because its end may be packed. */
const endsOf = async (path: FilePath): Promise<Ends> => {
  const first: Buffer[] = [];
  let size = 0;
  let last: Buffer = Buffer.alloc(0);
  for await (const chunk of openFile(path)) {
    if (size < sniffed) first.push(chunk);
    size += chunk.length;
    last = chunk.length >= 2 ? chunk : Buffer.concat([last, chunk]);
  }
  return { start: Buffer.concat(first).subarray(0, sniffed), hasLastLineEnd: /[\r\n]\0?$/.test(last.subarray(-4).toString('latin1')) };
};

type Look = Pick<DraftedList, 'origin'> & { readonly path: FilePath };

/** What a source declares for a text file. */
const sniffedOrigin = async (path: FilePath): Promise<Pick<DraftedList['origin'], 'format' | 'encoding' | 'dialect'>> => {
  const { start, hasLastLineEnd } = await endsOf(path);
  if (/^"?(?:EXTF|DTVF)/.test(start.toString('latin1'))) return { format: 'datev' };
  const { encoding, dialect } = sniff(start, hasLastLineEnd);
  return { ...(encoding !== 'utf-8' && { encoding }), dialect };
};

/** The lists of one file. Empty if the file is of no known kind. */
const looksOf = async (path: FilePath): Promise<Look[]> => {
  const named = formatOfName(path.entry ?? path.name);
  const { start } = named === undefined || named === 'csv' ? await startOf(path) : { start: Buffer.alloc(0) };
  const format: FormatName | undefined = named ?? formatOfBytes(start);
  if (!format || (named === undefined && format === 'xlsx')) return [];
  const origin = { path: path.name, ...(named === undefined && { format }) };
  if (format === 'csv') return formatOfBytes(start) ? [] : [{ path, origin: { ...origin, ...(await sniffedOrigin(path)) } }];
  const lists = (await readers[format].lists?.(path)) ?? [{}];
  return lists.map((dialect) => ({ path, origin: { ...origin, ...(Object.keys(dialect).length > 0 && { dialect }) } }));
};

const startOf = async (path: FilePath): Promise<Pick<Ends, 'start'>> => {
  for await (const start of openFile(path)) return { start };
  return { start: Buffer.alloc(0) };
};

/** The files that a file of the folder holds: itself, or those of an archive. */
const filesIn = async (folder: string, name: string): Promise<FilePath[]> => {
  const path = join(folder, name);
  if (!/\.zip$/i.test(name)) return [{ path, name }];
  return (await namesIn(path, name)).map((entry) => ({ path, entry, name: `${name}/${entry}` }));
};

const looked = 200;

/** The header stands below titles, and it can have several rows. */
const withHeaderRows = async ({ path, origin }: Look): Promise<Look['origin']> => {
  const format = origin.format ?? formatOfName(path.entry ?? path.name);
  if (format !== 'xlsx' && format !== 'csv') return origin;
  const plain = await openList({}, { ...origin, dialect: { ...origin.dialect, headerRows: [], header: [] } }, path);
  const rows: SourceRow[] = [];
  for await (const batch of plain.rows) {
    // A row of a CSV file would keep the bytes of its batch.
    rows.push(...batch.slice(0, looked - rows.length).map(({ line, cells }) => ({ line, cells })));
    if (rows.length >= looked) break;
  }
  const headerRows = headerOf(rows);
  if (headerRows.length === 0 || (headerRows.length === 1 && headerRows[0] === 1)) return origin;
  return { ...origin, dialect: { ...origin.dialect, headerRows } };
};

/** A list that was read, before anything is proposed for it. */
interface Read extends KnownList {
  readonly origin: DraftedList['origin'];
  readonly notes: readonly string[];
  readonly facts: SourceList['facts'];
}

const readLook = async (look: Look): Promise<Read> => {
  const origin = await withHeaderRows(look);
  const list = await openList({}, origin, look.path);
  const isDatev = origin.format === 'datev';
  const found = await profile(list, isDatev);
  return { name: list.name, origin, profile: found, notes: list.notes ?? [], facts: list.facts, hasContraAccounts: isDatev };
};

/** Lists of one program: those that are written alike prove things for each other. */
const isAlike = (one: Read, other: Read): boolean =>
  one !== other && one.origin.format === other.origin.format && one.origin.dialect?.delimiter === other.origin.dialect?.delimiter;

const fiscalOf = ({ facts }: Read): Known['fiscal'] => {
  const begins = facts?.$fiscalYearBegins;
  const month = Number(begins?.slice(5, 7));
  return begins && month >= 1 ? { month, evidence: `the fiscal year begins on ${begins}` } : undefined;
};

/** The lists with what is proposed for each. */
const draftLists = (lists: readonly Read[]): DraftedList[] => {
  const alike = (list: Read) => lists.filter((other) => isAlike(list, other));
  const forms = new Map(lists.map((list) => [list, conventionsOf(list, alike(list))]));
  const cents = new Map(lists.map((list) => [list, provenCents(list.profile, forms.get(list)!)]));
  const conventionsIn = new Map(
    lists.map((list) => [
      list,
      { ...forms.get(list)!, cents: [list, ...alike(list)].map((one) => cents.get(one)).find((one) => one !== undefined) },
    ]),
  );
  const signs = new Map(lists.flatMap((list) => [...valueSignsOf(list.profile, conventionsIn.get(list)!)]));
  const proposals = proposeAll(lists, signs);
  const currency = currencyOf(lists);
  const hasAccounts = [...proposals.values()].some((tables) => tables.some(({ table }) => table === 'account'));
  const drafted = lists.map((list): DraftedList => {
    const conventions = conventionsIn.get(list)!;
    const own = list.facts?.$currency;
    const known: Known = { currency: own ? { code: own, evidence: 'the file states it' } : currency, fiscal: fiscalOf(list), hasAccounts };
    const first = proposals.get(list) ?? [];
    const bases = new Map<TableProposal, TableProposal>();
    const tables = first.map((proposal) => {
      const base = proposal.variantOf && bases.get(proposal.variantOf);
      const complete = { ...withDerived(proposal, list.profile, conventions, known), ...(base && { variantOf: base }) };
      bases.set(proposal, complete);
      return complete;
    });
    const readings = new Map(
      tables.flatMap(({ table, columns }) =>
        columns.flatMap((column) => {
          const isRead =
            column.rule === undefined ||
            (column.rule.from === column.profile.name && !column.rule.references && !column.rule.part && !column.rule.codes);
          return isRead ? [[column, readingOf(table, column.target, column.profile, conventions)] as const] : [];
        }),
      ),
    );
    return { ...list, formats: commonFormats(list.profile, readings), readings, proposals: tables, joins: new Map() };
  });
  return withOtherLists(drafted);
};

export interface Draft {
  readonly lists: readonly DraftedList[];
  readonly text: string;
  /** What a person must answer before a load. */
  readonly questions: readonly string[];
  /** Files that are not read, with the reason. */
  readonly unread: readonly string[];
}

/** Looks at all tables of the databases that a source file names. */
const draftDatabases = async (path: string): Promise<Draft> => {
  const databases = parseDatabases(readFileSync(path, 'utf8'), basename(path));
  const read: Read[] = [];
  for (const [name, rule] of Object.entries(databases)) {
    const facts = await databaseFacts(rule, name);
    for (const dbtable of await tablesOf(rule, name)) {
      const origin = { database: name, dbtable };
      const list = await openQuery(rule, origin, undefined);
      const found = await profile(list, true);
      await list.close?.();
      const own = facts.get(dbtable);
      const columns = found.columns.map((column) => ({
        ...column,
        ...(own?.comments.has(column.name) && { comment: own.comments.get(column.name)! }),
      }));
      read.push({
        name: dbtable,
        origin,
        profile: { ...found, columns },
        notes: [],
        facts: undefined,
        isTable: true,
        ...(own && { primaryKey: own.primaryKey, references: own.references }),
      });
    }
  }
  const lists = draftLists(read);
  return { lists, text: writeDraft(lists, [], databases), questions: questionsIn(lists), unread: [] };
};

/**
 * Looks at all files of a folder and writes a draft. Files that it cannot read are named in it. `see` receives the name of each file and list
 * before it is read. Throws an `OperatorError` if no list can be read.
 */
export const draftFiles = async (folder: string, see: (name: string) => Promise<void> | void = () => {}): Promise<Draft> => {
  const read: Read[] = [];
  const unread: string[] = [];
  for (const name of listFiles(folder)) {
    try {
      for (const file of await filesIn(folder, name)) {
        await see(file.name);
        const looks = await looksOf(file);
        if (looks.length === 0) unread.push(`${shown(file.name)}: no format that is read`);
        for (const look of looks) {
          await see(look.origin.dialect?.sheetName ?? file.name);
          read.push(await readLook(look));
        }
      }
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      unread.push(error.message);
    }
  }
  if (read.length === 0) throw new OperatorError(`No list can be read. ${unread.join('; ')}`);
  const lists = draftLists(read);
  return { lists, text: writeDraft(lists, unread), questions: questionsIn(lists), unread };
};

/** The draft for the files of a folder. If `folder` is a source file with `databases`, it is the draft for their tables. */
export const draftSource = async (folder: string): Promise<Draft> =>
  statSync(folder, { throwIfNoEntry: false })?.isFile() ? draftDatabases(folder) : draftFiles(folder);
