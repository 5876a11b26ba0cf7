/** Text with every byte of UTF-8 at every position. */

/** One character for each byte of UTF-8: ASCII, two-byte characters for continuation bytes, then one for each lead byte. */
const characters = (): readonly string[] => {
  const ascii = Array.from({ length: 0x80 }, (_, byte) => byte);
  const continuations = Array.from({ length: 0x40 }, (_, bits) => 0x80 + bits);
  const ofTwo = Array.from({ length: 0xe0 - 0xc2 }, (_, at) => (2 + at) << 6);
  const ofThree = [0x800, ...Array.from({ length: 15 }, (_, at) => (1 + at) << 12)];
  const ofFour = [0x10000, ...Array.from({ length: 4 }, (_, at) => (1 + at) << 18)];
  return [ascii, continuations, ofTwo, ofThree, ofFour].flat().map((code) => String.fromCodePoint(code));
};

/** Bytes that are escaped or quoted, and their neighbours. */
const edges = ['\0', '\u0001', '\t', '\n', '\r', '\u001f', ' ', '!', '"', '#', '+', ',', '-', '[', '\\', ']', '\u007f', '\u0080'];

/** Every byte at every position of strings of 1 to 9 bytes, alone and next to each special byte. */
export const everyByteAtEveryPlace = (): readonly string[] => {
  const found = new Set<string>();
  const pieces = [...characters(), ...edges.flatMap((edge) => edges.map((other) => edge + other))];
  for (const piece of pieces) {
    const width = Buffer.byteLength(piece);
    for (let length = width; length <= 9; length++)
      for (let at = 0; at + width <= length; at++) found.add('a'.repeat(at) + piece + 'a'.repeat(length - at - width));
  }
  return [...found];
};
