/** Databases of exports for the tests: a new database of MariaDB, and one of the PostgreSQL server of the tests. */
import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import pg from 'pg';

const server = process.env.MARIADB_URL ?? 'mysql://root@127.0.0.1:3306';

/** Whether MariaDB runs. In the gate it must. */
export const hasMariadb =
  Boolean(process.env.CI) ||
  (await mysql
    .createConnection({ uri: server, connectTimeout: 2_000 })
    .then((connection) => connection.end().then(() => true))
    .catch(() => false));

export interface ExportDatabase {
  readonly address: string;
  run(statements: string): Promise<void>;
  drop(): Promise<void>;
}

/** A new database of MariaDB with these statements. */
export const mariadbWith = async (statements: string): Promise<ExportDatabase> => {
  const name = `estate_export_${randomBytes(5).toString('hex')}`;
  const connection = await mysql.createConnection({ uri: server, multipleStatements: true });
  await connection.query(`create database ${name} character set utf8mb4; use ${name}; set sql_mode = ''; ${statements}`);
  return {
    address: new URL(name, `${server}/`).href,
    run: async (more) => void (await connection.query(more)),
    drop: async () => {
      await connection.query(`drop database ${name}`);
      await connection.end();
    },
  };
};

const runAt = async (address: string, statements: string): Promise<void> => {
  const client = new pg.Client(address);
  await client.connect();
  await client.query(statements).finally(() => client.end());
};

/** A new database of the PostgreSQL server of the tests with these statements. */
export const postgresWith = async (statements: string): Promise<ExportDatabase> => {
  const own = process.env.DATABASE_URL!;
  const name = `estate_export_${randomBytes(5).toString('hex')}`;
  const address = Object.assign(new URL(own), { pathname: `/${name}` }).href;
  await runAt(own, `create database ${name}`);
  await runAt(address, statements);
  return { address, run: (more) => runAt(address, more), drop: () => runAt(own, `drop database ${name} with (force)`) };
};
