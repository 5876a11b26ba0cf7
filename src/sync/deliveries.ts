/**
 * The file that a raw table was last loaded from in full. The same file again changes nothing, so it is not sent to the database.
 *
 * What is kept of it is committed with the rows, and it holds only as long as the table is what the file made it: at the same
 * version, which every load that changes it and every new epoch moves on, and in the same file of the database, which it leaves
 * when it is emptied or restored by itself. Rows changed by hand show in neither; `sync --reread` compares in any case.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type pg from 'pg';
import { controlSchema } from '../database/control.ts';
import type { Customer } from '../database/customers.ts';
import { datasets } from '../database/datasets.ts';
import { qualify } from '../database/identifier.ts';
import { openFile } from './open-file.ts';
import type { SourceFile } from './source-files.ts';
import type { Target } from './target.ts';

/** A file by its content, and by what the content is read as. */
export interface Delivery {
  readonly bytes: number;
  readonly digest: string;
}

const deliveries = qualify(controlSchema, 'deliveries');

/** Looks at a file's bytes while they go by. */
export class DeliveryReading {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor({ format, compression }: SourceFile, { columns, key, unique }: Target) {
    this.#hash.update(`${JSON.stringify([format, compression ?? '', [...columns], key, unique])}\n`);
  }

  readonly see = (chunk: Uint8Array): void => {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  };

  /** What it was, once all of it has gone by. */
  end(): Delivery {
    return { bytes: this.#bytes, digest: this.#hash.digest('hex') };
  }
}

const readDelivery = async (file: SourceFile, target: Target): Promise<Delivery> => {
  const reading = new DeliveryReading(file, target);
  for await (const chunk of openFile({ ...file, compression: undefined })) reading.see(chunk);
  return reading.end();
};

/** How many rows the table has if the file is the one that made it what it is; else undefined. */
export const rowsOfSame = async (
  client: pg.ClientBase,
  { id, schema_name }: Customer,
  file: SourceFile,
  target: Target,
): Promise<number | undefined> => {
  const { rows } = await client.query<Delivery & { rows: number }>(
    `select l.bytes, l.digest, d.row_count as rows from ${deliveries} l join ${datasets} d on d.id = l.dataset_id and d.version = l.version
     where d.customer_id = $1 and d.kind = 'raw' and d.name = $2 and l.filenode = pg_catalog.pg_relation_filenode($3::regclass)`,
    [id, target.table, qualify(schema_name, target.table)],
  );
  const [last] = rows;
  if (!last || last.bytes !== statSync(file.path).size) return undefined;
  return (await readDelivery(file, target)).digest === last.digest ? last.rows : undefined;
};

/** Keeps what made the table what it is now, in the load's transaction. */
export const keepDelivery = async (
  client: pg.ClientBase,
  { id, schema_name }: Customer,
  table: string,
  { bytes, digest }: Delivery,
): Promise<void> => {
  await client.query(
    `insert into ${deliveries} as l (dataset_id, version, filenode, bytes, digest)
     select id, version, pg_catalog.pg_relation_filenode($3::regclass), $4, $5 from ${datasets}
     where customer_id = $1 and kind = 'raw' and name = $2
     on conflict (dataset_id) do update
       set version = excluded.version, filenode = excluded.filenode, bytes = excluded.bytes, digest = excluded.digest`,
    [id, table, qualify(schema_name, table), bytes, digest],
  );
};
