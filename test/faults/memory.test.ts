/** Eight concurrent pages of 100,000 wide rows in a process with little memory: the built program, as in production. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { memoryOf } from '../../scripts/support/process.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { keys, testSecret } from '../support/settings.ts';
import { growTable } from './support.ts';

const rows = 100_000;
const maxMegabytes = 350;

/** The number of rows of a page, and whether it is complete. */
const countRows = async (url: string): Promise<{ readonly rows: number; readonly isWhole: boolean }> => {
  const [response] = await once(get(url, { headers: { 'X-API-Key': keys.nordEnterprise } }), 'response');
  let count = 0;
  let last = '';
  for await (const piece of response as AsyncIterable<Buffer>) {
    const text = last + piece.toString('latin1');
    count += text.split('{"order_id":').length - 1;
    // So short that no row begins twice in it.
    last = text.slice(-11);
    count -= last.split('{"order_id":').length - 1;
  }
  return { rows: count, isWhole: last.endsWith('}]') };
};

test.runIf(onServer)(`eight concurrent large pages take at most ${maxMegabytes} MB`, { timeout: 300_000 }, async () => {
  const database = await openTestDatabase();
  // Inside the checkout, where the built service finds its packages.
  const folder = mkdtempSync(join('node_modules', '.memory-test-'));
  try {
    await growTable(database.pool, { name: 'orders', key: 'order_id', rows });
    const build = spawn(process.execPath, ['scripts/build.mjs', folder], { stdio: 'inherit' });
    expect(await once(build, 'exit')).toEqual([0, null]);
    const flags = ['--max-semi-space-size=16', '--max-old-space-size=256'];
    const service = spawn(process.execPath, [...flags, join(folder, 'main.js'), 'serve'], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database.address,
        KEY_SECRET: testSecret,
        PORT: '0',
        LOG_LEVEL: 'warn',
        STATEMENT_TIMEOUT_MS: '600000',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let url = '';
    for await (const line of createInterface({ input: service.stdout })) {
      url = /answers at (\S+)/.exec(line)?.[1] ?? '';
      if (url) break;
    }
    const pages = await Promise.all(Array.from({ length: 8 }, () => countRows(`${url}/operations/orders?limit=${rows}`)));
    const peak = memoryOf(service.pid, 'VmHWM');
    const exit = once(service, 'exit');
    service.kill();
    expect(await exit).toEqual([0, null]);
    expect(pages).toEqual(Array(8).fill({ rows, isWhole: true }));
    console.log(`eight pages of ${rows} rows at once: ${Math.round(peak)} MB at most`);
    expect(peak).toBeLessThanOrEqual(maxMegabytes);
  } finally {
    rmSync(folder, { recursive: true });
    await database.close();
  }
});
