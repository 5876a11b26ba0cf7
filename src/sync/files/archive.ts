/** Files in zip archives. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { OperatorError } from '../../errors.ts';
import { printable } from '../../printable.ts';
import { unpacked } from './unpacked.ts';

const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true } as const;
const openZip = promisify<string, yauzl.Options, ZipFile>(yauzl.open);
const openZipBytes = promisify<Buffer, yauzl.Options, ZipFile>(yauzl.fromBuffer);

const damaged = (name: string, error: unknown): OperatorError =>
  error instanceof OperatorError
    ? error
    : new OperatorError(
        `${printable(name)} cannot be unpacked, so it may be cut or damaged: deliver it again (${printable((error as Error).message.slice(0, 300))}).`,
      );

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
    throw damaged(name, error);
  }
};

/** The name of an entry in composed characters (NFC). macOS writes UTF-8 without its mark; the library reads all others as CP437. */
const nameOf = ({ fileNameRaw, fileName }: Entry): string =>
  (isUtf8(fileNameRaw) ? fileNameRaw.toString('utf8').replaceAll('\\', '/') : fileName).normalize('NFC');

/** Files that macOS and Windows add to archives. */
const isOfSystem = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(name);

/** The names of the files in an archive. */
export const namesIn = async (path: string, name: string): Promise<string[]> => {
  const { zip, entries } = await entriesOf(path, name);
  zip.close();
  return entries.map(nameOf).filter((one) => !one.endsWith('/') && !isOfSystem(one));
};

/** The library checks the size of an entry, and not its bytes. */
async function* checked(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    for await (const chunk of await promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entry)) {
      sum = crc32(chunk as Buffer, sum);
      yield chunk as Buffer;
    }
    if (sum !== entry.crc32) throw new Error('its checksum is wrong');
  } catch (error) {
    throw damaged(name, error);
  }
}

/** The bytes of one file of an archive. */
export async function* openEntry(path: string, fileName: string, name: string): AsyncGenerator<Buffer> {
  const { zip, entries } = await entriesOf(path, name);
  try {
    const entry = entries.find((one) => nameOf(one) === fileName);
    if (!entry) throw new OperatorError(`The archive has no file '${printable(fileName)}'.`);
    yield* unpacked(checked(zip, entry, name), { name, packedBytes: entry.compressedSize });
  } finally {
    zip.close();
  }
}

/**
 * Throws an `OperatorError` if the files of an archive have more bytes than `maxBytes`, as they are and not as the archive says. `see`
 * receives their bytes.
 */
export const refuseLargeArchive = async (
  input: Buffer,
  { name, maxBytes, see }: { readonly name: string; readonly maxBytes: number; readonly see: (path: string, chunk: Buffer) => void },
): Promise<void> => {
  const { zip, entries } = await entriesOf(input, name);
  try {
    let size = 0;
    for (const entry of entries)
      for await (const chunk of unpacked(checked(zip, entry, name), { name, packedBytes: entry.compressedSize })) {
        size += chunk.length;
        see(entry.fileName, chunk);
        if (size > maxBytes) throw new OperatorError(`${printable(name)} has more than ${maxBytes / 2 ** 20} MB when it is unpacked.`);
      }
  } finally {
    zip.close();
  }
};
