import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testSecret } from '../support/settings.ts';
import { type CommandLine, openCommandLine } from './command-line.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
let commandLine: CommandLine;
beforeAll(async () => {
  commandLine = await openCommandLine();
});
afterAll(() => commandLine.close());

const estate = (line: readonly string[]) => commandLine.run(...line);
const estateProcess: CommandLine['runProcess'] = (line, more) => commandLine.runProcess(line, more);
const json: CommandLine['json'] = (...line) => commandLine.json(...line);

/** The key that stays valid after the first one has ended. */
let lasting: string;

describe('customers and keys (contract: commands)', () => {
  let first: { id: string; key: string };

  test('customer add, customer list', async () => {
    const customer = {
      slug: 'kontor',
      name: 'Kontor Ä GmbH',
      tier: 'professional',
      created_at: expect.stringMatching(/Z$/),
      suspended_at: null,
    };
    expect(await json('customer', 'add', 'kontor', '--name', 'Kontor Ä GmbH', '--tier', 'professional')).toEqual(customer);
    expect((await estate(['customer', 'list'])).out).toMatch(/^kontor +Kontor Ä GmbH +professional +\S+Z$/m);
  });

  test('question add, question list, question remove', async () => {
    const file = join(commandLine.folder, 'question.graphql');
    writeFileSync(file, '# Which properties are there?\n{ properties { nodes { propertyId } } }');
    const own = ['--customer', 'kontor'];
    expect(await json('question', 'add', 'properties', file, ...own)).toEqual({
      name: 'properties',
      customer: 'kontor',
      endpoint_url: '/questions/properties',
    });
    expect((await estate(['question', 'list'])).out).toMatch(/^properties +kontor +\S+Z +operator +Which properties are there\?$/m);
    expect(await json('question', 'remove', 'properties', ...own)).toMatchObject({ name: 'properties', removed: true });
    expect(await json('question', 'list')).toEqual([]);
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

  test('key rotate issues a successor, and the old key ends after the overlap', async () => {
    const successor = await json('key', 'rotate', first.id, '--overlap', '1h');
    expect(successor).toMatchObject({ customer: 'kontor', tier: 'basic', groups: ['rest', 'raw'] });
    expect(successor.id).not.toBe(first.id);
    lasting = successor.key;
  });

  test('key revoke ends a key', async () => {
    expect(await json('key', 'revoke', first.id)).toMatchObject({ id: first.id, revoked_at: expect.stringMatching(/Z$/) });
  });

  test("key list shows the state of every key, and never a key's text", async () => {
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

  test('key create and key rotate take a data scope from a file, and key list shows it', async () => {
    const file = join(commandLine.folder, 'scope.json');
    writeFileSync(file, '{"personal": ["tax"], "properties": {"ids": [2, 1]}}');
    const limited = await json('key', 'create', '--customer', 'kontor', '--tier', 'basic', '--name', 'limited', '--scope-file', file);
    expect(limited.scope).toEqual({ personal: ['tax'], properties: { ids: [1, 2] } });
    expect((await estate(['key', 'list', '--customer', 'kontor'])).out).toMatch(
      /without personal data: name, contact, bank, birth; properties 1, 2 +limited$/m,
    );
    writeFileSync(file, '{}');
    expect(await json('key', 'rotate', limited.id, '--scope-file', file)).toMatchObject({ scope: null });
    writeFileSync(file, '{"personal": "tax"}');
    const wrong = await estate(['key', 'create', '--customer', 'kontor', '--tier', 'basic', '--scope-file', file]);
    expect([wrong.code, wrong.err]).toEqual([1, 'estate: The scope is not valid: personal must be a list.\n']);
    const absent = await estate([
      'key',
      'create',
      '--customer',
      'kontor',
      '--tier',
      'basic',
      '--scope-file',
      join(commandLine.folder, 'absent.json'),
    ]);
    expect([absent.code, absent.err]).toEqual([1, expect.stringMatching(/^estate: The scope file cannot be read: /)]);
    for (const { id, revoked_at } of JSON.parse((await estate(['key', 'list', '--customer', 'kontor', '--json'])).out))
      if (!revoked_at && lasting.split('_')[1] !== id) await json('key', 'revoke', id);
  });

  test('key disable and key enable block and unblock a key; a revoked key stays revoked', async () => {
    const id = lasting.split('_')[1] as string;
    expect(await json('key', 'disable', id)).toMatchObject({ id, disabled_at: expect.stringMatching(/Z$/) });
    expect(await json('key', 'enable', id)).toMatchObject({ id, disabled_at: null });
    const { code, err } = await estate(['key', 'enable', first.id]);
    expect([code, err]).toEqual([1, `estate: Key '${first.id}' is revoked; create a new one instead.\n`]);
  });

  test('customer rename, suspend, resume', async () => {
    expect(await json('customer', 'rename', 'kontor', 'Kontor SE')).toMatchObject({ slug: 'kontor', name: 'Kontor SE' });
    expect(await json('customer', 'suspend', 'kontor')).toMatchObject({ suspended_at: expect.stringMatching(/Z$/) });
    expect(await json('customer', 'resume', 'kontor')).toMatchObject({ suspended_at: null });
  });

  test('customer remove prompts for the slug, and takes it as an option without a terminal', async () => {
    await json('customer', 'add', 'weg', '--name', 'Weg', '--tier', 'basic');
    const unasked = await estate(['customer', 'remove', 'weg']);
    expect([unasked.code, unasked.out, unasked.err]).toEqual([2, '', expect.stringContaining('--confirm weg')]);
    expect(await estate(['customer', 'remove', 'weg', '--confirm', 'nord'])).toEqual({
      code: 1,
      out: '',
      err: 'estate: That is not weg; nothing was removed.\n',
    });
    expect(await json('customer', 'remove', 'weg', '--confirm', 'weg')).toEqual({ slug: 'weg', removed: true });
  });

  test('log shows who did this, and from where', async () => {
    const entries: Record<string, string>[] = await json('log', '--limit', '100');
    const actions = entries.map(({ action }) => action);
    expect(actions[0]).toBe('removed customer');
    for (const action of ['added customer', 'created key', 'rotated key', 'revoked key', 'disabled key', 'enabled key', 'renamed customer'])
      expect(actions).toContain(action);
    for (const { actor, address } of entries.filter(({ subject }) => subject?.includes('kontor')))
      expect([actor, address]).toEqual([expect.stringMatching(/^command line \(.+\)$/), hostname()]);
    const { out } = await estate(['log', '--search', 'RENAMED', '--from', '2026-01-01']);
    expect(out.trimEnd().split('\n')).toHaveLength(2);
    expect(out).toContain('kontor, from Kontor Ä GmbH to Kontor SE');
  });

  test('usage is shown by day, for all keys, a customer, or one key', async () => {
    const day = { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), requests: 0, rows: 0, bytes: 0, errors: 0, limited: 0 };
    expect(await json('usage', '--customer', 'kontor', '--days', '2')).toEqual([day, day]);
    expect((await estate(['usage', '--key', 'nobody'])).err).toBe("estate: There is no key 'nobody'.\n");
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
  ])('%s is refused: exit code 1, one clear line, nothing on standard output', async (_, line, err) => {
    expect(await estateProcess(line)).toEqual({ code: 1, out: '', err: expect.stringMatching(err) });
  });
});

describe('wrong usage is exit code 2, with the correct usage', () => {
  test('for every kind of wrong usage', async () => {
    const lines = [
      [],
      ['nonsense'],
      ['serve', '--nonsense'],
      ['customer', 'add', 'x'],
      ['customer', 'add', 'x', '--name', 'X', '--tier', 'gold'],
      ['key', 'create', '--customer', 'x'],
      ['key', 'create', '--customer', 'x', '--tier', 'basic', '--groups', 'rest,all'],
      ['key', 'create', '--customer', 'x', '--tier', 'basic', '--expires', 'yesterday'],
      ['key', 'create', '--customer', 'x', '--tier', 'basic', '--expires', '12/31/2199'],
      ['key', 'rotate', 'x', '--overlap', '5'],
      ['demo', '--customer', 'x', '--scale', 'huge'],
      ['usage', '--days', '31'],
      ['log', '--from', '2026-02-30'],
      ['completion', 'fish'],
    ];
    const outcomes = await Promise.all(lines.map((line) => estate(line)));
    expect(outcomes.map(({ code, out }, index) => [lines[index], code, out])).toEqual(lines.map((line) => [line, 2, '']));
    for (const { err } of outcomes) expect(err.trim()).not.toBe('');
  });

  test('help and version are successful', async () => {
    expect(await estateProcess(['--help'])).toMatchObject({ code: 0, err: '', out: expect.stringContaining('customer') });
    expect(await estateProcess(['--version'])).toEqual({ code: 0, err: '', out: `${version}\n` });
  });
});

describe('settings are checked first', () => {
  test('one line for each wrong setting', async () => {
    const { code, out, err } = await estateProcess(['serve'], {
      PORT: 'x',
      RATE_LIMIT: '-1',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
    });
    expect([code, out]).toEqual([1, '']);
    expect(err.trimEnd().split('\n')).toEqual([
      'estate: DATABASE_URL must be a postgres:// address',
      'PORT must be a whole number',
      'RATE_LIMIT must be a whole number',
      'LOG_LEVEL must be a log level',
    ]);
  });

  test('a server needs KEY_SECRET; an unreachable server is one line without its password', async () => {
    const address = { DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/x' };
    expect((await estateProcess(['serve'], { ...address, KEY_SECRET: '' })).err).toMatch(
      /^estate: KEY_SECRET is required with DATABASE_URL[^\n]*\n$/,
    );
    const { code, err } = await estateProcess(['customer', 'list'], { ...address, KEY_SECRET: testSecret });
    expect([code, err]).toEqual([1, expect.stringMatching(/^estate: [^\n]+\n$/)]);
    expect(err).not.toContain('hidden');
  });
});
