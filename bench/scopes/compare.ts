/**
 * Answers to keys with a data scope, compared with a key without one. The customer's first properties make the sets.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench -- scopes [customer] [rounds]
 *
 * The keys take turns, so that other load affects all of them. The shortest times are compared. No answer comes from the response cache.
 */

import { config, issueKey } from '../../scripts/support/key.ts';
import type { ScopeDefinition } from '../../src/catalogue/data-scope.ts';
import { openDatabase } from '../../src/service.ts';
import { Client, type HttpRequest } from '../client.ts';
import { startService } from '../service.ts';

const customer = process.argv[2] ?? 'nord';
const rounds = Number(process.argv[3] ?? 40);

const graphql = (query: string): HttpRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ query }),
});

const requests: Readonly<Record<string, HttpRequest>> = {
  '100 tenants': { path: '/stakeholder/tenants?limit=100' },
  '1,000 contract debits': { path: '/contracts/contract_debits?limit=1000' },
  '100 contract debits, offset 600': { path: '/contracts/contract_debits?limit=100&offset=600' },
  '500 booking headers of a year': { path: '/accounting/booking_header?fiscal_year=2025&limit=500' },
  '1,000 raw contract conditions': { path: '/raw/contract_condition?limit=1000' },
  'groups of debits by type': { path: '/contracts/contract_debits/groups?by=debit_type&count&sum=net_amount' },
  'groups of a year by period': { path: '/accounting/booking_header/groups?fiscal_year=2025&by=fiscal_period&count&sum=total_amount' },
  '100 debits with their property, GraphQL': graphql(
    '{ contractDebits(first: 100) { totalCount nodes { contractDebitId property { propertyName } } } }',
  ),
  '20 properties with 5 tenants each, GraphQL': graphql(
    '{ properties(first: 20) { nodes { propertyId tenants(first: 5) { nodes { tenantId } } } } }',
  ),
};

/** Scopes of the customer's properties. The long list has ids that the data does not have. */
const readScopes = async (): Promise<Readonly<Record<string, ScopeDefinition | null>>> => {
  const { schema, revoke } = await issueKey(customer);
  const database = await openDatabase(config);
  const { rows } = await database.pool.query<{ property_id: number; company_number: string; federal_state: string }>(
    `select property_id, company_number, federal_state from "${schema}".properties order by property_id`,
  );
  await database.close();
  await revoke();
  const every = (step: number) => rows.filter((_, index) => index % step === 0).map(({ property_id }) => property_id);
  const unknown = Array.from({ length: 1_000 }, (_, index) => 1_000_000_000 + index);
  return {
    'no scope': null,
    'no personal data': { personal: [] },
    '3 properties': { properties: { ids: every(8).slice(0, 3) } },
    'half of the properties': { properties: { ids: every(2) } },
    'a long list': { properties: { ids: [...every(2), ...unknown] } },
    'a company': { properties: { companies: [rows[0]!.company_number] } },
    'two federal states': { properties: { federal_states: [...new Set(rows.map(({ federal_state }) => federal_state))].slice(0, 2) } },
  };
};

const scopes = await readScopes();
const keys = await Promise.all(Object.entries(scopes).map(async ([name, scope]) => ({ name, ...(await issueKey(customer, scope)) })));
const server = await startService({ environment: { RESPONSE_CACHE_MB: '0' } });
const client = await Client.to(server.url);
try {
  for (const [name, { headers, ...request }] of Object.entries(requests)) {
    const times = new Map<string, number[]>(keys.map(({ key }) => [key, []]));
    for (let round = -2; round < rounds; round++)
      for (const { key } of keys) {
        const { milliseconds } = await client.ask({ ...request, headers: { ...headers, 'X-API-Key': key } });
        if (round >= 0) times.get(key)!.push(milliseconds);
      }
    const [base = Number.NaN, ...others] = keys.map(({ key }) => Math.min(...times.get(key)!));
    const ratios = others.map((time, index) => `${keys[index + 1]!.name} ${(time / base).toFixed(2)}`);
    console.log(`${name}: ${base.toFixed(2)} ms; ${ratios.join(', ')}`);
  }
} finally {
  client.close();
  await server.stop();
  for (const { revoke } of keys) await revoke();
}
