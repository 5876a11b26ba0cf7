/**
 * The profiles of deliveries in the customer's schema (decision 122): that of the last load of each table and source, and that of a delivery
 * which is held. A person accepts a held delivery; then its profile is the one that later deliveries are compared with.
 */
import type pg from 'pg';
import { qualify } from '../../database/identifier.ts';
import type { Profile } from './profile.ts';

/** Which deliveries are compared with each other. */
export interface ProfileName {
  readonly table: string;
  /** The name of the source; empty for plain files. */
  readonly source: string;
  readonly isWhole: boolean;
}

export interface KeptProfile extends ProfileName {
  readonly profile: Profile;
}

/** A delivery that waits for a person. */
export interface HeldDelivery {
  readonly table: string;
  readonly source: string;
  readonly surprises: readonly string[];
  readonly at: Date;
}

const tableIn = (schema: string): string => qualify(schema, '_profiles');

const isThere = async (client: pg.ClientBase | pg.Pool, schema: string): Promise<boolean> => {
  const { rows } = await client.query<{ there: boolean }>('select pg_catalog.to_regclass($1) is not null as there', [tableIn(schema)]);
  return rows[0]?.there ?? false;
};

/** Creates the table. Call it outside of the transaction of a load. */
export const createProfiles = async (client: pg.ClientBase, schema: string): Promise<void> => {
  await client.query(
    `create table if not exists ${tableIn(schema)} (table_name text collate "C" not null, source text collate "C" not null,
       is_whole boolean not null, is_held boolean not null, profile jsonb not null, surprises jsonb not null, run bigint not null,
       at timestamptz not null default pg_catalog.clock_timestamp(), primary key (table_name, source, is_whole, is_held))`,
  );
};

/** The profile to compare with; undefined if there is none. */
export const readProfile = async (
  client: pg.ClientBase,
  schema: string,
  { table, source, isWhole }: ProfileName,
): Promise<Profile | undefined> => {
  if (!(await isThere(client, schema))) return undefined;
  const { rows } = await client.query<{ profile: Profile }>(
    `select profile from ${tableIn(schema)} where table_name = $1 and source = $2 and is_whole = $3 and not is_held`,
    [table, source, isWhole],
  );
  return rows[0]?.profile;
};

const write = async (
  client: pg.ClientBase,
  schema: string,
  { table, source, isWhole, profile }: KeptProfile,
  { run, surprises }: { readonly run: number; readonly surprises: readonly string[] },
): Promise<void> => {
  await client.query(
    `insert into ${tableIn(schema)} as p (table_name, source, is_whole, is_held, profile, surprises, run) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (table_name, source, is_whole, is_held) do update
       set profile = excluded.profile, surprises = excluded.surprises, run = excluded.run, at = excluded.at`,
    [table, source, isWhole, surprises.length > 0, JSON.stringify(profile), JSON.stringify(surprises), run],
  );
};

/** Keeps the profiles of a load, in its transaction. Nothing of these tables is held any more. */
export const keepProfiles = async (client: pg.ClientBase, schema: string, profiles: readonly KeptProfile[], run: number): Promise<void> => {
  for (const profile of profiles) {
    await write(client, schema, profile, { run, surprises: [] });
    await client.query(`delete from ${tableIn(schema)} where table_name = $1 and source = $2 and is_whole = $3 and is_held`, [
      profile.table,
      profile.source,
      profile.isWhole,
    ]);
  }
};

/** Keeps the profile of a delivery that waits for a person. */
export const holdProfile = async (
  client: pg.ClientBase,
  schema: string,
  profile: KeptProfile,
  { run, surprises }: { readonly run: number; readonly surprises: readonly string[] },
): Promise<void> => {
  await createProfiles(client, schema);
  await write(client, schema, profile, { run, surprises });
};

/** The deliveries that are held, by table. */
export const heldDeliveries = async (client: pg.ClientBase | pg.Pool, schema: string): Promise<readonly HeldDelivery[]> => {
  if (!(await isThere(client, schema))) return [];
  const { rows } = await client.query<HeldDelivery>(
    `select table_name as table, source, surprises, at from ${tableIn(schema)} where is_held order by table_name, source, is_whole`,
  );
  return rows;
};

/** Accepts the deliveries that were held before a time. Gives the tables whose later deliveries are compared with them. */
export const acceptHeld = async (client: pg.ClientBase, schema: string, before: Date): Promise<readonly string[]> => {
  if (!(await isThere(client, schema))) return [];
  const { rows } = await client.query<{ table: string }>(
    `with held as (delete from ${tableIn(schema)} where is_held and at <= $1 returning *)
     insert into ${tableIn(schema)} as p (table_name, source, is_whole, is_held, profile, surprises, run, at)
     select table_name, source, is_whole, false, profile, '[]', run, at from held
     on conflict (table_name, source, is_whole, is_held) do update
       set profile = excluded.profile, surprises = excluded.surprises, run = excluded.run, at = excluded.at
     returning table_name as table`,
    [before],
  );
  return rows.map(({ table }) => table);
};
