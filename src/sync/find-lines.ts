/** Where rows stand in a delivered file: it is read again, so that the operator hears of lines and not of keys alone. */
import { readRecords } from './open-file.ts';
import type { SourceFile } from './source-files.ts';

/** A key as the database writes it. */
const written = (value: unknown): string => {
  const text = String(value ?? '').trim();
  return /^[+-]?\d+$/.test(text) ? String(BigInt(text.replace(/^\+/, ''))) : text;
};

/** Lines by key. */
export const findLines = async (file: SourceFile, column: string, keys: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> => {
  const lines = new Map<string, number>();
  let at: number | undefined;
  for await (const { line, values } of readRecords(file)) {
    if (lines.size === keys.size) break;
    if (Array.isArray(values) && at === undefined) {
      at = values.indexOf(column);
      continue;
    }
    const key = written(Array.isArray(values) ? values[at ?? -1] : (values as Readonly<Record<string, unknown>>)[column]);
    if (keys.has(key)) lines.set(key, line);
  }
  return lines;
};
