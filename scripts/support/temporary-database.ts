/** A temporary database on the server of DATABASE_URL. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';

export const temporaryDatabase = async (): Promise<{ readonly url: string; drop(): Promise<void> }> => {
  const server = process.env.DATABASE_URL;
  if (!server) throw new Error('DATABASE_URL names the server to measure on');
  const name = `estate_bench_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(server);
  url.pathname = name;
  return {
    url: url.href,
    drop: async () => {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
};
