/** REST requests. */
import type { Kind } from '../../src/catalogue/column.ts';
import { categories, includesTier } from '../../src/catalogue/tiers.ts';
import type { KeyName } from '../support/versions.ts';
import type { ApiRequest } from './client.ts';
import { absent, deltaLimit, firstVersion, queryOf, type RawSample, type Sample, walkLimit } from './samples.ts';

interface Options {
  readonly key?: KeyName | null;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const answered = (path: string, { key = 'enterprise', method = 'GET', ...rest }: Options = {}): ApiRequest => ({
  method,
  path,
  key,
  ...rest,
  expects: 'data',
});
export const refused = (path: string, options: Options = {}): ApiRequest => ({ ...answered(path, options), expects: 'refusal' });

/** Text that is not a valid value of the kind. */
const wrong: Readonly<Record<Kind, string>> = {
  integer: 'abc',
  bigint: '99999999999999999999',
  number: '1e3',
  string: 'a\0b',
  date: '2024-02-30',
  timestamp: 'yesterday',
  boolean: 'TRUE',
};

const filterRequests = (sample: Sample): readonly ApiRequest[] => {
  const { table, path, values } = sample;
  const request = (filters: Readonly<Record<string, unknown>>) => answered(`${path}${queryOf(sample, { ...filters, limit: 50 })}`);
  const present = table.filters.filter((column) => values.has(column));
  const [one, two] = present.filter((column) => !table.requiredFilters.includes(column)).slice(-2);
  const together = [one, two].flatMap((column) => (column ? [[column, values.get(column)]] : []));
  return [
    ...table.filters.flatMap((column) => {
      const { kind } = table.columns[column]!;
      return [
        ...(values.has(column) ? [request({ [column]: values.get(column) })] : []),
        request({ [column]: absent[kind] }),
        request({ [column]: wrong[kind] }),
      ];
    }),
    request(Object.fromEntries(together)),
    answered(`${path}${queryOf(sample, { ...Object.fromEntries(together), limit: 1 })}`),
    request({ [table.filters[0] ?? '']: '' }),
    request({ no_such_column: 1 }),
  ];
};

export const tableRequests = (sample: Sample): readonly ApiRequest[] => {
  const { table, path, version, deltaCursor, cursors, etag } = sample;
  const page = (more: Readonly<Record<string, unknown>>) => `${path}${queryOf(sample, more)}`;
  const plain = page({});
  const isBasic = includesTier('basic', categories[table.category]);
  return [
    answered(plain),
    ...[1, 1_000, 1_500].map((limit) => answered(page({ limit }))),
    ...[0, 10, 700, 500_000].map((offset) => answered(page({ offset, limit: 40 }))),
    ...cursors.map((cursor) => answered(page({ limit: walkLimit, cursor }))),
    ...cursors.map((cursor) => refused(page({ limit: walkLimit, cursor, offset: 1 }))),
    ...filterRequests(sample),
    answered(plain, { method: 'HEAD' }),
    answered(page({ limit: 1_500 }), { method: 'HEAD' }),
    answered(page({ limit: walkLimit }), { headers: { 'If-None-Match': etag } }),
    answered(page({ limit: 1_500 }), { headers: { 'If-None-Match': '*' } }),
    answered(page({ limit: 200 }), { headers: { 'Accept-Encoding': 'gzip' } }),
    (table.v1 ? answered : refused)(`/v1${plain}`),
    refused(`${path}/${queryOf(sample)}`),
    ...(table.requiredFilters.length > 0 ? [refused(path), refused(path, { method: 'HEAD' })] : []),
    ...table.requiredFilters.map((column) => refused(`${path}?${column}=1&limit=x`)),
    ...['0', '1e3'].map((limit) => refused(page({ limit }))),
    refused(page({ offset: -1 })),
    refused(page({ offset: 500_001, limit: 0 })),
    refused(page({ cursor: 'garbage' })),
    (isBasic ? answered : refused)(plain, { key: 'basic' }),
    answered(plain, { key: 'other' }),
    refused(plain, { key: null }),
    refused(plain, { method: 'POST' }),
    answered(`${path}/deltas?since_version=${firstVersion}&limit=${deltaLimit}`),
    ...(deltaCursor
      ? [answered(`${path}/deltas?since_version=${firstVersion}&limit=${deltaLimit}&cursor=${encodeURIComponent(deltaCursor)}`)]
      : []),
    answered(`${path}/deltas?since_version=${version}`),
    answered(`${path}/deltas?since_version=${version}`, { method: 'HEAD' }),
    refused(`${path}/deltas?since_version=${version + 1}`),
    refused(`${path}/deltas?since_version=0`),
    refused(`${path}/deltas`),
    ...Object.entries(table.columns).flatMap(([column, { lookup }]) => (lookup ? [answered(`/meta/${table.name}/values/${column}`)] : [])),
    refused(`/meta/${table.name}/values/${table.key}`),
  ];
};

export const rawRequests = ({ name, cursor, version, deltaCursor, etag }: RawSample): readonly ApiRequest[] => {
  const path = `/raw/${name}`;
  return [
    answered(path),
    ...[1, 1_000, 1_500].map((limit) => answered(`${path}?limit=${limit}`)),
    ...(cursor ? [answered(`${path}?limit=${walkLimit}&cursor=${encodeURIComponent(cursor)}`)] : []),
    answered(path, { method: 'HEAD' }),
    answered(`${path}?limit=${walkLimit}`, { headers: { 'If-None-Match': etag } }),
    answered(path, { key: 'other' }),
    refused(`${path}?limit=0`),
    refused(`${path}?cursor=garbage`),
    refused(path, { key: 'restOnly' }),
    answered(`${path}/deltas?since_version=${firstVersion}&limit=${deltaLimit}`),
    ...(deltaCursor
      ? [answered(`${path}/deltas?since_version=${firstVersion}&limit=${deltaLimit}&cursor=${encodeURIComponent(deltaCursor)}`)]
      : []),
    answered(`${path}/deltas?since_version=${version}`),
    refused(`${path}/deltas?since_version=x`),
  ];
};

const everyKey: readonly (KeyName | null)[] = ['basic', 'professional', 'enterprise', 'restOnly', 'other'];

/** Requests that concern no table. */
export const serviceRequests = (): readonly ApiRequest[] => [
  ...everyKey.flatMap((key) => [
    ...['/catalog', '/tables', '/changes?since=2000-01-01', '/openapi.json'].map((path) => answered(path, { key })),
    (key === 'restOnly' ? refused : answered)('/raw/tables', { key }),
  ]),
  ...['/', '/openapi.json', '/docs'].map((path) => answered(path, { key: null })),
  ...['/catalog', '/tables', '/raw/tables', '/changes?since=2000-01-01'].flatMap((path) => [
    answered(path, { method: 'HEAD' }),
    refused(path, { key: null }),
    refused(path, { method: 'DELETE' }),
    refused(path.replace(/(?=\?|$)/, '/')),
  ]),
  ...['2000-01-01T00:00:00', '2000-01-01 00:00:00Z', '2000-01-01T00:00:00%2B02:00', '2100-01-01'].map((since) =>
    answered(`/changes?since=${since.replace(' ', '%20')}`),
  ),
  ...['', '20240101', '2024-02-30', '1700000000', '2000-01-01T00:00:00+02:00'].map((since) => refused(`/changes?since=${since}`)),
  refused('/changes'),
  refused('/meta/orders/values/9'),
  refused('/meta/Orders/values/order%20type'),
  refused('/meta/no_such_table/values/status'),
  refused('/meta/orders/values/order_type', { key: 'basic' }),
  ...['/orders', '/operations', '/operations/no_such_table', '/property/orders', '/operations//orders', '/Operations/orders'].map((path) =>
    refused(path),
  ),
  ...['/v1/catalog', '/v1/raw/tables', '/v2/operations/notifications', '/raw/no_such_table', '/raw/no_such_table/deltas'].map((path) =>
    refused(path),
  ),
  refused('/no/such/path', { key: null }),
  refused('/operations/orders?limit=0&offset=-1&cursor=x'),
  refused('/operations/%zz'),
  ...['-1', '100001', '5.0', '', '0x10'].map((limit) => refused(`/operations/orders?limit=${limit}`)),
];
