/**
 * Starts what docker-compose.yml describes, without containers, and asks it for data: the image built from the Dockerfile in a
 * folder, PostgreSQL as a cluster of its own, each service's command in the order of `depends_on`. Needs PostgreSQL's binaries.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { startCluster, userId } from './cluster.ts';
import { build, type Image } from './dockerfile.ts';
import { freePort } from './port.ts';

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[]; readonly retries: number };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly restart?: string;
}

/** The file as Compose reads it: variables in its values have their defaults. */
const readCompose = (): Readonly<Record<'postgres' | 'demo' | 'estate', Service>> => {
  const withDefaults = (_name: unknown, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1') : value;
  return parse(readFileSync('docker-compose.yml', 'utf8'), withDefaults, { merge: true }).services;
};

/** Asks a health check until it is content, as often as it may be asked. */
const healthy = async (name: string, ask: () => Promise<unknown>, retries: number): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const failure = await ask().then(
      () => undefined,
      (error: unknown) => error ?? new Error('unhealthy'),
    );
    if (!failure) return console.log(`${name} is healthy`);
    if (attempt === retries) throw failure;
    await pause(1_000);
  }
};

const run = promisify(execFile);

const checkEstate = async (url: string, estate: (...args: readonly string[]) => string): Promise<void> => {
  const { key } = JSON.parse(estate('key', 'create', '--customer', 'nord', '--tier', 'enterprise', '--json'));
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, { headers: { 'X-API-Key': key } });
    assert.equal(response.status, 200, path);
    return response.json();
  };
  const orders = (await ask('/operations/orders?limit=10')) as readonly unknown[];
  assert.equal(orders.length, 10);
  console.log('10 orders of the demo customer over HTTP');
};

const checkTopology = async (folder: string, stops: (() => Promise<void>)[]): Promise<void> => {
  const { postgres, demo, estate } = readCompose();
  assert.equal(demo.depends_on?.postgres?.condition, 'service_healthy');
  assert.equal(estate.depends_on?.demo?.condition, 'service_completed_successfully');
  const image: Image = build(readFileSync('Dockerfile', 'utf8'), join(folder, 'app'));
  console.log('image built');

  const databasePort = await freePort();
  stops.push(startCluster(join(folder, 'postgres'), databasePort, postgres.environment));
  const [, ...isReady] = postgres.healthcheck?.test ?? [];
  const database = { ...process.env, PGHOST: '127.0.0.1', PGPORT: `${databasePort}` };
  await healthy('postgres', () => run(isReady[0] as string, isReady.slice(1), { env: database }), postgres.healthcheck?.retries ?? 1);

  const port = await freePort();
  const uid = process.getuid?.() === 0 ? { uid: userId('nobody') } : {};
  const optionsOf = ({ environment }: Service) => {
    const DATABASE_URL = environment.DATABASE_URL?.replace('@postgres:5432', `@127.0.0.1:${databasePort}`);
    return { cwd: image.folder, ...uid, env: { ...image.environment, ...environment, DATABASE_URL, PORT: `${port}`, LOG_LEVEL: 'warn' } };
  };
  const command = ({ command: [name = '', ...args] = image.command }: Service) => [name, args] as const;
  // The second time there is nothing to do: `docker compose up` starts it each time.
  for (let time = 0; time < 2; time++) execFileSync(...command(demo), { ...optionsOf(demo), stdio: 'pipe' });
  console.log('demo customer loaded, and kept');

  const server = spawn(...command(estate), { ...optionsOf(estate), stdio: ['ignore', 'ignore', 'inherit'] });
  stops.push(async () => void server.kill('SIGKILL'));
  await healthy('estate', () => run('sh', ['-c', image.healthcheck], optionsOf(estate)), 30);
  await checkEstate(`http://127.0.0.1:${port}`, (...args) => execFileSync('estate', args, { ...optionsOf(estate), encoding: 'utf8' }));
  server.kill('SIGTERM');
  const [code] = await once(server, 'exit');
  assert.equal(code, 0, 'an orderly end');
};

const folder = mkdtempSync(join(tmpdir(), 'topology-'));
chmodSync(folder, 0o755);
const stops: (() => Promise<void>)[] = [];
try {
  await checkTopology(folder, stops);
  console.log('The topology of docker-compose.yml works.');
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
}
