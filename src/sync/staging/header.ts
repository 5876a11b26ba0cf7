/** Checks the columns of rows against their table, and explains usual mistakes in the first lines of a file. */
import { rawTables } from '../../catalogue/raw/index.ts';
import { type ErrorText, OperatorError, onEachSurface, textFor } from '../../errors.ts';
import { printable } from '../../printable.ts';
import type { FileRows } from '../files/file-rows.ts';
import { Rejections } from '../files/rejections.ts';
import type { TableRows } from '../files/rows.ts';
import type { Mode } from '../files/source-files.ts';
import type { Target } from '../target.ts';
import { timesOfLoad } from '../values/load-times.ts';

const delimiters: Readonly<Record<string, string>> = { ';': 'a semicolon', '\t': 'a tab', '|': 'a bar' };

const bare = (name: string): string => name.trim().replace(/^"(.*)"$/, '$1');

const ofSource = 'deliver it with commas, or declare the delimiter in a source';

/** How many of the table's columns a line names, for each delimiter. */
const namesIn = (line: string, { columns }: Target): { readonly delimiter: string; readonly known: number; readonly of: number } =>
  [',', ...Object.keys(delimiters)]
    .map((delimiter) => {
      const names = line.split(delimiter).map(bare);
      return { delimiter, known: names.filter((name) => columns.has(name)).length, of: names.length };
    })
    .reduce((best, one) => (one.known > best.known || (one.known === best.known && one.of > best.of) ? one : best));

const looksLikeData = (name: string): boolean => /^[+-]?\d|^$/.test(name.trim());

/** The usual mistake that explains why the first line does not name the table's columns; undefined if there is none. */
const mistakeIn = (start: string, columns: readonly string[], target: Target): string | undefined => {
  const lines = start.split(/\r?\n/, 20);
  const [first = ''] = lines;
  const separator = /^"?sep=(.)"?\s*$/i.exec(first)?.[1];
  if (separator !== undefined)
    return `the line 'sep=${separator}' is for Excel alone: remove it${separator === ',' ? '' : `, and ${ofSource}`}`;
  const { delimiter, known, of } = namesIn(first, target);
  if (delimiter !== ',' && of > 1 && (known > 0 || columns.length === 1)) return `the delimiter is ${delimiters[delimiter]}: ${ofSource}`;
  if (columns.some((column) => target.columns.has(column))) return undefined;
  const header = lines.findIndex((line, index) => index > 0 && namesIn(line, target).known > 1);
  if (header > 0)
    return `the names of the columns are on line ${header + 1}: remove the lines before it, or declare the header row in a source`;
  if (columns.filter(looksLikeData).length * 2 >= columns.length)
    return `the first line has values and no names of columns: add a header line, such as ${[...target.columns.keys()].slice(0, 3).join(',')},…`;
  return undefined;
};

/** A table that was made from a file keeps its columns (decision 097). */
const remedyOf = ({ table }: Target): ErrorText => {
  if (Object.hasOwn(rawTables, table)) return '';
  const portal = ', and no load adds one: leave the column out';
  return { commandLine: `${portal}, or make a table of another name with --create`, portal };
};

const similar = (column: string, { columns }: Target): string | undefined => {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return [...columns.keys()].find((name) => plain(name) === plain(column));
};

/** The errors of unknown, repeated and missing columns. Existing rows need only their key. `line` is that of the header. */
const headerRejections = (
  { name, purpose }: Pick<TableRows, 'name' | 'purpose'>,
  columns: readonly string[],
  target: Target,
  { mode, line }: { readonly mode: Mode; readonly line?: number },
): Rejections => {
  const rejections = new Rejections('each');
  columns.forEach((column, index) => {
    const place = { file: name, line, column: column || `number ${index + 1}` };
    const near = similar(column, target);
    if (columns.indexOf(column) !== index) rejections.add(place, { reason: 'the column is named twice' });
    else if (purpose === 'rows' && !target.columns.has(column) && column !== '') {
      const remedy = near ? `: it is called ${near}` : remedyOf(target);
      rejections.add(place, {
        reason: onEachSurface((surface) => `the table ${target.table} has no such column${textFor(surface, remedy)}`),
      });
    } else if (column === '') rejections.add(place, { reason: 'the column has no name' });
  });
  const ofLoad = timesOfLoad(target, columns);
  for (const [column, { required }] of target.columns) {
    const isNeeded = column === target.key || (required && purpose === 'rows' && mode === 'full' && !ofLoad.includes(column));
    if (isNeeded && columns.length > 0 && !columns.includes(column))
      rejections.add({ file: name, line, column }, { reason: 'the column is missing' });
  }
  return rejections;
};

/** Throws an `OperatorError` for unknown, repeated or missing columns of rows without a header. */
export const checkHeader = (rows: Pick<TableRows, 'name' | 'purpose'>, columns: readonly string[], target: Target, mode: Mode): void =>
  headerRejections(rows, columns, target, { mode }).throwIfAny();

/** Throws an `OperatorError` for unknown, repeated or missing columns of a file. */
export const checkFileHeader = async (rows: FileRows, columns: readonly string[], target: Target, mode: Mode): Promise<void> => {
  const rejections = headerRejections(rows, columns, target, { mode, line: 1 });
  if (rejections.count > 0 && rows.source.format === 'csv') {
    const mistake = mistakeIn((await rows.readStart()).toString('utf8'), columns, target);
    if (mistake !== undefined) throw new OperatorError(`${rows.name}, line 1: ${printable(mistake)}`);
  }
  rejections.throwIfAny();
};
