/** `GET /files` and the files of tables (contract: files; building files). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize, authorizeTable } from '../access/caller.ts';
import type { buildingFile, tableFiles } from '../answers/files.ts';
import type { AnswerBody } from '../answers/values.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import { listReadable } from '../execute/visible.ts';
import { type FileTable, findFileTable, hasFiles } from '../files/file-tables.ts';
import { type FileFormat, fileFormats, filesPathOf, fileTypes } from '../files/formats.ts';
import { type FileName, type FileOwner, storedNameOf } from '../files/store/file-names.ts';
import type { FileStore, StoredFile } from '../files/store/file-store.ts';
import { callerOf, countAsSent } from '../http/gate.ts';
import { applyWait, preferredWait } from '../http/prefer.ts';
import { disconnectSignalOf } from '../http/request-context.ts';
import { rangeOf } from '../http/responses/byte-range.ts';
import { downloadAs, hasTag, isWanted, sendNotModified } from '../http/responses/headers.ts';
import { sendChunks } from '../http/responses/send.ts';
import { nextSlice } from '../scheduling/time-slices.ts';
import type { RestContext, Routes } from './context.ts';
import { versionHeaders } from './page.ts';
import { jsonType, setCaching } from './respond.ts';

interface FileRequest {
  Params: { table: string; file: string };
}

/** The version, or `latest`, and the format of a file's name. */
const filePattern = new RegExp(`^(latest|0|[1-9]\\d{0,14})\\.(${fileFormats.map((each) => each.replace('.', '\\.')).join('|')})$`);

/** Files never change. A key that is revoked must not be needed to read a copy that its holder has. */
const immutable = 'private, max-age=31536000, immutable';

/** How long a request waits for its file, in seconds. Programs that read a file by its address do not ask again after a 202. */
const maxWait = 30;

/** The seconds after which a client asks again, by the number of rows. */
const rowsPerSecond = 50_000;
const longestRetry = 60;

interface Requested {
  readonly owner: FileOwner;
  readonly table: FileTable;
  readonly file: FileName;
  /** Undefined: the current version. */
  readonly version: number | undefined;
}

/** The file that the path names. Throws 404 if its table does not exist, 403 if the key excludes the table or its files. */
const fileOf = async (context: RestContext, request: FastifyRequest<FileRequest>, kind: DatasetKind): Promise<Requested> => {
  const caller = callerOf(request);
  const { customer, scope } = caller;
  const [, version, format] = filePattern.exec(request.params.file) ?? [];
  if (version === undefined) throw new ApiError('notFound');
  const name = request.params.table;
  const directory = await context.directories.of(customer);
  const table = findFileTable({ catalogue: context.catalogue, directory, customer, scope }, kind, name);
  if (!table) throw new ApiError('notFound');
  authorize(caller, table.tier, 'files');
  if (kind === 'raw') authorize(caller, table.tier, 'raw');
  authorizeTable(caller, kind, name);
  if (!hasFiles(scope, kind, name)) throw new ApiError('filesOfPart', name);
  const { epoch } = await context.versions.requiredRevision(customer.id);
  const owner = { customer, epoch };
  const file = storedNameOf(owner, table, format as FileFormat);
  return { owner, table, file, version: version === 'latest' ? undefined : Number(version) };
};

const pathOfFile = ({ kind, name, format }: Pick<FileName, 'kind' | 'name' | 'format'>, version: number | 'latest'): string =>
  `${filesPathOf(kind, encodeURIComponent(name))}/${version}.${format}`;

/** Whether a request reads no whole file, so that its redirect counts as a part. */
const readsPart = ({ method, headers }: FastifyRequest): boolean => method === 'HEAD' || headers.range !== undefined;

/** The bytes of a file, one chunk in each turn of its customer. */
async function* inTurns(customerId: number, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    await nextSlice(customerId);
    yield chunk;
  }
}

const sendFile = async (
  store: FileStore,
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileName,
  stored: StoredFile,
): Promise<FastifyReply> => {
  const { bytes, rows, etag, version, sha256, syncedAt } = stored;
  const { name, format } = file;
  if (!isWanted(request, etag)) throw new ApiError('preconditionFailed');
  reply
    .header('cache-control', immutable)
    .header('accept-ranges', 'bytes')
    .header('etag', etag)
    .headers(versionHeaders({ version, syncedAt: syncedAt ?? undefined }));
  const address = pathOfFile(file, version);
  const isHead = request.method === 'HEAD';
  if (hasTag(request, etag)) {
    await countAsSent(request, reply, isHead ? { file: address, sent: { share: 0 } } : undefined);
    return sendNotModified(reply, etag);
  }
  const range = rangeOf(request, bytes, etag);
  const { first, last } = range ?? { first: 0, last: bytes - 1 };
  const length = last - first + 1;
  const isWhole = !isHead && length === bytes;
  await countAsSent(request, reply, { file: address, sent: isWhole ? 'whole' : { share: isHead ? 0 : length / bytes } });
  reply
    .type(fileTypes[format])
    .header('content-length', length)
    .headers(downloadAs(`${name}-${version}.${format}`))
    .header('repr-digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`);
  if (range) reply.code(206).header('content-range', `bytes ${first}-${last}/${bytes}`);
  if (isHead) return reply.send();
  const body = await store.open(stored, first, last);
  if (!body) throw new ApiError('noFile', String(version));
  if (!range) request.rowsSent = () => rows;
  await sendChunks(reply, inTurns(file.customer.id, body));
  return reply;
};

/** The answer while a file is built. */
const sendBuilding = (reply: FastifyReply, file: FileName, version: number, rows: number): FastifyReply => {
  const seconds = Math.min(longestRetry, 1 + Math.ceil(rows / rowsPerSecond));
  const { name, format } = file;
  const endpoint_url = reply.server.publicUrl.to(pathOfFile(file, version));
  const body: AnswerBody<typeof buildingFile> = { state: 'building', table: name, format, version, endpoint_url };
  return reply.code(202).type(jsonType).header('retry-after', String(seconds)).send(JSON.stringify(body));
};

const answer = async (
  context: RestContext,
  request: FastifyRequest<FileRequest>,
  reply: FastifyReply,
  kind: DatasetKind,
): Promise<FastifyReply> => {
  const { owner, file, table, version: named } = await fileOf(context, request, kind);
  const { store, builds } = context.files;
  const states = await context.versions.of(file.customer.id);
  const { version: current = 0, row_count: rows = 0 } = states.get(kind, file.name) ?? {};
  if (named === undefined) {
    const address = pathOfFile(file, current);
    await countAsSent(request, reply, { file: address, sent: readsPart(request) ? { share: 0 } : 'redirect' });
    return setCaching(reply).redirect(request.server.publicUrl.to(address), 302);
  }
  const stored = await store.find(file, named);
  if (stored) return sendFile(store, request, reply, file, stored);
  if (named !== current) throw new ApiError('noFile', String(named));
  const wait = preferredWait(request, maxWait);
  if (wait !== undefined) applyWait(reply, wait);
  const version = await builds.request(
    { owner, table, format: file.format },
    { seconds: wait ?? maxWait, left: disconnectSignalOf(reply) },
  );
  if (version === undefined) {
    await countAsSent(request, reply);
    return sendBuilding(reply, file, named, rows);
  }
  const built = await store.find(file, named);
  // A load changed the data meanwhile, and the file has the version of its rows.
  if (!built) throw new ApiError('noFile', String(named));
  return sendFile(store, request, reply, file, built);
};

/** The tables that have files for the key, each with its formats. What is not built yet has neither length nor digest. */
const list = async (context: RestContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const caller = callerOf(request);
  authorize(caller, 'basic', 'files');
  const { customer, scope } = caller;
  const directory = await context.directories.of(customer);
  const states = await context.versions.of(customer.id);
  const { epoch } = await context.versions.requiredRevision(customer.id);
  const { store } = context.files;
  const owner = { customer, epoch };
  const versions = await store.list(owner);
  const tables = listReadable(context.catalogue, directory, caller).filter(({ kind, name }) => hasFiles(scope, kind, name));
  const files = tables.map(async ({ kind, category, name }): Promise<AnswerBody<typeof tableFiles>> => {
    const { version = 0, row_count = 0 } = states.get(kind, name) ?? {};
    const table = findFileTable({ catalogue: context.catalogue, directory, customer, scope }, kind, name)!;
    const formats = fileFormats.map(async (format) => {
      const file = storedNameOf(owner, table, format);
      const kept_versions = versions(file);
      const { bytes = null, sha256 = null } = (kept_versions.includes(version) && (await store.find(file, version))) || {};
      return { format, endpoint_url: request.server.publicUrl.to(pathOfFile(file, version)), bytes, sha256, kept_versions };
    });
    return { category, table: name, version, rows: row_count, columns: table.columns, files: await Promise.all(formats) };
  });
  return setCaching(reply)
    .type(jsonType)
    .send(JSON.stringify(await Promise.all(files)));
};

export const fileRoutes: Routes = (app, context) => {
  app.route({ method: ['GET', 'HEAD'], url: '/files', handler: (request, reply) => list(context, request, reply) });
  for (const [prefix, kind] of [
    ['/files', 'category'],
    ['/files/raw', 'raw'],
  ] as const)
    app.route<FileRequest>({
      method: ['GET', 'HEAD'],
      url: `${prefix}/:table/:file`,
      config: { hasParts: true },
      handler: (request, reply) =>
        answer(context, request, reply, kind).catch(async (error) => {
          await countAsSent(request, reply);
          throw error;
        }),
    });
};
