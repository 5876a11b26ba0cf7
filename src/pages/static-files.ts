/**
 * The files that pages load: style sheets, scripts, fonts of libraries. One server for all of them, without a key.
 *
 * A file's address carries a hash of its content, so that browsers keep it for ever. Files are read when they are first asked for, and
 * kept compressed: those of a library are megabytes that a service without its users never needs.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { type Encoding, negotiate } from '../http/compress.ts';
import { hasTag, sendNotModified } from '../http/etag.ts';

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** A good ratio at a tenth of the time that the highest level takes. */
const brotliQuality = 5;
const encoders = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (body) => promisify(gzip)(body),
} as const satisfies Record<Encoding, (body: string | Buffer) => Promise<Buffer>>;

interface OpenedFile {
  readonly body: string | Buffer;
  readonly hash: string;
  readonly encoded: Map<Encoding, Promise<Buffer>>;
}

const open = (body: string | Buffer): OpenedFile => ({
  body,
  hash: createHash('sha256').update(body).digest('hex').slice(0, 12),
  encoded: new Map(),
});

/** Files by name, each with what reads it. */
export class StaticFiles<Name extends string = string> {
  readonly #sources: Readonly<Record<Name, () => string | Buffer>>;
  readonly #opened = new Map<string, OpenedFile>();

  constructor(sources: Readonly<Record<Name, () => string | Buffer>>) {
    this.#sources = sources;
  }

  find(name: string): OpenedFile | undefined {
    if (!Object.hasOwn(this.#sources, name)) return undefined;
    const file = this.#opened.get(name) ?? open(this.#sources[name as Name]());
    this.#opened.set(name, file);
    return file;
  }

  /** The address of a file with the content that it has now. */
  path(name: Name): string {
    return `/assets/${this.find(name)?.hash}/${name}`;
  }
}

const isCheckout = import.meta.url.endsWith('.ts');
/** A bundle has what the service reads from disk beside it, under the paths of the checkout. */
const root = new URL(isCheckout ? '../../' : './files/', import.meta.url);

/** The text of a file of the project, such as `src/pages/assets/estate.css`. */
export const projectFile = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** A page's script by the file that it begins with: a build has it ready, a checkout makes it when it is first asked for. */
export const pageScript = (entry: string): string => {
  if (!isCheckout) return projectFile(entry.replace(/\.ts$/, '.js'));
  const bundler = createRequire(import.meta.url)('../../scripts/page-script.mjs') as { pageScript(path: string): string };
  return bundler.pageScript(fileURLToPath(new URL(entry, root)));
};

type FileRequest = FastifyRequest<{ Params: { hash: string; name: string } }>;

const send = async (sets: readonly StaticFiles[], request: FileRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const { hash, name } = request.params;
  const file = sets.reduce<OpenedFile | undefined>((found, set) => found ?? set.find(name), undefined);
  if (file?.hash !== hash) throw new ApiError('notFound');
  const etag = `W/"${hash}"`;
  reply.header('ETag', etag).header('Cache-Control', 'public, max-age=31536000, immutable');
  if (hasTag(request, etag)) return sendNotModified(reply, etag);
  reply.type(types[name.split('.').pop() ?? ''] ?? 'application/octet-stream');
  const encoding = negotiate(request.headers['accept-encoding'] as string | undefined);
  if (!encoding) return reply.send(file.body);
  const encoded = file.encoded.get(encoding) ?? encoders[encoding](file.body);
  file.encoded.set(encoding, encoded);
  return reply.header('Content-Encoding', encoding).send(await encoded);
};

export const staticFileRoutes = (app: FastifyInstance, sets: readonly StaticFiles[]): void => {
  app.route<{ Params: { hash: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/:hash/:name',
    config: { isPublic: true },
    handler: (request, reply) => send(sets, request, reply),
  });
};
