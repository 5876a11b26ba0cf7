/**
 * Objects in an S3-compatible store. `s3mini` signs and sends the requests.
 *
 * Its errors may name the address of the store or repeat its answer. They end here: callers get `filesUnavailable`, whose cause is a code.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type AWSHeaders, type ListObject, S3mini, S3ServiceError, type UploadPart } from 's3mini';
import { ApiError } from '../../errors.ts';
import type { FoundObject, Objects } from './objects.ts';
import type { S3Address } from './s3-address.ts';

export interface S3Times {
  /** The longest time of a short request, and until a download begins. */
  readonly answerMs: number;
  /** The longest time of one part of an upload, and the longest silence of a download. */
  readonly transferMs: number;
  /** The pause before an attempt is repeated. It doubles each time. */
  readonly pauseMs: number;
}

const standardTimes: S3Times = { answerMs: 4_000, transferMs: 60_000, pauseMs: 250 };

/** The attempts of a short request, which a client waits for, and of a part of an upload, which nobody waits for. */
const attempts = { short: 2, upload: 5 } as const;

/** Larger files are uploaded in parts of this size. One part is in memory at a time. */
const partBytes = 8 * 2 ** 20;

const listedAtOnce = 1_000;
const type = 'application/octet-stream';

/** Statuses of a store that has the object already, or that another request creates at the same time. */
const isTaken = (error: unknown): boolean => error instanceof S3ServiceError && (error.status === 412 || error.status === 409);
const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceError && error.status === 404 && error.serviceCode !== 'NoSuchBucket';

/** Whether the same request may succeed later: no answer, or an answer that says so. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof S3ServiceError) || error.status >= 500 || error.status === 429 || error.status === 408;

/** Names of errors and codes hold no address. */
const plainCode = (text: unknown): string | undefined => (typeof text === 'string' && /^[\w-]{1,60}$/.test(text) ? text : undefined);

/** The reason of a failure without address, key and text of the store. */
const reasonOf = (error: unknown): Error => {
  if (error instanceof S3ServiceError)
    return new Error(`The store of files answered ${error.status} ${plainCode(error.serviceCode) ?? ''}`.trim());
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  return new Error(`The store of files did not answer: ${plainCode(code) ?? plainCode(cause?.code) ?? plainCode(name) ?? 'unknown'}`);
};

const unavailable = (error: unknown): ApiError => {
  const problem = new ApiError('filesUnavailable');
  problem.cause = reasonOf(error);
  return problem;
};

/** Rejects if the work takes too long. */
const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
  const ended = new AbortController();
  const late = pause(milliseconds, undefined, { signal: ended.signal }).then(() => {
    throw Object.assign(new Error(), { code: 'ETIMEDOUT' });
  });
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
};

/** The body of an answer, at the speed of its reader. It fails if the store sends nothing for a while. */
async function* bodyOf({ body }: Response, silenceMs: number): AsyncGenerator<Buffer> {
  const reader = body!.getReader();
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read());
      if (done) return;
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  } catch (error) {
    throw unavailable(error);
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** A redirect is an answer, because another host must not get the object. */
const fetchHere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

/** Sends a request whose body may take longer than its head. */
const fetchHead =
  (milliseconds: number): typeof fetch =>
  async (input, init) => {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), milliseconds);
    try {
      return await fetchHere(input, { ...init, signal: abort.signal });
    } finally {
      clearTimeout(timer);
    }
  };

/** Fills the buffer from a place of the file. */
const readPart = async (file: FileHandle, buffer: Buffer, position: number): Promise<void> => {
  for (let at = 0; at < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, at, buffer.length - at, position + at);
    if (bytesRead === 0) throw new Error('The file to upload became shorter');
    at += bytesRead;
  }
};

export class S3Objects implements Objects {
  readonly #prefix: string;
  readonly #times: S3Times;
  /** The clients of short requests, uploads and downloads, which have different time limits. */
  readonly #short: S3mini;
  readonly #uploads: S3mini;
  readonly #downloads: S3mini;

  constructor({ prefix, ...bucket }: S3Address, times: S3Times = standardTimes) {
    this.#prefix = prefix;
    this.#times = times;
    this.#short = new S3mini({ ...bucket, fetch: fetchHere, requestAbortTimeout: times.answerMs });
    this.#uploads = new S3mini({ ...bucket, fetch: fetchHere, requestAbortTimeout: times.transferMs });
    this.#downloads = new S3mini({ ...bucket, fetch: fetchHead(times.answerMs) });
  }

  async list(prefix: string): Promise<readonly FoundObject[]> {
    const listed = await this.#list(this.#key(prefix));
    return listed.map(({ Key, LastModified }) => ({
      name: Key.slice(this.#prefix.length),
      changedAt: async () => LastModified.getTime(),
    }));
  }

  async read(name: string): Promise<string | undefined> {
    return (await this.#repeat(attempts.short, () => this.#short.getObject(this.#key(name)))) ?? undefined;
  }

  /** If an answer is lost, the repeated request finds the object of the first one, and returns false. */
  async create(name: string, text: string): Promise<boolean> {
    const unlessThere = { 'if-none-match': '*' } as unknown as AWSHeaders;
    try {
      await this.#repeat(attempts.upload, () => this.#short.putObject(this.#key(name), text, 'application/json', undefined, unlessThere));
      return true;
    } catch (error) {
      if (error instanceof Taken) return false;
      throw error;
    }
  }

  /** An object of S3 is visible after its last part. Its length is checked, because a store may report a failure within a 200. */
  async upload(path: string, name: string, signal: AbortSignal): Promise<void> {
    const key = this.#key(name);
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size <= partBytes) await this.#uploadWhole(file, key, size);
      else await this.#uploadParts(file, key, size, signal);
      const stored = await this.#repeat(attempts.upload, () => this.#short.getContentLength(key));
      if (stored !== size) throw unavailable(new S3ServiceError('', 200, 'IncompleteBody'));
    } finally {
      await file.close();
    }
  }

  async open(name: string, first: number, last: number): Promise<AsyncIterable<Buffer> | undefined> {
    try {
      const answer = await this.#repeat(attempts.short, () => this.#downloads.getObjectRaw(this.#key(name), false, first, last + 1));
      const isPart = answer.status === 206 && Number(answer.headers.get('content-length')) === last - first + 1;
      if (isPart) return bodyOf(answer, this.#times.transferMs);
      await answer.body?.cancel();
      throw unavailable(new S3ServiceError('', answer.status, 'InvalidRange'));
    } catch (error) {
      if (error instanceof Missing) return undefined;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await this.#repeat(attempts.short, () => this.#short.deleteObject(this.#key(name)));
  }

  async removeFolder(folder: string): Promise<void> {
    for (const { name } of await this.list(`${folder}/`)) await this.remove(name);
  }

  async #list(prefix: string): Promise<readonly ListObject[]> {
    const found: ListObject[] = [];
    let next: string | undefined;
    do {
      const page = await this.#repeat(attempts.short, () => this.#short.listObjectsPaged('/', prefix, listedAtOnce, next));
      // Without a bucket there is no page.
      if (!page) throw unavailable(new S3ServiceError('', 404, 'NoSuchBucket'));
      found.push(...(page.objects ?? []));
      next = page.nextContinuationToken;
    } while (next);
    return found;
  }

  async #uploadWhole(file: FileHandle, key: string, size: number): Promise<void> {
    const bytes = Buffer.allocUnsafe(size);
    await readPart(file, bytes, 0);
    await this.#repeat(attempts.upload, () => this.#uploads.putObject(key, bytes, type));
  }

  async #uploadParts(file: FileHandle, key: string, size: number, signal: AbortSignal): Promise<void> {
    const id = await this.#repeat(attempts.upload, () => this.#short.getMultipartUploadId(key, type));
    const parts: UploadPart[] = [];
    try {
      for (let position = 0; position < size; position += partBytes) {
        signal.throwIfAborted();
        const bytes = Buffer.allocUnsafe(Math.min(partBytes, size - position));
        await readPart(file, bytes, position);
        parts.push(await this.#repeat(attempts.upload, () => this.#uploads.uploadPart(key, id, bytes, parts.length + 1)));
      }
      await this.#repeat(1, () => this.#uploads.completeMultipartUpload(key, id, parts));
    } catch (error) {
      // The parts of an unfinished upload take space. A store that fails now removes them by its own rules.
      await this.#short.abortMultipartUpload(key, id).catch(() => {});
      throw error;
    }
  }

  #key(name: string): string {
    return this.#prefix + name;
  }

  /** Repeats a request that may succeed later. */
  async #repeat<T>(most: number, send: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await send();
      } catch (error) {
        if (isMissing(error)) throw new Missing();
        if (isTaken(error)) throw new Taken();
        if (attempt >= most || !isPassing(error)) throw unavailable(error);
        await pause(this.#times.pauseMs * 2 ** (attempt - 1));
      }
    }
  }
}

/** The store has no such object. */
class Missing extends Error {}

/** The store has an object of this name already. */
class Taken extends Error {}
