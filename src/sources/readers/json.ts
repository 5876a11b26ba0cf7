/** NDJSON, and JSON arrays. */
import { OperatorError } from '../../errors.ts';
import { type JsonLine, jsonLines } from '../../sync/files/json/json-lines.ts';
import { JsonReader, NoRow } from '../../sync/files/json/json-values.ts';
import { shown } from '../../sync/files/rejections.ts';
import type { SourceList, SourceRow } from '../source-rows.ts';

const maxArrayBytes = 256 * 1024 * 1024;
/** The rows that name the columns. */
const sampled = 1_000;

const memberOf = ({ member }: NoRow): string => (member === undefined ? '' : `, column ${shown(member)}`);

const ofLines = (name: string, text: AsyncIterable<Buffer>): AsyncGenerator<readonly JsonLine[]> =>
  jsonLines(text, {
    name,
    isFlat: false,
    broken: (line, error) => {
      throw new OperatorError(`${shown(name)}, line ${line}${memberOf(error)}: ${error.message}`);
    },
  });

async function* ofArray(name: string, text: AsyncIterable<Buffer>): AsyncGenerator<readonly JsonLine[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of text) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxArrayBytes)
      throw new OperatorError(`${shown(name)}: a JSON array has at most ${maxArrayBytes / 2 ** 20} MB. Deliver NDJSON: one object a line.`);
  }
  let line = 0;
  try {
    let batch: JsonLine[] = [];
    for (const values of new JsonReader(Buffer.concat(chunks).toString('utf8')).list()) {
      batch.push({ line: ++line, values });
      if (batch.length < sampled) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  } catch (error) {
    if (!(error instanceof NoRow)) throw error;
    throw new OperatorError(`${shown(name)}, object ${line + 1}${memberOf(error)}: ${error.message}`);
  }
}

/** The columns are those of the first rows. A column that appears later refuses the file, because nothing has named it. */
export const readJson = async (name: string, text: AsyncIterable<Buffer>, format: 'ndjson' | 'json'): Promise<SourceList> => {
  const iterator = (format === 'ndjson' ? ofLines(name, text) : ofArray(name, text))[Symbol.asyncIterator]();
  const first: JsonLine[] = [];
  while (first.length < sampled) {
    const { value, done } = await iterator.next();
    if (done) break;
    first.push(...value);
  }
  const columns = [...new Set(first.slice(0, sampled).flatMap(({ values }) => [...values.keys()]))];
  const known = new Set(columns);
  const rowOf = ({ line, values }: JsonLine): SourceRow => {
    for (const column of values.keys())
      if (!known.has(column))
        throw new OperatorError(`${shown(name)}, line ${line}: '${shown(column)}' is in no row among the first ${sampled}.`);
    return { line, cells: columns.map((column) => values.get(column) ?? null) };
  };
  async function* rows(): AsyncGenerator<readonly SourceRow[]> {
    yield first.map(rowOf);
    for await (const batch of { [Symbol.asyncIterator]: () => iterator }) yield batch.map(rowOf);
  }
  return { name, columns, rows: rows() };
};
