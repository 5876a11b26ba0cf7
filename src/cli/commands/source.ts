/** `estate source …` and `estate template`: describe an export, check the description, and keep it with the customer. */
import { commandLine } from '../../access/audit.ts';
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import { findCustomer } from '../../database/control/customers.ts';
import { OperatorError } from '../../errors.ts';
import { type CheckedTable, checkSource, type SourceCheck } from '../../sources/check.ts';
import { draftSource } from '../../sources/draft/draft.ts';
import { neededValue } from '../../sources/draft/needed-value.ts';
import {
  endSource,
  findKeptSource,
  type Keeping,
  keepSource,
  parseVersion,
  sourceHistory,
  versionInWords,
} from '../../sources/kept/kept-sources.ts';
import { sourceSchema } from '../../sources/source-file.ts';
import { templateOf } from '../../sources/template.ts';
import { shown } from '../../sync/files/rejections.ts';
import { leftOutInWords } from '../../sync/left-out.ts';
import { questionColumns } from '../../web/graphiql/question-columns.ts';
import { readSource, readSourceText } from '../read-source.ts';
import { type CommandSession, columns, report, withSession } from '../session.ts';
import { writeText } from '../terminal.ts';

export const printSourceSchema = (): void => void process.stdout.write(`${JSON.stringify(sourceSchema(), null, 2)}\n`);

export const printDraft = async (folder: string): Promise<void> => {
  process.stdout.write((await draftSource(folder)).text);
};

export const printTemplate = (table: string): void => {
  if (!Object.hasOwn(rawTables, table))
    throw new OperatorError(`There is no raw table '${shown(table)}'. There are: ${Object.keys(rawTables).sort().join(', ')}.`);
  process.stdout.write(templateOf(table as RawTableName));
};

const number = (value: number): string => value.toLocaleString('en');

const sampleLines = ({ samples }: CheckedTable): string[] =>
  samples.flatMap(({ file, line, before, after }) => [
    `  ${shown(file)}, line ${line}: ${Object.entries(before)
      .map(([name, value]) => `${shown(name)}=${value}`)
      .join(' | ')}`,
    `    → ${Object.entries(after)
      .map(([name, value]) => `${name}=${value === null ? 'null' : shown(value)}`)
      .join(' | ')}`,
  ]);

const tableLines = (table: CheckedTable): string[] => [
  '',
  `${table.table}:`,
  ...table.missing.map((column) => `  required column without a source: ${shown(neededValue(table.table, column))}`),
  ...Object.entries(table.unused).map(([list, names]) => `  columns of ${shown(list)} without a target: ${shown(names.join(', '))}`),
  ...table.constantAmounts.map(
    (column) => `  the same amount in every row: ${column}. Measures and questions that need it are not listed below.`,
  ),
  ...Object.entries(table.unknownCodes).map(
    ([column, codes]) =>
      `  unknown codes of ${column}: ${Object.entries(codes)
        .map(([code, count]) => `${shown(code)} (${count})`)
        .join(', ')}`,
  ),
  ...table.notes.map((note) => `  ${shown(note)}`),
  ...sampleLines(table),
];

/** Without a customer, the check knows the export alone. */
const verdictOf = ({ isLoadable }: SourceCheck, customer: string | undefined): string => {
  if (!isLoadable) return 'A load would be refused.';
  return customer === undefined
    ? 'The export has no errors. The dry run of the load, which compares with the rows of a customer: --customer <slug>.'
    : 'A load is possible.';
};

/** The changes of the dry run. */
const changeLines = ({ load }: SourceCheck): string[] => {
  const changed = load?.tables.filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0) ?? [];
  if (changed.length === 0) return [];
  const rows = changed.map(({ kind, table, ...counts }) => [kind, table, ...[counts.inserted, counts.updated, counts.deleted].map(number)]);
  return ['', columns(['kind', 'table', 'inserted', 'updated', 'deleted'], rows)];
};

const inWords = (result: SourceCheck, slug: string | undefined): string => {
  const rows = result.tables.map(({ table, read, valid, skipped, rejected, deletes }) => [
    table,
    ...[read, valid, skipped, rejected, deletes].map(number),
  ]);
  return [
    columns(['table', 'read', 'valid', 'skipped', 'rejected', 'deletes'], rows),
    ...result.tables.flatMap(tableLines),
    ...changeLines(result),
    ...leftOutInWords(result.leftOut),
    ...result.notLoaded.map((name) => `not loaded: ${name}`),
    ...(result.errors.length > 0 ? ['', 'Errors:', ...result.errors.map((line) => `  ${line}`)] : []),
    '',
    `Category tables: ${result.categoryTables.join(', ') || 'none'}.`,
    `Measures: ${result.measures.join(', ') || 'none'}.`,
    `Questions: ${result.questions.join(', ') || 'none'}.`,
    verdictOf(result, slug),
  ].join('\n');
};

export const check = async (
  file: string,
  folder: string,
  options: { readonly customer?: string; readonly json?: boolean },
): Promise<void> => {
  const source = readSource(file);
  const request = { source, folder, questions: questionColumns() };
  const { customer: slug } = options;
  const result =
    slug === undefined
      ? await checkSource(request, undefined)
      : await withSession(async ({ database }) => checkSource(request, { database, customer: await findCustomer(database, slug) }));
  report(result, options, () => inWords(result, slug));
  if (!result.isLoadable) process.exitCode = 1;
};

interface KeptOptions {
  readonly json?: boolean;
}

const ownerOf = async ({ database }: CommandSession, slug: string): Promise<Keeping> => ({
  customer: await findCustomer(database, slug),
  actor: commandLine,
});

export const keepSourceFile = (slug: string, file: string, options: KeptOptions): Promise<void> =>
  withSession(async (session) => {
    const kept = await keepSource(session.database.control, await ownerOf(session, slug), readSourceText(file));
    report(kept, options, () => `${slug}: ${versionInWords(kept)}`);
  });

export const showKeptSource = (slug: string, name: string | undefined, version: string | undefined): Promise<void> =>
  withSession(async ({ database }) => {
    const wanted = { name, version: version === undefined ? undefined : parseVersion(version) };
    const kept = await findKeptSource(database.control, await findCustomer(database, slug), wanted);
    writeText(process.stderr, `${versionInWords(kept)}\n`);
    process.stdout.write(kept.text);
  });

export const listKeptSources = (slug: string, options: KeptOptions): Promise<void> =>
  withSession(async ({ database }) => {
    const versions = await sourceHistory(database.control, await findCustomer(database, slug));
    const rows = versions.map(({ name, version, kept_at, kept_by, isEnd }) => [
      name,
      String(version),
      kept_at.toISOString(),
      kept_by,
      isEnd ? 'ended' : '',
    ]);
    report(versions, options, () => columns(['source', 'version', 'kept', 'by', ''], rows));
  });

export const endKeptSource = (slug: string, name: string, options: KeptOptions): Promise<void> =>
  withSession(async (session) => {
    const ended = await endSource(session.database.control, await ownerOf(session, slug), name);
    report(ended, options, () => `${slug}: ${shown(name)} is ended. Its versions stay.`);
  });
