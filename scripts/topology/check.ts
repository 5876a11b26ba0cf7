/**
 * Starts the services of docker-compose.yml without containers and requests data. It uses the image of the Dockerfile in a folder,
 * PostgreSQL and its replica as clusters, Redis, and HAProxy with the file's configuration, in the order of `depends_on`. Then it restarts
 * the instances one by one under load.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/port.ts';
import { type Primary, setUpPrimary, startReplica, userId } from './cluster.ts';
import { checkOf, healthy, names, run, type Service, type Services } from './compose.ts';
import type { Image } from './dockerfile.ts';
import { startLoad } from './rolling.ts';

type Ports = Readonly<Record<(typeof names)[number], number>>;

const stopOf = (server: ChildProcess, signal: NodeJS.Signals) => async () => {
  server.kill(signal);
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
};

/** Maps an address between containers to this machine. */
const placed = (text: string, ports: Ports): string =>
  names.reduce((all, name) => all.replaceAll(new RegExp(`(?<=[@/ ])${name}:\\d+`, 'g'), () => `127.0.0.1:${ports[name]}`), text);

/** A quota that allows the load but still counts it. */
const quota = 1_000_000;
/** The time until HAProxy notices that an instance is available again. */
const noticedMs = 2_500;

export interface Deployment {
  readonly folder: string;
  readonly services: Services;
  readonly image: Image;
  /** The cluster of the service `postgres`, which has no role and no database of the service yet. */
  readonly cluster: Primary;
  /** The requests a second during the restarts. */
  readonly perSecond: number;
}

export const checkTopology = async (
  { folder, services, image, cluster, perSecond }: Deployment,
  stops: (() => Promise<void>)[],
): Promise<void> => {
  const { replica, redis, demo } = services;
  assert.equal(demo.depends_on?.postgres?.condition, 'service_healthy');
  assert.equal(services['estate-1'].depends_on?.demo?.condition, 'service_completed_successfully');
  const free = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await freePort()]))) as Ports;
  const ports = { ...free, postgres: cluster.port };

  setUpPrimary(cluster);
  stops.push(startReplica(join(folder, 'replica'), ports.replica, ports.postgres, replica.environment));
  const [store = '', ...options] = redis.command ?? [];
  stops.push(stopOf(spawn(store, [...options, '--port', `${ports.redis}`], { stdio: 'ignore' }), 'SIGKILL'));

  const uid = process.getuid?.() === 0 ? { uid: userId('nobody') } : {};
  const metrics = { 'estate-1': await freePort(), 'estate-2': await freePort() };
  const optionsOf = (name: 'demo' | keyof typeof metrics) => {
    const { environment } = services[name];
    const own = Object.fromEntries(Object.entries(environment).map(([setting, value]) => [setting, placed(String(value), ports)]));
    const here = { PORT: `${ports[name]}`, METRICS_PORT: `${name === 'demo' ? 0 : metrics[name]}`, HOST: '127.0.0.1', LOG_LEVEL: 'warn' };
    return { cwd: image.folder, ...uid, env: { ...image.environment, ...own, ...here, RATE_LIMIT: `${quota}` } };
  };
  const command = ({ command: [name = '', ...args] = image.command }: Service) => [name, args] as const;
  // The second run has nothing to do. `docker compose up` runs it at each start.
  for (let time = 0; time < 2; time++) execFileSync(...command(demo), { ...optionsOf('demo'), stdio: 'pipe' });
  console.log('the demo customer was loaded, and a second run changed nothing');
  await healthy('replica', checkOf(replica, ports.replica), replica.healthcheck?.retries);
  await healthy('redis', checkOf(redis, ports.redis), redis.healthcheck?.retries);

  const start = async (name: keyof typeof metrics): Promise<ChildProcess> => {
    const server = spawn(...command(services[name]), { ...optionsOf(name), stdio: ['ignore', 'ignore', 'inherit'] });
    stops.push(stopOf(server, 'SIGKILL'));
    await healthy(name, () => run('sh', ['-c', image.healthcheck], optionsOf(name)));
    return server;
  };
  const instances = { 'estate-1': await start('estate-1'), 'estate-2': await start('estate-2') };
  const configuration = join(folder, 'haproxy.cfg');
  const text = placed(readFileSync('ops/haproxy.cfg', 'utf8'), ports).replace('bind :8080', () => `bind 127.0.0.1:${ports.haproxy}`);
  writeFileSync(configuration, text);
  stops.push(stopOf(spawn('haproxy', ['-f', configuration, '-db'], { stdio: ['ignore', 'ignore', 'inherit'] }), 'SIGKILL'));
  const url = `http://127.0.0.1:${ports.haproxy}`;
  await healthy('haproxy', async () => assert.equal((await fetch(`${url}/health/ready`)).status, 200));

  const estate = (...args: readonly string[]) => execFileSync('estate', args, { ...optionsOf('demo'), encoding: 'utf8' });
  const { key } = JSON.parse(estate('key', 'create', '--customer', 'nord', '--tier', 'enterprise', '--json'));
  const ask = (path: string) => fetch(`${url}${path}`, { headers: { 'X-API-Key': key } });
  assert.equal(((await (await ask('/operations/orders?limit=10')).json()) as readonly unknown[]).length, 10);
  console.log('10 orders of the demo customer over HTTP');

  const load = startLoad(url, key, perSecond);
  for (const name of ['estate-1', 'estate-2'] as const) {
    await pause(noticedMs);
    instances[name].kill('SIGTERM');
    const [code] = await once(instances[name], 'exit');
    assert.equal(code, 0, 'an orderly end');
    console.log(`${name} has ended`);
    instances[name] = await start(name);
  }
  await pause(noticedMs);
  const { requests, exports, lost, seconds, slowestMs } = await load.stop();
  const rate = Math.round(requests / seconds);
  console.log(`${requests} requests (${rate} a second) and ${exports} exports, ${lost.length} lost; slowest ${Math.round(slowestMs)} ms`);
  assert.deepEqual(lost.slice(0, 5), []);
  const left = Number((await ask('/catalog')).headers.get('x-ratelimit-remaining'));
  console.log(`${quota - left} counted of ${requests + exports + 2} requests`);
  assert.equal(quota - left, requests + exports + 2, 'the quota is counted exactly');
  for (const port of Object.values(metrics)) {
    const reads = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).match(/^estate_reads_total.*$/gm);
    console.log(reads?.join(', '));
  }
  for (const server of Object.values(instances)) await stopOf(server, 'SIGTERM')();
};
