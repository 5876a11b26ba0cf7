/** Which keys a list is made of, and how many they are; `k` is the key. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/connection.ts';
import { controlSchema } from '../database/control.ts';

type Condition = RawBuilder<unknown>;

export interface ChosenKeys {
  readonly where: Condition;
  readonly total: number;
}

const table = (name: string) => sql.id(controlSchema, name);

/** All keys that meet the conditions. */
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
  /** Those whose slug has it in it. */
  readonly customers: readonly number[];
}

/** So many are named and put into order; more are counted, and found along the index of an order. */
const mostNamed = 10_000;

/** Of the keys that meet the conditions those whose name, id or customer has the text in it. Few are looked for once only. */
export const searchedKeys = async (database: Database, conditions: readonly Condition[], search: string): Promise<ChosenKeys> => {
  const sought = { search, customers: await readCustomersWith(database, search) };
  const { rows } = await sql<{ id: string }>`select k.id from ${table('api_keys')} k
    where ${joined([...conditions, foundBy(isLike(search), sought)])} limit ${mostNamed + 1}`.execute(database.control);
  if (rows.length <= mostNamed) return { where: sql`k.id = any(${rows.map(({ id }) => id)}::text[])`, total: rows.length };
  return countedKeys(database, [...conditions, foundBy(has(search), sought)]);
};

/** Told beforehand: a subselect within `or` would keep PostgreSQL from reading keys on several cores. */
const readCustomersWith = async ({ control }: Database, search: string): Promise<readonly number[]> => {
  const { rows } = await sql<{ id: number }>`select c.id from ${table('customers')} c where ${has(search)(sql`c.slug`)}`.execute(control);
  return rows.map(({ id }) => id);
};

type Test = (text: Condition) => Condition;

/** What all ids are made of, in lower case. */
const partOfId = /^[a-z0-9]+$/i;

/** Each test costs as much as reading the keys: those that none would pass are left out. */
const foundBy = (test: Test, { search, customers }: Sought): Condition => {
  const tests = [
    ...(partOfId.test(search) ? [test(sql`k.id collate "C"`)] : []),
    ...(customers.length > 0 ? [sql`k.customer_id = any(${customers}::integer[])`] : []),
    test(lowered(sql`k.name`)),
  ];
  return sql`(${sql.join(tests, sql` or `)})`;
};

/** PostgreSQL expects that few texts are so, and reads all keys on several cores. */
const isLike = (search: string): Test => {
  const pattern = lowered(sql`${`%${search.replaceAll(/[\\%_]/g, '\\$&')}%`}::text`);
  return (text) => sql`${text} like ${pattern}`;
};

/** PostgreSQL expects that many texts are so, and goes along an index until it has enough. */
const has = (search: string): Test => {
  const part = lowered(sql`${search}::text`);
  return (text) => sql`strpos(${text}, ${part}) > 0`;
};

/** What is ASCII takes a third of the time by the rules of ASCII. */
const lowered = (text: Condition): Condition =>
  sql`case when octet_length(${text}) = char_length(${text}) then lower(${text} collate "C") else lower(${text}) end`;
