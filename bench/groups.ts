/**
 * Requests about groups of the `bench` customer, compared with the same SQL on a plain `pg` client. Then the same requests are sent
 * repeatedly over eight connections, from the response cache. The SQL also counts the groups, like the headers of a response.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench -- groups [rounds] [part of the name of questions]
 *
 * Each question alternates with its SQL, so that other load affects both. The plain client has the settings of the service: one core for
 * a query.
 */
import assert from 'node:assert/strict';
import pg from 'pg';
import { config, issueKey } from '../scripts/support/key.ts';
import { callerSettings } from '../src/database/connections/session-settings.ts';
import { bodyOf, Client } from './client.ts';
import { measureInRounds } from './rounds.ts';
import { median, startProductionService } from './service.ts';

const rounds = Number(process.argv[2] ?? 11);
const part = process.argv[3] ?? '';

interface HttpRequest {
  readonly name: string;
  readonly path: string;
  readonly sql: string;
}

const requests: readonly HttpRequest[] = [
  {
    name: 'order volume',
    path: '/operations/orders/groups?count&sum=total_net',
    sql: 'select count(*), sum(total_net) as sum_total_net from orders',
  },
  {
    name: 'order volume by trade',
    path: '/operations/orders/groups?by=trade&count&sum=total_net&order=-sum_total_net',
    sql: 'select trade, count(*), sum(total_net) as sum_total_net from orders group by 1 order by 3 desc nulls last, 1 limit 1001',
  },
  {
    name: 'order volume by quarter and federal state',
    path: '/operations/orders/groups?by=order_date:quarter,property.federal_state&sum=total_net',
    sql: `select date_trunc('quarter', order_date)::date as order_date_quarter, federal_state as property_federal_state, sum(total_net) as sum_total_net
      from orders left join properties using (property_id) group by 1, 2 order by 1, 2 limit 1001`,
  },
  {
    name: 'open volume by creditor and trade',
    path: '/operations/orders/groups?by=creditor.name,trade&sum=remaining_net&having=sum_remaining_net>0&order=-sum_remaining_net&limit=20',
    sql: `select c.name as creditor_name, o.trade, sum(remaining_net) as sum_remaining_net from orders o left join creditor c using (creditor_number)
      group by 1, 2 having sum(remaining_net) > 0 order by 3 desc nulls last, 1, 2 limit 21`,
  },
  {
    name: 'orders of one property by status',
    path: '/operations/orders/groups?property_id=1001&by=status&count',
    sql: 'select status, count(*) from orders where property_id = 1001 group by 1 order by 1 limit 1001',
  },
  {
    name: 'different creditors by property',
    path: '/operations/orders/groups?by=property_id&distinct=creditor_number&limit=100',
    sql: 'select property_id, count(distinct creditor_number) as distinct_creditor_number from orders group by 1 order by 1 limit 101',
  },
  {
    name: 'arrears by property',
    path: '/stakeholder/tenants/groups?by=property_id&measure=arrears&order=-arrears&limit=50',
    sql: `select property_id, round(coalesce(sum(balance) filter (where balance > 0), 0), 2) as arrears from tenants group by 1
      order by 2 desc nulls last, 1 limit 51`,
  },
  {
    name: 'vacancy by usage',
    path: '/property/property_structure/groups?by=usage_type,occupancy_status&count&sum=area_sqm',
    sql: 'select usage_type, occupancy_status, count(*), sum(area_sqm) as sum_area_sqm from property_structure group by 1, 2 order by 1, 2 limit 1001',
  },
  {
    name: 'orders by trade with five conditional values',
    path: `/operations/orders/groups?by=trade&value=${[
      'net_2025:sum(total_net,order_date>=2025-01-01,order_date<2026-01-01)',
      'net_2026:sum(total_net,order_date>=2026-01-01,order_date<2027-01-01)',
      'open:count(status:not_in(closed,cancelled,rejected))',
      'mean_repair:avg(total_net,order_type=repair)',
      'largest_claim:max(total_net,is_insurance_claim=true)',
    ].join()}&limit=100`,
    sql: `select trade, sum(total_net) filter (where order_date >= '2025-01-01' and order_date < '2026-01-01') as net_2025,
      sum(total_net) filter (where order_date >= '2026-01-01' and order_date < '2027-01-01') as net_2026,
      count(*) filter (where status not in ('closed', 'cancelled', 'rejected')) as open,
      round(avg(total_net) filter (where order_type = 'repair'), 6) as mean_repair,
      max(total_net) filter (where is_insurance_claim) as largest_claim from orders group by 1 order by 1 limit 101`,
  },
  {
    name: 'order volume by trade beside the area of the properties',
    path: '/operations/orders/groups?by=trade&sum=total_net&value=area:sum_once(property.lettable_area_sqm)&limit=100',
    sql: `select o.trade, sum_total_net, area from (select trade, sum(total_net) as sum_total_net from orders group by 1) o
      left join (select trade, sum(lettable_area_sqm) as area from (select distinct trade, property_id from orders) d
        join properties using (property_id) group by 1) a on a.trade is not distinct from o.trade order by 1 limit 101`,
  },
  {
    name: 'actual costs beside budgets by cost centre',
    path: '/accounting/budgets/groups?by=cost_center_id&measure=planned_costs,actual_costs&limit=100',
    sql: `select cost_center_id, coalesce(planned_costs, 0) as planned_costs, coalesce(actual_costs, 0) as actual_costs
      from (select cost_center_id, sum(amount) filter (where budget_version = 'plan' and balance_type = 'expense') as planned_costs
        from budgets left join accounts using (account_id) group by 1) b
      full join (select cost_center_id, sum(signed_amount) filter (where balance_type = 'expense') as actual_costs
        from booking_positions join accounts using (account_id) where balance_type in ('income', 'expense') group by 1) p using (cost_center_id)
      order by 1 limit 101`,
  },
].filter(({ name }) => name.includes(part));

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

/** Numbers without trailing zeros. */
const valuesOf = (row: Readonly<Record<string, unknown>>) =>
  Object.values(row).map((value) => value !== null && String(Number.isNaN(Number(value)) ? value : Number(value)));

const { key, schema, revoke } = await issueKey('bench');
const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;
const client = new pg.Client({ connectionString: config.DATABASE_URL, types });
await client.connect();
for (const [name, value] of Object.entries({ ...callerSettings, search_path: schema })) await client.query(`set ${name} = '${value}'`);
const reading = await startProductionService({ environment: { RESPONSE_CACHE_MB: '0' } });
const keeping = await startProductionService();
const requestContext = await Client.to(reading.url);

try {
  // Warms up the code, but not the response cache.
  const headers = { 'X-API-Key': key };
  const warm = (connection: Client, turn: number) =>
    connection.ask({ path: `/operations/orders/groups?property_id=${1001 + turn}&by=trade&count&order=-count`, headers });
  await measureInRounds([{ server: reading, ask: warm }], { rounds: 1, connections: 1, roundMs: 0, warmUp: 3_000 });
  console.log(
    `Medians of ${rounds} rounds, one question at a time.\n\n| question | service | plain SQL | ratio | cached | CPU time |\n|---|---|---|---|---|---|`,
  );
  for (const { name, path, sql } of requests) {
    const request = { path, headers };
    const counted = `select *, count(*) over () as count_of_groups from (${sql.replace(/ limit \d+$/, '')}) all_groups ${/limit \d+$/.exec(sql)?.[0] ?? ''}`;
    const plain = async () => (await client.query({ text: counted, name })).rows;
    const [groups, rows] = [JSON.parse(await bodyOf(reading, request)) as Record<string, unknown>[], await plain()];
    const wanted = rows.slice(0, groups.length).map(({ count_of_groups: _, ...row }) => row);
    assert.deepEqual(Object.keys(groups[0] ?? {}), Object.keys(wanted[0] ?? {}), name);
    assert.deepEqual(groups.map(valuesOf), wanted.map(valuesOf), name);
    const times: (readonly [service: number, plain: number])[] = [];
    for (let round = -3; round < rounds; round++) {
      const pair = [await timed(() => requestContext.ask(request)), await timed(plain)] as const;
      if (round >= 0) times.push(pair);
    }
    const ask = (connection: Client) => connection.ask(request);
    const [cached] = await measureInRounds([{ server: keeping, ask }], { rounds: 3, connections: 8, roundMs: 1_000, warmUp: 3_000 });
    const [service, database] = [median(times.map(([own]) => own)), median(times.map(([, own]) => own))];
    console.log(
      `| ${name} | ${service.toFixed(1)} ms | ${database.toFixed(1)} ms | ${(service / database).toFixed(2)} | ${cached!.time.toFixed(2)} ms | ${cached!.cpu.toFixed(2)} ms |`,
    );
  }
} finally {
  requestContext.close();
  await reading.stop();
  await keeping.stop();
  await client.end();
  await revoke();
}
