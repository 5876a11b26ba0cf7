/** The portal with very many keys: how long its pages take, and what those who ask for data meanwhile wait. */
import { Client } from '../client.ts';
import { memoryOf } from '../process.ts';
import type { Server } from '../server.ts';
import { median } from '../service.ts';
import { type Figure, keyOf, megabytes, ms, served, sql, timeOf, withCustomer } from './estate.ts';

const count = 1_000_000;
const password = 'a password for the benchmark';

const addKeys = `insert into estate.api_keys (id, customer_id, lineage, name, tier, groups, hash, created_at)
  select lpad(n::text, 12, '0'), 1, lpad(n::text, 12, '0'), 'key ' || n, 'enterprise', '{rest,raw,graphql}', sha256(n::text::bytea), now() - n * interval '1 minute'
  from generate_series(1, ${count}) n`;

/** Signs in; gives back the session's cookie. */
const signIn = async ({ url }: Server): Promise<string> => {
  const page = await fetch(`${url}/portal/sign-in`);
  const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';
  const token = /name="token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const response = await fetch(`${url}/portal/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookieOf(page), Origin: url, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, password }),
  });
  if (response.status !== 303 && response.status !== 302) throw new Error(`Signing in is answered ${response.status}`);
  return cookieOf(response);
};

const pages = {
  overview: '/portal',
  'key list': '/portal/keys',
  'page 500 of the list': '/portal/keys?page=500',
  search: '/portal/keys?q=key+77777',
};

export const measure = (): Promise<Figure[]> =>
  withCustomer(async (place, url) => {
    await sql(url, addKeys, 'analyze estate.api_keys');
    const headers = { 'X-API-Key': await keyOf(place, 'bench') };
    return served({ ...place, PORTAL_PASSWORD: password }, async (server) => {
      const Cookie = await signIn(server);
      const waits: number[] = [];
      let isOver = false;
      const api = await Client.to(server.url);
      const lane = (async () => {
        while (!isOver) waits.push((await api.ask({ path: '/catalog', headers })).milliseconds);
      })();
      const figures: Figure[] = [];
      for (const [name, path] of Object.entries(pages)) {
        const times: number[] = [];
        for (let turn = 0; turn < 3; turn++)
          times.push(
            await timeOf(async () => {
              const response = await fetch(server.url + path, { headers: { Cookie } });
              await response.text();
              if (response.status !== 200 || response.redirected) throw new Error(`${path} is answered ${response.status}`);
            }),
          );
        figures.push([`portal with 1,000,000 keys: ${name}`, ms(median(times))]);
      }
      isOver = true;
      await lane;
      api.close();
      const wait = `${ms(Math.max(...waits))}, peak ${megabytes(memoryOf(server.process.pid, 'VmHWM'))}`;
      return [...figures, ['the longest that /catalog waited meanwhile', wait]];
    });
  });
