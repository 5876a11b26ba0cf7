/**
 * Follows "Run it in production" of the README exactly: the SQL as the superuser of a new PostgreSQL cluster, the commands in a shell, and a
 * request with the printed key. Only the address of the server and the port differ. The script also loads data as the same role, and then
 * follows docs/operating.md.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../test/support/port.ts';
import type { Primary } from '../topology/cluster.ts';
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
  return text.replace(from, () => to);
};

/**
 * Follows the section in the folder of the project, with the SQL as the superuser of the cluster. Returns the commands that built. In the end
 * the cluster is as before.
 */
export const followReadme = async (
  project: string,
  { port: databasePort, environment: { POSTGRES_USER, POSTGRES_PASSWORD } }: Primary,
  stops: (() => Promise<void>)[],
): Promise<readonly string[]> => {
  const { sql, sh } = readBlocks();
  assert.equal(sql, roleBlock(), 'README and docs/operating.md give the role the same');
  const port = await freePort();
  const login = {
    ...process.env,
    PGHOST: '127.0.0.1',
    PGPORT: `${databasePort}`,
    PGUSER: POSTGRES_USER,
    PGPASSWORD: POSTGRES_PASSWORD,
    PGDATABASE: 'postgres',
  };
  const psql = (...args: string[]) =>
    execFileSync('psql', ['-v', 'ON_ERROR_STOP=1', '-q', ...args], { env: login, encoding: 'utf8', stdio: 'pipe' });
  for (const statement of sql.trim().split('\n')) psql('-c', statement);
  console.log('role and database made');

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
  writeFileSync(join(project, 'sql-server.yml'), `databases: { erp: { type: sqlserver, url: "\${SOURCE_ERP}" } }\n`);
  const draft = spawnSync('bin/estate.js', ['source', 'draft', 'sql-server.yml'], {
    cwd: project,
    env: { ...environment, NODE_ENV: 'production', SOURCE_ERP: 'sqlserver://sa:x@127.0.0.1:1/erp' },
    encoding: 'utf8',
  });
  assert.match(draft.stderr, /The driver of SQL Server is not installed/);
  console.log('a driver that is left out is named');
  const exited = once(shell, 'exit');
  process.kill(-(shell.pid as number), 'SIGTERM');
  await exited;
  followOperating({
    psql: (statement, database = 'postgres') => psql('-d', database, '-Atc', statement),
    shell: (line) =>
      execFileSync('bash', ['-euc', [...exports, line].join('\n')], { cwd: project, env: environment, encoding: 'utf8', stdio: 'pipe' }),
  });
  for (const statement of ['drop database estate', 'drop role estate', 'drop role replicator']) psql('-c', statement);
  const [building = ''] = sh.split('\n');
  return building.split(' && ');
};
