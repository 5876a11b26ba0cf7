/** `estate doctor` finds problems, recommends actions, changes nothing and reveals no secret. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { hasClusters, openDemo, startCluster } from '../support/cluster.ts';
import { freePort } from '../support/port.ts';
import { runEstate } from '../support/program.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'estate-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Found {
  readonly check: string;
  readonly state: string;
  readonly found: string;
  readonly advice?: string;
}

/** Runs it as a process. Returns its findings by name, and its exit code. */
const doctor = async (environment: Record<string, string>, ...more: string[]) => {
  const ended = await runEstate(['doctor', ...(more.length > 0 ? more : ['--json'])], {
    TMPDIR: folder,
    DATA_DIR: join(folder, 'none'),
    ...environment,
  });
  const findings: Found[] = ended.out.startsWith('{') ? JSON.parse(ended.out).findings : [];
  const failures = findings.filter(({ state }) => state === 'fault').map(({ check }) => check);
  return { ...ended, findings: new Map(findings.map((one) => [one.check, one])), failures };
};

const KEY_SECRET = 'a secret that is told to nobody';

test('without a server all checks pass, and nothing is created', async () => {
  const { code, err, failures, findings } = await doctor({});
  expect([code, err, failures]).toEqual([0, '', []]);
  expect(findings.get('embedded database')?.found).toContain('at the first start');
  expect(findings.get('disk for large pages')?.found).toMatch(/^\d+ MB free in /);
});

test('invalid settings are named one by one, without their values', async () => {
  const { code, out, err, failures } = await doctor({ PORT: 'x', KEY_SECRET: 'too short' });
  expect([code, err, failures]).toEqual([1, 'estate: 2 checks failed.\n', ['settings', 'settings']]);
  expect(out).not.toContain('too short');
});

test('a secret from the documentation is named', async () => {
  const secret = 'only-for-a-trial-on-this-machine';
  const { code, out, failures } = await doctor({ DATABASE_URL: 'postgres://x/y', KEY_SECRET: secret });
  expect([code, failures]).toEqual([1, ['settings']]);
  expect(out).toContain('KEY_SECRET is a value from the documentation');
  expect(out).not.toContain(secret);
});

test('unreachable servers are named by their settings, without passwords, and without colours if there is no terminal', async () => {
  const port = await freePort();
  const environment = {
    KEY_SECRET,
    DATABASE_URL: `postgres://me:hidden%20word@127.0.0.1:${port}/x`,
    REDIS_URL: `redis://me:other-word@127.0.0.1:${port}`,
    PORTAL_PASSWORD: 'an operators password',
  };
  const { code, findings, failures } = await doctor(environment);
  expect([code, failures]).toEqual([1, ['PostgreSQL', 'Redis']]);
  expect(findings.get('PostgreSQL')?.advice).toContain('DATABASE_URL');
  expect(findings.get('Redis')?.advice).toContain('REDIS_URL');
  const { out, err } = await doctor(environment, '--');
  expect(out).toMatch(/^fault {4}Redis +failed: /m);
  for (const secret of [KEY_SECRET, 'hidden', 'other-word', 'an operators password', '\u001b']) expect(out + err).not.toContain(secret);
});

describe.runIf(hasClusters)('with servers', () => {
  test('it reports rights, control schema, encoding, replication, and a replica in place of a primary', async () => {
    const primary = await startCluster();
    const database = await openDemo(primary);
    const replica = await primary.replica();
    try {
      await primary.query('create role app login');
      await primary.query("create database latin encoding 'LATIN1' locale 'C' template template0");
      const addressOf = (cluster: typeof primary, name = 'postgres', at = 'estate') => cluster.address(at, name);
      await primary.isReplayedBy(replica);

      const well = await doctor({ KEY_SECRET, DATABASE_URL: database.address, DATABASE_READ_URL: addressOf(replica) });
      expect([well.code, well.failures]).toEqual([0, []]);
      expect(well.findings.get('rights')).toMatchObject({ state: 'warning', found: 'postgres is a superuser' });
      expect(well.findings.get('replica 1')).toMatchObject({ state: 'ok' });
      expect(well.findings.get('control schema')).toMatchObject({ state: 'ok' });

      const poor = await doctor({ KEY_SECRET, DATABASE_URL: addressOf(primary, 'app', 'latin') });
      expect(poor.failures).toEqual(['encoding', 'rights', 'control schema']);
      expect(poor.findings.get('rights')?.advice).toContain('grant create on database latin to app;');

      const swapped = await doctor({ KEY_SECRET, DATABASE_URL: addressOf(replica), DATABASE_READ_URL: database.address });
      expect(swapped.failures).toEqual(['primary', 'replica 1']);

      await primary.query("insert into estate.kysely_migration (name, timestamp) values ('999_later', '')", 'estate');
      const newer = await doctor({ KEY_SECRET, DATABASE_URL: database.address });
      expect(newer.findings.get('control schema')?.found).toContain('newer than this program');

      expect(await primary.query("select from pg_catalog.pg_namespace where nspname = 'estate'", 'latin')).toEqual([]);
    } finally {
      await database.close();
      replica.remove();
      primary.remove();
    }
  });
});
