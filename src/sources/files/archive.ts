/** Files in zip archives. */
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { OperatorError } from '../../errors.ts';
import { shown } from '../rejections.ts';
import { unpacked } from './unpacked.ts';

const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true } as const;
const openZip = promisify<string, yauzl.Options, ZipFile>(yauzl.open);
const openZipBytes = promisify<Buffer, yauzl.Options, ZipFile>(yauzl.fromBuffer);

/** The entries of an archive. The archive is open until `close`. */
const entriesOf = async (input: string | Buffer, name: string): Promise<{ readonly zip: ZipFile; readonly entries: readonly Entry[] }> => {
  try {
    const zip = await (typeof input === 'string' ? openZip(input, options) : openZipBytes(input, options));
    const entries: Entry[] = [];
    await new Promise<void>((resolve, reject) => {
      zip.on('entry', (entry: Entry) => {
        entries.push(entry);
        zip.readEntry();
      });
      zip.on('end', resolve);
      zip.on('error', reject);
      zip.readEntry();
    });
    return { zip, entries };
  } catch (error) {
    throw new OperatorError(`${shown(name)} cannot be unpacked, so it may be cut or damaged: ${shown((error as Error).message)}.`);
  }
};

/** The names of the files in an archive. */
export const namesIn = async (path: string, name: string): Promise<string[]> => {
  const { zip, entries } = await entriesOf(path, name);
  zip.close();
  return entries.map(({ fileName }) => fileName).filter((one) => !one.endsWith('/'));
};

/** The library checks the size of an entry, and not its bytes. */
async function* checked(bytes: AsyncIterable<Buffer>, expected: number): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const chunk of bytes) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== expected) throw new Error('its checksum is wrong');
}

const openBytesOf = async (zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> =>
  checked(await promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entry), entry.crc32);

/** The bytes of one file of an archive. */
export async function* openEntry(path: string, fileName: string, name: string): AsyncGenerator<Buffer> {
  const { zip, entries } = await entriesOf(path, name);
  try {
    const entry = entries.find((one) => one.fileName === fileName);
    if (!entry) throw new OperatorError(`The archive has no file '${shown(fileName)}'.`);
    yield* unpacked(() => openBytesOf(zip, entry), { name, packedBytes: entry.compressedSize });
  } finally {
    zip.close();
  }
}

/** Throws an `OperatorError` if the files of an archive have more bytes than `maxBytes`, as they are and not as the archive says. */
export const refuseLargeArchive = async (input: string | Buffer, name: string, maxBytes: number): Promise<void> => {
  const { zip, entries } = await entriesOf(input, name);
  try {
    let size = 0;
    for (const entry of entries)
      for await (const chunk of unpacked(() => openBytesOf(zip, entry), { name, packedBytes: entry.compressedSize })) {
        size += chunk.length;
        if (size > maxBytes) throw new OperatorError(`${shown(name)} has more than ${maxBytes / 2 ** 20} MB when it is unpacked.`);
      }
  } finally {
    zip.close();
  }
};
