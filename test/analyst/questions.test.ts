/**
 * Questions of analysts. The answers to the address of each, as JSON and CSV, and to the document that is written from it equal SQL that is written
 * here without the service (contract: groups; conditions, order and columns of rows; prints).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAddress } from '../../src/query/address.ts';
import { writtenAddress } from '../../src/query/write/rows.ts';
import { questionDocuments } from '../../src/web/graphiql/question-documents.ts';
import { exampleAddress, type QuestionName as Name, questions } from '../../src/web/graphiql/questions.ts';
import { dataOf } from '../graphql/client.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
}, 180_000);
afterAll(() => service.stop());

/** The rows that are valid on the last day of 2025. */
const inForce = "valid_from <= '2025-12-31' and coalesce(valid_to, '9999-12-31') >= '2025-12-31'";
const yearly =
  "net_amount * case payment_interval when 'monthly' then 12 when 'quarterly' then 4 when 'semi_annual' then 2 when 'annual' then 1 else 0 end";
/** The end of each month of 2025. */
const months =
  "(select (m + interval '1 month - 1 day')::date as day from generate_series('2025-01-01'::timestamp, '2025-12-01', '1 month') m) d";
const percent = (part: string, whole: string) => `round(100 * ${part} / nullif(${whole}, 0), 4)`;
const age = (day: string, on: string, bounds: readonly number[]): string => {
  const days = `date '${on}' - ${day}`;
  const cases = bounds.map((bound, at) => {
    const from = at === 0 ? 0 : bounds[at - 1]! + 1;
    return `when ${days} <= ${bound} then ${at + 1}, ${from === bound ? `'${bound} days'` : `'${from} to ${bound} days'`}`;
  });
  const branch = (part: 0 | 1) =>
    cases.map((text) => `${text.split(' then ')[0]} then ${text.split(' then ')[1]!.split(', ')[part]}`).join(' ');
  const label = `case when ${day} is null then null when ${days} < 0 then 'in the future' ${branch(1)} else 'over ${bounds.at(-1)} days' end`;
  const number = `case when ${day} is null then null when ${days} < 0 then 0 ${branch(0)} else ${bounds.length + 1} end`;
  return `${label} as label, ${number} as number`;
};

const sql: Readonly<Record<Name, string>> = {
  'rent-roll': `select '2025-12-31' as as_of, property_id, floor_area_id, contract_number, sum(net_amount), sum(area_sqm),
      round(sum(net_amount) / nullif(sum(area_sqm), 0), 6)
    from contract_debits where debit_type = 'basic_rent' and ${inForce} group by 2, 3, 4 order by 2, 3, 4 limit 1000`,
  'vacancy-rate-by-month': `with units as (
      select d.day, u.*, not exists (select from contract_debits c where c.floor_area_id = u.floor_area_id and c.debit_type = 'basic_rent'
        and c.valid_from <= d.day and coalesce(c.valid_to, '9999-12-31') >= d.day) as is_vacant
      from property_structure u join ${months} on coalesce(u.valid_from, '0001-01-01') <= d.day and coalesce(u.valid_to, '9999-12-31') >= d.day
      where usage_type <> 'parking_space' and usage_type <> 'garage' and is_active and occupancy_status in ('let', 'vacant'))
    select day::text, property_id, count(*), sum(is_vacant::int), sum(case when is_vacant then area_sqm end), round(sum(is_vacant::int)::numeric / count(*), 6)
    from units group by 1, 2 order by 1, 2 limit 1000`,
  'arrears-by-age': `select account_id, label, count(*), sum(signed_amount) from (
      select p.account_id, p.signed_amount, ${age('h.due_date', '2025-12-31', [0, 30, 60, 90])}
      from booking_positions p join accounts a using (account_id) left join booking_header h using (booking_header_id)
      where a.account_type = 'debtor' and p.cleared_date is null) x group by account_id, label, number order by account_id, number limit 1000`,
  'cost-per-sqm-by-year': `select o.property_id, date_trunc('year', order_date)::date::text, sum(invoiced_net),
      round(coalesce(sum(invoiced_net) filter (where o.status not in ('rejected', 'cancelled') and order_type in ('repair', 'maintenance', 'inspection')), 0)
        / nullif(max(p.lettable_area_sqm), 0), 4)
    from orders o join properties p on p.property_id = o.property_id group by 1, 2 order by 1, 2 limit 1000`,
  'bookings-against-last-year': `with q as (select account_number, date_trunc('quarter', booking_date)::date as quarter, sum(signed_amount) as amount
      from booking_positions group by 1, 2)
    select q.account_number, q.quarter::text, q.amount, b.amount, q.amount - b.amount from q
    left join q b on b.account_number = q.account_number and b.quarter = q.quarter - interval '1 year' order by 1, q.quarter limit 1000`,
  'orders-against-invoices': `select trade, count(*), sum(total_net), sum(invoiced_net), sum(total_net) - sum(invoiced_net),
      round(sum(invoiced_net) / nullif(sum(total_net), 0), 6)
    from orders where status not in ('rejected', 'cancelled') group by 1 order by 5 desc nulls last, 1 limit 1000`,
  'open-notifications-by-age': `with ages as (select n.*, t.to_type, ${age('n.report_date', '2025-12-31', [30, 90, 365])} from notifications n
        left join technical_objects t on t.to_id = n.to_hdr_id where n.status not in ('completed', 'cancelled')),
      found as (select to_type, label, number, count(*) as rows from ages group by 1, 2, 3),
      every as (select distinct f.to_type, b.* from found f, (values ('in the future', 0), ('0 to 30 days', 1), ('31 to 90 days', 2), ('91 to 365 days', 3), ('over 365 days', 4)) b(label, number))
    select to_type, label, sum(rows) from (select to_type, label, number, rows from found union all select to_type, label, number, 0 from every) x
    group by to_type, label, number order by to_type, number limit 1000`,
  'lease-expiries': `with rents as (select date_trunc('year', t.contract_end_date)::date as year, c.net_amount, c.account_id
      from contract_debits c left join tenants t using (account_id) where c.debit_type = 'basic_rent' and c.${inForce})
    select '2025-12-31', year::text, sum(net_amount), count(distinct account_id), ${percent('sum(net_amount)', '(select sum(net_amount) from rents)')}
    from rents group by year order by year nulls last limit 1000`,
  'lease-term': `with days(day) as (values (date '2024-12-31'), (date '2025-12-31')),
      rents as (select c.property_id, day, ${yearly} as rent, case when t.contract_end_date is not null then t.contract_end_date else t.fixed_term_end_date end as ends
        from contract_debits c join days on c.valid_from <= day and coalesce(c.valid_to, '9999-12-31') >= day
        left join tenants t using (account_id) where c.debit_type = 'basic_rent')
    select property_id, day::text,
      round(sum(rent * case when ends > day then ends - day else 0 end) filter (where ends is not null) / 365.25
        / nullif(sum(rent) filter (where ends is not null), 0), 2), round(sum(rent), 2)
    from rents group by 1, day order by 1, day limit 1000`,
  'largest-tenants': `with rents as (select account_id, round(sum(${yearly}), 2) as rent from contract_debits where debit_type = 'basic_rent' and ${inForce} group by 1),
      shares as (select *, ${percent('rent', '(select sum(rent) from rents)')} as part from rents)
    select '2025-12-31', account_id, rent, (select 1 + count(*) from rents r where r.rent > s.rent), part,
      (select sum(part) from shares b where b.rent > s.rent or (b.rent = s.rent and b.account_id <= s.account_id))
    from shares s order by rent desc, account_id limit 10`,
  'budget-against-actual': `with plan as (select cost_center_id, fiscal_year, sum(case when budget_version = 'plan' and a.balance_type = 'expense' then amount else 0 end) as amount
      from budgets b join accounts a using (account_id) where fiscal_year >= 2025 group by 1, 2),
      actual as (select cost_center_id, fiscal_year, sum(case when a.balance_type = 'expense' then case debit_credit when 'debit' then amount else -amount end else 0 end) as amount
      from booking_positions p join accounts a using (account_id) where fiscal_year >= 2025 and a.balance_type in ('income', 'expense') group by 1, 2),
      every as (select cost_center_id, fiscal_year from plan union select cost_center_id, fiscal_year from actual),
      both_sides as (select e.*, coalesce((select amount from plan p where (p.cost_center_id, p.fiscal_year) is not distinct from (e.cost_center_id, e.fiscal_year)), 0) as planned,
        coalesce((select amount from actual a where (a.cost_center_id, a.fiscal_year) is not distinct from (e.cost_center_id, e.fiscal_year)), 0) as actual from every e)
    select *, planned - actual, round(actual / nullif(planned, 0), 6) from both_sides order by 1, 2 limit 1000`,
  'service-charge-recovery': `with lines as (select property_id, date_trunc('year', service_period_from)::date as year,
        case when is_allocable then case debit_credit when 'debit' then amount else -amount end end as cost,
        case when contract_debit_id in (select contract_debit_id from contract_debits where debit_type in ('operating_cost_advance', 'heating_cost_advance'))
          and account_id in (select account_id from accounts where account_number in ('431100', '431200'))
          then case debit_credit when 'credit' then amount else -amount end end as advance
        from booking_positions where service_period_from >= '2025-01-01'),
      sums as (select property_id, year, sum(cost) as cost, coalesce(sum(advance), 0) as advance from lines group by 1, 2)
    select property_id, year::text, coalesce(cost, 0), advance, round(100 * advance / nullif(cost, 0), 2), coalesce(cost, 0) - advance
    from sums order by 1, 2 limit 1000`,
  'project-budgets': `select cost_center_id, sum(project_budget), sum(invoiced_gross), sum(project_budget) - sum(invoiced_gross),
      round(sum(invoiced_gross) / nullif(sum(project_budget), 0), 6) from projects group by 1 order by 1 limit 1000`,
  'contracted-rent-by-month': `with rents as (select d.day, round(sum(${yearly}), 2) as rent from contract_debits c
      join ${months} on c.valid_from <= d.day and coalesce(c.valid_to, '9999-12-31') >= d.day where debit_type = 'basic_rent' group by 1)
    select r.day::text, r.rent, r.rent - b.rent from rents r
    left join rents b on date_trunc('month', b.day) = date_trunc('month', r.day) - interval '1 month' order by 1`,
  'rented-units-by-quarter': `with days(day) as (values (date '2025-03-31'), (date '2025-06-30'), (date '2025-09-30'), (date '2025-12-31')),
      found as (select day, property_id, count(distinct floor_area_id) as units from tenants t
        join days on contract_start_date <= day and coalesce(contract_end_date, '9999-12-31') >= day group by 1, 2)
    select day::text, property_id, coalesce(units, 0) from (select distinct property_id from found) p cross join days left join found using (day, property_id)
    order by 1, 2 limit 1000`,
  'new-leases': `with found as (select date_trunc('month', contract_start_date)::date as month, count(*) as leases from tenants
      where contract_start_date between '2024-01-01' and '2025-12-31' group by 1)
    select m::date::text, coalesce(leases, 0) from generate_series((select min(month) from found)::timestamp, (select max(month) from found), '1 month') m
    left join found on month = m::date order by 1 limit 1000`,
  'deposits-by-band': `with bands as (select *, case when deposit_amount < 0.01 then 0 when deposit_amount < 1000 then 1 when deposit_amount < 2500 then 2
        when deposit_amount >= 2500 then 3 end as number from tenants),
      labels(number, label) as (values (0, 'below 0.01'), (1, '0.01 to below 1000'), (2, '1000 to below 2500'), (3, '2500 or more'))
    select label, count(b.tenant_id), sum(deposit_amount), sum(deposit_paid_amount) from labels full join bands b using (number)
    group by number, label order by number nulls last`,
  'creditors-pareto': `with amounts as (select creditor_number, sum(invoiced_net) as amount from orders group by 1),
      shares as (select *, row_number() over (order by amount desc nulls last, creditor_number) as place, ${percent('amount', '(select sum(amount) from amounts)')} as part from amounts)
    select creditor_number, amount, part, (select sum(b.part) from shares b where b.place <= s.place) from shares s order by place limit 1000`,
  'order-sizes': `with sizes as (select floor(total_net / 2500) as size, count(*) as orders, sum(total_net) as amount from orders group by 1)
    select (size * 2500)::int || ' to below ' || (size * 2500 + 2500)::int, orders, amount, ${percent('orders', '(select sum(orders) from sizes)')}
    from sizes order by size nulls last limit 1000`,
  'typical-orders': `select trade, round((percentile_cont(0.5) within group (order by total_net))::numeric, 3), (array_agg(total_net order by total_net) filter (where total_net is not null))[ceil(count(total_net) * 0.9)::int]
    from orders group by 1 order by 1 limit 1000`,
  'last-maintenance': `select to_type, label, count(*) from (select to_type, ${age('last_maintenance_date', '2026-12-31', [180, 365, 730])} from technical_objects
      where maintenance_required) x group by to_type, label, number order by to_type, number limit 1000`,
  'service-costs': `with costs as (select contract_type, count(*) as contracts, sum(annual_net) as cost from service_contracts group by 1)
    select contract_type, contracts, cost, ${percent('cost', '(select sum(cost) from costs)')}, (select 1 + count(*) from costs b where b.cost > c.cost)
    from costs c order by 1 limit 1000`,
  'depreciation-by-year': `with years as (select extract(year from period_to) as year, sum(depreciation_amount) as amount from depreciation
      where depreciation_area = 'commercial' group by 1)
    select y.year || '-01-01', y.amount, y.amount - b.amount, b.amount, round((y.amount - b.amount) / nullif(b.amount, 0), 6)
    from years y left join years b on b.year = y.year - 1 order by y.year nulls last limit 1000`,
  'completion-days': `with times as (select n.priority_text, o.execution_end_date - n.report_date as days
      from orders o join notifications n on n.report_hdr_id = o.report_hdr_id where o.execution_end_date is not null and n.report_date is not null)
    select priority_text, count(*), percentile_cont(0.5) within group (order by days), max(days) from times group by 1 order by 3 desc, 1`,
  'vat-by-rate': `select vat_rate, date_trunc('month', booking_date)::date::text, sum(vat_base_amount), sum(vat_base_amount * vat_rate / 100)
    from booking_positions where vat_rate > 0 group by vat_rate, date_trunc('month', booking_date) order by 1, 2 limit 1000`,
  'oldest-open-items': `select p.account_id, sum(p.signed_amount), min(h.due_date)::text, max(t.dunning_level)
    from booking_positions p join accounts a on a.account_id = p.account_id left join booking_header h on h.booking_header_id = p.booking_header_id
      left join tenants t on t.account_id = p.account_id
    where a.account_type = 'debtor' and p.cleared_date is null group by 1 having sum(p.signed_amount) > 0 order by 3 nulls last, 1 limit 1000`,
  'expiring-leases': `select '2025-12-31', t.contract_end_date::text, c.contract_number, c.name, c.floor_area_id, sum(c.area_sqm), sum(c.net_amount)
    from contract_debits c join tenants t using (account_id)
    where debit_type = 'basic_rent' and c.${inForce} and t.contract_end_date between '2026-01-01' and '2026-12-31'
    group by 2, 3, 4, 5 order by 2, 3, 4, 5`,
  'rent-by-decade-and-city': `with rents as (select c.area_sqm, ${yearly} as rent, h.city, floor(p.construction_year / 10.0) * 10 as decade
      from contract_debits c left join properties p using (property_id) left join property_hdr h using (property_id)
      where debit_type = 'basic_rent' and ${inForce})
    select '2025-12-31', city, decade || ' to below ' || (decade + 10), round(sum(rent), 2),
      round(sum(rent) filter (where area_sqm > 0) / sum(area_sqm) filter (where area_sqm > 0), 4)
    from rents group by city, decade order by city collate "C", decade`,
  'large-maintenance-bookings': `select p.booking_position_id, p.booking_date::text, h.document_number, p.property_id, a.account_number, a.account_name, p.booking_text,
      case p.debit_credit when 'debit' then p.amount else -p.amount end as amount
    from booking_positions p join accounts a using (account_id) join booking_header h using (booking_header_id)
    where a.account_group = '805' and p.debit_credit = 'debit' and p.amount > 10000 order by amount desc, 1`,
  'faulty-equipment': `select t.to_id, t.to_name, t.to_type, sum(o.invoiced_net), count(distinct n.report_hdr_id)
    from notifications n join orders o using (report_hdr_id) left join technical_objects t on t.to_id = n.to_hdr_id
    where n.report_type in ('damage', 'defect') and n.to_hdr_id is not null
    group by 1, 2, 3 order by 5 desc, 4 desc nulls last, 1 limit 10`,
  'notifications-without-orders': `select n.report_hdr_id, n.report_date::text, n.report_type, n.priority_text, n.status, p.property_name, t.to_name
    from notifications n left join orders o using (report_hdr_id) left join properties p on p.property_id = n.property_id
      left join technical_objects t on t.to_id = n.to_hdr_id
    where o.order_id is null order by n.report_date desc nulls last, 1 desc limit 1000`,
  'arrears-contacts': `select t.contract_number, t.name, t.phone, t.mobile, t.email, t.floor_area_id, t.balance, t.dunning_level
    from tenants t where balance > 0 order by balance desc, tenant_id desc limit 1000`,
  'contracts-to-cancel': `select s.contract_number, s.name, s.contract_type, p.property_name, s.annual_net, s.next_termination_date::text, s.notice_period_months
    from service_contracts s join properties p using (property_id)
    where s.status = 'active' and s.termination_date is null and s.next_termination_date between '2026-10-15' and '2027-01-13'
    order by s.next_termination_date, s.annual_net desc nulls last, s.service_contract_id desc limit 1000`,
};

const expected = async (name: Name): Promise<unknown[][]> => {
  const client = await service.database.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local search_path to customer_nord');
    const { rows } = await client.query<unknown[]>({ text: sql[name], rowMode: 'array' });
    await client.query('rollback');
    return rows.map((row) => row.map(value));
  } finally {
    client.release();
  }
};

/** Numbers without regard to trailing zeros, and everything else as text. */
const value = (raw: unknown): unknown => {
  if (raw === null || raw === '') return null;
  return /^-?\d+(\.\d+)?(e[+-]\d+)?$/.test(String(raw)) ? Number(raw) : String(raw);
};

/** The values of a group in the order of its fields. */
const flat = (part: unknown): unknown[] => (typeof part === 'object' && part !== null ? Object.values(part).flatMap(flat) : [value(part)]);

/** The values of a line of CSV. */
const cells = (line: string): unknown[] =>
  [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => value(quoted ?? plain));

/** An address whose values a client has encoded. */
const encoded = (address: string): string => {
  const { path, query } = readAddress(address)!;
  return writtenAddress(path, query);
};

/** The groups or rows in the answer to a document. */
const listIn = async (document: string): Promise<readonly Record<string, unknown>[]> => {
  const [found] = Object.values(await dataOf(service, document)) as {
    groups?: Record<string, unknown>[];
    nodes?: Record<string, unknown>[];
  }[];
  return (found!.groups ?? found!.nodes)!;
};

test('there are thirty-three questions', () => expect(Object.keys(questions)).toHaveLength(33));

test.each(Object.keys(questions) as Name[])('JSON, CSV and GraphQL of %s equal SQL', async (name) => {
  const rows = await expected(name);
  expect(rows.length).toBeGreaterThan(0);
  const address = encoded(exampleAddress(questions[name]));
  const { status, json } = await service.get(address);
  expect([status, json.detail]).toEqual([200, undefined]);
  expect(json.map(flat)).toEqual(rows);
  const csv = await service.get(`${address}&format=csv`);
  expect(csv.text.trimEnd().split('\r\n').slice(1).map(cells)).toEqual(rows);
  expect((await listIn(questionDocuments[name])).map(flat)).toEqual(rows);
});

test('the vacancy rate by month agrees with the measure', async () => {
  // The measure is of the present state of the demo data, in which units stand empty since the 1st of October 2026.
  const address = encoded(exampleAddress(questions['vacancy-rate-by-month']).replace('2025-01-01,2025-12-31', '2026-10-01,2026-10-31'));
  const asked: Record<string, number>[] = (await service.get(address)).json;
  const { graphql } = (await service.get(`/prints?address=${encodeURIComponent(address)}`)).json;
  expect((await listIn(graphql)).map(({ key, rate }) => [...Object.values(key as object), rate])).toEqual(
    asked.map(({ property_id, rate }) => [property_id, rate]),
  );
  const path = '/property/property_structure/groups?by=property_id&measure=vacancy_rate_units';
  const measured = ((await service.get(path)).json as Record<string, number | null>[]).filter((group) => group.vacancy_rate_units !== null);
  expect(measured.length).toBeGreaterThan(1);
  expect(asked.map(({ property_id }) => property_id)).toEqual(measured.map(({ property_id }) => property_id));
  for (const [at, { vacancy_rate_units }] of measured.entries()) expect(asked[at]!.rate! * 100).toBeCloseTo(vacancy_rate_units!, 2);
});
