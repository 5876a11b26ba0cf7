/** The disk for temporary files is full: pages that wait there are aborted, no client gets other bytes, and everything else works. */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BufferPool } from '../../src/body.ts';
import { ResponseSpool } from '../../src/execute/spool.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { startServiceOn, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { type Expected, expectNoLeftovers, expectRecovery, growTable, large, readExpected, readRaw, requestPaths } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'disk-'));
const kibibyte = 1_024;
const mount = (kilobytes: number) => spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'none', folder]).status === 0;
const unmount = () => execFileSync('umount', ['--lazy', folder]);
/** Only root may mount, and not in every container. */
const canMount = mount(64);
if (canMount) unmount();
const usual = process.env.TMPDIR;

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe.runIf(canMount)('a full disk for temporary files (skipped if mounting is not possible)', { timeout: 60_000 }, () => {
  const onDisk = (kilobytes: number) => {
    mount(kilobytes);
    process.env.TMPDIR = folder;
  };
  afterEach(() => {
    if (process.env.TMPDIR !== folder) return;
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
    unmount();
  });

  test('a partly written chunk is noticed: what is read back equals what was written, or nothing', async () => {
    onDisk(20);
    const spool = new ResponseSpool(new BufferPool(64 * kibibyte), 0);
    spool.push(Buffer.alloc(64 * kibibyte, 'x'));
    spool.end();
    const read = async () => {
      const chunks: string[] = [];
      for await (const chunk of spool) chunks.push(chunk.toString());
      return chunks.join('');
    };
    await expect(read()).rejects.toThrow();
  });

  describe.runIf(onServer)('in a service', () => {
    let service: TestService;
    let expected: Expected;
    beforeAll(async () => {
      const database = await openTestDatabase();
      await growTable(database.pool, { name: 'budgets', key: 'budget_id', rows: 60_000 });
      service = await startServiceOn(database, { environment: { RESPONSE_CACHE_MB: '0' } });
      expected = await readExpected(service);
    }, 120_000);
    afterAll(() => service.stop());

    test.each(['1.1', '1.0'])('aborts pages that wait there, and nothing else (HTTP/%s)', async (version) => {
      onDisk(1_030);
      const socket = net.connect(service.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        `GET /accounting/budgets?limit=60000 HTTP/${version}\r\nHost: x\r\nX-API-Key: ${keys.nordEnterprise}\r\nConnection: close\r\n\r\n`,
      );
      await once(socket, 'readable');
      // Unread pages fill the disk. Requests that need no spool still work.
      await expect.poll(() => statfsSync(folder).bavail).toBe(0);
      for (const path of requestPaths.filter((each) => each !== large))
        expect((await readRaw(service.port, path)).body).toBe(expected.get(path));
      let tail = '';
      socket.on('data', (piece: Buffer) => {
        tail = (tail + piece.toString('latin1')).slice(-100);
      });
      await new Promise((resolve) => socket.once('close', resolve));
      expect(tail).not.toMatch(/\]\s*(0\s*)?$/);
      await expectRecovery(service, expected);
      await expectNoLeftovers(service);
    });
  });
});
