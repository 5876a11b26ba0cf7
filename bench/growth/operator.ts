/** Response times of portal pages for a signed-in operator. */
import type { Server } from '../../tools/server.ts';
import { median } from '../service.ts';
import { timeOf } from './estate.ts';

export const password = 'a password for the benchmark';

/** Signs in and returns the cookie of the session. */
const signIn = async (url: string): Promise<string> => {
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
          const response = await fetch(url + path, { headers: { Cookie } });
          await response.text();
          if (response.status !== 200 || response.redirected) throw new Error(`${path} is answered ${response.status}`);
        }),
      );
    measured.push([name, median(times)]);
  }
  return measured;
};
