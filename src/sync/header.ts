/** The columns of a file: a CSV's header, or the keys of the first NDJSON object. */
import { OperatorError } from '../errors.ts';
import { Faults } from './faults.ts';
import { readRecords } from './open-file.ts';
import type { Mode, SourceFile } from './source-files.ts';
import type { Target } from './target.ts';

/** The file's columns in its order. Throws an `OperatorError` if the file is empty or its first line cannot be read. */
export const readHeader = async (file: SourceFile): Promise<readonly string[]> => {
  for await (const { values, problem } of readRecords(file)) {
    if (problem !== undefined) throw new OperatorError(`${file.name}, line 1: ${problem}`);
    return Array.isArray(values) ? values.map((name) => String(name ?? '')) : Object.keys(values);
  }
  // An NDJSON file without lines is a table without rows; a CSV file has its header at least.
  if (file.format === 'ndjson') return [];
  throw new OperatorError(`${file.name} is empty: a CSV file has a header line.`);
};

/** Throws an `OperatorError` for columns that the table does not have, that are named twice, or that must be there; rows that are
 * there already need no more than their key. */
export const checkHeader = (file: SourceFile, columns: readonly string[], { target, mode }: { target: Target; mode: Mode }): void => {
  const faults = new Faults();
  columns.forEach((column, index) => {
    const place = { file: file.name, line: 1, column: column || `number ${index + 1}` };
    if (columns.indexOf(column) !== index) faults.add(place, 'the column is named twice');
    else if (file.purpose === 'rows' && !target.columns.has(column)) faults.add(place, `the table ${target.table} has no such column`);
    else if (column === '') faults.add(place, 'the column has no name');
  });
  for (const [column, { required }] of target.columns) {
    const isNeeded = column === target.key || (required && file.purpose === 'rows' && mode === 'full');
    if (isNeeded && columns.length > 0 && !columns.includes(column))
      faults.add({ file: file.name, line: 1, column }, 'the column is missing');
  }
  faults.throwIfAny();
};
