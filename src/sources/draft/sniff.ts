/** The dialect of a text file, found from its first bytes: encoding, delimiter, quote and header line. */
import type { Dialect } from '../source-file.ts';

export interface Sniffed {
  readonly encoding: string;
  readonly dialect: Dialect;
}

const delimiters = [';', ',', '\t', '|'] as const;

/** UTF-8 if the bytes are, otherwise the encoding of Windows in Western Europe. The end may cut a character. */
export const encodingOf = (bytes: Buffer): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
};

/** Fields of a line; quoted delimiters do not count. */
const fieldsOf = (line: string, delimiter: string): string[] =>
  line.replaceAll(/"[^"]*"/g, (quoted) => quoted.replaceAll(delimiter, ' ')).split(delimiter);

const mostFrequent = (counts: readonly number[]): number => {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].sort(([a, x], [b, y]) => y - x || b - a)[0]?.[0] ?? 0;
};

/** The delimiter that gives most lines the same number of fields, and the first line with that number, which is the header. */
export const sniff = (bytes: Buffer, hasLastLineEnd = true): Sniffed => {
  const encoding = encodingOf(bytes);
  // Without `stream`, Node 20 reads windows-1252 as Latin-1.
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  const lines = text.split(/\r\n|\n|\r/).slice(0, 200);
  const scored = delimiters.map((delimiter) => {
    const counts = lines.filter((line) => line.trim() !== '').map((line) => fieldsOf(line, delimiter).length);
    const width = mostFrequent(counts.filter((count) => count > 1));
    return { delimiter, width, share: counts.filter((count) => count === width).length / Math.max(1, counts.length) };
  });
  const { delimiter, width } = scored.filter((one) => one.width > 1).sort((a, b) => b.share - a.share || b.width - a.width)[0] ?? {
    delimiter: ',',
    width: 1,
  };
  const header =
    lines.findIndex(
      (line) =>
        fieldsOf(line, delimiter).length === width && fieldsOf(line, delimiter).filter((field) => field.trim() !== '').length > width / 2,
    ) + 1;
  return { encoding, dialect: { delimiter, ...(header > 1 && { headerRows: [header] }), ...(!hasLastLineEnd && { lastLineEnd: false }) } };
};
