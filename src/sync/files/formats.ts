/**
 * The table of formats: the ends of their names, their first bytes, and what they are called. Draft, check, loads and messages read it.
 * `sources/readers/formats.ts` has a reader for each, or the code does not compile.
 */
import { isUtf8 } from 'node:buffer';
import { OperatorError } from '../../errors.ts';
import { printable } from '../../printable.ts';

interface Format {
  /** The ends of names, without the point. */
  readonly endings: readonly string[];
  /** The first bytes of a file. Absent: the format is text. */
  readonly magic?: readonly string[];
  /** In messages. */
  readonly is: string;
}

const zip = 'PK\u0003\u0004';
const oldOffice = '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1';

export const formats = {
  csv: { endings: ['csv', 'txt', 'tsv', 'tab'], is: 'CSV' },
  ndjson: { endings: ['ndjson', 'jsonl'], is: 'NDJSON' },
  json: { endings: ['json'], is: 'JSON' },
  datev: { endings: [], is: 'a DATEV export' },
  xlsx: { endings: ['xlsx', 'xlsm', 'xlsb', 'xls', 'ods'], magic: [zip, oldOffice], is: 'a workbook' },
  parquet: { endings: ['parquet'], magic: ['PAR1'], is: 'a Parquet file' },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;
export const formatNames = Object.keys(formats) as [FormatName, ...FormatName[]];

const entries = Object.entries(formats) as readonly (readonly [FormatName, Format])[];

/** How a file can be packed. */
const packings = {
  gzip: { ending: 'gz', magic: '\u001f\u008b' },
  zstd: { ending: 'zst', magic: '\u0028\u00b5\u002f\u00fd' },
} as const;

const packingNames = Object.keys(packings) as (keyof typeof packings)[];

const startsWith = (bytes: Uint8Array, magic: string): boolean => [...magic].every((one, index) => bytes[index] === one.charCodeAt(0));

/** The packing that the end of a name states. */
export const packedAs = (name: string): keyof typeof packings | undefined =>
  packingNames.find((packing) => name.toLowerCase().endsWith(`.${packings[packing].ending}`));

/** The format that the end of a name states. */
export const formatOfName = (name: string): FormatName | undefined => {
  const ending = /\.([a-z]+)(?:\.(?:gz|zst))?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return entries.find(([, { endings }]) => endings.includes(ending))?.[0];
};

/** The format of binary files that the first bytes state. A zip archive is a workbook if its name says so. */
export const formatOfBytes = (start: Uint8Array): FormatName | undefined =>
  entries.find(([, { magic = [] }]) => magic.some((one) => startsWith(start, one)))?.[0];

/** Whether the bytes are those of a zip archive. */
export const isZip = (start: Uint8Array): boolean => startsWith(start, zip);

/** Throws an `OperatorError` if the file on the disk is not packed as its name says. */
export const refuseWrongPacking = (name: string, expected: keyof typeof packings | undefined, start: Uint8Array): void => {
  if (start.length === 0) return;
  if (expected !== undefined) {
    if (startsWith(start, packings[expected].magic)) return;
    throw new OperatorError(`${printable(name)} is no ${expected} archive: pack it, or remove the ending of its name.`);
  }
  const found = packingNames.find((packing) => startsWith(start, packings[packing].magic));
  if (found) throw new OperatorError(`${printable(name)} is a ${found} archive: add .${packings[found].ending} to its name.`);
};

const toUtf8 = 'convert it to UTF-8 (iconv -f UTF-16 -t UTF-8), or declare its encoding in a source';

/** Files that are no text, by their first bytes. */
const others: readonly (readonly [magic: string, what: string])[] = [
  [zip, 'is a ZIP archive or an Excel workbook: unpack it, save the sheet as CSV UTF-8, or load it with a source'],
  [oldOffice, 'is an old Excel workbook: save the sheet as CSV UTF-8, or load it with a source'],
  ['PAR1', 'is a Parquet file: load it with a source'],
  ['%PDF', 'is a PDF document: export the data as CSV'],
];

const utf16: readonly (readonly [magic: string, what: string])[] = [
  ['\u00ff\u00fe', `is UTF-16: ${toUtf8}`],
  ['\u00fe\u00ff', `is UTF-16: ${toUtf8}`],
];

/** Throws an `OperatorError` if a text file begins as something else. `isUtf8Stated`: no other encoding is declared. */
export const refuseNoText = (name: string, start: Uint8Array, isUtf8Stated = true): void => {
  const found = [...others, ...(isUtf8Stated ? utf16 : [])].find(([magic]) => startsWith(start, magic));
  if (found) throw new OperatorError(`${printable(name)} ${found[1]}.`);
};

/** Throws an `OperatorError` if the text of the unpacked file begins as another format. */
export const refuseOtherFormats = (name: string, format: FormatName, start: Buffer): void => {
  refuseNoText(name, start);
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
