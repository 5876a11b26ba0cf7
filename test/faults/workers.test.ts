/** One command with several processes on one port, with common counts. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { startEstate } from '../support/program.ts';
import { keys, testSecret } from '../support/settings.ts';

test('the embedded database is for one process, and the error says so', () => {
  expect(() => readConfig({ WORKERS: '2' })).toThrow('WORKERS must be 1 without DATABASE_URL: the embedded database is for one process');
  expect(readConfig({ WORKERS: 'auto', DATABASE_URL: 'postgres://x/y', KEY_SECRET: testSecret }).WORKERS).toBeGreaterThanOrEqual(1);
});

describe.runIf(onServer)('two workers', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let primary: ChildProcess;
  let url = '';
  let metrics = '';
  let said = '';

  beforeAll(async () => {
    database = await openTestDatabase();
    const env = {
      DATABASE_URL: database.address,
      KEY_SECRET: testSecret,
      WORKERS: '2',
      PORT: '0',
      METRICS_PORT: '0',
      RATE_LIMIT: '20',
      LOG_LEVEL: 'error',
    };
    primary = startEstate(['serve'], env);
    primary.stderr?.on('data', (bytes) => {
      said += bytes;
    });
    for await (const bytes of primary.stdout ?? []) {
      const text = String(bytes);
      url = /answers at (\S+)/.exec(text)?.[1] ?? url;
      metrics = /Metrics +(\S+)/.exec(text)?.[1] ?? metrics;
      if (url && metrics) break;
    }
    expect(said).toBe('');
  }, 120_000);
  afterAll(async () => {
    primary.kill('SIGKILL');
    await database.close();
  });

  const workers = () =>
    execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(primary.pid)], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes('estate.js'))
      .map((line) => Number.parseInt(line, 10));
  /** Uses a new connection, so that workers alternate. */
  const ask = async (key: string) => (await fetch(`${url}/catalog`, { headers: { 'X-API-Key': key, Connection: 'close' } })).status;
  const sum = async (series: string) => {
    const text = await (await fetch(metrics)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length),
    );
  };

  test('share one quota, and their metrics are summed', async () => {
    const statuses = await Promise.all(Array.from({ length: 40 }, () => ask(keys.nordEnterprise)));
    expect(statuses.sort()).toEqual([...Array(20).fill(200), ...Array(20).fill(429)]);
    const answered = () => sum('estate_http_requests_total{route="/catalog",status="429",class="enterprise"}');
    await expect.poll(answered).toBe(20);
    expect(await sum('estate_version_feed_listening')).toBe(2);
  });

  test('one that dies is replaced, and the quota continues', async () => {
    const before = workers();
    expect(before).toHaveLength(2);
    process.kill(before[0] as number, 'SIGKILL');
    await expect.poll(workers).toSatisfy((now: number[]) => now.length === 2 && !now.includes(before[0] as number));
    // The line can arrive after the worker is replaced.
    await expect.poll(() => said).toContain('a worker died, another takes its place');
    expect(await ask(keys.nordEnterprise)).toBe(429);
    await expect.poll(() => sum('estate_version_feed_listening')).toBe(2);
  });

  test('workers that die while they wait for a count are replaced, and no other request fails', async () => {
    const before = workers();
    const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
    /** As many requests as connections, so that each worker has some. */
    const askAll = (agent: Agent, path: string) =>
      Promise.allSettled(
        Array.from({ length: 8 }, async () => {
          const requestPaths = request(`${url}${path}`, { agent, headers: { 'X-API-Key': keys.nordEnterprise } }).end();
          const [response] = (await once(requestPaths, 'response')) as [IncomingMessage];
          await once(response.resume(), 'end');
        }),
      );
    await Promise.all([askAll(agents[0], '/catalog'), askAll(agents[1], '/health/live')]);
    primary.kill('SIGSTOP');
    const unanswered = askAll(agents[0], '/catalog');
    // Earlier requests are in flight once these are answered.
    for (let round = 0; round < 20; round++) await askAll(agents[1], '/health/live');
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await unanswered;
    primary.kill('SIGCONT');
    await expect
      .poll(workers, { timeout: 60_000 })
      .toSatisfy((now: number[]) => now.length === 2 && !now.some((pid) => before.includes(pid)));
    expect(primary.exitCode).toBeNull();
    for (const agent of agents) agent.destroy();
    await expect.poll(() => sum('estate_version_feed_listening')).toBe(2);
  });

  test('stop in order on a signal', async () => {
    const exit = once(primary, 'exit');
    primary.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });
});
