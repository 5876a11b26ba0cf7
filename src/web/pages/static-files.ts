/**
 * The files of pages: style sheets, scripts, fonts of libraries. They need no key.
 *
 * The address of a file contains a hash of its content, so browsers cache it without limit. Files are read at the first request and stored
 * compressed, because a service without visitors never needs the megabytes of the libraries.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { MadeBody, sendMade } from '../../http/responses/made-bodies.ts';

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

export interface OpenedFile {
  readonly body: MadeBody;
  readonly hash: string;
}

const hashOf = (...contents: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex').slice(0, 12);
};

export interface FileSet {
  find(name: string): OpenedFile | undefined | Promise<OpenedFile | undefined>;
}

/** Functions that read files, by name. */
export class StaticFiles<Name extends string = string> implements FileSet {
  readonly #sources: Readonly<Record<Name, () => string | Buffer>>;
  readonly #opened = new Map<string, OpenedFile>();

  constructor(sources: Readonly<Record<Name, () => string | Buffer>>) {
    this.#sources = sources;
  }

  find(name: string): OpenedFile | undefined {
    if (!Object.hasOwn(this.#sources, name)) return undefined;
    const opened = this.#opened.get(name);
    if (opened) return opened;
    const body = this.#sources[name as Name]();
    const file = { body: new MadeBody(body), hash: hashOf(body) };
    this.#opened.set(name, file);
    return file;
  }

  /** The address of a file with its current content. */
  path(name: Name): string {
    return `/assets/${this.find(name)?.hash}/${name}`;
  }
}

export interface BundleFile {
  readonly name: string;
  readonly contents: Buffer;
}

/** The files of one bundle. They import each other by relative addresses, so they share the hash of the bundle. */
export class BundleFiles implements FileSet {
  /** The prefix of all names, so that requests for other files do not read the bundle. */
  readonly #prefix: string;
  readonly #read: () => readonly BundleFile[];
  #opened: ReadonlyMap<string, OpenedFile> | undefined;

  constructor(prefix: string, read: () => readonly BundleFile[]) {
    this.#prefix = prefix;
    this.#read = read;
  }

  #open(): ReadonlyMap<string, OpenedFile> {
    const files = this.#read();
    const hash = hashOf(...files.map(({ contents }) => contents));
    return new Map(files.map(({ name, contents }) => [name, { body: new MadeBody(contents), hash }]));
  }

  find(name: string): OpenedFile | undefined {
    if (!name.startsWith(this.#prefix)) return undefined;
    this.#opened ??= this.#open();
    return this.#opened.get(name);
  }

  path(name: string): string {
    return `/assets/${this.find(name)?.hash}/${name}`;
  }
}

const isCheckout = import.meta.url.endsWith('.ts');
/** A bundle has the files that the service reads next to it, under the paths of the checkout. */
const root = new URL(isCheckout ? '../../../' : './files/', import.meta.url);

/** The text of a file of the project, such as `src/web/pages/assets/base.css`. */
export const projectFile = (path: string): string => readFileSync(new URL(path, root), 'utf8');

interface Bundler {
  pageScript(entry: string): string;
  graphiqlBundle(): readonly BundleFile[];
}

const bundler = (): Bundler => createRequire(import.meta.url)('../../../scripts/page-script.mjs');

/** A page's script by its entry file. A build contains it; a checkout bundles it when it is first requested. */
export const pageScript = (entry: string): string =>
  isCheckout ? bundler().pageScript(entry) : projectFile(entry.replace(/\.tsx?$/, '.js'));

/** GraphiQL with its workers, from the build, or bundled by a checkout. */
export const graphiqlBundle = (): readonly BundleFile[] => {
  if (isCheckout) return bundler().graphiqlBundle();
  const folder = new URL('graphiql/', root);
  return readdirSync(folder).map((name) => ({ name, contents: readFileSync(new URL(name, folder)) }));
};

type FileRequest = FastifyRequest<{ Params: { hash: string; name: string } }>;

const send = async (sets: readonly FileSet[], request: FileRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const { hash, name } = request.params;
  let file: OpenedFile | undefined;
  for (const set of sets) file ??= await set.find(name);
  if (file?.hash !== hash) throw new ApiError('notFound');
  reply.header('cache-control', 'public, max-age=31536000, immutable');
  return sendMade(reply.type(types[name.split('.').pop() ?? ''] ?? 'application/octet-stream'), file.body);
};

export const staticFileRoutes = (app: FastifyInstance, sets: readonly FileSet[]): void => {
  app.route<{ Params: { hash: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/:hash/:name',
    config: { isPublic: true },
    handler: (request, reply) => send(sets, request, reply),
  });
};
