/** The conditions of a list of keys, and its count; `k` is the key. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../database/connections/connection.ts';
import { controlSchema } from '../../../database/control-tables.ts';

type Condition = RawBuilder<unknown>;

export interface ChosenKeys {
  readonly where: Condition;
  readonly total: number;
}

const table = (name: string) => sql.id(controlSchema, name);

/** All keys that match the conditions. */
export const countedKeys = async ({ control }: Database, conditions: readonly Condition[]): Promise<ChosenKeys> => {
  const where = joined(conditions);
  const { rows } = await sql<{ total: number }>`select count(*)::bigint as total from ${table('api_keys')} k where ${where}`.execute(
    control,
  );
  return { where, total: rows[0]?.total ?? 0 };
};

const joined = (conditions: readonly Condition[]): Condition => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`);

interface Sought {
  readonly search: string;
  /** Keys of customers whose slug contains the text. */
  readonly customers: readonly number[];
}

/** Up to this many matches are collected and sorted. More are counted, and found along the index of the order. */
const maxNamed = 10_000;

/** Matching keys whose name, id or customer contains the text. A small result is read only once. */
export const searchedKeys = async (database: Database, conditions: readonly Condition[], search: string): Promise<ChosenKeys> => {
  const sought = { search, customers: await readCustomersWith(database, search) };
  const { rows } = await sql<{ id: string }>`select k.id from ${table('api_keys')} k
    where ${joined([...conditions, foundBy(isLike(search), sought)])} limit ${maxNamed + 1}`.execute(database.control);
  if (rows.length <= maxNamed) return { where: sql`k.id = any(${rows.map(({ id }) => id)}::text[])`, total: rows.length };
  return countedKeys(database, [...conditions, foundBy(has(search), sought)]);
};

/** A separate query, because a subselect in an `or` would prevent a parallel scan. */
const readCustomersWith = async ({ control }: Database, search: string): Promise<readonly number[]> => {
  const { rows } = await sql<{ id: number }>`select c.id from ${table('customers')} c where ${has(search)(sql`c.slug`)}`.execute(control);
  return rows.map(({ id }) => id);
};

type Test = (text: Condition) => Condition;

/** The characters of ids, in lower case. */
const partOfId = /^[a-z0-9]+$/i;

/** Each test costs a scan of the keys, so tests that cannot match are omitted. */
const foundBy = (test: Test, { search, customers }: Sought): Condition => {
  const tests = [
    ...(partOfId.test(search) ? [test(sql`k.id collate "C"`)] : []),
    ...(customers.length > 0 ? [sql`k.customer_id = any(${customers}::integer[])`] : []),
    test(lowered(sql`k.name`)),
  ];
  return sql`(${sql.join(tests, sql` or `)})`;
};

/** PostgreSQL expects few matches and uses a parallel scan. */
const isLike = (search: string): Test => {
  const pattern = lowered(sql`${`%${search.replaceAll(/[\\%_]/g, '\\$&')}%`}::text`);
  return (text) => sql`${text} like ${pattern}`;
};

/** PostgreSQL expects many matches and reads an index until it has enough. */
const has = (search: string): Test => {
  const part = lowered(sql`${search}::text`);
  return (text) => sql`strpos(${text}, ${part}) > 0`;
};

/** ASCII text is compared by ASCII rules, which takes a third of the time. */
const lowered = (text: Condition): Condition =>
  sql`case when octet_length(${text}) = char_length(${text}) then lower(${text} collate "C") else lower(${text}) end`;
