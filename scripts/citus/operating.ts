/**
 * Follows docs/operating.md, "Citus", with a role that is no superuser: from one PostgreSQL with loaded customers to a cluster, a backup and
 * restore of one customer, and of the whole cluster.
 *
 *   npm run citus -- operating
 *
 * Without the extension it does nothing.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { roleBlock } from '../production/operating.ts';
import { createFolder, type Node, startNode, withCitus, workerOf } from '../support/citus.ts';
import { type Cleanup, estate, fillDatabase, startVersion } from '../support/versions.ts';

const [, section = ''] = readFileSync('docs/operating.md', 'utf8').split('\n## Citus\n');
const blocks = [...section.matchAll(/^ *```(sql|ini|sh)\n(.*?)^ *```/gms)].map(([, language, text = '']) => ({
  language,
  text: text.replaceAll(/^ +/gm, '').trim(),
}));
const blockWith = (words: string): string =>
  blocks.find(({ text }) => text.includes(words))?.text ?? assert.fail(`docs/operating.md has no block with '${words}'`);

const secret = 'a secret of the service, of 32 bytes or more';

interface Cluster {
  readonly coordinator: Node;
  readonly workers: readonly Node[];
}

/** The addresses in the document are names. */
const placed = (text: string, { coordinator, workers }: Cluster): string =>
  [coordinator, ...workers].reduce(
    (sql, { port }, at) => sql.replace(`'${at === 0 ? 'coordinator' : `worker-${at}`}', 5432`, () => `'127.0.0.1', ${port}`),
    text,
  );

/** Rows and version of a table, as the service answers. */
const answerOf = async (environment: Readonly<Record<string, string>>, key: string, cleanup: Cleanup) => {
  const own: Cleanup = [];
  const url = await startVersion(process.cwd(), environment, own);
  cleanup.push(...own);
  try {
    const response = await fetch(`${url}/raw/person?limit=20`, { headers: { 'X-API-Key': key } });
    const body = (await response.json()) as { data: readonly Record<string, unknown>[] };
    return { status: response.status, rows: JSON.stringify(body.data), version: Number(response.headers.get('x-data-version')) };
  } finally {
    for (const step of own) await step();
  }
};

const run = async (binaries: string, cleanup: Cleanup): Promise<void> => {
  const folder = createFolder(cleanup);
  const coordinator = await startNode(binaries, folder, 'coordinator', cleanup);
  const url = coordinator.address('estate', 'estate');
  for (const line of roleBlock().split('\n')) await coordinator.query(line);
  const { environment, keys } = fillDatabase(process.cwd(), url, secret);
  const cli = (...args: readonly string[]) => estate(process.cwd(), environment, ...args);
  const before = await answerOf(environment, keys.enterprise, cleanup);
  console.log('ok: one PostgreSQL with two customers');

  const archive = join(folder, 'archive');
  mkdirSync(archive, { mode: 0o777 });
  execFileSync('chmod', ['777', archive]);
  const archiving = (name: string) => `archive_mode = on\narchive_command = 'mkdir -p ${archive}/${name} && cp %p ${archive}/${name}/%f'`;
  coordinator.configure(`${blockWith('shared_preload_libraries')}\n${archiving('coordinator')}`);
  coordinator.stop('fast');
  coordinator.start();
  const workers: Node[] = [];
  for (const name of ['worker-1', 'worker-2']) {
    const worker = await startNode(binaries, folder, name, cleanup, `${blockWith('shared_preload_libraries')}\n${archiving(name)}`);
    for (const line of roleBlock().split('\n')) await worker.query(line);
    workers.push(worker);
  }
  const cluster = { coordinator, workers };
  for (const node of [coordinator, ...workers]) await node.query(blockWith('create extension citus'), 'estate');
  for (const line of placed(blockWith('citus_add_node'), cluster).split('\n')) await coordinator.query(line, 'estate');
  const migrated = cli('migrate');
  assert.match(migrated, /Distributed customer nord\.\nDistributed customer sued\./);
  assert.deepEqual(await answerOf(environment, keys.enterprise, cleanup), before);
  assert.deepEqual(await answerOf({ ...environment, NODE_READS: 'on' }, keys.enterprise, cleanup), before);
  console.log('ok: the customers are on workers, with the same rows and versions');
  const findings = estate(process.cwd(), { ...environment, NODE_READS: 'on' }, 'doctor');
  for (const { port } of workers) assert.match(findings, new RegExp(`reads at 127.0.0.1:${port} .*the service reaches it`));
  console.log('ok: the role reads at the nodes');

  const nodes = cli('nodes');
  assert.match(nodes, new RegExp(String(workers[1]!.port)));
  const here = await workerOf(cluster, 'nord');
  const to = workers.find((worker) => worker !== here)!;
  cli('customer', 'move', 'nord', '--node', `127.0.0.1:${to.port}`);
  assert.equal(await workerOf(cluster, 'nord'), to);
  console.log('ok: the role moves a customer');

  const shell = (text: string) =>
    execFileSync('bash', ['-euc', text], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ...environment,
        PATH: `${join(process.cwd(), 'bin')}:${binaries}:${process.env.PATH}`,
        PGHOST: '127.0.0.1',
        PGPORT: String(coordinator.port),
        PGUSER: 'estate',
      },
    });
  shell(blockWith('pg_dump --format=custom --schema').replaceAll('<slug>', 'nord'));
  const restoring = blockWith('drop schema customer_').replaceAll('<slug>', 'nord').split('\n');
  for (const line of restoring) line.startsWith('estate ') ? cli(...line.split(' ').slice(1)) : shell(line);
  assert.deepEqual(await answerOf(environment, keys.enterprise, cleanup), before);
  console.log('ok: one customer is dumped, restored and distributed again');

  for (const node of [coordinator, ...workers])
    node.run('pg_basebackup', '-h', '127.0.0.1', '-p', String(node.port), '-U', 'postgres', '-D', `${node.data}.backup`, '-c', 'fast');
  await coordinator.query(blockWith('citus_create_restore_point'), 'estate');
  cli('customer', 'add', 'later', '--name', 'Later', '--tier', 'basic');
  for (const [at, node] of [coordinator, ...workers].entries()) {
    await node.query('select pg_switch_wal()');
    node.stop('fast');
    renameSync(node.data, `${node.data}.lost`);
    cpSync(`${node.data}.backup`, node.data, { recursive: true, preserveTimestamps: true });
    execFileSync('chown', ['-R', 'postgres', node.data]);
    execFileSync('chmod', ['700', node.data]);
    const name = at === 0 ? 'coordinator' : `worker-${at}`;
    node.configure(`restore_command = 'cp ${archive}/${name}/%f %p'\n${blockWith('recovery_target_name')}`);
    execFileSync('touch', [join(node.data, 'recovery.signal')]);
    node.start();
  }
  cli('restored');
  const after = await answerOf(environment, keys.enterprise, cleanup);
  assert.deepEqual([after.status, after.rows], [before.status, before.rows]);
  assert.ok(after.version > before.version, 'the versions rise');
  assert.doesNotMatch(cli('customer', 'list'), /later/);
  console.log('ok: the cluster is recovered to the restore point of all nodes');
};

await withCitus(run);
