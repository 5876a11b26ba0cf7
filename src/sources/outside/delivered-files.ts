/**
 * Files of deliveries that wait for a person, in the customer's schema: every instance can load them, and they are moved and dropped with the
 * customer's rows. They are kept for a week.
 */
import { createReadStream, createWriteStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { inTransaction } from '../../database/connections/transaction.ts';
import type { Customer } from '../../database/control/customers.ts';
import { controlSchema } from '../../database/control-tables.ts';
import { qualify } from '../../database/identifier.ts';
import { OperatorError } from '../../errors.ts';

type Owner = Pick<Customer, 'schema_name'>;

const tableIn = ({ schema_name }: Owner): string => qualify(schema_name, '_delivered_files');

export const keptDays = 7;
const chunkBytes = 2 ** 20;

const isThere = async (client: pg.ClientBase | pg.Pool, owner: Owner): Promise<boolean> => {
  const { rows } = await client.query<{ there: boolean }>('select pg_catalog.to_regclass($1) is not null as there', [tableIn(owner)]);
  return rows[0]?.there ?? false;
};

/** Whether files that were received at a time are kept no more. */
export const areTooOld = (received: Date): boolean => received.getTime() < Date.now() - keptDays * 24 * 3_600_000;

/** Keeps the files of a folder, which has no folders. */
export const keepFiles = (pool: pg.Pool, owner: Owner, delivery: string, folder: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query(
      `create table if not exists ${tableIn(owner)} (delivery text not null, name text not null, position integer not null, bytes bytea not null,
         kept_at timestamptz not null default pg_catalog.clock_timestamp(), primary key (delivery, name, position))`,
    );
    for (const name of readdirSync(folder)) {
      let position = 0;
      const add = (bytes: Buffer) =>
        client.query(`insert into ${tableIn(owner)} (delivery, name, position, bytes) values ($1, $2, $3, $4)`, [
          delivery,
          name,
          position++,
          bytes,
        ]);
      for await (const chunk of createReadStream(join(folder, name), { highWaterMark: chunkBytes })) await add(chunk as Buffer);
      // An empty file is a file.
      if (position === 0) await add(Buffer.alloc(0));
    }
  });

/** Writes the kept files into an empty folder. Throws an `OperatorError` if they are not kept any more. */
export const restoreFiles = async (pool: pg.Pool, owner: Owner, delivery: string, folder: string): Promise<void> => {
  const there = await isThere(pool, owner);
  const { rows } = there
    ? await pool.query<{ name: string; chunks: number }>(
        `select name, count(*)::integer as chunks from ${tableIn(owner)} where delivery = $1 group by name`,
        [delivery],
      )
    : { rows: [] };
  if (rows.length === 0)
    throw new OperatorError(`The files are not kept any more: they are kept for ${keptDays} days. Deliver them again.`);
  for (const { name, chunks } of rows) {
    async function* bytes() {
      for (let position = 0; position < chunks; position++) {
        const { rows: one } = await pool.query<{ bytes: Buffer }>(
          `select bytes from ${tableIn(owner)} where delivery = $1 and name = $2 and position = $3`,
          [delivery, name, position],
        );
        if (!one[0]) throw new OperatorError('The files are not kept any more. Deliver them again.');
        yield one[0].bytes;
      }
    }
    await pipeline(bytes, createWriteStream(join(folder, name), { flags: 'wx', mode: 0o600 }));
  }
};

/**
 * Removes the files of all customers that were kept too long. Each customer has a table of its own, perhaps at a node of its own, so each has
 * a statement. One that fails does not stop the others.
 */
export const removeOldFiles = async (pool: pg.Pool, onError: (error: unknown) => void): Promise<void> => {
  const { rows: owners } = await pool.query<Owner>(
    `select customers.schema_name from ${qualify(controlSchema, 'customers')}
     join pg_catalog.pg_namespace on nspname = customers.schema_name
     join pg_catalog.pg_class on relnamespace = pg_namespace.oid and relname = '_delivered_files'`,
  );
  for (const owner of owners)
    await pool
      .query(`delete from ${tableIn(owner)} where kept_at < pg_catalog.clock_timestamp() - make_interval(days => $1)`, [keptDays])
      .catch(onError);
};

export const dropFiles = async (pool: pg.Pool, owner: Owner, delivery: string): Promise<void> => {
  if (await isThere(pool, owner)) await pool.query(`delete from ${tableIn(owner)} where delivery = $1`, [delivery]);
};
