/** Reads a delivered file as decompressed bytes. A file that is damaged, or that changes while it is read, is refused. */
import { type BigIntStats, createReadStream, statSync } from 'node:fs';
import { pipeline, type Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import { OperatorError } from '../../errors.ts';
import type { SourceFile } from './source-files.ts';

const readSize = 256 * 1024;

/** Node supports zstd since 22.15. */
const createZstd = (zlib as { createZstdDecompress?: () => zlib.Gunzip }).createZstdDecompress;

type Packed = Pick<SourceFile, 'path' | 'name' | 'compression'>;

/** Passes bytes on unchanged and calls `seen` with them. */
const showing = (seen: (chunk: Uint8Array) => void): Transform =>
  new Transform({
    highWaterMark: readSize,
    transform(chunk, _encoding, next) {
      seen(chunk);
      next(null, chunk);
    },
  });

/** What is wrong with an archive, by the code of zlib. */
const archiveDefect = ({ code }: NodeJS.ErrnoException, packed: string): string | undefined => {
  if (code === 'Z_BUF_ERROR') return `the ${packed} archive is cut off: deliver it again`;
  return code?.startsWith('Z_') || code?.startsWith('ZSTD_') ? `the ${packed} archive is damaged: deliver it again` : undefined;
};

/**
 * The decompressed bytes of the file. `seen` receives the compressed bytes. Throws an `OperatorError` if they cannot be decompressed as a
 * whole.
 */
export async function* openFile({ path, name, compression }: Packed, seen: (chunk: Uint8Array) => void = () => {}): AsyncGenerator<Buffer> {
  if (compression === 'zstd' && !createZstd)
    throw new OperatorError(`${name}: reading zstd needs Node 22.15 or newer, this is ${process.version}; deliver gzip or plain files.`);
  let packedBytes = 0;
  const look = showing((chunk) => {
    packedBytes += chunk.length;
    seen(chunk);
  });
  const unpack = compression === 'gzip' ? zlib.createGunzip({ chunkSize: readSize }) : compression && createZstd?.();
  const bytes = createReadStream(path, { highWaterMark: readSize });
  // The last stream reports the errors of all streams.
  const last = pipeline([bytes, look, ...(unpack ? [unpack] : [])], () => {}) as unknown as Readable;
  try {
    yield* last as AsyncIterable<Buffer>;
  } catch (error) {
    const defect = archiveDefect(error as NodeJS.ErrnoException, compression ?? '');
    throw new OperatorError(`${name}: ${defect ?? (error as Error).message}`);
  }
  // Node ignores bytes after the end of an archive, such as a second archive with a damaged header.
  if (unpack && unpack.bytesWritten !== packedBytes)
    throw new OperatorError(`${name}: bytes follow the end of the ${compression} archive: deliver it again`);
}

const sameFile = (one: BigIntStats, other: BigIntStats): boolean =>
  one.size === other.size && one.mtimeNs === other.mtimeNs && one.ino === other.ino;

/** Remembers the state of a file. The returned function throws an `OperatorError` if the file has changed since. */
export const watchFile = ({ path, name }: Packed): (() => void) => {
  const before = statSync(path, { bigint: true });
  return () => {
    const now = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!now || !sameFile(before, now))
      throw new OperatorError(`${name} changed while it was read: deliver a file under another name, and rename it when it is complete.`);
  };
};
