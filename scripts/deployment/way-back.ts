/**
 * "Upgrade and rollback" of docs/operating.md, with the newest release of an older schema as the old version: what its running instances do on the
 * new schema, what it refuses, and the way back to it.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { checkOut, estate, startVersion, withCleanup } from '../support/versions.ts';

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

const migrationsOf = (commit: string): string => git('ls-tree', '--name-only', commit, 'src/database/migrations/');

/**
 * The commit of the newest release with an older schema, because only such a release is refused by the new schema; undefined without history.
 * A release without new migrations needs no way back: both versions run on one schema.
 */
const lastRelease = (): string | undefined => {
  const versions = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
  if (git('rev-parse', '--is-shallow-repository') === 'true') return undefined;
  const commits = versions.map(
    (version) => git('log', '--format=%H', '-S', `## ${version}`, '--', 'CHANGELOG.md').split('\n').at(-1) ?? '',
  );
  const migrations = migrationsOf('HEAD');
  return commits.find((commit) => commit !== '' && migrationsOf(commit) !== migrations);
};

const paths = ['/property/properties?limit=20', '/operations/orders?limit=20', '/raw/property_hdr?limit=20'] as const;

/** Runs a command that must fail. Returns what it prints on standard error. */
const refused = (folder: string, environment: Readonly<Record<string, string>>, ...args: readonly string[]): string => {
  const { status, stderr } = spawnSync('node', ['--import', 'tsx', 'src/main.ts', ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 1, `the old version refuses ${args[0]}`);
  return stderr;
};

/** `server`: the address of a database of the server, as a role that may create others. */
export const checkWayBack = (server: string): Promise<void> =>
  withCleanup(async (cleanup) => {
    const commit = lastRelease();
    if (commit === undefined) return console.log('The way back is not checked, because the history has no release.');
    const folder = checkOut(commit, cleanup);
    const work = mkdtempSync(join(tmpdir(), 'way-back-'));
    cleanup.push(() => rmSync(work, { recursive: true, force: true }));

    const admin = new pg.Client({ connectionString: server });
    await admin.connect();
    cleanup.push(() => admin.end());
    const name = `way_back_${randomBytes(5).toString('hex')}`;
    const drop = () => admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`create database ${name}`);
    cleanup.push(drop);
    const address = Object.assign(new URL(server), { pathname: `/${name}` }).href;
    const environment = {
      DATABASE_URL: address,
      KEY_SECRET: randomBytes(24).toString('base64url'),
      PORT: '0',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'silent',
    };
    const old = (...args: readonly string[]) => estate(folder, environment, ...args);
    const current = (...args: readonly string[]) => estate(process.cwd(), environment, ...args);

    old('demo', '--customer', 'nord', '--scale', 'tiny', '--json');
    const { key } = JSON.parse(old('key', 'create', '--customer', 'nord', '--tier', 'enterprise', '--json')) as { key: string };
    const ask = async (url: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${url}${path}`, { headers: { 'X-API-Key': key, ...headers } });
      return { status: response.status, etag: response.headers.get('etag') ?? '', text: await response.text() };
    };
    const running = await withCleanup(async (ofOld) => {
      const url = await startVersion(folder, environment, ofOld);
      const before = await Promise.all(paths.map((path) => ask(url, path)));
      for (const { status } of before) assert.equal(status, 200);

      execFileSync('pg_dump', ['--format=custom', `--file=${join(work, 'estate.dump')}`, address]);
      current('migrate');
      const after = await Promise.all(paths.map((path) => ask(url, path)));
      for (const [index, { status, text }] of after.entries()) {
        assert.equal(status, 200);
        assert.equal(text, before[index]!.text, `an old instance answers ${paths[index]} as before the migration`);
      }
      const [property] = JSON.parse(after[2]!.text).data as Record<string, unknown>[];
      writeFileSync(join(work, 'property_hdr.ndjson'), `${JSON.stringify({ ...property, city: 'Nach der Migration' })}\n`);
      current('sync', 'nord', join(work, 'property_hdr.ndjson'), '--upsert', '--json');
      const limit = AbortSignal.timeout(30_000);
      while (!(await ask(url, paths[0])).text.includes('Nach der Migration')) limit.throwIfAborted();
      console.log('old instances that run serve the new schema, and the loads of the new version');

      for (const args of [['serve'], ['sync', 'nord', join(work, 'property_hdr.ndjson'), '--upsert']])
        assert.match(refused(folder, environment, ...args), /newer than this program/);
      console.log('the old version neither starts nor loads on the new schema, and says why');
      return before;
    });

    await drop();
    await admin.query(`create database ${name}`);
    execFileSync('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${address}`, join(work, 'estate.dump')]);
    old('restored');
    await withCleanup(async (ofOld) => {
      const url = await startVersion(folder, environment, ofOld);
      for (const [index, { etag, text }] of running.entries()) {
        const again = await ask(url, paths[index]!, { 'If-None-Match': etag });
        assert.deepEqual([again.status, again.text], [200, text], `${paths[index]} is as before the upgrade, and no earlier ETag holds`);
      }
    });
    console.log('the backup leads back to the old version');

    current('migrate');
    const url = await startVersion(process.cwd(), environment, cleanup);
    assert.equal((await ask(url, paths[0])).status, 200);
    console.log('and the upgrade is repeated');
  });
