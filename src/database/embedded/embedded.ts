/**
 * The embedded database: PGlite in a folder, with the same `Database` interface as a PostgreSQL server.
 *
 * PGlite has one connection and does not lock its folder. Two processes in one folder lose rows, so a lock file prevents that.
 */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { blob } from 'node:stream/consumers';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { Database } from '../connections/connection.ts';
import { sessionSettings, typeParsers } from '../connections/session-settings.ts';
import { controlOver } from '../control-tables.ts';
import { lockFolder } from './folder-lock.ts';
import { PgliteStream } from './pglite-stream.ts';

/** Wraps a PGlite instance in the `Database` interface. `release` runs after it is closed. */
export const overPglite = async (lite: PGlite, release: () => void = () => {}): Promise<Database> => {
  const pool = new pg.Pool({
    stream: () => new PgliteStream(lite) as never,
    max: 1,
    // A caller that holds the only connection and queries the pool would wait forever.
    connectionTimeoutMillis: 60_000,
    idleTimeoutMillis: 0,
    types: typeParsers,
    // All clients share one session, so each one resets it first.
    onConnect: async (client) => {
      for (const statement of ['rollback', 'discard all', sessionSettings]) await client.query(statement);
    },
  });
  const own = { control: controlOver(pool), pool };
  return {
    ...own,
    operators: { ...own, loads: pool },
    shares: { pages: pool, documents: pool, large: pool },
    replicas: [],
    embedded: true,
    // The database computes in this thread, so nothing can interrupt a statement.
    cancel: async () => false,
    copy: async (_client, statement, chunks) => {
      await lite.query(statement.replace(/from stdin/i, "from '/dev/blob'"), [], { blob: (await blob(Readable.from(chunks))) as Blob });
    },
    close: async () => {
      await pool.end();
      await lite.close();
      release();
    },
  };
};

/** The default of 128 MB would belong to this process from the start. The operating system caches the files anyway. */
export const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

/** Opens the embedded database in `folder` and creates it if it does not exist. */
export const openEmbedded = async (folder: string): Promise<Database> => {
  const release = lockFolder(folder);
  try {
    return await overPglite(await PGlite.create(join(folder, 'postgres'), { startParams }), release);
  } catch (error) {
    release();
    throw error;
  }
};
