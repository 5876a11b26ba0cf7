/** A request in other forms: each form asks for the same rows or groups, and none contains the key (contract: prints). */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DefaultSettings, TaskUtils } from '@microsoft/powerquery-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentKey, connect } from '../agents/agent.ts';
import { ask } from '../graphql/client.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '0' } });
});
afterAll(() => service.stop());

const print = (address: string, key: string = keys.nordEnterprise) =>
  service.get(`/prints?address=${encodeURIComponent(address)}`, { key });

const run = async (command: string, args: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, { env: { ...process.env, ESTATE_API_KEY: keys.nordEnterprise } });
  return stdout;
};

const addresses = [
  '/operations/orders?where=any(status=new,subject:contains(Müller\'s "$HOME" `x`)),total_net>100&order=-total_net,property.city&limit=7',
  '/v1/property/properties?city=Leipzig&columns=property_id,property_name',
  '/property/properties?where=orders:count(status!=closed,days(order_date,execution_end_date)>3)>=1&limit=4',
  '/property/properties?columns=property_id,open:count(orders,status!=closed),net:sum(orders.total_net)&limit=2',
  '/accounting/booking_positions?property_id=1001&fiscal_year=2025&limit=3',
  '/operations/orders/groups?by=trade,order_date:year&count&sum=total_net&having=count>1&order=-sum_total_net',
  '/contracts/contract_debits/groups?by=as_of:month(2025-01-01,2025-03-31)&sum=net_amount&where=property.city!=Köln',
];

describe.each(addresses)('%s', (address) => {
  test('is the same request in each form', async () => {
    const { status, json } = await print(address);
    expect([status, json.notes]).toEqual([200, []]);
    const answer = await service.get(json.address, { key: keys.nordEnterprise });
    const total = Number(answer.headers.get('x-total-count'));
    const rows = answer.json as readonly Record<string, unknown>[];

    const { data, errors } = await ask(service, json.graphql, { key: keys.nordEnterprise });
    expect(errors).toEqual([]);
    const [connection] = Object.values(data) as { totalCount: number; nodes?: unknown[]; groups?: unknown[] }[];
    expect([connection!.totalCount, (connection!.nodes ?? connection!.groups)!.length]).toEqual([total, rows.length]);

    expect(JSON.parse(await run('sh', ['-c', json.curl]))).toEqual(rows);
    expect((await run('python3', ['-c', json.python])).trimEnd().split('\n').filter(Boolean)).toHaveLength(rows.length);
    const lexed = await TaskUtils.tryLexParse(DefaultSettings, json.power_query);
    expect(TaskUtils.isParseStageOk(lexed)).toBe(true);

    const agent = await connect(service, await agentKey(service, { groups: ['agents'] }));
    const { isError, data: called } = await agent.call(json.agent.tool, json.agent.arguments);
    await agent.close();
    expect([isError, called.total_rows ?? called.total_groups]).toEqual([false, total]);
    expect(JSON.stringify(json)).not.toContain('est_');
  });
});

test.each([
  { name: 'all-rows', address: '/operations/orders?columns=order_id,subject' },
  { name: 'all-groups', address: '/operations/orders/groups?by=order_id&count&sum=total_net&value=part:ratio(sum_total_net,count)' },
  { name: 'seven-groups', address: '/operations/orders/groups?by=order_id&count&limit=7', number: 7 },
])('a saved question of the document answers $name, as JSON and CSV', async ({ name, address, number }) => {
  const { graphql: document } = (await print(address)).json;
  const headers = { 'X-API-Key': await agentKey(service, { groups: ['graphql', 'questions'] }), 'Content-Type': 'application/json' };
  const saved = await fetch(`${service.url}/questions/${name}`, { method: 'PUT', headers, body: JSON.stringify({ document }) });
  expect(saved.status).toBe(201);
  const rows = (await service.get(address)).json as readonly object[];
  if (number) expect(rows).toHaveLength(number);
  else expect(rows.length).toBeGreaterThan(100);
  const [list] = Object.values((await service.get(`/questions/${name}`)).json.data) as { nodes?: unknown[]; groups?: unknown[] }[];
  const csv = (await service.get(`/questions/${name}?format=csv`)).text.trimEnd().split('\r\n');
  expect([(list!.nodes ?? list!.groups)!.length, csv.length - 1]).toEqual([rows.length, rows.length]);
});

test('what GraphQL cannot say has a reason, and the other forms remain', async () => {
  const { json } = await print('/operations/orders?columns=took:days(order_date,execution_end_date)&order=-took');
  expect(json).toMatchObject({ graphql: null, notes: ['GraphQL has no order by a function of columns.'], agent: { tool: 'query_rows' } });
  const filled = await print('/operations/orders/groups?by=order_date:month&count&fill=order_date_month');
  expect(filled.json).toMatchObject({ graphql: expect.any(String), agent: null });
});

test.each([
  ['', 422],
  ['/operations/orders?limit=0', 422],
  ['/operations/orders?where=nonsense=1', 422],
  ['https://example.com/operations/orders', 422],
  ['/raw/orders', 404],
  ['/operations/nothing', 404],
  ['/property/orders', 404],
  ['/accounting/booking_positions', 400],
])('%s is a %i', async (address, status) => {
  const answer = await print(address);
  expect([answer.status, answer.json.instance]).toEqual([status, '/prints']);
});

test('a key prints only what it may read', async () => {
  expect((await print('/operations/orders', keys.nordBasic)).status).toBe(403);
  const { json } = await print('/property/properties', keys.nordBasic);
  expect(json.graphql).not.toContain('orders');
  expect((await service.get('/prints?address=/property/properties', { key: '' })).status).toBe(401);
});
