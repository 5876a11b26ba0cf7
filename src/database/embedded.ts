/**
 * The embedded default: PGlite in a folder, behind the same `Database` as a PostgreSQL server.
 *
 * PGlite has one connection and no lock on its folder (two processes lose rows), so the folder carries one.
 */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { blob } from 'node:stream/consumers';
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { controlOver, type Database, sessionSettings, typeParsers } from './connection.ts';
import { lockFolder } from './folder-lock.ts';

/** Puts a PGlite instance behind the `Database` interface; `release` runs once it is closed. */
export const overPglite = async (lite: PGlite, release: () => void = () => {}): Promise<Database> => {
  await lite.exec(sessionSettings);
  const pool = new pg.Pool({
    ...createPgConfig(lite),
    max: 1,
    // Whoever queries while holding the one connection would wait for ever.
    connectionTimeoutMillis: 60_000,
    idleTimeoutMillis: 0,
    types: typeParsers,
  } as pg.PoolConfig);
  return {
    control: controlOver(pool),
    pool,
    shares: { pages: pool, documents: pool, large: pool },
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

/** Opens the embedded database in `folder`, making it if it is not there. */
export const openEmbedded = async (folder: string): Promise<Database> => {
  const release = lockFolder(folder);
  try {
    return await overPglite(await PGlite.create(join(folder, 'postgres')), release);
  } catch (error) {
    release();
    throw error;
  }
};
