/**
 * Reads a delivered file, or a file in an archive, as decompressed bytes. This is the only way to the bytes of a file: a file that is
 * damaged, grows beyond measure, or changes while it is read is refused (contract: files in loads).
 */
import { type BigIntStats, createReadStream, statSync } from 'node:fs';
import { pipeline, type Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import { OperatorError } from '../../errors.ts';
import { openEntry } from './archive.ts';
import { packedAs, refuseWrongPacking } from './formats.ts';
import { unpacked } from './unpacked.ts';

const readSize = 256 * 1024;

/** A file, or a file in a zip archive. */
export interface FilePath {
  readonly path: string;
  /** The name within the archive. */
  readonly entry?: string;
  /** The name in messages. */
  readonly name: string;
  /** How the file is compressed. Absent: as the end of its name says. */
  readonly compression?: 'gzip' | 'zstd' | undefined;
}

/** The compression that counts for the file. */
const compressionOf = (file: FilePath): FilePath['compression'] =>
  'compression' in file ? file.compression : packedAs(file.entry ?? file.name);

/** Node supports zstd since 22.15. */
const createZstd = (zlib as { createZstdDecompress?: () => zlib.Gunzip }).createZstdDecompress;

/** What is wrong with an archive, by the code of zlib. */
const archiveDefect = ({ code }: NodeJS.ErrnoException, packed: string): string | undefined => {
  if (code === 'Z_BUF_ERROR') return `the ${packed} archive is cut off: deliver it again`;
  return code?.startsWith('Z_') || code?.startsWith('ZSTD_') ? `the ${packed} archive is damaged: deliver it again` : undefined;
};

/** The bytes of the file as they are delivered. `seen` receives them. The packing must be that of the name. */
async function* deliveredBytes(file: FilePath, seen: (chunk: Uint8Array) => void): AsyncGenerator<Buffer> {
  const { path, entry, name } = file;
  const bytes: AsyncIterable<Buffer> =
    entry === undefined ? createReadStream(path, { highWaterMark: readSize }) : openEntry(path, entry, name);
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst) refuseWrongPacking(name, compressionOf(file), chunk);
    isFirst = false;
    seen(chunk);
    yield chunk;
  }
}

/** Decompresses the bytes. Throws an `OperatorError` if they are damaged, or if others follow the end of the archive. */
async function* decompressed(
  bytes: AsyncIterable<Buffer>,
  name: string,
  compression: NonNullable<FilePath['compression']>,
): AsyncGenerator<Buffer> {
  if (compression === 'zstd' && !createZstd)
    throw new OperatorError(`${name}: reading zstd needs Node 22.15 or newer, this is ${process.version}; deliver gzip or plain files.`);
  let packedBytes = 0;
  const counted = new Transform({
    highWaterMark: readSize,
    transform(chunk, _encoding, next) {
      packedBytes += chunk.length;
      next(null, chunk);
    },
  });
  const unpack = compression === 'gzip' ? zlib.createGunzip({ chunkSize: readSize }) : createZstd!();
  // The last stream reports the errors of all streams.
  const last = pipeline(bytes, counted, unpack, () => {}) as unknown as Readable;
  try {
    yield* last as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${name}: ${archiveDefect(error as NodeJS.ErrnoException, compression) ?? (error as Error).message}`);
  }
  // Node ignores bytes after the end of an archive, such as a second archive with a damaged header.
  if (unpack.bytesWritten !== packedBytes)
    throw new OperatorError(`${name}: bytes follow the end of the ${compression} archive: deliver it again`);
}

/**
 * The decompressed bytes of the file. `seen` receives the bytes of the file itself. Throws an `OperatorError` if they cannot be decompressed
 * as a whole, or if the file changes while it is read.
 */
export async function* openFile(file: FilePath, seen: (chunk: Uint8Array) => void = () => {}): AsyncGenerator<Buffer> {
  const { path, entry, name } = file;
  const compression = compressionOf(file);
  const refuseChanged = watchFile(file);
  try {
    const bytes = deliveredBytes(file, seen);
    if (compression === undefined) yield* bytes;
    else yield* unpacked(decompressed(bytes, name, compression), { name, packedBytes: entry === undefined ? statSync(path).size : 0 });
  } catch (error) {
    // A file that changed explains any other error.
    refuseChanged();
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${name}: ${(error as Error).message}`);
  }
  refuseChanged();
}

const sameFile = (one: BigIntStats, other: BigIntStats): boolean =>
  one.size === other.size && one.mtimeNs === other.mtimeNs && one.ino === other.ino;

/** Remembers the state of a file. The returned function throws an `OperatorError` if the file has changed since. */
export const watchFile = ({ path, name }: Pick<FilePath, 'path' | 'name'>): (() => void) => {
  const before = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!before) throw new OperatorError(`There is no file ${name}.`);
  return () => {
    const now = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!now || !sameFile(before, now))
      throw new OperatorError(`${name} changed while it was read: deliver a file under another name, and rename it when it is complete.`);
  };
};
