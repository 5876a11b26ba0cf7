/**
 * S3-compatible servers with one bucket. s3rver checks signatures, but those of lists, and ignores conditions. Moto's server checks conditions, and
 * no signatures; it is a Python program that is not on every machine.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { S3mini } from 's3mini';

interface S3Context {
  path: string;
  app: object;
}

interface S3rver {
  readonly middleware: ((context: S3Context, next: () => Promise<void>) => Promise<void>)[];
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
type CreateS3rver = new (options: Readonly<Record<string, unknown>>) => S3rver;

const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as CreateS3rver;

/** The key that the server accepts. */
export const s3Key = { id: 'S3RVER', secret: 'S3RVER' } as const;
const bucket = 'estate';

export interface S3Server {
  readonly port: number;
  /** The setting `FILES_S3_URL`, also for a proxy before the server. */
  url(port?: number): string;
  stop(): Promise<void>;
}

export const startS3 = async (): Promise<S3Server> => {
  const directory = mkdtempSync(join(tmpdir(), 'estate-s3-'));
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: bucket }] });
  // s3rver computes the signature of a list without the slash at the end of its path, which is a part of it.
  server.middleware.unshift((context, next) => {
    if (context.path.endsWith('/')) context.app = Object.create(context.app, { allowMismatchedSignatures: { value: true } });
    return next();
  });
  const { port } = await server.run();
  return {
    port,
    url: (at = port) => `http://${s3Key.id}:${s3Key.secret}@127.0.0.1:${at}/${bucket}/some/folders`,
    stop: async () => {
      await server.close();
      rmSync(directory, { recursive: true });
    },
  };
};

/** Whether Moto's server is on this machine. */
export const hasMoto = spawnSync('moto_server', ['--help']).status === 0;

/** Buckets of the standard region are created without a region, which s3mini does not do. */
const region = 'eu-central-1';

/** The port that the server reports. */
const portOf = async ({ stderr }: ChildProcess): Promise<number> => {
  for await (const line of createInterface({ input: stderr! })) {
    const [, port] = /Running on http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    if (port) return Number(port);
  }
  throw new Error('moto_server ended');
};

export const startMoto = async (): Promise<S3Server> => {
  const server = spawn('moto_server', ['-H', '127.0.0.1', '-p', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await portOf(server);
  server.stderr.resume();
  const endpoint = `http://127.0.0.1:${port}/${bucket}`;
  await new S3mini({ endpoint, accessKeyId: s3Key.id, secretAccessKey: s3Key.secret, region }).createBucket();
  return {
    port,
    url: (at = port) => `http://${s3Key.id}:${s3Key.secret}@127.0.0.1:${at}/${bucket}/some/folders?region=${region}`,
    stop: async () => {
      server.kill();
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    },
  };
};
