import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openEmbedded } from '../../src/database/embedded/embedded.ts';
import { lockFolder } from '../../src/database/embedded/folder-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'estate-embedded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that is not the service. */
const stranger = spawn('sleep', ['600']);
afterAll(() => stranger.kill());

const module = new URL('../../src/database/embedded/embedded.ts', import.meta.url).href;

/** Opens the folder in another process. Returns the error message if it is refused. */
const openElsewhere = async (): Promise<string> => {
  const script = `const { openEmbedded } = await import(${JSON.stringify(module)});
    await openEmbedded(${JSON.stringify(folder)}).then((d) => d.close(), (error) => console.log(error.constructor.name + ': ' + error.message));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  return stdout.trim();
};

describe('the embedded database is for one process (design, The embedded default)', () => {
  test('another process is refused with the name of the owner, until the database is closed', async () => {
    const database = await openEmbedded(folder);
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toMatch(new RegExp(`^${process.pid} .`));
    await expect(openEmbedded(folder)).rejects.toThrow(`in use by process ${process.pid}`);
    await database.pool.query('create table kept (id integer)');
    await database.pool.query('insert into kept values (7)');
    expect(await openElsewhere()).toBe(
      `OperatorError: The embedded database in ${folder} is in use by process ${process.pid}. Stop that process first, or set DATABASE_URL to a PostgreSQL server, which many processes can share.`,
    );
    expect((await database.pool.query('select id from kept')).rows).toEqual([{ id: 7 }]);
    await database.close();
    expect(existsSync(join(folder, 'lock'))).toBe(false);
    const again = await openEmbedded(folder);
    expect((await again.pool.query('select id from kept')).rows).toEqual([{ id: 7 }]);
    await again.close();
  });

  test('a client that disconnects in a transaction leaves no state to the next one', { timeout: 120_000 }, async () => {
    const database = await openEmbedded(folder);
    const named = { name: 'the same name', text: 'select $1::integer as value' };
    const client = await database.pool.connect();
    await client.query({ ...named, values: [1] });
    await client.query("begin; set timezone = 'Asia/Tokyo'; create table half_done (id integer)");
    client.release(true);
    expect((await database.pool.query({ ...named, values: [2] })).rows).toEqual([{ value: 2 }]);
    expect((await database.pool.query('show timezone')).rows).toEqual([{ TimeZone: 'UTC' }]);
    expect((await database.pool.query("select to_regclass('half_done') as left")).rows).toEqual([{ left: null }]);
    await expect(database.pool.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
    await database.close();
  });

  test.each([
    [
      'of a process that is gone',
      async () => {
        const child = spawn(process.execPath, ['-e', '']);
        await once(child, 'exit');
        return String(child.pid);
      },
    ],
    ['of an earlier container with the same pid', async () => String(process.pid)],
    ['of an earlier process with the same pid', async () => `${process.pid} ${'0'.repeat(36)} 1`],
    ['whose pid belongs to another process by now', async () => `${process.ppid} ${'0'.repeat(36)} 1`],
    ['of an earlier version, whose pid belongs to another program by now', async () => String(stranger.pid)],
    ['that is empty', async () => ''],
    ['that is garbage', async () => 'garbage'],
  ])('a lock %s is taken over', async (_, holder) => {
    const lock = join(folder, 'lock');
    writeFileSync(lock, await holder());
    const release = lockFolder(folder);
    expect(readFileSync(lock, 'utf8')).toMatch(new RegExp(`^${process.pid} .`));
    release();
    expect(existsSync(lock)).toBe(false);
  });

  test('a failed start takes over a stale lock and releases it', async () => {
    writeFileSync(join(folder, 'lock'), 'garbage');
    // A file in place of the database's folder, so that opening fails after the lock was acquired.
    writeFileSync(join(folder, 'postgres'), '');
    await expect(openEmbedded(folder)).rejects.not.toThrow('in use');
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });

  test('of several processes that find a stale lock, one acquires the folder', { timeout: 120_000 }, async () => {
    for (let round = 0; round < 3; round++) {
      writeFileSync(join(folder, 'lock'), `${process.pid} ${'0'.repeat(36)} 1`);
      const lock = new URL('../../src/database/embedded/folder-lock.ts', import.meta.url).href;
      const script = `const { lockFolder } = await import(${JSON.stringify(lock)});
        try { lockFolder(${JSON.stringify(folder)}); process.stdout.write('has it\\n'); } catch (error) { process.stdout.write(error.message + '\\n'); }
        process.stdin.resume();`;
      const processes = Array.from({ length: 5 }, () => spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]));
      try {
        const said = await Promise.all(processes.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])));
        expect(said.filter((text) => text === 'has it\n')).toHaveLength(1);
        expect(said.filter((text) => text.includes('is in use by process'))).toHaveLength(4);
      } finally {
        for (const child of processes) child.kill('SIGKILL');
      }
      await Promise.all(processes.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
      rmSync(join(folder, 'lock'));
    }
  });
});
