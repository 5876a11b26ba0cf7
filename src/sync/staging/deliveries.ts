/**
 * The file that a raw table was last fully loaded from. The same file again changes nothing, so it is not sent to the database.
 *
 * The record is committed with the rows. It is valid only while the table has the same version and the same file node in the database.
 * Every load that changes the table and every new epoch changes the version. Truncating or restoring the table alone changes the file node.
 * Changes by hand change neither; `sync --reread` compares in any case.
 */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import type pg from 'pg';
import type { Customer } from '../../database/control/customers.ts';
import { stateTable } from '../../database/control/state-tables.ts';
import { qualify } from '../../database/identifier.ts';
import type { SourceFile } from '../files/source-files.ts';
import type { Target } from '../target.ts';

/** The identity of a file: its content and how the content is read. */
export interface Delivery {
  readonly bytes: number;
  readonly digest: string;
}

/** The file node of a table. It is read apart, because the state may be on another server. */
const filenodeOf = async (client: pg.ClientBase, { schema_name }: Customer, table: string): Promise<number | undefined> => {
  const { rows } = await client.query<{ filenode: number }>('select pg_catalog.pg_relation_filenode($1::regclass) as filenode', [
    qualify(schema_name, table),
  ]);
  return rows[0]?.filenode;
};

/** Hashes a file's bytes while they pass. */
export class DeliveryReading {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor({ format, compression }: SourceFile, { columns, key, unique }: Target, timeZone: string | undefined) {
    this.#hash.update(`${JSON.stringify([format, compression ?? '', [...columns], key, unique, timeZone ?? ''])}\n`);
  }

  readonly see = (chunk: Uint8Array): void => {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  };

  /** The identity, after all bytes have passed. */
  end(): Delivery {
    return { bytes: this.#bytes, digest: this.#hash.digest('hex') };
  }
}

const readDelivery = async (file: SourceFile, target: Target, timeZone: string | undefined): Promise<Delivery> => {
  const reading = new DeliveryReading(file, target, timeZone);
  for await (const chunk of createReadStream(file.path)) reading.see(chunk as Buffer);
  return reading.end();
};

/** The row count of the table if it was loaded from this file; otherwise undefined. */
export const rowsOfSame = async (
  client: pg.ClientBase,
  customer: Customer,
  file: SourceFile,
  target: Target,
  timeZone?: string,
): Promise<number | undefined> => {
  const [deliveries, datasets] = [stateTable(customer.schema_name, '_deliveries'), stateTable(customer.schema_name, '_datasets')];
  const { rows } = await client.query<Delivery & { rows: number }>(
    `select l.bytes, l.digest, d.row_count as rows from ${deliveries} l join ${datasets} d on d.id = l.dataset_id and d.version = l.version
     where d.kind = 'raw' and d.name = $1 and l.filenode = $2`,
    [target.table, await filenodeOf(client, customer, target.table)],
  );
  const [last] = rows;
  if (!last || last.bytes !== statSync(file.path).size) return undefined;
  return (await readDelivery(file, target, timeZone)).digest === last.digest ? last.rows : undefined;
};

/** Records the file of the current rows, in the load's transaction. */
export const recordDelivery = async (
  client: pg.ClientBase,
  customer: Customer,
  table: string,
  { bytes, digest }: Delivery,
): Promise<void> => {
  await client.query(
    `insert into ${stateTable(customer.schema_name, '_deliveries')} as l (dataset_id, version, filenode, bytes, digest)
     select id, version, $2::oid, $3::bigint, $4 from ${stateTable(customer.schema_name, '_datasets')} where kind = 'raw' and name = $1
     on conflict (dataset_id) do update
       set version = excluded.version, filenode = excluded.filenode, bytes = excluded.bytes, digest = excluded.digest`,
    [table, await filenodeOf(client, customer, table), bytes, digest],
  );
};
