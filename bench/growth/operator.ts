/** Response times of portal pages for a signed-in operator. */
import type { Server } from '../../scripts/support/server.ts';
import { fetchAnswer } from '../client.ts';
import { median } from '../service.ts';
import { timeOf } from './estate.ts';

export const password = 'a password for the benchmark';

/** Signs in and returns the cookie of the session. */
const signIn = async (url: string): Promise<string> => {
  const page = await fetchAnswer(`${url}/portal/sign-in`);
  const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';
  const token = /name="token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const headers = { Cookie: cookieOf(page), Origin: url, 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ token, password });
  return cookieOf(await fetchAnswer(`${url}/portal/sign-in`, { method: 'POST', redirect: 'manual', headers, body }, 303));
};

const turns = 5;

/** The median time of each page in milliseconds. */
export const pageTimes = async (
  { url }: Server,
  pages: Readonly<Record<string, string>>,
): Promise<(readonly [name: string, time: number])[]> => {
  const Cookie = await signIn(url);
  const measured: (readonly [string, number])[] = [];
  for (const [name, path] of Object.entries(pages)) {
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn++)
      times.push(
        await timeOf(async () => {
          await (await fetchAnswer(url + path, { headers: { Cookie }, redirect: 'manual' })).text();
        }),
      );
    measured.push([name, median(times)]);
  }
  return measured;
};
