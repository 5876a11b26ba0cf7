/**
 * What one customer's requests do to another's: pages of 100 rows while a neighbour asks for the most expensive things.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench:neighbours [-- <part of a name>]
 *
 * The database needs the customers `bench` (`estate demo --customer bench --scale bench`) and `other` (`--scale small`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { issueKey } from '../key.ts';
import { memoryOf } from '../process.ts';
import { quantile, startService } from '../service.ts';
import { attacksOf } from './attacks.ts';

const seconds = Number(process.env.SECONDS ?? 8);
const [only = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

const get = (url: string, key: string): Promise<number> =>
  new Promise((resolve) => {
    const call = request(url, { agent, headers: { 'X-API-Key': key } }, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode ?? 0))
        .on('error', () => resolve(0));
    });
    call.on('error', () => resolve(0)).end();
  });

/** Milliseconds of each page that is asked for during some seconds, one after the other, and those that were not answered 200. */
const measure = async (url: string, key: string, pid: number | undefined) => {
  const times: number[] = [];
  let [failed, memory] = [0, 0];
  for (const until = performance.now() + seconds * 1_000; performance.now() < until; ) {
    const begun = performance.now();
    if ((await get(`${url}/operations/orders?limit=100&offset=${(times.length * 37) % 400}`, key)) !== 200) failed++;
    times.push(performance.now() - begun);
    memory = Math.max(memory, memoryOf(pid, 'VmRSS'));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { times, failed, memory };
};

const columnsOf = async (url: string, key: string): Promise<string[]> => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: '{ __type(name: "Order") { fields { name type { kind ofType { kind } } } } }' }),
  });
  const { data } = (await response.json()) as {
    data: { __type: { fields: { name: string; type: { kind: string; ofType: { kind: string } | null } }[] } };
  };
  return data.__type.fields.filter(({ type }) => (type.ofType ?? type).kind === 'SCALAR').map(({ name }) => name);
};

const [attacker, neighbour] = [await issueKey('bench'), await issueKey('other')];
const seen: { name: string; ratio: number; p99: number; failed: number; memory: number }[] = [];
try {
  let columns: string[] | undefined;
  for (let at = 0; ; at++) {
    const service = await startService({ environment: { NODE_ENV: 'production' } });
    try {
      columns ??= await columnsOf(service.url, attacker.key);
      const attacks = attacksOf(columns).filter(({ name }) => name.includes(only));
      const attack = attacks[at];
      if (!attack) break;
      await measure(service.url, neighbour.key, service.process.pid);
      const quiet = quantile((await measure(service.url, neighbour.key, service.process.pid)).times, 0.99);
      const script = new URL('attacker.ts', import.meta.url).pathname;
      const child = spawn('node', ['--import', 'tsx', script, service.url, attacker.key, attack.name, columns.join(' ')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let answers = '';
      child.stdout.on('data', (chunk) => {
        answers += chunk;
      });
      const { times, failed, memory } = await measure(service.url, neighbour.key, service.process.pid);
      child.kill();
      await once(child, 'close');
      const p99 = quantile(times, 0.99);
      seen.push({ name: attack.name, ratio: p99 / quiet, p99, failed, memory });
      console.log(
        `${attack.name.padEnd(50)} p99 ${quiet.toFixed(1)} → ${p99.toFixed(1)} ms (${(p99 / quiet).toFixed(1)}×), ${failed} of ${times.length} failed, ${memory.toFixed(0)} MB, neighbour: ${answers.split('\n')[1]}`,
      );
    } finally {
      service.process.kill('SIGKILL');
    }
  }
} finally {
  agent.destroy();
  await attacker.revoke();
  await neighbour.revoke();
}
console.log(
  `worst ratio ${Math.max(...seen.map(({ ratio }) => ratio)).toFixed(1)}, most memory ${Math.max(...seen.map(({ memory }) => memory)).toFixed(0)} MB`,
);
