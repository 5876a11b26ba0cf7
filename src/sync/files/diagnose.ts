/**
 * Finds all errors of a file that the database refused.
 *
 * A valid file is read once, by PostgreSQL. A refused file is read again here. PostgreSQL reports only the first error; this file reports
 * all of them with line and column.
 */
import { checkViolation, refusalWords, refusedPosition, stateOf } from '../changes/refusal.ts';
import { checkValue } from './check-value.ts';
import { csvField, Unreadable } from './copy-input.ts';
import { Defects } from './defects.ts';
import { type FileRecord, readRecords, textsOf } from './open-file.ts';
import type { SourceFile } from './source-files.ts';
import type { Target } from './target.ts';

/** A unique key of the table, and its repeated values in the file, as JSON lists of text. */
export interface Duplicates {
  readonly columns: readonly string[];
  readonly values: ReadonlySet<string>;
}

interface Refused {
  readonly file: SourceFile;
  /** The columns in the first line of the file. */
  readonly columns: readonly string[];
  readonly target: Target;
  readonly duplicates: readonly Duplicates[];
}

/** The error in the shape of a record, which is checked before its values. */
const shapeDefect = ({ values, problem }: FileRecord, columns: readonly string[]): string | undefined => {
  if (problem !== undefined) return problem;
  if (Array.isArray(values)) {
    if (values.length === 1 && values[0] === '\\.') return 'a line of \\. alone cannot be loaded';
    return values.length === columns.length ? undefined : `${values.length} values instead of ${columns.length}`;
  }
  const unknown = Object.keys(values).find((name) => !columns.includes(name));
  return unknown === undefined ? undefined : `'${unknown}' is not among the columns of the first line`;
};

const checkRecord = (defects: Defects, record: FileRecord, { file, columns, target }: Refused): void => {
  const place = { file: file.name, line: record.line };
  const defect = shapeDefect(record, columns);
  if (defect !== undefined) {
    defects.add(place, defect);
    return;
  }
  textsOf(record, columns).forEach((text, index) => {
    const column = columns[index] as string;
    const declared = target.columns.get(column);
    if (!declared || (file.purpose === 'deletes' && column !== target.key)) return;
    const wrong = jsonDefect(record, column) ?? checkValue(text, declared);
    if (wrong !== undefined) defects.add({ ...place, column }, wrong);
  });
};

/** The error of a JSON value that no column type accepts. */
const jsonDefect = ({ values }: FileRecord, column: string): string | undefined => {
  if (Array.isArray(values)) return undefined;
  try {
    csvField((values as Readonly<Record<string, unknown>>)[column]);
    return undefined;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
};

/** Adds the rows whose unique key is on an earlier line. */
class Repetitions {
  readonly #duplicates: readonly Duplicates[];
  readonly #firstLines = new Map<string, number>();

  constructor(duplicates: readonly Duplicates[]) {
    this.#duplicates = duplicates;
  }

  check(defects: Defects, record: FileRecord, { file, columns }: Refused): void {
    const texts = textsOf(record, columns);
    this.#duplicates.forEach(({ columns: unique, values }, index) => {
      const value = JSON.stringify(unique.map((column) => texts[columns.indexOf(column)]?.trim() ?? null));
      if (!values.has(value)) return;
      const first = this.#firstLines.get(`${index} ${value}`);
      if (first === undefined) this.#firstLines.set(`${index} ${value}`, record.line);
      else
        defects.add({ file: file.name, line: record.line, column: unique.join(', ') }, `${value.slice(1, -1)} is on line ${first} already`);
    });
  }
}

/** Throws an `OperatorError` that lists the errors of the file. If none is found, it contains the message of the database. */
export const diagnose = async (refused: Refused, refusal: Error): Promise<never> => {
  const defects = new Defects();
  const repetitions = new Repetitions(refused.duplicates);
  let isHeader = refused.file.format === 'csv';
  for await (const record of readRecords(refused.file)) {
    if (!isHeader) {
      checkRecord(defects, record, refused);
      repetitions.check(defects, record, refused);
    }
    isHeader = false;
  }
  defects.throwIfAny();
  // Staged tables have check constraints for years only.
  const words = stateOf(refusal) === checkViolation ? 'a date or time lies outside the years 1 to 9999 (UTC)' : refusalWords(refusal);
  defects.add({ file: refused.file.name, ...refusedPosition(refusal) }, words);
  defects.throwIfAny();
  throw refusal;
};
