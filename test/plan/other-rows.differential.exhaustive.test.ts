/**
 * Measures over another table: random groups of budgets beside booking positions on both APIs, compared with SQL over one list of the rows
 * of both tables (contract: measures over another table).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { ask, dataOf } from '../graphql/client.ts';
import { scopedKey } from '../scopes/keys.ts';
import { onServer } from '../support/database.ts';
import { rounds, seed } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys as apiKeys } from '../support/settings.ts';
import { load, seededRandom } from '../sync/support.ts';

const questions = rounds(onServer ? 300 : 60);

let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RESPONSE_CACHE_MB: '0' } });
  const { pool } = service.database;
  // Budgets of years with bookings, without a cost centre, of two currencies, and on one account without bookings.
  await pool.query(
    'update customer_nord.budgets set fiscal_year = fiscal_year - budget_id % 3, cost_center_id = nullif(cost_center_id, $1)',
    ['1001-80'],
  );
  await pool.query(`update customer_nord.booking_positions set currency = 'CHF' where booking_position_id % 11 = 0`);
  await pool.query(`update customer_nord.booking_positions set account_id = 0, account_number = null where booking_position_id % 13 = 0`);
}, 180_000);
afterAll(() => service.stop());

/** Keys in REST, each with its SQL over the rows `x`, their property `p` and their account `a`. */
const keys: Readonly<Record<string, string>> = {
  property_id: 'x.property_id',
  fiscal_year: 'x.fiscal_year',
  fiscal_period: 'x.fiscal_period',
  account_number: 'x.account_number',
  cost_center_id: 'x.cost_center_id',
  project_hdr_id: 'x.project_hdr_id',
  currency: 'x.currency',
  'property.federal_state': 'p.federal_state',
  'account.account_group': 'a.account_group',
  'account.balance_type': 'a.balance_type',
};
/** Conditions in REST and GraphQL, each with its SQL. */
const conditions = [
  ['fiscal_year>=2025', 'fiscalYear: { gte: 2025 }', 'x.fiscal_year >= 2025'],
  ['fiscal_period:in(1,2,12,13)', 'fiscalPeriod: { in: [1, 2, 12, 13] }', 'x.fiscal_period in (1, 2, 12, 13)'],
  ['account.balance_type=expense', 'account: { balanceType: { eq: "expense" } }', "a.balance_type = 'expense'"],
  ['cost_center_id:is_null', 'costCenterId: { isNull: true }', 'x.cost_center_id is null'],
  ['property.federal_state!=SN', 'property: { federalState: { ne: "SN" } }', "p.federal_state <> 'SN'"],
  ['account_number:starts_with(80)', 'accountNumber: { startsWith: "80" }', "x.account_number like '80%'"],
  ['property_id=1002', 'propertyId: { eq: 1002 }', 'x.property_id = 1002'],
] as const;
const measures = ['planned_costs', 'actual_costs', 'planned_income', 'actual_income'];

/** The rows of both tables as one list. */
const rows = `(select property_id, account_id, account_number, fiscal_year, fiscal_period, cost_center_id, project_hdr_id, currency, true as is_plan,
    budget_version, amount from customer_nord.budgets
  union all select b.property_id, b.account_id, b.account_number, fiscal_year, fiscal_period, cost_center_id, project_hdr_id, b.currency, false, null,
    case debit_credit when 'debit' then amount else -amount end from customer_nord.booking_positions b
    join customer_nord.accounts a on a.account_id = b.account_id and a.balance_type in ('income', 'expense'))`;

const sumOf = (measure: string): string => {
  const [side, kind] = measure.split('_');
  const balance = kind === 'costs' ? 'expense' : 'income';
  const rows = side === 'planned' ? "is_plan and budget_version = 'plan'" : 'not is_plan';
  const amount = measure === 'actual_income' ? '-amount' : 'amount';
  return `coalesce(sum(case when ${rows} and a.balance_type = '${balance}' then ${amount} end), 0)`;
};

const expected = async (by: readonly string[], where: readonly string[]): Promise<unknown[][]> => {
  const text = `select ${[...by.map((key) => keys[key]), 'sum(is_plan::int)', ...measures.map(sumOf)].join()} from ${rows} x
    left join customer_nord.properties p on p.property_id = x.property_id left join customer_nord.accounts a on a.account_id = x.account_id
    ${where.length > 0 ? `where ${where.join(' and ')}` : ''} ${by.length > 0 ? `group by ${by.map((_, at) => at + 1).join()}` : ''}`;
  const { rows: found } = await service.database.pool.query<unknown[]>({ text, rowMode: 'array' });
  return found.map((row) => row.map((cell, at) => (at < by.length || cell === null ? (cell ?? null) : Number(cell))));
};

const sorted = (found: readonly unknown[][]): readonly string[] => found.map((row) => JSON.stringify(row)).sort();

test(`${questions} random questions have the same answer in SQL, REST and GraphQL`, async () => {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  for (let at = 0; at < questions; at++) {
    const by = [...new Set(Array.from({ length: random(4) }, () => pick(Object.keys(keys))))];
    const chosen = [...new Set(Array.from({ length: random(3) }, () => pick(conditions)))];
    const found = await expected(
      by,
      chosen.map(([, , sql]) => sql),
    );
    const groups = found.map((row) => [...row.slice(0, by.length), row[by.length] ?? 0, ...row.slice(by.length + 1)]);
    const query = new URLSearchParams({ count: '', measure: measures.join(), limit: '10000' });
    if (by.length > 0) query.set('by', by.join());
    if (chosen.length > 0) query.set('where', chosen.map(([rest]) => rest).join());
    const rest = await service.get(`/accounting/budgets/groups?${query}`);
    expect([rest.status, query.toString(), rest.json.detail]).toEqual([200, query.toString(), undefined]);
    expect([query.toString(), ...sorted(rest.json.map((group: object) => Object.values(group)))]).toEqual([
      query.toString(),
      ...sorted(groups),
    ]);
    expect(rest.headers.get('X-Total-Count')).toBe(String(groups.length));

    const keyFields = by.map((key) => key.split('.').map(camelCase));
    const selected = keyFields.map(([first, second]) => (second ? `${first} { ${second} }` : first)).join(' ');
    const filter = chosen.map(([, graphql]) => `{ ${graphql} }`).join(', ');
    const { budgetsGroups } = await dataOf(
      service,
      `{ budgetsGroups(filter: { and: [${filter}] }, first: 10000) { totalCount groups {
        ${by.length > 0 ? `key { ${selected} }` : ''} count measures { ${measures.map(camelCase).join(' ')} } } } }`,
    );
    const shown = budgetsGroups.groups.map(({ key, count, measures: figures }: Record<string, Record<string, unknown>>) => [
      ...keyFields.map(([first, second]) => (second ? (key![first!] as Record<string, unknown> | null)?.[second] : key![first!]) ?? null),
      count,
      ...Object.values(figures!),
    ]);
    expect([query.toString(), ...sorted(shown)]).toEqual([query.toString(), ...sorted(groups)]);
    expect(budgetsGroups.totalCount).toBe(groups.length);
  }
}, 240_000);

describe('measures over another table', () => {
  const get = (query: string, key?: string) => service.get(`/accounting/budgets/groups?${query}`, key ? { key } : {});

  test('belong to the groups of their parents, if the link is a shared column', async () => {
    const { properties } = await dataOf(
      service,
      '{ properties { nodes { propertyId budgetsGroups(filter: { fiscalYear: { eq: 2026 } }) { groups { measures { plannedCosts actualCosts } } } } } }',
    );
    const { json } = await get('by=property_id&measure=planned_costs,actual_costs&where=fiscal_year=2026');
    const own = properties.nodes.flatMap(
      ({ propertyId, budgetsGroups }: { propertyId: number; budgetsGroups: { groups: { measures: object }[] } }) =>
        budgetsGroups.groups.map((group) => [propertyId, ...Object.values(group.measures)]),
    );
    const grouped = new Map(json.map((group: Record<string, unknown>) => [group.property_id, Object.values(group)]));
    expect(own.length).toBeGreaterThan(2);
    for (const [propertyId, ...figures] of own) expect([propertyId, ...figures]).toEqual(grouped.get(propertyId) ?? [propertyId, 0, 0]);
    const { errors } = await ask(
      service,
      '{ employees(first: 1) { nodes { approvedBudgetsGroups { groups { measures { actualCosts } } } } } }',
    );
    expect(errors[0].message).toContain('approved_by_employee_id');
  });

  test('refuse keys and conditions that the other table does not have, wherever they are named', async () => {
    for (const query of [
      'by=budget_version&measure=actual_costs',
      'by=approved_by_employee.team&measure=actual_costs',
      'measure=actual_costs&where=status=approved',
      'measure=actual_costs&status=approved',
      'measure=actual_costs&where=amount>1',
      'by=planning_basis&order=-actual_costs',
      'by=planning_basis&having=actual_costs>1',
    ]) {
      const { status, json } = await get(query);
      expect([query, status]).toEqual([query, 422]);
      expect(json.detail).toContain('actual_costs also reads booking_positions');
    }
    const { errors } = await ask(service, '{ budgetsGroups(filter: { status: { eq: "draft" } }) { groups { measures { actualCosts } } } }');
    expect(errors[0].message).toContain('actual_costs also reads booking_positions');
    expect((await get('by=budget_version&measure=planned_costs&where=status=approved')).status).toBe(200);
  });

  test('combine with conditional values, orders, conditions, empty bands, pages and computed values', async () => {
    const query =
      'by=fiscal_period:ranges(4,7,10,13)&fill=fiscal_period_ranges&value=forecast:sum(amount,budget_version=forecast_1),left:difference(planned_costs,actual_costs),part:share(actual_costs)&measure=actual_costs&having=actual_costs>=0&order=-actual_costs';
    const { json } = await get(query);
    const { rows: bands } = await service.database.pool.query(
      `select case when fiscal_period < 4 then 'below 4' when fiscal_period < 7 then '4 to below 7' when fiscal_period < 10 then '7 to below 10' when fiscal_period < 13
        then '10 to below 13' else '13 or more' end as band, sum(case debit_credit when 'debit' then amount else -amount end) as amount
      from customer_nord.booking_positions join customer_nord.accounts a using (account_id) where a.balance_type = 'expense' group by 1 having
      sum(case debit_credit when 'debit' then amount else -amount end) >= 0 order by 2 desc`,
    );
    expect(json.map((group: Record<string, unknown>) => [group.fiscal_period_ranges, group.actual_costs])).toEqual(
      bands.map(({ band, amount }) => [band, Number(amount)]),
    );
    const pages: unknown[] = [];
    let cursor = '';
    do {
      const page = await get(`${query}&limit=2${cursor && `&cursor=${cursor}`}`);
      pages.push(...page.json);
      cursor = page.headers.get('X-Next-Cursor') ?? '';
    } while (cursor);
    expect(pages).toEqual(json);
  });

  test('have only the rows of the property set of a key, in both tables', async () => {
    const query = 'by=property_id,cost_center_id&count&measure=planned_costs,actual_costs,actual_income';
    const key = await scopedKey(service, { properties: { ids: [1001, 1003] } });
    const { json: all } = await get(query);
    const own = all.filter(({ property_id }: { property_id: number }) => property_id === 1001 || property_id === 1003);
    expect(own.length).toBeLessThan(all.length);
    expect((await get(query, key)).json).toEqual(own);
  });

  test('a tier without the tables has neither', async () => {
    expect((await get('measure=actual_costs', apiKeys.nordBasic)).status).toBe(403);
  });
});

// The last test, because it loads other rows.
test('the tag changes with the other table', async () => {
  const address = '/accounting/budgets/groups?by=property_id&measure=actual_costs';
  const before = await service.get(address);
  expect((await service.get(address, { headers: { 'If-None-Match': before.headers.get('ETag')! } })).status).toBe(304);
  await load(service.database, ['test/catalogue/small/booking_pos.csv']);
  const after = await service.get(address, { headers: { 'If-None-Match': before.headers.get('ETag')! } });
  expect([after.status, after.json.length]).toEqual([200, 3]);
});
