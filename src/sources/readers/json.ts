/** NDJSON, and JSON arrays. */
import type { Readable } from 'node:stream';
import { OperatorError } from '../../errors.ts';
import { textLines } from '../files/text-lines.ts';
import { shown } from '../rejections.ts';
import type { SourceList, SourceRow } from '../source-rows.ts';
import { JsonReader, type Values } from './json-values.ts';

const maxArrayBytes = 256 * 1024 * 1024;

async function* ofLines(name: string, text: Readable): AsyncGenerator<{ line: number; values: Values }> {
  let line = 0;
  for await (const record of textLines(text)) {
    line++;
    if (record.trim() === '') continue;
    try {
      yield { line, values: new JsonReader(record).object() };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new OperatorError(`${shown(name)}, line ${line}: the line is no JSON object: ${shown(error.message)}`);
    }
  }
}

async function* ofArray(name: string, text: Readable): AsyncGenerator<{ line: number; values: Values }> {
  let whole = '';
  for await (const chunk of text) {
    whole += chunk;
    if (whole.length > maxArrayBytes)
      throw new OperatorError(`${shown(name)}: a JSON array has at most ${maxArrayBytes / 2 ** 20} MB. Deliver NDJSON: one object a line.`);
  }
  let line = 0;
  try {
    for (const values of new JsonReader(whole).list()) yield { line: ++line, values };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new OperatorError(`${shown(name)}, object ${line + 1}: ${shown(error.message)}`);
  }
}

const sampled = 1_000;

/** The columns are those of the first rows. A column that appears later refuses the file, because nothing has named it. */
export const readJson = async (name: string, text: Readable, format: 'ndjson' | 'json'): Promise<SourceList> => {
  const iterator = (format === 'ndjson' ? ofLines(name, text) : ofArray(name, text))[Symbol.asyncIterator]();
  const first: { line: number; values: Values }[] = [];
  while (first.length < sampled) {
    const { value, done } = await iterator.next();
    if (done) break;
    first.push(value);
  }
  const columns = [...new Set(first.flatMap(({ values }) => [...values.keys()]))];
  const known = new Set(columns);
  const rowOf = ({ line, values }: { line: number; values: Values }): SourceRow => {
    for (const column of values.keys())
      if (!known.has(column))
        throw new OperatorError(`${shown(name)}, line ${line}: '${shown(column)}' is in no row among the first ${sampled}.`);
    return { line, cells: columns.map((column) => values.get(column) ?? null) };
  };
  async function* rows(): AsyncGenerator<SourceRow> {
    for (const one of first) yield rowOf(one);
    for await (const one of { [Symbol.asyncIterator]: () => iterator }) yield rowOf(one);
  }
  return { name, columns, rows: rows() };
};
