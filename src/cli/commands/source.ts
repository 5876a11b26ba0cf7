/** `estate source …` and `estate template`: describe an export, and check the description. */
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import { findCustomer } from '../../database/control/customers.ts';
import { OperatorError } from '../../errors.ts';
import { type CheckedTable, checkSource, type SourceCheck } from '../../sources/check.ts';
import { draftSource } from '../../sources/draft/draft.ts';
import { neededValue } from '../../sources/needed-value.ts';
import { shown } from '../../sources/rejections.ts';
import { sourceSchema } from '../../sources/source-file.ts';
import { templateOf } from '../../sources/template.ts';
import { questionDocuments } from '../../web/graphiql/questions.ts';
import { columns, report, withSession } from '../session.ts';
import { readSource } from './read-source.ts';

export const printSchema = (): void => void process.stdout.write(`${JSON.stringify(sourceSchema(), null, 2)}\n`);

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
  ...sampleLines(table),
];

const inWords = (result: SourceCheck): string => {
  const rows = result.tables.map(({ table, read, valid, skipped, rejected, deletes }) => [
    table,
    ...[read, valid, skipped, rejected, deletes].map(number),
  ]);
  return [
    columns(['table', 'read', 'valid', 'skipped', 'rejected', 'deletes'], rows),
    ...result.tables.flatMap(tableLines),
    ...(result.errors.length > 0 ? ['', 'Errors:', ...result.errors.map((line) => `  ${line}`)] : []),
    '',
    `Category tables: ${result.categoryTables.join(', ') || 'none'}.`,
    `Measures: ${result.measures.join(', ') || 'none'}.`,
    `Questions: ${result.questions.join(', ') || 'none'}.`,
    result.isLoadable ? 'A load is possible.' : 'A load would be refused.',
  ].join('\n');
};

export const check = async (
  file: string,
  folder: string,
  options: { readonly customer?: string; readonly json?: boolean },
): Promise<void> => {
  const source = readSource(file);
  const request = { source, folder, documents: questionDocuments };
  const { customer: slug } = options;
  const result =
    slug === undefined
      ? await checkSource(request, undefined)
      : await withSession(async ({ database }) => checkSource(request, { database, customer: await findCustomer(database, slug) }));
  report(result, options, () => inWords(result));
  if (!result.isLoadable) process.exitCode = 1;
};
