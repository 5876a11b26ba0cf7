/** The HAProxy of the compose file, in front of a test's services. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProxyOptions } from './nginx.ts';
import { freePort } from './port.ts';

const program = ['haproxy', '/usr/sbin/haproxy'].find((name) => spawnSync(name, ['-v']).status === 0);

/** Whether it is installed. In CI it must be. */
export const hasHaproxy = program !== undefined || Boolean(process.env.CI);

/** The rules for paths in `ops/haproxy.cfg`. */
const shippedRules = /^ {2}use_backend .*\n {2}default_backend .*\n/m;

export const startHaproxy = async (
  upstream: number,
  { port: given, rules, waiting = upstream }: ProxyOptions = {},
): Promise<{ readonly port: number; stop(): Promise<void> }> => {
  if (!program) throw new Error('HAProxy is not installed: apt-get install haproxy');
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'));
  const port = given ?? (await freePort());
  const shipped = readFileSync('ops/haproxy.cfg', 'utf8');
  const text = (rules === undefined ? shipped : shipped.replace(shippedRules, () => rules))
    .replace('bind :8080', () => `bind 127.0.0.1:${port}`)
    .replaceAll(/(?<=^backend waiting\n[\s\S]*)estate-\d:8080/gm, () => `127.0.0.1:${waiting}`)
    .replaceAll(/estate-\d:8080/g, () => `127.0.0.1:${upstream}`);
  writeFileSync(join(folder, 'haproxy.cfg'), text);
  const haproxy = spawn(program, ['-f', join(folder, 'haproxy.cfg'), '-db'], { stdio: 'ignore' });
  // Without the rules of the file, the path may lead nowhere.
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok || rules !== undefined,
      () => false,
    );
  while (!(await isReady())) {
    if (haproxy.exitCode !== null) throw new Error('HAProxy did not start');
    await pause(50);
  }
  return {
    port,
    stop: async () => {
      haproxy.kill('SIGKILL');
      if (haproxy.exitCode === null && haproxy.signalCode === null) await once(haproxy, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
};
