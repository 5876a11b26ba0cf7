/**
 * The integer keys that the service assigns to the keys of a source. They are in the customer's schema, so a restore and a move take them
 * along (contract: source keys).
 *
 * A key belongs to a raw table and a source. An integer of the export keeps its value and is not stored, unless another source fills the
 * table, too. The table is locked until the transaction ends, so that two loads never assign the same integer.
 */
import type pg from 'pg';
import { createQuarantine } from '../../database/control/quarantine.ts';
import { qualify, quote } from '../../database/identifier.ts';
import { OperatorError } from '../../errors.ts';
import { firstAssigned, integerOf, type KeyType } from './key-text.ts';
import { keyTypeOf, rawTableOf } from './key-type.ts';

const cached = 200_000;

/** Where keys come from. */
export interface Keys {
  /** The integer of each text; undefined if it has none. */
  find(table: string, source: string, texts: readonly string[]): Promise<readonly (number | undefined)[]>;
  /** The integer of each text. Unknown texts get new integers, in their order. */
  assign(table: string, source: string, texts: readonly string[]): Promise<readonly number[]>;
  /** The texts of keys of this load, as far as they are remembered. */
  textsOf(table: string, source: string, keys: readonly number[]): ReadonlyMap<number, string>;
  /** Which of these keys the raw table has now. */
  presentIn(table: string, keys: readonly number[]): Promise<readonly number[]>;
  /** The sources that have loaded a table. */
  sourcesOf(table: string): Promise<readonly string[]>;
  /** The watermark of the last load of a table. */
  watermarkOf(table: string, source: string): Promise<string | undefined>;
  /** The keys of a source in a table, in pages. */
  ownedBy(table: string, source: string): AsyncIterable<readonly number[]>;
  /** All keys of a raw table, in pages. */
  keysIn(table: string): AsyncIterable<readonly number[]>;
}

export class AssignedKeys implements Keys {
  readonly #client: pg.ClientBase;
  readonly #schema: string;
  readonly #keys: string;
  /** The tables that each source has loaded. */
  readonly #loads: string;
  /** Known keys by table and source. They are forgotten together when there are too many. */
  readonly #known = new Map<string, Map<string, number>>();
  readonly #next = new Map<string, number>();
  readonly #shared: Set<string>;

  private constructor(client: pg.ClientBase, schema: string, shared: Set<string>) {
    this.#client = client;
    this.#schema = schema;
    this.#keys = qualify(schema, '_source_keys');
    this.#loads = qualify(schema, '_source_tables');
    this.#shared = shared;
  }

  /** Locks the keys of a customer for the client's transaction. `shared`: the tables that several sources fill. */
  static async open(client: pg.ClientBase, schema: string, shared: ReadonlySet<string>): Promise<AssignedKeys> {
    const keys = new AssignedKeys(client, schema, new Set(shared));
    await client.query(
      `create table if not exists ${keys.#keys} (table_name text collate "C" not null, source text collate "C" not null,
         key_text text collate "C" not null, key bigint not null, primary key (table_name, source, key_text), unique (table_name, key))`,
    );
    await client.query(
      `create table if not exists ${keys.#loads} (table_name text collate "C" not null, source text collate "C" not null, watermark text,
         primary key (table_name, source))`,
    );
    await createQuarantine(client, schema);
    await client.query(`lock table ${keys.#keys} in exclusive mode`);
    // A source may refer to a table that other sources share.
    const { rows } = await client.query<{ table_name: string }>(
      `select table_name from ${keys.#loads} group by table_name having count(*) > 1`,
    );
    for (const { table_name } of rows) keys.#shared.add(table_name);
    for (const table of shared) await keys.#adoptIntegers(table);
    return keys;
  }

  /** Stores the integers of a table that one source alone has filled, before a second source fills it, so that they stay those of the first. */
  async #adoptIntegers(table: string): Promise<void> {
    const [first, ...others] = await this.sourcesOf(table);
    const key = rawTableOf(table)?.key;
    if (first === undefined || others.length > 0 || key === undefined) return;
    await this.#client.query(
      `insert into ${this.#keys} (table_name, source, key_text, key)
       select $1, $2, t.key::text, t.key from (select ${quote(key)} as key from ${qualify(this.#schema, table)} where ${quote(key)} < $3) as t
       where not exists (select from ${this.#keys} as k where k.table_name = $1 and k.key = t.key)
       on conflict do nothing`,
      [table, first, firstAssigned[keyTypeOf(table)]],
    );
  }

  async find(table: string, source: string, texts: readonly string[]): Promise<readonly (number | undefined)[]> {
    return this.#keysOf(table, source, texts, (stored) => this.#findStored(table, source, stored));
  }

  async assign(table: string, source: string, texts: readonly string[]): Promise<readonly number[]> {
    const keys = await this.#keysOf(table, source, texts, (stored) => this.#assignStored(table, source, stored));
    return keys as readonly number[];
  }

  /** Finds what is known here. `others` gives the integers of further texts, as they are stored. */
  async #keysOf(
    table: string,
    source: string,
    texts: readonly string[],
    others: (stored: readonly string[]) => Promise<ReadonlyMap<string, number>>,
  ): Promise<readonly (number | undefined)[]> {
    const type = keyTypeOf(table);
    const isShared = this.#shared.has(table);
    const remembered = this.#knownOf(table, source);
    const asked = new Map<string, number[]>();
    const keys = texts.map((text, index) => {
      const integer = integerOf(text, type);
      // Integers of the export keep their value without being stored, unless several sources fill the table. `0007` and `7` are one key.
      if (integer !== undefined && !isShared) return integer;
      const stored = integer === undefined ? text : String(integer);
      const known = remembered.get(stored);
      if (known !== undefined) return known;
      const places = asked.get(stored);
      if (places) places.push(index);
      else asked.set(stored, [index]);
      return undefined;
    });
    if (asked.size === 0) return keys;
    const found = await others([...asked.keys()]);
    for (const [stored, places] of asked) for (const index of places) keys[index] = found.get(stored);
    return keys;
  }

  /** The integers of texts that are not remembered. */
  async #findStored(table: string, source: string, texts: readonly string[]): Promise<Map<string, number>> {
    const remembered = this.#knownOf(table, source);
    // A search for each text: for key_text = any(…), the database reads all keys of the source while the table has no statistics.
    const { rows } = await this.#client.query<{ key_text: string; key: number }>(
      `select k.key_text, k.key from unnest($3::text[]) as asked(text) cross join lateral
         (select key_text, key from ${this.#keys} where table_name = $1 and source = $2 and key_text = asked.text offset 0) as k`,
      [table, source, texts],
    );
    const found = new Map<string, number>();
    for (const { key_text, key } of rows) {
      found.set(key_text, Number(key));
      remembered.set(key_text, Number(key));
    }
    return found;
  }

  #knownOf(table: string, source: string): Map<string, number> {
    const name = `${table}\0${source}`;
    const known = this.#known.get(name);
    if (known && known.size < cached) return known;
    const empty = new Map<string, number>();
    this.#known.set(name, empty);
    return empty;
  }

  async #assignStored(table: string, source: string, texts: readonly string[]): Promise<Map<string, number>> {
    const found = await this.#findStored(table, source, texts);
    const fresh = texts.filter((text) => !found.has(text));
    if (fresh.length === 0) return found;
    const taken = await this.#taken(table, source, fresh);
    const type = keyTypeOf(table);
    let next = await this.#nextOf(table, type);
    const given = new Set<number>();
    const keys = fresh.map((text) => {
      const kept = integerOf(text, type);
      const key = kept !== undefined && !taken.has(kept) && !given.has(kept) ? kept : next++;
      given.add(key);
      return key;
    });
    if (type === 'integer' && next > 2 ** 31)
      throw new OperatorError(`${table}: the service has no further integers of 32 bits to assign.`);
    this.#next.set(table, next);
    await this.#client.query(
      `insert into ${this.#keys} (table_name, source, key_text, key) select $1, $2, * from unnest($3::text[], $4::bigint[])`,
      [table, source, fresh, keys],
    );
    const remembered = this.#knownOf(table, source);
    for (const [index, text] of fresh.entries()) {
      found.set(text, keys[index]!);
      remembered.set(text, keys[index]!);
    }
    return found;
  }

  /** Integers that another source, or a load without a source, uses already. Rows that this source alone has loaded are its own. */
  async #taken(table: string, source: string, texts: readonly string[]): Promise<Set<number>> {
    const wanted = texts.flatMap((text) => integerOf(text, keyTypeOf(table)) ?? []);
    if (wanted.length === 0) return new Set();
    const { rows } = await this.#client.query<{ key: number }>(
      `select k.key from unnest($2::bigint[]) as wanted(key) cross join lateral
         (select key from ${this.#keys} where table_name = $1 and key = wanted.key offset 0) as k`,
      [table, wanted],
    );
    const sources = await this.sourcesOf(table);
    const present = sources.length === 1 && sources[0] === source ? [] : await this.presentIn(table, wanted);
    return new Set([...rows.map(({ key }) => Number(key)), ...present]);
  }

  async #nextOf(table: string, type: KeyType): Promise<number> {
    const known = this.#next.get(table);
    if (known !== undefined) return known;
    const { rows } = await this.#client.query<{ max: number | null }>(`select max(key) as max from ${this.#keys} where table_name = $1`, [
      table,
    ]);
    return Math.max(firstAssigned[type], Number(rows[0]?.max ?? 0)) + 1;
  }

  textsOf(table: string, source: string, keys: readonly number[]): ReadonlyMap<number, string> {
    const wanted = new Set(keys);
    return new Map([...this.#knownOf(table, source)].flatMap(([text, key]) => (wanted.has(key) ? [[key, text] as const] : [])));
  }

  async presentIn(table: string, keys: readonly number[]): Promise<number[]> {
    const { rows: tables } = await this.#client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      qualify(this.#schema, table),
    ]);
    const key = rawTableOf(table)?.key;
    if (!tables[0]?.there || key === undefined || keys.length === 0) return [];
    const { rows } = await this.#client.query<{ key: number }>(
      `select ${quote(key)} as key from ${qualify(this.#schema, table)} where ${quote(key)} = any($1::bigint[])`,
      [keys],
    );
    return rows.map((row) => Number(row.key));
  }

  async sourcesOf(table: string): Promise<string[]> {
    const { rows } = await this.#client.query<{ source: string }>(
      `select source from ${this.#loads} where table_name = $1 order by source`,
      [table],
    );
    return rows.map((row) => row.source);
  }

  async watermarkOf(table: string, source: string): Promise<string | undefined> {
    const { rows } = await this.#client.query<{ watermark: string | null }>(
      `select watermark from ${this.#loads} where table_name = $1 and source = $2`,
      [table, source],
    );
    return rows[0]?.watermark ?? undefined;
  }

  async *keysIn(table: string): AsyncGenerator<readonly number[]> {
    const key = rawTableOf(table)?.key;
    if (key === undefined) return;
    for (let after = 0; ; ) {
      const { rows } = await this.#client.query<{ key: number }>(
        `select ${quote(key)} as key from ${qualify(this.#schema, table)} where ${quote(key)} > $1 order by 1 limit 5000`,
        [after],
      );
      if (rows.length === 0) return;
      after = Number(rows.at(-1)!.key);
      yield rows.map((row) => Number(row.key));
    }
  }

  async *ownedBy(table: string, source: string): AsyncGenerator<readonly number[]> {
    for (let after = 0; ; ) {
      const { rows } = await this.#client.query<{ key: number }>(
        `select key from ${this.#keys} where table_name = $1 and source = $2 and key > $3 order by key limit 5000`,
        [table, source, after],
      );
      if (rows.length === 0) return;
      after = Number(rows.at(-1)!.key);
      yield rows.map(({ key }) => Number(key));
    }
  }
}

/** The keys of a source by their integers, as far as they are stored. */
export const readKeyTexts = async (
  client: Pick<pg.ClientBase, 'query'> | pg.Pool,
  schema: string,
  { table, source, keys }: { readonly table: string; readonly source: string; readonly keys: readonly number[] },
): Promise<ReadonlyMap<number, string>> => {
  const { rows } = await client.query<{ key_text: string; key: number }>(
    `select key_text, key from ${qualify(schema, '_source_keys')} where table_name = $1 and source = $2 and key = any($3::bigint[])`,
    [table, source, keys],
  );
  return new Map(rows.map(({ key_text, key }) => [Number(key), key_text]));
};

/** Records that a source has loaded tables, with their watermarks. Call it after the load. */
export const recordLoads = async (
  client: pg.ClientBase,
  schema: string,
  source: string,
  watermarks: ReadonlyMap<string, string | undefined>,
): Promise<void> => {
  for (const [table, watermark] of watermarks)
    await client.query(
      `insert into ${qualify(schema, '_source_tables')} as t (table_name, source, watermark) values ($1, $2, $3)
       on conflict (table_name, source) do update set watermark = coalesce(excluded.watermark, t.watermark)`,
      [table, source, watermark ?? null],
    );
};
