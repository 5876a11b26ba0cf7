/**
 * Copies bytes four at a time between two `DataView`s, which the compiler turns into single instructions. A loop over bytes takes three to
 * four times as long. Native copying is faster only for long ranges.
 */

export const dataViewOf = ({ buffer, byteOffset, length }: Buffer): DataView<ArrayBufferLike> => new DataView(buffer, byteOffset, length);

/** Constant bytes that are written often: a name or a literal. */
export interface ByteLiteral {
  readonly length: number;
  /** The bytes as little-endian words, padded with zeros. */
  readonly words: Int32Array;
}

/** The maximum number of bytes written beyond the end of a literal. Callers reserve space for them. */
export const wordPadding = 3;

export const byteLiteral = (text: string): ByteLiteral => {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.alloc(length + wordPadding);
  bytes.write(text);
  return { length, words: Int32Array.from({ length: Math.ceil(length / 4) }, (_, at) => bytes.readInt32LE(4 * at)) };
};

/** Writes a literal at `at` and returns its end. */
export const putLiteral = (out: DataView, at: number, { words, length }: ByteLiteral): number => {
  for (let i = 0; i < words.length; i++) out.setInt32(at + 4 * i, words[i]!, true);
  return at + length;
};

/** Copies the bytes between `from` and `end` and returns the end of the copy. */
export const copyBytes = (out: DataView, at: number, bytes: DataView, from: number, end: number): number => {
  let to = at;
  let i = from;
  for (; i + 4 <= end; i += 4, to += 4) out.setInt32(to, bytes.getInt32(i, true), true);
  for (; i < end; i++) out.setUint8(to++, bytes.getUint8(i));
  return to;
};
