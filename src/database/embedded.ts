/**
 * The embedded default: PGlite in a folder, behind the same `Database` as a PostgreSQL server.
 *
 * PGlite has one connection and no lock on its folder (two processes lose rows), so the folder carries one.
 */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { blob } from 'node:stream/consumers';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { type Database, sessionSettings, typeParsers } from './connection.ts';
import { controlOver } from './control.ts';
import { lockFolder } from './folder-lock.ts';
import { PgliteStream } from './pglite-stream.ts';

/** Puts a PGlite instance behind the `Database` interface; `release` runs once it is closed. */
export const overPglite = async (lite: PGlite, release: () => void = () => {}): Promise<Database> => {
  const pool = new pg.Pool({
    stream: () => new PgliteStream(lite) as never,
    max: 1,
    // Whoever queries while holding the one connection would wait for ever.
    connectionTimeoutMillis: 60_000,
    idleTimeoutMillis: 0,
    types: typeParsers,
    // The session is the same for all clients that follow each other: none begins with what another left.
    onConnect: async (client) => {
      for (const statement of ['rollback', 'discard all', sessionSettings]) await client.query(statement);
    },
  });
  const own = { control: controlOver(pool), pool };
  return {
    ...own,
    operators: own,
    shares: { pages: pool, documents: pool, large: pool },
    replicas: [],
    embedded: true,
    // Its only connection is in this process: what it runs cannot be interrupted.
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

/** Its usual 128 MB are memory of this process from the start on; the system keeps what is read of the files anyway. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

/** Opens the embedded database in `folder`, making it if it is not there. */
export const openEmbedded = async (folder: string): Promise<Database> => {
  const release = lockFolder(folder);
  try {
    return await overPglite(await PGlite.create(join(folder, 'postgres'), { startParams }), release);
  } catch (error) {
    release();
    throw error;
  }
};
