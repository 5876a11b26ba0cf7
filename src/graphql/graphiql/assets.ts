/**
 * GraphiQL's program, style and workers, served from this process. Their addresses carry their version, so that a browser
 * fetches these megabytes once; compressed on first use and kept.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, negotiate } from '../../http/compress.ts';

const script = 'text/javascript; charset=utf-8';
const types = {
  'graphiql.js': script,
  'graphiql.css': 'text/css; charset=utf-8',
  'editor-worker.js': script,
  'json-worker.js': script,
  'graphql-worker.js': script,
} as const;
export type AssetName = keyof typeof types;

interface Assets {
  readonly version: string;
  readonly bodies: Readonly<Record<AssetName, string>>;
}

const load = async (): Promise<Assets> => {
  const { js, css, editorWorkerService, jsonWorker, graphqlWorker } = await import('@graphql-yoga/render-graphiql/graphiql');
  const bodies = {
    'graphiql.js': js,
    'graphiql.css': css,
    'editor-worker.js': editorWorkerService,
    'json-worker.js': jsonWorker,
    'graphql-worker.js': graphqlWorker,
  };
  const hash = createHash('sha256');
  for (const body of Object.values(bodies)) hash.update(body);
  return { version: hash.digest('hex').slice(0, 12), bodies };
};

/** Loaded when the first browser comes: it is nine megabytes that a service without GraphiQL's users never needs. */
let loaded: Promise<Assets> | undefined;
const assets = (): Promise<Assets> => {
  loaded ??= load();
  return loaded;
};

export const assetPaths = async (): Promise<Readonly<Record<AssetName, string>>> => {
  const { version } = await assets();
  return Object.fromEntries(Object.keys(types).map((name) => [name, `/graphql/assets/${version}/${name}`])) as Record<AssetName, string>;
};

/** A good ratio at a tenth of the highest level's time. */
const brotliQuality = 5;

const encoders = {
  br: (body: string) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (body: string) => promisify(gzip)(body),
} as const satisfies Record<Encoding, (body: string) => Promise<Buffer>>;

const encoded = new Map<string, Promise<Buffer>>();

const encode = (name: AssetName, body: string, encoding: Encoding): Promise<Buffer> => {
  const key = `${encoding} ${name}`;
  const bytes = encoded.get(key) ?? encoders[encoding](body);
  encoded.set(key, bytes);
  return bytes;
};

type AssetRequest = FastifyRequest<{ Params: { version: string; name: string } }>;

const send = async (request: AssetRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const { version, bodies } = await assets();
  const { name } = request.params;
  if (request.params.version !== version || !(name in types)) return reply.callNotFound() as never;
  const asset = name as AssetName;
  reply.type(types[asset]).header('Cache-Control', 'public, max-age=31536000, immutable');
  const encoding = negotiate(request.headers['accept-encoding'] as string | undefined);
  if (!encoding) return reply.send(bodies[asset]);
  return reply.header('Content-Encoding', encoding).send(await encode(asset, bodies[asset], encoding));
};

export const assetRoutes = (app: FastifyInstance): void => {
  app.route<{ Params: { version: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/graphql/assets/:version/:name',
    config: { isPublic: true },
    handler: send,
  });
};
