/** Recognises files that are not what their name says, from their first bytes, and names the remedy. */
import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { OperatorError } from '../../errors.ts';
import type { SourceFile } from './source-files.ts';

const signatures: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x1f, 0x8b], 'is a gzip archive: add .gz to its name'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'is a zstd archive: add .zst to its name'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a ZIP archive or an Excel workbook: unpack it, save the sheet as CSV UTF-8, or load it with a source'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'is an old Excel workbook: save the sheet as CSV UTF-8'],
  [[0x50, 0x41, 0x52, 0x31], 'is a Parquet file: load it with a source'],
  [[0x25, 0x50, 0x44, 0x46], 'is a PDF document: export the data as CSV'],
  [[0xff, 0xfe], 'is UTF-16: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8), or declare its encoding in a source'],
  [[0xfe, 0xff], 'is UTF-16: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8), or declare its encoding in a source'],
];

const gzipOrZstd = 2;

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean => signature.every((byte, index) => bytes[index] === byte);

/** The first bytes of the file, as they are on the disk. */
const firstBytes = (path: string): Buffer => {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(16);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
};

/** Throws an `OperatorError` if the file on the disk is not packed as its name says. */
export const refuseWrongPacking = ({ path, name, compression }: SourceFile): void => {
  const bytes = firstBytes(path);
  if (bytes.length === 0) return;
  const expected = compression === 'gzip' ? 0 : compression === 'zstd' ? 1 : undefined;
  if (expected !== undefined) {
    if (startsWith(bytes, signatures[expected]![0])) return;
    throw new OperatorError(`${name} is no ${compression} archive: pack it, or remove the ending of its name.`);
  }
  const found = signatures.slice(0, gzipOrZstd).find(([signature]) => startsWith(bytes, signature));
  if (found) throw new OperatorError(`${name} ${found[1]}.`);
};

/** Throws an `OperatorError` if the unpacked file begins as another format. */
export const refuseOtherFormats = (name: string, format: SourceFile['format'], start: Buffer): void => {
  const found = signatures.find(([signature]) => startsWith(start, signature));
  if (found) throw new OperatorError(`${name} ${found[1]}.`);
  const text = start.subarray(0, 200).toString('latin1').trimStart();
  if (/^<(?:!doctype|html|\?xml)/i.test(text)) throw new OperatorError(`${name} is HTML or XML: export the data as CSV.`);
  if (format === 'csv' && /^\{\s*"/.test(text)) throw new OperatorError(`${name} has JSON objects: name it .ndjson.`);
  if (format === 'ndjson' && !/^(?:\xef\xbb\xbf)?\s*[{[]/.test(text) && /^[^{}[\]]*[,;\t]/.test(text))
    throw new OperatorError(`${name} has no JSON objects: name it .csv if it is CSV.`);
};

/** Characters of windows-1252 that German and French exports have, with their bytes. */
const frequent = new Set([0x80, 0x84, 0x93, 0x96, 0xa7, 0xb0, 0xb2, 0xc4, 0xd6, 0xdc, 0xdf, 0xe0, 0xe4, 0xe8, 0xe9, 0xea, 0xf6, 0xfc]);

/** The reason why a value is not UTF-8, with the remedy. Undefined if it is UTF-8. */
export const encodingDefect = (bytes: Uint8Array): string | undefined => {
  if (isUtf8(bytes)) return undefined;
  // Without `stream`, Node 20 reads it as Latin-1.
  const text = new TextDecoder('windows-1252').decode(bytes, { stream: true });
  const isLikely = bytes.every((byte) => byte < 0x80 || frequent.has(byte));
  return `is not UTF-8${isLikely ? `: it reads "${text.length > 40 ? `${text.slice(0, 40)}…` : text}" as windows-1252; convert the file (iconv -f WINDOWS-1252 -t UTF-8), or declare its encoding in a source` : ''}`;
};
