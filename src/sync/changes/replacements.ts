/**
 * Replacement tables for tables of which a load changes a large share.
 *
 * A changed row needs an entry in each index, at a random position. A new table is written once, and its indexes are built in order. So
 * above a share of changed rows, the load builds a replacement, in its transaction, with everything that belongs to the current table. It
 * moves the replacement into place at the very end. Indexes have other names until then.
 *
 * The move needs an exclusive lock, which blocks readers, and new readers queue behind the request for it. So the request has a short
 * timeout, and the load repeats it after a pause. If a long export holds the table for too long, the load changes the rows in place
 * instead. The lock is held for milliseconds, until the commit.
 *
 * Names resolve to the newest table, regardless of the snapshot. A transaction with an older snapshot would find the new table empty. The
 * service's readers lock a table before they take a snapshot (`beginSnapshot` in `execute/connections.ts`). While another program holds a
 * snapshot, for example a dump, the lock counts as refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { citusOf } from '../../database/cluster/citus.ts';
import { qualify, quote } from '../../database/identifier.ts';
import type { LoadSession } from '../load-session.ts';
import { stateOf } from '../refusal.ts';
import type { Replacing } from '../request.ts';
import { stagedName } from '../staging/stage.ts';
import { apply, type Comparison, type Counts, total } from './differences.ts';

interface Replacement {
  readonly comparison: Comparison;
  readonly counts: Counts;
}

const defaults: Replacing = { share: 0.2, fewest: 20_000, attempts: 20 };

/** The timeout for all locks together, and the pause between attempts. No reader waits longer than this for a load. */
const patienceMs = 250;
const pauseMs = 250;

/** Prevents maintenance and definition changes of a table while its replacement is built. */
const maintenancePatienceMs = 5_000;

/** The lock timed out, or a wait could cause a deadlock. */
const isLocked = (error: unknown): boolean => ['55P03', '57014', '40P01'].includes(stateOf(error) ?? '');

/**
 * Whether a replacement can be built from the table's definition. The table may have indexes, keys and checks, and no other dependent
 * object or property. Citus gives each table a trigger, and the replacement has its own.
 */
const isPlainQuery = `
  select c.relkind = 'r' and c.relpersistence = 'p' and c.relowner = (select r.oid from pg_catalog.pg_roles r where r.rolname = current_user) and c.relreplident = 'd'
    and c.reloptions is null and c.reltablespace = 0 and c.reloftype = 0 and not c.relispartition and not c.relhassubclass
    and not exists (select 1 from pg_catalog.pg_trigger g join pg_catalog.pg_proc f on f.oid = g.tgfoid
      where g.tgrelid = c.oid and f.proname <> 'citus_truncate_trigger')
    and not c.relhasrules and not c.relrowsecurity
    and not exists (select 1 from pg_catalog.pg_inherits i where i.inhrelid = c.oid)
    and not exists (select 1 from pg_catalog.pg_publication_rel p where p.prrelid = c.oid)
    and not exists (select 1 from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attacl is not null)
    and not exists (select 1 from pg_catalog.pg_index i where i.indrelid = c.oid and not i.indisvalid)
    and not exists (select 1 from pg_catalog.pg_depend d
      where d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = c.oid and d.deptype = 'n') as plain
  from pg_catalog.pg_class c where c.oid = $1::regclass`;

/** The name of a replacement's index before the move. The current index has the final name. */
const besideName = (name: string): string => `'anew ' || pg_catalog.md5(${name})`;

/** Statements that rename an index of the moved table. Its constraint, if it has one, follows. */
const namesQuery = `
  select format('alter index %I.%I rename to %I', $2::text, ${besideName('c.relname')}, c.relname) as statement
  from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid where i.indrelid = $1::regclass`;

/** Statements that copy keys, indexes, grants and comments to the replacement. */
const belongingsQuery = `
  with table_of as (select c.*, n.nspname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.oid = $1::regclass),
  indexes as (select i.indexrelid, c.relname from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid
    join table_of t on t.oid = i.indrelid)
  select step, statement from (
    select 1, format('alter table %s add constraint %I %s', $2::text, ${besideName('k.conname')}, pg_catalog.pg_get_constraintdef(k.oid))
    from pg_catalog.pg_constraint k join table_of t on k.conrelid = t.oid where k.contype in ('p', 'u', 'x')
    union all
    select 2, replace(pg_catalog.pg_get_indexdef(i.indexrelid), format(' INDEX %I ON %I.%I USING ', i.relname, t.nspname, t.relname),
      format(' INDEX %I ON %s USING ', ${besideName('i.relname')}, $2))
    from indexes i, table_of t where not exists (select 1 from pg_catalog.pg_constraint k where k.conindid = i.indexrelid and k.conrelid = t.oid)
    union all
    select 3, format('comment on index %I.%I is %L', $3::text, ${besideName('i.relname')}, d.description)
    from indexes i join pg_catalog.pg_description d on d.objoid = i.indexrelid and d.classoid = 'pg_catalog.pg_class'::regclass
    union all
    select 4, format('comment on table %s is %L', $2, d.description) from table_of t join pg_catalog.pg_description d
      on d.objoid = t.oid and d.classoid = 'pg_catalog.pg_class'::regclass and d.objsubid = 0
    union all
    select 5, format('grant %s on %s to %s%s', a.privilege_type, $2, case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
      case when a.is_grantable then ' with grant option' else '' end)
    from table_of t cross join pg_catalog.aclexplode(t.relacl) a where a.grantee <> t.relowner
  ) as steps (step, statement) order by step`;

/** Whether another program holds a snapshot. The service's sessions, which share one application name, lock their tables first. */
const foreignSnapshotQuery = `
  select exists (select 1 from pg_catalog.pg_stat_activity
    where datname = current_database() and usesysid is not null and backend_xmin is not null
      and pid <> pg_catalog.pg_backend_pid() and application_name is distinct from current_setting('application_name')) as found`;

export class Replacements {
  readonly #session: LoadSession;
  readonly #replacing: Replacing;
  readonly #made = new Map<string, Replacement>();

  constructor(session: LoadSession, replacing: Partial<Replacing> = {}) {
    this.#session = session;
    this.#replacing = { ...defaults, ...replacing };
  }

  /** The qualified table that holds the rows after the load. */
  readonly place = (table: string): string => (this.#made.has(table) ? this.#replacementOf(table) : this.#current(table));

  /** The replacements by the names of their tables, until they are moved into place. */
  names(): ReadonlyMap<string, string> {
    return new Map([...this.#made.keys()].map((table) => [this.#current(table), this.#replacementOf(table)]));
  }

  /** Whether a replacement is cheaper than this number of changes. */
  isWorthwhile(changes: number, rows: number): boolean {
    const { fewest, share } = this.#replacing;
    return changes >= fewest && changes >= rows * share;
  }

  /** Creates an empty replacement and returns its name; undefined if the table cannot be replaced. */
  async begin(table: string): Promise<string | undefined> {
    const { client } = this.#session;
    const current = this.#current(table);
    const { rows } = await client.query<{ plain: boolean }>(isPlainQuery, [current]);
    if (!rows[0]?.plain) return undefined;
    const isFree = await this.#tryTo(async () => {
      await client.query(`set local lock_timeout = ${maintenancePatienceMs}`);
      await client.query(`lock table ${current} in share update exclusive mode`);
      await client.query('set local lock_timeout = 0');
    });
    if (!isFree) return undefined;
    await client.query(`create table ${this.#replacementOf(table)} (like ${current} including all excluding indexes)`);
    return this.#replacementOf(table);
  }

  /** Adds the keys of the current table to the filled replacement. Fails if its rows violate them. */
  addKeys(table: string): Promise<void> {
    return this.#inherit(table, (step) => step === 1);
  }

  /** Copies all other properties of the current table to the replacement. */
  async finish(table: string, comparison: Comparison, counts: Counts): Promise<void> {
    await this.#inherit(table, (step) => step > 1);
    this.#made.set(table, { comparison: { ...comparison, next: this.#replacementOf(table) }, counts });
  }

  async #inherit(table: string, isMeant: (step: number) => boolean): Promise<void> {
    const { client, customer } = this.#session;
    const names = [this.#current(table), this.#replacementOf(table), customer.schema_name];
    const { rows } = await client.query<{ step: number; statement: string }>(belongingsQuery, names);
    for (const { step, statement } of rows) if (isMeant(step)) await client.query(statement);
  }

  /** Moves the replacements into place immediately before the commit, or changes the current tables instead. */
  async moveIntoPlace(signal: AbortSignal | undefined): Promise<void> {
    if (this.#made.size === 0) return;
    for (let attempt = 0; attempt < this.#replacing.attempts; attempt++) {
      if (attempt > 0) await sleep(pauseMs, undefined, { ...(signal && { signal }) });
      if (await this.#tryTo(() => this.#swap())) return;
    }
    const { client } = this.#session;
    for (const { comparison, counts } of this.#made.values()) {
      if (total(counts) === 0) continue;
      await apply(client, comparison, counts);
      await client.query(`analyze ${comparison.current}`);
    }
  }

  async #swap(): Promise<void> {
    const { client } = this.#session;
    const tables = [...this.#made.keys()];
    await client.query(`set local statement_timeout = ${patienceMs}`);
    await client.query(`lock table ${tables.map((table) => this.#current(table)).join(', ')} in access exclusive mode`);
    await client.query('set local statement_timeout = 0');
    const { rows } = await client.query<{ found: boolean }>(foreignSnapshotQuery);
    if (rows[0]?.found) throw Object.assign(new Error('Somebody holds a snapshot'), { code: '55P03' });
    const renames: string[] = [];
    for (const table of tables) renames.push(...(await this.#renames(table)));
    const drops = tables.map((table) => `drop table ${this.#current(table)}`);
    await citusOf(this.#session.database).replace(client, drops, renames, patienceMs);
  }

  /** The statements that give the replacement the names of the current table. */
  async #renames(table: string): Promise<readonly string[]> {
    const { client, customer } = this.#session;
    const current = this.#current(table);
    const { rows } = await client.query<{ statement: string }>(namesQuery, [current, customer.schema_name]);
    const renamed = rows.map(({ statement }) => statement);
    return [`alter table ${this.#replacementOf(table)} rename to ${quote(table)}`, ...renamed];
  }

  /** Runs work that locks may prevent, and returns whether it was done. If not, it has no effect. */
  async #tryTo(work: () => Promise<void>): Promise<boolean> {
    const { client } = this.#session;
    await client.query('savepoint replacing');
    try {
      await work();
      await client.query('release savepoint replacing');
      return true;
    } catch (error) {
      if (!isLocked(error)) throw error;
      await client.query('rollback to savepoint replacing');
      return false;
    }
  }

  #current(table: string): string {
    return qualify(this.#session.customer.schema_name, table);
  }

  #replacementOf(table: string): string {
    return stagedName(this.#session, table, 'anew');
  }
}
