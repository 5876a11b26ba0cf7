/** The portal's lists with 1,000 customers and 10,000 keys, each key used in every hour of a day. */
import { copyCustomers } from './customers.ts';
import { type Figure, ms, sql, withCustomer, withService } from './estate.ts';
import { pageTimes, password } from './operator.ts';

const customers = 1_000;
const keys = 10_000;

/** Keys are spread over all customers. A tenth has expired, a twentieth expires within two weeks. */
const addKeys = `insert into estate.api_keys (id, customer_id, lineage, name, tier, groups, hash, created_at, expires_at)
  select lpad(n::text, 12, '0'), c.id, lpad(n::text, 12, '0'), 'key ' || n, 'enterprise', '{rest,raw,graphql}', sha256(n::text::bytea), now() - n * interval '1 minute',
    case when n % 10 = 0 then now() - interval '1 day' when n % 20 = 1 then now() + interval '7 days' end
  from generate_series(1, ${keys}) n join (select id, row_number() over (order by id) - 1 as location from estate.customers) c on c.location = n % ${customers}`;

const addUse = [
  `insert into estate.usage (key_id, hour, requests, rows, bytes, errors, limited, last_at)
   select k.id, h, 40, 4000, 400000, 1, (k.id::bigint % 500 = 0)::int, h
   from estate.api_keys k, generate_series(date_trunc('hour', now()) - interval '23 hours', date_trunc('hour', now()), '1 hour') h`,
  `insert into estate.usage_totals (hour, requests, rows, bytes, errors, limited)
   select hour, sum(requests), sum(rows), sum(bytes), sum(errors), sum(limited) from estate.usage group by hour`,
];

const pages = {
  overview: '/portal',
  customers: '/portal/customers',
  'customers by last sync': '/portal/customers?sort=synced',
  'customers, page in the middle': '/portal/customers?page=10',
  'customers, search': '/portal/customers?q=customer+77',
  'a customer': '/portal/customers/c77',
  keys: '/portal/keys',
  'keys by customer': '/portal/keys?sort=customer',
  'keys, page in the middle': '/portal/keys?page=90',
  'keys, search': '/portal/keys?q=key+777',
  'keys of a customer': '/portal/keys?customer=c77',
  usage: '/portal/usage',
  log: '/portal/log',
};

export const measure = (): Promise<Figure[]> =>
  withCustomer(async (location, url) => {
    await sql(url, copyCustomers(2, customers));
    await sql(url, addKeys, ...addUse, 'analyze');
    const times = await withService({ ...location, PORTAL_PASSWORD: password }, (server) => pageTimes(server, pages));
    return [['portal with 1,000 customers and 10,000 keys', times.map(([name, time]) => `${name} ${ms(time)}`).join('; ')]];
  });
