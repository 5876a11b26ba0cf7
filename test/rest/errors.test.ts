import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';

const limit = 40;
let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: String(limit) } });
  await sqlOn(service)('alter table customer_nord.projects rename column status to something_else');
  for (let i = 0; i < limit; i++) await service.get('/catalog', { key: keys.suedEnterprise });
});
afterAll(() => service.stop());

interface Row {
  readonly path: string;
  readonly key?: string | null;
  readonly method?: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
}

const rows: readonly Row[] = [
  { path: '/accounting/booking_header?limit=5', status: 400, title: 'Bad Request', detail: 'Missing required filter(s): fiscal_year' },
  {
    path: '/v1/accounting/booking_positions',
    status: 400,
    title: 'Bad Request',
    detail: 'Missing required filter(s): property_id, fiscal_year',
  },
  { path: '/operations/%zz?limit=5', status: 400, title: 'Bad Request', detail: 'Malformed request' },
  { path: '/operations/orders?limit=5', key: null, status: 401, title: 'Unauthorized', detail: 'API key required' },
  { path: '/operations/orders', key: 'est_nobody_knows', status: 401, title: 'Unauthorized', detail: 'API key required' },
  { path: '/operations/orders?a=b', key: keys.nordBasic, status: 403, title: 'Forbidden', detail: 'Invalid or disabled API key' },
  { path: '/operations/nothing', status: 404, title: 'Not Found', detail: 'Category or table not found' },
  { path: '/nothing/orders?x=1', status: 404, title: 'Not Found', detail: 'Category or table not found' },
  { path: '/raw/nothing', status: 404, title: 'Not Found', detail: 'Category or table not found' },
  { path: '/nothing', status: 404, title: 'Not Found', detail: 'Category or table not found' },
  {
    path: '/meta/orders/values/order_id?x',
    status: 404,
    title: 'Not Found',
    detail: 'No lookup values configured for orders.order_id',
  },
  { path: '/operations/orders?limit=5', method: 'POST', status: 405, title: 'Method Not Allowed', detail: 'Method not allowed' },
  {
    path: '/operations/orders?offset=-1',
    status: 422,
    title: 'Unprocessable Entity',
    detail: 'query -> offset: Input should be greater than or equal to 0',
  },
  {
    path: '/raw/order_hdr?limit=0',
    status: 422,
    title: 'Unprocessable Entity',
    detail: 'query -> limit: Input should be greater than or equal to 1',
  },
  { path: '/changes', status: 422, title: 'Unprocessable Entity', detail: 'query -> since: Field required' },
  {
    path: '/catalog',
    key: keys.suedEnterprise,
    status: 429,
    title: 'Too Many Requests',
    detail: `Rate limit exceeded: ${limit} per 1 hour`,
  },
  { path: '/operations/projects?limit=5', status: 500, title: 'Internal Server Error', detail: 'Internal server error' },
  { path: '/v1/operations/projects?limit=5000', status: 500, title: 'Internal Server Error', detail: 'Internal server error' },
];

describe('every error is a problem document (contract: problem documents)', () => {
  test.each(rows)('$status $path', async ({ path, key = keys.nordEnterprise, method = 'GET', status, title, detail }) => {
    const answer = await service.get(path, { key, method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json(;|$)/);
    const [instance] = path.split('?');
    expect(answer.json).toEqual({ type: 'about:blank', title, status, detail, instance });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-ratelimit-limit')).toBe(String(limit));
    expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    expect(answer.headers.get('retry-after')).toEqual(status === 429 ? expect.stringMatching(/^[1-9]\d*$/) : null);
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : null);
  });

  test.each(rows.filter(({ method }) => !method))('HEAD: $status $path has the same headers and no body', async ({ path, key, status }) => {
    const answer = await service.get(path, { key: key === undefined ? keys.nordEnterprise : key, method: 'HEAD' });
    // HEAD reads no rows, so a missing column does not matter.
    expect([answer.status, answer.text]).toEqual([status === 500 ? 200 : status, '']);
    expect(answer.headers.get('x-ratelimit-limit')).toBe(String(limit));
  });

  test('a success also has a request id and the rate-limit headers', async () => {
    const { status, headers } = await service.get('/catalog', { key: keys.nordProfessional });
    expect(status).toBe(200);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
    expect(headers.get('x-ratelimit-remaining')).toBe(String(limit - 1));
  });
});
