/**
 * Words that PostgreSQL reads as a date or a time, such as `now` and `today` (contract: values in loads).
 *
 * A staged table contains only the resulting dates, so the words are searched in the text. If a field consists of such a word, the file is
 * read again, because only its columns show whether the field is a date.
 */
import { checkValue } from './check-value.ts';
import { Defects } from './defects.ts';
import { readRecords, textsOf } from './open-file.ts';
import type { SourceFile } from './source-files.ts';
import type { Target } from './target.ts';

const words = '(?:now|today|tomorrow|yesterday|epoch|allballs)';
/** A field with such a word, with or without a time or a date. */
const fieldPattern = new RegExp(`[,"\\n][\\s\\d:.+-]*\\b${words}\\b[\\s\\d:.+-]*[,"\\r\\n]`, 'i');
const wordPattern = new RegExp(`\\b${words}\\b`, 'i');

/** A fast search for the word alone, before the exact one. */
const hasSpecialField = (lines: string): boolean => wordPattern.test(lines) && fieldPattern.test(`\n${lines}\n`);

const isDateOrTime = (type: string): boolean => /^(?:date|timestamp)/.test(type);

/** Whether the file has a column of dates or times. */
export const hasDates = ({ columns }: Target, names: readonly string[]): boolean =>
  names.some((name) => isDateOrTime(columns.get(name)?.type ?? ''));

/** Passes on CSV in whole lines. Calls `found` if a field contains one of the words. */
export const watchForSpecialDates = (input: AsyncIterable<Buffer>): { readonly chunks: AsyncIterable<Buffer>; found: () => boolean } => {
  let found = false;
  async function* chunks() {
    for await (const chunk of input) {
      found ||= hasSpecialField(chunk.toString('latin1'));
      yield chunk;
    }
  }
  return { chunks: chunks(), found: () => found };
};

interface Copied {
  readonly file: SourceFile;
  /** The columns in the first line of the file. */
  readonly columns: readonly string[];
  readonly target: Target;
}

/** Throws an `OperatorError` that lists the dates and times that are such words, if there are any. */
export const refuseSpecialDates = async ({ file, columns, target }: Copied): Promise<void> => {
  const defects = new Defects();
  for await (const record of readRecords(file))
    textsOf(record, columns).forEach((text, index) => {
      const column = columns[index] ?? '';
      const declared = target.columns.get(column);
      if (!text || !declared || !isDateOrTime(declared.type) || !wordPattern.test(text)) return;
      const defect = checkValue(text, declared);
      if (defect !== undefined) defects.add({ file: file.name, line: record.line, column }, defect);
    });
  defects.throwIfAny();
};
