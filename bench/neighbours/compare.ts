/**
 * Measures what one customer can do to another, as the service is deployed: one process, the default quota, and the shipped HAProxy in front.
 * The attacker has two keys of one customer and its own address. It goes on when its quota is used up.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench -- neighbours [<part of a name>]
 *
 * The database needs the customers `bench` (`estate demo --customer bench --scale bench`) and `other` (`--scale small`).
 * `SECONDS` is the time of each attack; 60 by default, as in the contract. `DOOR=direct` leaves HAProxy out. `FOLDER` names another checkout,
 * built, to compare with.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from '../../scripts/support/key.ts';
import { password } from '../../test/portal/operator.ts';
import { startHaproxy } from '../../test/support/haproxy.ts';
import { startService } from '../service.ts';
import { attacksOf } from './attacks.ts';
import { measureOverload } from './overload.ts';
import { uploadAttacks } from './uploads.ts';
import { type Measured, measureVictim } from './victim.ts';

const seconds = Number(process.env.SECONDS ?? 60);
const isDirect = process.env.DOOR === 'direct';
const [only = ''] = process.argv.slice(2);

/** The contract of "Defence" in `docs/architecture.md`. Without a proxy, times are not part of it. */
const contract = { slowMs: 250, slowShare: 0.01, megabytes: 512 } as const;

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

/** The service as deployed, with a cold cache. The limits are the defaults of the settings. */
const start = async (environment: Readonly<Record<string, string>> = {}) => {
  const service = await startService({
    environment: {
      FILES_DIR: mkdtempSync(join(files, 'service-')),
      NODE_ENV: 'production',
      TRUST_PROXY: isDirect ? '0' : '1',
      RATE_LIMIT: process.env.RATE_LIMIT ?? '500',
      REQUESTS_PER_KEY: process.env.REQUESTS_PER_KEY ?? '64',
      QUEUE_WAIT_MS: '15000',
      DOCUMENT_TIMEOUT_MS: '10000',
      STATEMENT_TIMEOUT_MS: '60000',
      PORTAL_PASSWORD: password,
      ...environment,
    },
    ...(process.env.FOLDER && { folder: process.env.FOLDER }),
  });
  const door = isDirect ? undefined : await startHaproxy(Number(new URL(service.url).port));
  return {
    ...service,
    url: door ? `http://127.0.0.1:${door.port}` : service.url,
    stop: async () => {
      await door?.stop();
      await service.stop();
    },
  };
};

const isKept = ({ slow, requests, failed, memory }: Measured): boolean =>
  (isDirect || slow <= contract.slowShare * requests) && failed === 0 && memory <= contract.megabytes;

const script = new URL('attacker.ts', import.meta.url).pathname;

/** Measures the other customer during an attack. Resolves with its times and the outcomes of the attack's requests. */
const measureDuring = async (service: Awaited<ReturnType<typeof start>>, name: string, columns: readonly string[]) => {
  const child = spawn(
    'node',
    ['--import', 'tsx', script, service.url, attackers.map(({ key }) => key).join(' '), name, columns.join(' ')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(child.stdout, 'data');
  const measured = await measureVictim({
    url: service.url,
    keys: others.slice(0, 3).map(({ key }) => key),
    pid: service.process.pid,
    seconds,
  });
  child.kill();
  await once(child, 'close');
  return { measured, outcomes: JSON.parse(output.split('\n')[1] || '{}') as Readonly<Record<string, number>> };
};

const attackers = [await issueKey('bench'), await issueKey('bench')] as const;
// The requests of a minute are more than the quota of one key.
const others = [await issueKey('other'), await issueKey('other'), await issueKey('other'), await issueKey('other')] as const;
let missed = 0;
try {
  console.log(
    `Door: ${isDirect ? 'none' : 'HAProxy'}. Contract: no request of the other customer fails, ${isDirect ? '' : `at most ${100 * contract.slowShare} % take more than ${contract.slowMs} ms, `}and memory stays within ${contract.megabytes} MB.\n`,
  );
  console.log(
    `| attack, ${seconds} s | slow requests | p99, ms | failed | peak, MB | responses | contract |\n|---|---|---|---|---|---|---|`,
  );
  let columns: string[] | undefined;
  for (let at = 0; ; at++) {
    const service = await start();
    try {
      columns ??= await columnsOf(service.url, others[3].key);
      const attack = [...attacksOf(columns), ...uploadAttacks].filter(({ name }) => name.includes(only))[at];
      if (!attack) break;
      const { measured, outcomes } = await measureDuring(service, attack.name, columns);
      if (service.process.exitCode !== null) throw new Error(`The process ended: ${attack.name}`);
      if (!isKept(measured)) missed++;
      const answers = Object.entries(outcomes).map(([name, count]) => `${name}: ${count}`);
      const share = ((100 * measured.slow) / measured.requests).toFixed(1);
      console.log(
        `| ${attack.name} | ${measured.slow} of ${measured.requests} (${share} %) | ${measured.p99.toFixed(0)} | ${measured.failed} | ${measured.memory.toFixed(0)} | ${answers.join(', ')} | ${isKept(measured) ? 'kept' : 'MISSED'} |`,
      );
    } finally {
      // A killed process would leave its statements on the server for seconds, next to the following attack.
      await service.stop();
    }
  }
  if ('overload'.includes(only)) {
    const service = await start({ RATE_LIMIT: '0', REQUESTS_PER_KEY: '0' });
    try {
      if (!(await measureOverload(service, { loading: attackers[0].key, other: others[0].key }, Math.min(seconds, 10)))) missed++;
    } finally {
      await service.stop();
    }
  }
} finally {
  for (const key of [...attackers, ...others]) await key.revoke();
  rmSync(files, { recursive: true, force: true });
}
console.log(`\n${missed === 0 ? 'The contract is kept.' : `The contract is missed ${missed} times.`}`);
