/**
 * Says everything that is wrong with a file that the database refused.
 *
 * A good file is read once, by PostgreSQL, at full speed. A bad one is read a second time, here, so that the operator hears
 * of every fault with its line and column and not only of the first.
 */
import { checkValue } from './check-value.ts';
import { csvField, Unreadable } from './copy-input.ts';
import { Defects } from './defects.ts';
import { type FileRecord, readRecords } from './open-file.ts';
import { refusalWords, refusedPlace, stateOf } from './refusal.ts';
import type { SourceFile } from './source-files.ts';
import type { Target } from './target.ts';

const checkViolation = '23514';

/** A unique key of the table, and the values that the file holds more than once, as JSON lists of text. */
export interface Duplicates {
  readonly columns: readonly string[];
  readonly values: ReadonlySet<string>;
}

interface Refused {
  readonly file: SourceFile;
  /** As the file's first line has them. */
  readonly columns: readonly string[];
  readonly target: Target;
  readonly duplicates: readonly Duplicates[];
}

/** The record's values as the database would be given them, in the order of the columns. */
const textsOf = ({ values }: FileRecord, columns: readonly string[]): (string | null)[] => {
  if (Array.isArray(values)) return values as (string | null)[];
  return columns.map((column) => {
    const value = (values as Readonly<Record<string, unknown>>)[column] ?? null;
    return value === null ? null : String(value);
  });
};

/** What is wrong with the shape of a record, before its values are looked at. */
const shapeFault = ({ values, problem }: FileRecord, columns: readonly string[]): string | undefined => {
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
  const fault = shapeFault(record, columns);
  if (fault !== undefined) {
    defects.add(place, fault);
    return;
  }
  textsOf(record, columns).forEach((text, index) => {
    const column = columns[index] as string;
    const declared = target.columns.get(column);
    if (!declared || (file.purpose === 'deletes' && column !== target.key)) return;
    const wrong = jsonFault(record, column) ?? checkValue(text, declared);
    if (wrong !== undefined) defects.add({ ...place, column }, wrong);
  });
};

/** What a JSON value cannot be, whatever the column's type. */
const jsonFault = ({ values }: FileRecord, column: string): string | undefined => {
  if (Array.isArray(values)) return undefined;
  try {
    csvField((values as Readonly<Record<string, unknown>>)[column]);
    return undefined;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
};

/** Notes rows whose unique key an earlier line has. */
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

/** Throws an `OperatorError` that lists the file's faults; if none is found, it repeats what the database said. */
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
  // The only checks of staged tables are those of years.
  const words = stateOf(refusal) === checkViolation ? 'a date or time lies outside the years 1 to 9999 (UTC)' : refusalWords(refusal);
  defects.add({ file: refused.file.name, ...refusedPlace(refusal) }, words);
  defects.throwIfAny();
  throw refusal;
};
