import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { onServer, openTestDatabase } from '../support/database.ts';
import { testSecret } from '../support/settings.ts';

// Every command is a process that opens the database anew.
vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('../../bin/estate.js', import.meta.url));
let folder: string;
let environment: Record<string, string>;
let drop: () => Promise<void> = async () => {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'estate-cli-'));
  environment = { PATH: process.env.PATH ?? '', DATA_DIR: folder, LOG_LEVEL: 'silent', PORT: '0' };
  if (!onServer) return;
  const database = await openTestDatabase();
  environment = { ...environment, DATABASE_URL: database.address as string, KEY_SECRET: testSecret };
  drop = database.close;
});
afterAll(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line as its own process. */
const estate = (line: readonly string[], more: Record<string, string> = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(process.execPath, [program, ...line], { env: { ...environment, ...more } }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });

/** Runs a command that must succeed, and reads its one JSON document. */
const json = async (...line: string[]) => {
  const { code, out, err } = await estate([...line, '--json']);
  expect({ code, err, lines: out.trimEnd().split('\n').length }).toEqual({ code: 0, err: '', lines: 1 });
  return JSON.parse(out);
};

/** The key that lives on when the first one has ended. */
let lasting: string;

describe('customers and keys (contract: commands)', () => {
  let first: { id: string; key: string };

  test('migrate brings the control schema up to date', async () => {
    const { applied } = await json('migrate');
    expect(applied.includes('001_customers_keys_datasets')).toBe(!onServer);
  });

  test('customer add, customer list', async () => {
    const customer = { slug: 'kontor', name: 'Kontor Ä GmbH', tier: 'professional', created_at: expect.stringMatching(/Z$/) };
    expect(await json('customer', 'add', 'kontor', '--name', 'Kontor Ä GmbH', '--tier', 'professional')).toEqual(customer);
    expect((await estate(['customer', 'list'])).out).toMatch(/^kontor +Kontor Ä GmbH +professional +\S+Z$/m);
  });

  test('key create shows the key, once', async () => {
    const rights = ['--customer', 'kontor', '--tier', 'basic', '--groups', 'rest,raw'];
    first = await json('key', 'create', ...rights, '--name', 'export', '--expires', '2199-12-31');
    expect(first).toMatchObject({
      customer: 'kontor',
      tier: 'basic',
      groups: ['rest', 'raw'],
      name: 'export',
      expires_at: '2199-12-31T00:00:00.000Z',
    });
    expect(first.key).toMatch(new RegExp(`^est_${first.id}_[a-z0-9]{32}$`));
  });

  test('key rotate issues a successor, the old key ends after the overlap', async () => {
    const successor = await json('key', 'rotate', first.id, '--overlap', '1h');
    expect(successor).toMatchObject({ customer: 'kontor', tier: 'basic', groups: ['rest', 'raw'] });
    expect(successor.id).not.toBe(first.id);
    lasting = successor.key;
  });

  test('key revoke ends a key', async () => {
    expect(await json('key', 'revoke', first.id)).toMatchObject({ id: first.id, revoked_at: expect.stringMatching(/Z$/) });
  });

  test('key list says how every key stands, and never shows one', async () => {
    const { out } = await estate(['key', 'list', '--customer', 'kontor', '--json']);
    const keys: { id: string; expires_at: string; revoked_at: string | null }[] = JSON.parse(out);
    expect(keys.map(({ id, revoked_at }) => [id, revoked_at !== null])).toEqual([
      [first.id, true],
      [lasting.split('_')[1], false],
    ]);
    const end = Date.parse(keys[0]?.expires_at as string) - Date.now();
    expect(end).toBeGreaterThan(50 * 60_000);
    expect(end).toBeLessThanOrEqual(60 * 60_000);
    for (const key of [first.key, lasting]) expect(out).not.toContain(key.split('_')[2]);
    expect(out).not.toContain('hash');
  });

  test.each<readonly [string, readonly string[], RegExp]>([
    [
      'a customer twice',
      ['customer', 'add', 'kontor', '--name', 'x', '--tier', 'basic'],
      /^estate: There is a customer 'kontor' already\.\n$/,
    ],
    [
      'a key above its customer',
      ['key', 'create', '--customer', 'kontor', '--tier', 'enterprise'],
      /^estate: Customer 'kontor' has tier professional; [^\n]+\n$/,
    ],
  ])('%s is refused: 1, one clear line, nothing on standard output', async (_, line, err) => {
    expect(await estate(line)).toEqual({ code: 1, out: '', err: expect.stringMatching(err) });
  });
});

describe('wrong usage is 2, with a word on what would be right', () => {
  test('for every way to go wrong', async () => {
    const lines = [
      [],
      ['nonsense'],
      ['serve', '--nonsense'],
      ['customer', 'add', 'x'],
      ['customer', 'add', 'x', '--name', 'X', '--tier', 'gold'],
      ['key', 'create', '--customer', 'x'],
      ['key', 'create', '--customer', 'x', '--tier', 'basic', '--groups', 'rest,all'],
      ['key', 'create', '--customer', 'x', '--tier', 'basic', '--expires', 'yesterday'],
      ['key', 'rotate', 'x', '--overlap', '5'],
      ['demo', '--customer', 'x', '--scale', 'huge'],
    ];
    const outcomes = await Promise.all(lines.map((line) => estate(line)));
    expect(outcomes.map(({ code, out }, index) => [lines[index], code, out])).toEqual(lines.map((line) => [line, 2, '']));
    for (const { err } of outcomes) expect(err.trim()).not.toBe('');
  });

  test('help and version are no error', async () => {
    expect(await estate(['--help'])).toMatchObject({ code: 0, err: '', out: expect.stringContaining('customer') });
    expect(await estate(['--version'])).toEqual({ code: 0, err: '', out: '1.0.0\n' });
  });
});

describe('settings are checked before anything is done', () => {
  test('one line for each fault', async () => {
    const { code, out, err } = await estate(['serve'], { PORT: 'x', RATE_LIMIT: '-1', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x' });
    expect([code, out]).toEqual([1, '']);
    expect(err.trimEnd().split('\n')).toEqual([
      'estate: DATABASE_URL must be a postgres:// address',
      'PORT must be a whole number',
      'RATE_LIMIT must be a whole number',
      'LOG_LEVEL must be a log level',
    ]);
  });

  test('a server needs KEY_SECRET; one that is not there is one line without its password', async () => {
    const address = { DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/x' };
    expect((await estate(['serve'], { ...address, KEY_SECRET: '' })).err).toMatch(
      /^estate: KEY_SECRET is required with DATABASE_URL[^\n]*\n$/,
    );
    const { code, err } = await estate(['customer', 'list'], { ...address, KEY_SECRET: testSecret });
    expect([code, err]).toEqual([1, expect.stringMatching(/^estate: [^\n]+\n$/)]);
    expect(err).not.toContain('hidden');
  });
});

describe('serve', () => {
  /** Starts the service; resolves once it says where it answers. */
  const serve = async (): Promise<{ child: ChildProcess; url: string; greeting: string }> => {
    const child = spawn(process.execPath, [program, 'serve'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      out += chunk;
      const [, url] = /answers at (http:\S+)/.exec(out) ?? [];
      if (url) return { child, url, greeting: out };
    }
    throw new Error(`It ended: ${out}`);
  };

  test('it answers on a free port, has its database for itself, and stops when it is told to', async () => {
    const { child, url, greeting } = await serve();
    const exited = once(child, 'exit');
    try {
      expect(greeting).toContain(`GraphiQL               ${url}/graphql`);
      expect(greeting).toMatch(onServer ? /Portal +off; set PORTAL_PASSWORD/ : /Portal +http/);
      const answer = await fetch(`${url}/property/properties`, { headers: { 'X-API-Key': lasting } });
      expect([answer.status, await answer.text()]).toEqual([200, '[]']);
      expect((await fetch(`${url}/property/properties`)).status).toBe(401);
      if (!onServer) {
        const { code, err } = await estate(['customer', 'list']);
        expect([code, err]).toEqual([
          1,
          expect.stringMatching(new RegExp(`^estate: The embedded database in \\S+ is in use by process ${child.pid}\\.[^\\n]*\\n$`)),
        ]);
      }
    } finally {
      child.kill('SIGTERM');
    }
    expect(await exited).toEqual([0, null]);
  });
});
