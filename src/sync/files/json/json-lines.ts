/** NDJSON: one object on each line. */
import { encodingDefect } from '../formats.ts';
import { byteLines } from '../text.ts';
import { type JsonMembers, JsonReader, NoRow } from './json-values.ts';

/** A longer line is no row. It bounds the memory of a load. */
export const longestLine = 16 * 2 ** 20;

/** An object and its line, counted from 1. */
export interface JsonLine {
  readonly line: number;
  readonly values: JsonMembers;
}

export interface JsonLines {
  /** The name of the file in messages. */
  readonly name: string;
  /** Whether the values of an object are no objects and no lists. */
  readonly isFlat: boolean;
  /** Receives what is wrong with a line. If it does not throw, the line is left out. */
  readonly broken: (line: number, what: NoRow) => void;
}

const objectOf = (bytes: Buffer, isFlat: boolean): JsonMembers | undefined => {
  const defect = encodingDefect(bytes);
  if (defect !== undefined) throw new NoRow(`the line ${defect}`);
  return new JsonReader(bytes.toString('utf8'), isFlat).object();
};

/** The objects of a text, in batches. Blank lines are none. */
export async function* jsonLines(text: AsyncIterable<Buffer>, { name, isFlat, broken }: JsonLines): AsyncGenerator<readonly JsonLine[]> {
  let line = 0;
  for await (const lines of byteLines(text, name, longestLine)) {
    const batch: JsonLine[] = [];
    for (const bytes of lines) {
      line++;
      try {
        const values = objectOf(bytes, isFlat);
        if (values) batch.push({ line, values });
      } catch (error) {
        if (!(error instanceof NoRow)) throw error;
        broken(line, error);
      }
    }
    yield batch;
  }
}
