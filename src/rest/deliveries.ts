/** `PUT /deliveries/{file}` and `GET /deliveries/{id}`: files from the customer's own scheduler (contract: files of deliveries). */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordAction } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import type { Database } from '../database/connections/connection.ts';
import { type Customer, findCustomer } from '../database/control/customers.ts';
import { ApiError, OperatorError, type ProblemKind } from '../errors.ts';
import { callerOf } from '../http/gate.ts';
import { deliveredSource, findKeptSource } from '../sources/kept/kept-sources.ts';
import { byteLimit } from '../sources/outside/byte-limit.ts';
import { fileNameIn } from '../sources/outside/file-names.ts';
import { outsideLimits } from '../sources/outside/limits.ts';
import { findUpload, isWaiting, type Upload, waitingUploads } from '../sources/outside/upload-state.ts';
import { endOfLoad, type Uploads } from '../sources/outside/uploads.ts';

interface DeliveryContext {
  readonly database: Database;
  readonly uploads: Uploads;
}

/** What a request delivers. */
interface Taken {
  readonly caller: Caller;
  readonly customer: Customer;
  readonly source: ReturnType<typeof deliveredSource>;
  readonly file: string;
}

interface Named {
  readonly Params: { readonly name: string };
}

/** Deliveries of a customer that wait for a person. */
const maxWaiting = 10;
const longestReason = 500;
const maxReasons = 20;

/** Runs a step whose refusal is a problem of this kind. */
const refusedAs = async <T>(kind: ProblemKind, step: () => T | Promise<T>, prefix = ''): Promise<T> => {
  try {
    return await step();
  } catch (error) {
    throw error instanceof OperatorError ? new ApiError(kind, `${prefix}${error.inPortal}`) : error;
  }
};

/** A form would put its own text around the bytes. `curl --data-binary` names this type without being asked. */
const refuseForms = ({ headers }: FastifyRequest): void => {
  const isForm = /^\s*(?:multipart\/|application\/x-www-form-urlencoded)/i.test(headers['content-type'] ?? '');
  const isEncoded = !['', 'identity'].includes((headers['content-encoding'] ?? '').trim().toLowerCase());
  if (isForm || isEncoded) throw new ApiError('deliveryType');
  if (headers['content-range'] !== undefined) throw new ApiError('malformedRequest');
};

/** The bytes that a file may have. An archive is a whole delivery. */
const maxBytesOf = (name: string): number => (/\.zip$/i.test(name) ? outsideLimits.totalBytes : outsideLimits.fileBytes);

/** Writes the body into a file. It is never in memory as a whole. */
const receive = async (body: Readable | undefined, path: string, maxBytes: number): Promise<void> => {
  const within = byteLimit(maxBytes, () => new ApiError('payloadTooLarge'));
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  // A destroyed body would close the connection before the answer.
  await pipeline(within(body?.iterator({ destroyOnReturn: false }) ?? []), file);
  if (file.bytesWritten === 0) throw new ApiError('invalidParameter', 'body: The file is empty');
};

/** What stopped a delivery. What compares it with the customer's data is for the people of the portal: the key reads nothing. */
const reasonsOf = ({ held, error }: Upload): readonly string[] => {
  if (error === null) return [];
  if (held?.canAllow) return ['It differs much from the data that is there, or lacks rows of it. A person decides in the portal.'];
  return error
    .split('\n')
    .slice(0, maxReasons)
    .map((line) => line.slice(0, longestReason));
};

const stateOf = (upload: Upload): string => {
  if (upload.discarded_at) return 'discarded';
  if (!upload.ended_at) return 'running';
  if (isWaiting(upload)) return 'waiting';
  return upload.error === null ? 'loaded' : 'failed';
};

/** The state of a delivery: counts and reasons, and no row. */
const answerOf = (upload: Upload) => {
  const { id, files, source, source_version, started_at, ended_at, result } = upload;
  return {
    id,
    file: files[0],
    state: stateOf(upload),
    source,
    source_version,
    received_at: started_at,
    ended_at,
    rows_read: result?.read ?? null,
    tables: (result?.tables ?? [])
      .filter(({ kind }) => kind === 'raw')
      .map(({ table, inserted, updated, deleted }) => ({ table, inserted, updated, deleted })),
    reasons: reasonsOf(upload),
  };
};

/** The source that reads the deliveries of the customer: the only one, or the one that the request names. */
const sourceOf = async ({ control }: Database, customer: Customer, request: FastifyRequest) => {
  const name = (request.query as URLSearchParams).get('source') ?? undefined;
  return deliveredSource(await refusedAs('deliveryConflict', () => findKeptSource(control, customer, { name })));
};

class Deliveries {
  readonly #database: Database;
  readonly #uploads: Uploads;

  constructor({ database, uploads }: DeliveryContext) {
    this.#database = database;
    this.#uploads = uploads;
  }

  /** Takes a file. The log names the key and the file before the load. */
  async put(request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> {
    const caller = callerOf(request);
    const file = await refusedAs('invalidParameter', () => fileNameOf(request.params.name), 'path -> file: ');
    if (Number(request.headers['content-length'] ?? 0) > maxBytesOf(file)) throw new ApiError('payloadTooLarge');
    const customer = await findCustomer(this.#database, caller.customer.slug);
    const source = await sourceOf(this.#database, customer, request);
    if ((await waitingUploads(this.#database, customer)).length >= maxWaiting)
      throw new ApiError(
        'deliveryConflict',
        `${maxWaiting} deliveries wait for a person in the portal: none is taken until one is decided`,
      );
    const id = await this.#take(request, { caller, customer, source, file });
    return reply
      .code(202)
      .header('location', request.server.publicUrl.to(`/deliveries/${id}`))
      .send(answerOf(await this.#find(caller, id)));
  }

  /** Receives the file in a place of its own, and begins to load it. The place becomes free at the end of the load. */
  async #take(request: FastifyRequest, { caller, customer, source, file }: Taken): Promise<string> {
    const { control } = this.#database;
    const place = await refusedAs('tooManyDeliveries', () => this.#uploads.reserve());
    try {
      await receive(request.body as Readable | undefined, join(place.folder, file), maxBytesOf(file));
      const actor = { name: `key ${caller.keyId}`, address: request.address };
      const subject = `${customer.slug}: ${source.name} version ${source.kept.version}, ${file}`;
      await recordAction(control, actor, 'delivered file to load', subject);
      return await this.#uploads.start(place, {
        customer,
        actor: actor.name,
        isCheck: false,
        mode: 'full',
        files: [file],
        source,
        keyFamily: caller.keyFamily,
        ended: (isLoaded) => recordAction(control, actor, endOfLoad(isLoaded), subject),
      });
    } catch (error) {
      place.free();
      throw error instanceof ApiError || request.raw.complete ? error : new ApiError('abandoned');
    }
  }

  async get(request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> {
    return reply.send(answerOf(await this.#find(callerOf(request), request.params.name)));
  }

  async #find({ customer: { slug }, keyFamily }: Caller, id: string): Promise<Upload> {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new ApiError('noDelivery');
    const upload = await findUpload(this.#database, await findCustomer(this.#database, slug), id);
    if (upload?.key_id !== keyFamily) throw new ApiError('noDelivery');
    return upload;
  }
}

/** The name of the path as it is. A path in it is a mistake or an attack. */
const fileNameOf = (name: string): string => {
  if (/[/\\]/.test(name)) throw new OperatorError('A file has a name and no path.');
  return fileNameIn(name);
};

export const deliveryRoutes = (app: FastifyInstance, context: DeliveryContext): void => {
  const deliveries = new Deliveries(context);
  app.addHook('onReady', async () => context.uploads.startSweeps());
  app.addHook('preClose', () => context.uploads.stop());
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    // The body waits until it is written. Otherwise the check for small pieces, which listens to each body, would let it flow.
    scope.addHook('preParsing', (request, _reply, payload, done) => {
      if (request.method === 'PUT') payload.pause();
      done(null, payload);
    });
    scope.addHook('onRequest', async (request) => {
      callerOf(request);
      if (request.method === 'PUT') refuseForms(request);
    });
    scope.all<Named>('/deliveries/:name', { config: { isDelivery: true, methods: ['GET', 'HEAD', 'PUT'] } }, (request, reply) =>
      request.method === 'PUT' ? deliveries.put(request, reply) : deliveries.get(request, reply),
    );
  });
};
