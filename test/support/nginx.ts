/** A real nginx in front of a service. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './port.ts';

const program = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);

/** The address from which it connects to the service. Its clients have another one. */
export const nginxAddress = '127.0.0.2';

/** Whether it is installed. In CI it must be. */
export const hasNginx = program !== undefined || Boolean(process.env.CI);

export interface ProxyOptions {
  /** Its port; a free one by default. */
  readonly port?: number;
  /** The rules for paths in its configuration; those of the shipped one by default. */
  readonly rules?: string;
  /** The port of the upstream for requests that wait; that of all others by default. */
  readonly waiting?: number;
}

/** The rules for paths in `ops/nginx.conf`. */
const shippedRules = /^ {2}location \/ \{\n[\s\S]*\n {2}\}\n/m;

/** Starts nginx with `ops/nginx.conf`. */
export const startNginx = async (
  upstream: number,
  { port: given, rules, waiting = upstream }: ProxyOptions = {},
): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  if (!program) throw new Error('nginx is not installed: apt-get install nginx-light');
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const port = given ?? (await freePort());
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`);
  const shipped = readFileSync('ops/nginx.conf', 'utf8');
  const text = (rules === undefined ? shipped : shipped.replace(shippedRules, () => rules))
    .replace('listen 8080;', () => `listen 127.0.0.1:${port}; proxy_bind ${nginxAddress};`)
    .replaceAll(/(?<=^upstream estate_waiting \{[^}]*)estate-\d:8080/gm, () => `127.0.0.1:${waiting}`)
    .replaceAll(/estate-\d:8080/g, () => `127.0.0.1:${upstream}`);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr notice;
events {}
http {
  access_log off; ${paths.join(' ')}
  ${text}
}`,
  );
  const nginx = spawn(program, ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  // It listens before it prints its event method.
  for await (const line of createInterface(nginx.stderr)) {
    said.push(line);
    if (line.includes('event method')) break;
  }
  if (!said.at(-1)?.includes('event method')) throw new Error(`nginx did not start:\n${said.join('\n')}`);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
};
