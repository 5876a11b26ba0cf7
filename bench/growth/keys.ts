/** The portal with many keys: the time of its pages, and the effect on requests for data. */

import { memoryOf } from '../../scripts/support/process.ts';
import { Client } from '../client.ts';
import { type Figure, keyOf, megabytes, ms, sql, withCustomer, withService } from './estate.ts';
import { pageTimes, password } from './operator.ts';

const count = 1_000_000;

const addKeys = `insert into estate.api_keys (id, customer_id, lineage, name, tier, groups, hash, created_at)
  select lpad(n::text, 12, '0'), 1, lpad(n::text, 12, '0'), 'key ' || n, 'enterprise', '{rest,raw,graphql}', sha256(n::text::bytea), now() - n * interval '1 minute'
  from generate_series(1, ${count}) n`;

const pages = {
  overview: '/portal',
  'key list': '/portal/keys',
  'page 500 of the list': '/portal/keys?page=500',
  search: '/portal/keys?q=key+77777',
};

export const measure = (): Promise<Figure[]> =>
  withCustomer(async (location, url) => {
    await sql(url, addKeys, 'analyze estate.api_keys');
    const headers = { 'X-API-Key': await keyOf(location, 'bench') };
    return withService({ ...location, PORTAL_PASSWORD: password }, async (server) => {
      const waits: number[] = [];
      let isOver = false;
      const api = await Client.to(server.url);
      const lane = (async () => {
        while (!isOver) waits.push((await api.ask({ path: '/catalog', headers })).milliseconds);
      })();
      const times = await pageTimes(server, pages);
      isOver = true;
      await lane;
      api.close();
      const wait = `${ms(Math.max(...waits))}, peak ${megabytes(memoryOf(server.process.pid, 'VmHWM'))}`;
      return [
        ...times.map(([name, time]) => [`portal with 1,000,000 keys: ${name}`, ms(time)] as const),
        ['the longest that /catalog waited meanwhile', wait],
      ];
    });
  });
