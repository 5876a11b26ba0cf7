/** An S3-compatible server: s3rver, with one bucket, over a folder of its own. It checks signatures, but those of lists. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
