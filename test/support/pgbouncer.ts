/** PgBouncer in transaction mode in front of a cluster: the installed program, or that of `PGBOUNCER`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './port.ts';

const versionOf = (name: string): string => spawnSync(name, ['--version'], { encoding: 'utf8' }).stdout ?? '';
const program = [process.env.PGBOUNCER ?? 'pgbouncer', '/usr/sbin/pgbouncer'].find((name) => versionOf(name) !== '');
const [major = 0, minor = 0] = (program && /(\d+)\.(\d+)/.exec(versionOf(program))?.slice(1).map(Number)) || [];
/** Whether it supports named statements: from 1.21 on. */
export const supportsPreparedStatements = major > 1 || minor >= 21;

/** Whether it is installed. In CI it must be. */
export const hasPgbouncer = program !== undefined || Boolean(process.env.CI);

/** Starts it with two server connections in total, so that transactions of a session change connections. */
export const startPgbouncer = async (server: number): Promise<{ readonly port: number; stop(): Promise<void> }> => {
  if (!program) throw new Error('PgBouncer is not installed: apt-get install pgbouncer');
  const folder = mkdtempSync(join(tmpdir(), 'estate-pgbouncer-'));
  const port = await freePort();
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${server} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file =
pool_mode = transaction
default_pool_size = 2
max_client_conn = 200
${supportsPreparedStatements ? 'max_prepared_statements = 200' : ''}
`,
  );
  // It refuses to run as root.
  const uid = process.getuid?.() === 0 ? Number(spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' }).stdout) : undefined;
  if (uid !== undefined) for (const path of [folder, join(folder, 'pgbouncer.ini')]) chownSync(path, uid, -1);
  const options = { stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'], ...(uid !== undefined && { uid }) };
  const pooler = spawn(program, [join(folder, 'pgbouncer.ini')], options);
  const said: string[] = [];
  for await (const line of createInterface(pooler.stderr)) {
    said.push(line);
    if (line.includes('process up')) break;
  }
  if (!said.at(-1)?.includes('process up')) throw new Error(`PgBouncer did not start:\n${said.join('\n')}`);
  pooler.stderr.resume();
  return {
    port,
    stop: async () => {
      const exit = once(pooler, 'exit');
      pooler.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true });
    },
  };
};
