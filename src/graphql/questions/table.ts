/** The answer to a saved question as CSV (contract: CSV). Numbers have the digits of the answer. */
import { csvField } from '../../csv.ts';
import type { QuestionTable } from './document.ts';

/** The number of tokens or rows between two pauses. */
const perPause = 200;

/** Parses JSON with numbers as text, because a double would lose digits. A number never needs quotes in CSV. Pauses between tokens. */
function* parseNumbersAsText(text: string): Generator<void, unknown> {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
  const parts: string[] = [];
  let end = 0;
  for (let count = 1, found = tokens.exec(text); found; count++, found = tokens.exec(text)) {
    const [token] = found;
    if (!token.startsWith('"')) {
      parts.push(text.slice(end, found.index), `"${token}"`);
      end = tokens.lastIndex;
    }
    if (count % perPause === 0) yield;
  }
  parts.push(text.slice(end));
  return JSON.parse(parts.join(''));
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>> | null | undefined)?.[name], value);

const fieldOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return csvField(Array.isArray(value) ? value.map((each) => String(each ?? '')).join(', ') : String(value));
};

/**
 * The rows of the table in the JSON of `data`, with pauses. A line without text is `""`, because readers skip blank lines (contract: CSV).
 */
export function* csvOfAnswer(data: string, { path, columns }: QuestionTable): Generator<void, string> {
  const rows = (at(yield* parseNumbersAsText(data), path) ?? []) as readonly unknown[];
  const lines = [columns.map(({ name }) => name).join(',')];
  for (const [index, row] of rows.entries()) {
    lines.push(columns.map((column) => fieldOf(at(row, column.path))).join(',') || '""');
    if (index % perPause === 0) yield;
  }
  return `${lines.join('\r\n')}\r\n`;
}
