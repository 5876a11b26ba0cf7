/**
 * Measures how the requests of one customer affect another: small pages during the most expensive requests, and during an overload. The
 * clients measure the times.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench:neighbours [-- <part of a name>]
 *
 * The database needs the customers `bench` (`estate demo --customer bench --scale bench`) and `other` (`--scale small`).
 * `FOLDER` names another checkout, built, to compare with; `SECONDS` is the time of each measurement.
 *
 * An attack that misses a target is repeated against a second process of the service, while the other customer uses the first one. Its times
 * then show what the attack costs through the CPUs and the database server, which both processes share.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from '../../tools/key.ts';
import { startService } from '../service.ts';
import { attacksOf } from './attacks.ts';
import { measureOverload } from './overload.ts';
import { type Measured, measureVictim, type VictimOptions } from './victim.ts';

const seconds = Number(process.env.SECONDS ?? 8);
const [only = ''] = process.argv.slice(2);

/** At most this many times the quiet p99, and this many milliseconds. */
const targets = { ratio: 10, milliseconds: 50, megabytes: 320 } as const;

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

/** Removed at the end, so that no run finds the files of an earlier one. */
const files = mkdtempSync(join(tmpdir(), 'estate-bench-neighbours-'));

/** The service with default settings and a cold cache. */
const start = () =>
  startService({
    environment: {
      FILES_DIR: mkdtempSync(join(files, 'service-')),
      NODE_ENV: 'production',
      QUEUE_WAIT_MS: '15000',
      DOCUMENT_TIMEOUT_MS: '10000',
      STATEMENT_TIMEOUT_MS: '60000',
    },
    ...(process.env.FOLDER && { folder: process.env.FOLDER }),
  });

const holds = (quiet: Measured, during: Measured): boolean =>
  (['persistent', 'new'] as const).every((kind) => during[kind] <= Math.min(targets.ratio * quiet[kind], targets.milliseconds)) &&
  during.failed === 0 &&
  during.memory <= targets.megabytes;

/** Measures the victim during an attack against the service at `url`. Resolves with the times and the outcomes of the attack's requests. */
const measureDuring = async (url: string, name: string, columns: readonly string[], victim: VictimOptions) => {
  const child = spawn('node', ['--import', 'tsx', script, url, attacker.key, name, columns.join(' ')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(child.stdout, 'data');
  const measured = await measureVictim(victim);
  child.kill();
  await once(child, 'close');
  return { measured, outcomes: JSON.parse(output.split('\n')[1] || '{}') as Readonly<Record<string, number>> };
};

/** What the other customer measures while the attack uses another process of the service. */
const measureShared = async (victim: VictimOptions, name: string, columns: readonly string[]): Promise<Measured> => {
  const second = await start();
  try {
    return (await measureDuring(second.url, name, columns, victim)).measured;
  } finally {
    await second.stop();
  }
};

const milliseconds = (value: number): string => value.toFixed(1);
const script = new URL('attacker.ts', import.meta.url).pathname;
const [attacker, neighbour] = [await issueKey('bench'), await issueKey('other')];
let missed = 0;
try {
  console.log(
    `Targets: both p99 at most ${targets.ratio} times quiet and ${targets.milliseconds} ms, no failed request, peak memory at most ${targets.megabytes} MB.\n`,
  );
  console.log(
    '| attack | persistent p99, ms | new connection p99, ms | both, attack on another process | failed | peak, MB | responses | target |\n|---|---|---|---|---|---|---|---|',
  );
  let columns: string[] | undefined;
  for (let at = 0; ; at++) {
    const service = await start();
    try {
      columns ??= await columnsOf(service.url, attacker.key);
      const attack = attacksOf(columns).filter(({ name }) => name.includes(only))[at];
      if (!attack) break;
      const victim = { url: service.url, key: neighbour.key, pid: service.process.pid, seconds };
      await measureVictim({ ...victim, seconds: 2 });
      const quiet = await measureVictim(victim);
      const { measured, outcomes } = await measureDuring(service.url, attack.name, columns, victim);
      const isMet = holds(quiet, measured);
      if (!isMet) missed++;
      const shared = isMet ? undefined : await measureShared(victim, attack.name, columns);
      const answers = Object.entries(outcomes).map(([name, count]) => `${name}: ${count}`);
      const p99 = (kind: 'persistent' | 'new') => `${milliseconds(quiet[kind])} → ${milliseconds(measured[kind])}`;
      const other = shared ? `${milliseconds(shared.persistent)} and ${milliseconds(shared.new)}` : '';
      console.log(
        `| ${attack.name} | ${p99('persistent')} | ${p99('new')} | ${other} | ${measured.failed} of ${measured.requests} | ${measured.memory.toFixed(0)} | ${answers.join(', ')} | ${isMet ? 'met' : 'MISSED'} |`,
      );
    } finally {
      // A killed process would leave its statements on the server for seconds, next to the following attack.
      await service.stop();
    }
  }
  if ('overload'.includes(only)) {
    const service = await start();
    try {
      if (!(await measureOverload(service, { loading: attacker.key, other: neighbour.key }, seconds))) missed++;
    } finally {
      await service.stop();
    }
  }
} finally {
  await attacker.revoke();
  await neighbour.revoke();
  rmSync(files, { recursive: true, force: true });
}
console.log(`\n${missed === 0 ? 'All targets are met.' : `${missed} targets are missed.`}`);
