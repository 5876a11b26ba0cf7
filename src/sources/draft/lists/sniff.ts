/** The dialect of a text file, found from its first bytes: encoding and delimiter. */
import type { Dialect } from '../../source-file.ts';

interface Sniffed {
  readonly encoding: string;
  readonly dialect: Dialect;
}

const delimiters = [';', ',', '\t', '|'] as const;

/** How many letters of Western Europe a text has, less the characters that stand there in the wrong encoding. */
const lettersIn = (text: string): number =>
  (text.match(/[äöüßÄÖÜéèàçëïóñ€²]/g)?.length ?? 0) - (text.match(/[ŠšŸ§¤¼½¾Ž¨´¸†‡‰‹›•™˜]/g)?.length ?? 0);

/**
 * UTF-8 if the bytes are, UTF-16 if its mark or its zeros say so, otherwise the encoding of one byte that gives the most letters of Western
 * Europe. The end may cut a character.
 */
const encodingOf = (bytes: Buffer): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 1_000);
  const zeros = (rest: number) => start.filter((byte, index) => index % 2 === rest && byte === 0).length;
  if (start.length >= 20 && zeros(1) > start.length * 0.4) return 'utf-16le';
  if (start.length >= 20 && zeros(0) > start.length * 0.4) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    const scored = ['windows-1252', 'iso-8859-15', 'macintosh'].map((encoding) => ({
      encoding,
      letters: lettersIn(new TextDecoder(encoding).decode(bytes, { stream: true })),
    }));
    return scored.sort((a, b) => b.letters - a.letters)[0]!.encoding;
  }
};

/** The records of a text. A line break within quotes ends none. */
const linesOf = (text: string): string[] => {
  const lines: string[] = [];
  let open = '';
  for (const line of text.split(/\r\n|\n|\r/)) {
    const whole = open === '' ? line : `${open} ${line}`;
    open = (whole.match(/"/g)?.length ?? 0) % 2 === 1 && whole.length < 10_000 ? whole : '';
    if (open === '') lines.push(whole);
  }
  return lines;
};

/** Fields of a line; quoted delimiters do not count. */
const fieldsOf = (line: string, delimiter: string): string[] =>
  line.replaceAll(/"[^"]*"/g, (quoted) => quoted.replaceAll(delimiter, ' ')).split(delimiter);

const mostFrequent = (counts: readonly number[]): number => {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].sort(([a, x], [b, y]) => y - x || b - a)[0]?.[0] ?? 0;
};

/** The delimiter that gives most lines the same number of fields. */
export const sniff = (bytes: Buffer, hasLastLineEnd = true): Sniffed => {
  const encoding = encodingOf(bytes);
  // Without `stream`, Node 20 reads windows-1252 as Latin-1.
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  const lines = linesOf(text).slice(0, 200);
  const scored = delimiters.map((delimiter) => {
    const counts = lines.filter((line) => line.trim() !== '').map((line) => fieldsOf(line, delimiter).length);
    const width = mostFrequent(counts.filter((count) => count > 1));
    return { delimiter, width, share: counts.filter((count) => count === width).length / Math.max(1, counts.length) };
  });
  const { delimiter } = scored.filter((one) => one.width > 1).sort((a, b) => b.share - a.share || b.width - a.width)[0] ?? {
    delimiter: ',' as const,
  };
  return { encoding, dialect: { delimiter, ...(!hasLastLineEnd && { lastLineEnd: false }) } };
};
