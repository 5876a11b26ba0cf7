/** The search among keys, for few results that are sorted and for many that an index orders. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { type KeyFilter, keySorts, type ListedKey, readKeys } from '../../src/web/portal/keys/key-list.ts';
import { openTestDatabase } from '../support/database.ts';

/** A few more than are sorted. */
const many = 10_050;
const special = ['Straße Ä', '100% sure', '100 percent', 'under_score', 'underscore', 'back\\slash', "quote's", 'ПРИВЕТ'];

let database: Database;
/** All keys in reverse default order. */
let keys: readonly Pick<ListedKey, 'id' | 'name' | 'customer'>[];

beforeAll(async () => {
  database = await openTestDatabase();
  await database.pool.query(
    `insert into estate.api_keys (id, customer_id, lineage, name, tier, groups, hash, created_at, revoked_at)
     select lpad(i::text, 6, 'x'), (select id from estate.customers where slug = case when i % 100 = 0 then 'sued' else 'nord' end), lpad(i::text, 6, 'x'),
       coalesce(($2::text[])[i], 'Many ' || i), 'basic', '{rest}', sha256(''), now() - i * interval '1 s', case when i > $1::integer then now() end
     from generate_series(1, $1::integer + 10) i`,
    [many, special],
  );
  const { rows } = await database.pool.query<ListedKey>(
    `select k.id, k.name, c.slug as customer from estate.api_keys k join estate.customers c on c.id = k.customer_id
     where k.revoked_at is null order by k.created_at, k.id`,
  );
  keys = rows;
});
afterAll(() => database.close());

const find = (search: string, page = 1, filter: KeyFilter = {}) =>
  readKeys(database, { search, sort: 'created', isDescending: false, page }, filter);

const holding = (search: string) =>
  keys.filter(({ id, name, customer }) => [id, name.toLowerCase(), customer].some((text) => text.includes(search.toLowerCase())));

test.each([
  ...['STRASSE', 'sTRAßE ä', 'ä', '100%', '%', 'r_s', '_', 'k\\s', '\\', "E'S", 'привет', 'none such'],
  ...['many', 'mAny 1', 'many 777', 'X', 'XX123', 'sued', 'ORD', 'e', '0'],
])('%s', async (search) => {
  const expected = holding(search);
  const { rows, total } = await find(search);
  expect(total).toBe(expected.length);
  expect(rows.map(({ id }) => id)).toEqual(expected.slice(0, 50).map(({ id }) => id));
});

test('page by page, in both directions', async () => {
  for (const search of ['many', 'many 1']) {
    const expected = holding(search);
    const last = Math.ceil(expected.length / 50);
    for (const page of [2, last - 1, last])
      expect((await find(search, page)).rows.map(({ id }) => id)).toEqual(expected.slice((page - 1) * 50, page * 50).map(({ id }) => id));
    expect(await find(search, last + 1)).toEqual({ rows: [], total: expected.length });
  }
});

test('ended keys and keys of other customers only on request', async () => {
  expect((await find(`many ${many + 1}`)).total).toBe(0);
  expect((await find(`many ${many + 1}`, 1, { withEnded: true })).total).toBe(1);
  const { rows, total } = await find('many', 1, { customer: 'sued' });
  expect(total).toBe(holding('many').filter(({ customer }) => customer === 'sued').length);
  expect(new Set(rows.map(({ customer }) => customer))).toEqual(new Set(['sued']));
});

test.each(keySorts)('few and many results have the same order of %s', async (sort) => {
  const inOrder = async (search: string, isDescending: boolean) =>
    (await readKeys(database, { search, sort, isDescending, page: 1 }, {}, many * 2)).rows.map(({ id }) => id);
  const few = new Set(holding('many 1').map(({ id }) => id));
  for (const isDescending of [false, true])
    expect(await inOrder('many 1', isDescending)).toEqual((await inOrder('many', isDescending)).filter((id) => few.has(id)));
});
