/** A key's hash has 32 bytes. A row with another length matches no key, so its key is revoked and gets a hash that no key has. */
import { type Kysely, type Migration, sql } from 'kysely';
import { controlSchema } from '../control-tables.ts';

export const keyHash: Migration = {
  async up(db: Kysely<unknown>) {
    const keys = sql.table(`${controlSchema}.api_keys`);
    await sql`update ${keys} set hash = decode(repeat('00', 32), 'hex'), revoked_at = coalesce(revoked_at, now())
      where octet_length(hash) <> 32`.execute(db);
    await sql`alter table ${keys} drop constraint if exists api_keys_hash_length`.execute(db);
    await sql`alter table ${keys} add constraint api_keys_hash_length check (octet_length(hash) = 32)`.execute(db);
  },
};
