/** Names the rows whose unique key is on an earlier line. The rows are read again. */
import { OperatorError } from '../../errors.ts';
import { written } from '../files/file-rows.ts';
import { quoted, Rejections } from '../files/rejections.ts';
import { namesInFile, type TableRows } from '../files/rows.ts';
import type { Target } from '../target.ts';
import { typeName } from '../values/check-value.ts';

/** A unique key of the table, and its repeated values in the staged rows, as JSON lists of text. */
export interface Duplicates {
  readonly columns: readonly string[];
  readonly values: ReadonlySet<string>;
}

/** Throws an `OperatorError` that lists the repeated keys. */
export const refuseDuplicates = async (
  rows: TableRows,
  columns: readonly string[],
  target: Target,
  duplicates: readonly Duplicates[],
): Promise<never> => {
  const rejections = new Rejections('each');
  const firstPlaces = new Map<string, string>();
  const textOf = (column: string, text: string | null): string | null =>
    text !== null && /^(?:smallint|integer|bigint)$/.test(typeName(target.columns.get(column)?.type ?? '')) ? written(text) : text;
  for await (const batch of rows.read())
    for (const { values, line, file = rows.name, labels } of batch)
      duplicates.forEach(({ columns: unique, values: repeated }, index) => {
        const texts = unique.map((column) => textOf(column, values[columns.indexOf(column)] ?? null));
        const value = JSON.stringify(texts);
        if (!repeated.has(value)) return;
        const key = `${index} ${value}`;
        const first = firstPlaces.get(key);
        const place = `${file === rows.name ? '' : `${file}, `}line ${line}`;
        if (first === undefined) firstPlaces.set(key, place);
        else
          rejections.add(
            { file, line, column: namesInFile(labels, columns, unique) },
            { reason: `${texts.map((text) => quoted(text ?? '')).join(', ')} is on ${first} already` },
          );
      });
  rejections.throwIfAny();
  throw new OperatorError(`${rows.name}: a key of ${target.table} occurs more than once.`);
};
