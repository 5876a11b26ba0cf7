/**
 * Follows "Run it in production" of the README exactly: a clean copy of the project, a new PostgreSQL cluster, the SQL as its superuser,
 * the commands in a shell, and a request with the printed key. Only the address of the server and the port differ. The script also loads
 * data as the same role, and then follows docs/operating.md. Needs the programs of PostgreSQL.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/port.ts';
import { startCluster } from '../topology/cluster.ts';
import { followOperating, roleBlock } from './operating.ts';

/** The two blocks between the README's markers. */
const readBlocks = (): { readonly sql: string; readonly sh: string } => {
  const [, section = ''] = /<!-- production:[^>]*-->\n(.*)<!-- \/production -->/s.exec(readFileSync('README.md', 'utf8')) ?? [];
  const block = (language: string) =>
    new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(section)?.[1] ?? assert.fail(`no ${language}`);
  return { sql: block('sql'), sh: block('sh') };
};

/** Replaces a text that must occur exactly once. */
const replaceOnce = (text: string, from: string, to: string): string => {
  assert.equal(text.split(from).length, 2, `${from} must occur in the README once`);
  return text.replace(from, to);
};

/** The files of a clone, with uncommitted changes. */
const copyProject = (to: string): void => {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { encoding: 'utf8' });
  for (const file of list.split('\0').filter(Boolean)) cpSync(file, join(to, file), { recursive: true });
};

const answersTo = async (psql: (...args: string[]) => string): Promise<void> => {
  for (let attempt = 1; ; attempt++)
    try {
      psql('-c', 'select 1');
      return;
    } catch (error) {
      if (attempt === 30) throw error;
      await pause(1_000);
    }
};

const follow = async (folder: string, stops: (() => Promise<void>)[]): Promise<void> => {
  const { sql, sh } = readBlocks();
  assert.equal(sql, roleBlock(), 'README and docs/operating.md give the role the same');
  const superuser = {
    POSTGRES_USER: 'postgres',
    POSTGRES_PASSWORD: 'superuser',
    POSTGRES_INITDB_ARGS: '--locale=C.UTF-8',
  };
  const [databasePort, port] = [await freePort(), await freePort()];
  stops.push(startCluster(join(folder, 'postgres'), databasePort, superuser));
  const login = {
    ...process.env,
    PGHOST: '127.0.0.1',
    PGPORT: `${databasePort}`,
    PGUSER: 'postgres',
    PGPASSWORD: 'superuser',
    PGDATABASE: 'postgres',
  };
  const psql = (...args: string[]) =>
    execFileSync('psql', ['-v', 'ON_ERROR_STOP=1', '-q', ...args], { env: login, encoding: 'utf8', stdio: 'pipe' });
  await answersTo(psql);
  for (const statement of sql.trim().split('\n')) psql('-c', statement);
  console.log('role and database made');

  const project = join(folder, 'project');
  copyProject(project);
  const commands = replaceOnce(replaceOnce(sh, 'localhost:5432', `127.0.0.1:${databasePort}`), 'PORT=8080', `PORT=${port}`);
  const environment = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: process.env.HOME };
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: project,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stops.push(async () => {
    if (shell.exitCode === null && shell.pid) process.kill(-shell.pid, 'SIGKILL');
  });
  let out = '';
  for await (const chunk of shell.stdout.setEncoding('utf8')) {
    out += chunk;
    if (out.includes('Estate answers at')) break;
  }
  const [key] = /^est_\w+$/m.exec(out) ?? assert.fail(`No key was printed: ${out}`);
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-API-Key': key } });
    assert.equal(response.status, 200, path);
    return response.json();
  };
  assert.deepEqual(await ask('/property/properties'), []);
  console.log('built, migrated, a customer and a key added, and the key is answered');

  const exports = commands.split('\n').filter((line) => line.startsWith('export '));
  const beside = [...exports, 'bin/estate.js demo --customer sued --scale tiny', 'bin/estate.js customer list'].join('\n');
  assert.match(
    execFileSync('bash', ['-euc', beside], { cwd: project, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    /^sued /m,
  );
  console.log('data loaded by the same role');
  const exited = once(shell, 'exit');
  process.kill(-(shell.pid as number), 'SIGTERM');
  await exited;
  followOperating({
    psql: (statement, database = 'postgres') => psql('-d', database, '-Atc', statement),
    shell: (line) =>
      execFileSync('bash', ['-euc', [...exports, line].join('\n')], { cwd: project, env: environment, encoding: 'utf8', stdio: 'pipe' }),
  });
};

const folder = mkdtempSync(join(tmpdir(), 'production-'));
execFileSync('chmod', ['755', folder]);
const stops: (() => Promise<void>)[] = [];
try {
  await follow(folder, stops);
  console.log('What the README says of production works.');
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
}
