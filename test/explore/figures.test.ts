/**
 * `GET /explore/figures`: each figure has the value of SQL that is written here without the service, now and before, and what its view shows
 * (contract: figures).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Description, Figures } from '../../src/web/explore/described.ts';
import { keyForAll, scopedKey } from '../scopes/keys.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';

const day = '2026-10-31';
let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const figuresAt = async (query: string, key: string = keys.nordEnterprise): Promise<Figures> => {
  const { status, json, text } = await service.get(`/explore/figures?${query}`, { key });
  expect([query, status, status === 200 ? '' : text]).toEqual([query, 200, '']);
  return json;
};

const lettable = "u.is_active and u.occupancy_status in ('let', 'vacant') and u.usage_type not in ('parking_space', 'garage')";
/** The value at a day $1 of the rows that meet a condition; `own` is the condition of the page. `month` is the last day of its month. */
const month = "(date_trunc('month', $1::date) + interval '1 month - 1 day')::date";
const valid = (from: string, to: string, on: string) =>
  `coalesce(${from}, '0001-01-01') <= ${on} and coalesce(${to}, '9999-12-31') >= ${on}`;
const isVacant = `not exists (select from @contract_debits c where c.floor_area_id = u.floor_area_id and c.debit_type = 'basic_rent' and ${valid('c.valid_from', 'c.valid_to', month)})`;
const units = (value: string, own: string) =>
  `select ${value} as n from @property_structure u where ${lettable} and ${valid('u.valid_from', 'u.valid_to', month)} and ${own}`;
const placed = "status not in ('cancelled', 'rejected')";
const sql: Readonly<Record<string, (own: string) => string>> = {
  rent: (own) =>
    `select round(sum(net_amount * case payment_interval when 'monthly' then 12 when 'quarterly' then 4 when 'semi_annual' then 2 when 'annual' then 1 else 0 end) / 12, 4) as n
     from @contract_debits where debit_type = 'basic_rent' and ${valid('valid_from', 'valid_to', month)} and ${own}`,
  vacant_units: (own) => units(`count(*) filter (where ${isVacant})`, own),
  vacant_area: (own) => units(`sum(area_sqm) filter (where ${isVacant})`, own),
  vacancy_rate: (own) => units(`round(count(*) filter (where ${isVacant})::numeric / nullif(count(*), 0), 6)`, own),
  arrears: (
    own,
  ) => `select coalesce(sum(p.signed_amount), 0) as n from @booking_positions p join @accounts a using (account_id) join @booking_header h using (booking_header_id)
     where a.account_type = 'debtor' and h.due_date <= $1 and (p.cleared_date is null or p.cleared_date > $1) and p.${own}`,
  open_orders: (own) =>
    `select count(*) as n from @orders where ${placed} and order_date <= $1 and (closed_date is null or closed_date > $1) and ${own}`,
  ending_contracts: (own) => `select count(*) as n from @tenants where contract_end_date between $1 and $1::date + 90 and ${own}`,
  costs: (own) => `select coalesce(sum(p.signed_amount), 0) as n from @booking_positions p join @accounts a using (account_id)
     where a.balance_type = 'expense' and p.booking_date between date_trunc('month', $1::date) and $1 and p.${own}`,
  units: (own) => `select count(*) as n from @property_structure where is_active and ${own} and $1::date is not null`,
  tenancies: (own) => `select count(*) as n from @tenants where ${valid('contract_start_date', 'contract_end_date', '$1')} and ${own}`,
  open_notifications: (own) =>
    `select count(*) as n from @notifications where status not in ('completed', 'cancelled') and ${own} and $1::date is not null`,
  invoiced: (own) =>
    `select coalesce(sum(total_net), 0) as n from @orders where ${placed} and order_date between date_trunc('month', $1::date) and $1 and ${own}`,
  unpaid: (own) => `select coalesce(sum(open_amount), 0) as n from @orders where open_amount > 0 and ${own} and $1::date is not null`,
};

/** The page, its parameters, and the condition in SQL on `p` or the only table. */
const pages = async (): Promise<readonly (readonly [page: string, query: string, own: (name: string) => string])[]> => {
  const [{ property_id, floor_area_id, account_id }] = await sqlOn(service)(
    `select property_id, floor_area_id, account_id from customer_nord.tenants where status = 'active' order by 1, 2 limit 1`,
  );
  const [{ creditor_number }] = await sqlOn(service)(
    'select creditor_number from customer_nord.orders group by 1 order by count(*) desc limit 1',
  );
  return [
    ['portfolio', `day=${day}`, (name) => (['arrears', 'costs'].includes(name) ? 'account_id is not null' : 'true')],
    ['properties', `day=${day}&page=properties&property_id=${property_id}`, () => `property_id = ${property_id}`],
    ['property_structure', `day=${day}&page=property_structure&floor_area_id=${floor_area_id}`, () => `floor_area_id = '${floor_area_id}'`],
    ['tenants', `day=${day}&page=tenants&account_id=${account_id}`, () => `account_id = ${account_id}`],
    ['creditor', `day=${day}&page=creditor&creditor_number=${creditor_number}`, () => `creditor_number = ${creditor_number}`],
  ];
};

const asNumber = (value: unknown): number | null => (value === null ? null : Number(value));

test('the figures of each page have the values of SQL on each of their days', async () => {
  const seen = new Set<string>();
  for (const [page, query, own] of await pages()) {
    const { figures, leftOut } = await figuresAt(query);
    expect([page, leftOut]).toEqual([page, 0]);
    for (const { name, points } of figures) {
      seen.add(name);
      expect([name, points.at(-1)?.day]).toEqual([name, day]);
      for (const point of [points[0], points.at(-2), points.at(-1)]) {
        if (!point) continue;
        const text = sql[name]!(own(name)).replaceAll(/@(\w+)/g, 'customer_nord.$1');
        const [row] = await sqlOn(service)(text, [point.day]);
        expect([page, name, point.day, point.value]).toEqual([page, name, point.day, asNumber(row.n)]);
      }
    }
  }
  expect([...seen].sort()).toEqual(Object.keys(sql).sort());
});

test('the view of each figure has rows or groups whose number or total is the figure', async () => {
  const columns: Readonly<Record<string, string>> = { vacant_area: 'area_sqm', invoiced: 'total_net', unpaid: 'open_amount' };
  const sums: Readonly<Record<string, string>> = { rent: 'monthly_rent', arrears: 'sum_signed_amount', costs: 'sum_signed_amount' };
  for (const [page, query] of await pages()) {
    const { figures } = await figuresAt(query);
    for (const { name, points, view } of figures) {
      const { status, json, headers } = await service.get(view.includes('?') ? `${view}&limit=10000` : view);
      expect([view, status]).toEqual([view, 200]);
      const column = columns[name] ?? sums[name];
      const add = (rows: readonly Record<string, number>[]) => rows.reduce((sum, row) => sum + (row[column ?? ''] ?? 0), 0);
      const figure = points.at(-1)?.value ?? 0;
      if (name === 'vacancy_rate') {
        const total = (of: string) => json.reduce((sum: number, row: Record<string, number>) => sum + (row[of] ?? 0), 0);
        expect([page, name, (total('vacant') / total('count')).toFixed(5)]).toEqual([page, name, figure.toFixed(5)]);
      } else
        expect([page, name, (column ? add(json) : Number(headers.get('x-total-count'))).toFixed(2)]).toEqual([
          page,
          name,
          figure.toFixed(2),
        ]);
    }
  }
});

describe('what a key may not read', () => {
  test('is left out and counted', async () => {
    const all = await figuresAt(`day=${day}`);
    const basic = await figuresAt(`day=${day}`, keys.nordBasic);
    expect(basic.leftOut).toBeGreaterThan(0);
    expect(basic.figures.length + basic.leftOut).toBe(all.figures.length);
    const without = await figuresAt(`day=${day}`, await scopedKey(service, {}, { groups: ['graphql', 'raw'] }));
    expect([without.figures, without.leftOut]).toEqual([[], all.figures.length]);
  });

  test('is not part of a figure: a key with a property set has the values of its properties', async () => {
    const [{ id }] = await sqlOn(service)('select property_id as id from customer_nord.orders group by 1 order by count(*) desc limit 1');
    const own = await figuresAt(`day=${day}`, await scopedKey(service, { properties: { ids: [id] } }));
    const ofProperty = await figuresAt(`day=${day}&page=properties&property_id=${id}`);
    const values = ({ figures }: Figures) => Object.fromEntries(figures.map(({ name, points }) => [name, points]));
    for (const { name } of own.figures) expect([name, values(own)[name]]).toEqual([name, values(ofProperty)[name]]);
    expect(own.figures.map(({ name }) => name)).toContain('open_orders');
    // Answers are cached, and another key never gets them.
    expect(values(await figuresAt(`day=${day}`)).open_orders).not.toEqual(values(own).open_orders);
  });

  test('needs a key', async () => {
    expect((await service.get(`/explore/figures?day=${day}`, { key: null })).status).toBe(401);
  });
});

test.each([
  ['', 'query -> day'],
  ['day=2026-02-30', 'query -> day'],
  ['day=tomorrow', 'query -> day'],
  ["day=2026-01-01'--", 'query -> day'],
  ['day=2026-10-31&page=', 'query -> page'],
  ['day=2026-10-31&page=__proto__', 'query -> page'],
  ['day=2026-10-31&page=properties&property_id=1001,1002', 'query -> property_id'],
  ['day=2026-10-31&page=properties&property_id=1)%20or%20(1=1', 'query -> property_id'],
  ['day=2026-10-31&page=properties&property_id=', 'query -> property_id'],
])('?%s is a 422', async (query, problem) => {
  const { status, json } = await service.get(`/explore/figures?${query}`);
  expect([status, json.detail.startsWith(problem)]).toEqual([422, true]);
});

test('a value with signs of the grammar is one value', async () => {
  const { figures } = await figuresAt(`day=${day}&page=property_structure&floor_area_id=${encodeURIComponent('1"),count(x),any("')}`);
  expect(figures.map(({ points }) => points.at(-1)?.value ?? 0)).toEqual(figures.map(() => 0));
});

test('the answer has a tag, which ends with the data', async () => {
  const first = await service.get(`/explore/figures?day=${day}`);
  const etag = first.headers.get('ETag') ?? '';
  expect((await service.get(`/explore/figures?day=${day}`, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  const tenants = await readTableData(service.database, 'person');
  for (const row of tenants.rows) row[tenants.columns.indexOf('company_name')] = 'Renamed';
  const deliveries = new Deliveries();
  await load(service.database, [deliveries.write('person.csv', asCsv(tenants))]);
  deliveries.remove();
  expect((await service.get(`/explore/figures?day=${day}`, { headers: { 'If-None-Match': etag } })).status).toBe(200);
});

test('reports and figures begin with the last day that has a booking', async () => {
  const [{ last }] = await sqlOn(service)(
    "select max(booking_date)::text as last from customer_nord.booking_positions where booking_date <= (now() at time zone 'utc')::date",
  );
  const dayOf = async (key: string) => ((await service.get('/explore/description', { key })).json as Description).day;
  expect(await dayOf(await keyForAll(service, null))).toBe(last);
  expect(await dayOf(keys.nordBasic)).toBe(new Date().toISOString().slice(0, 10));
});
