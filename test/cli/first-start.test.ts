/** The first start on the embedded database loads two demo customers, however often it is interrupted. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstStart } from '../../src/cli/commands/demo.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { startEstate } from '../support/program.ts';
import { keys, testSecret } from '../support/settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'estate-first-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the service. Resolves with its output as soon as that matches. */
const startUntil = async (pattern: RegExp): Promise<{ child: ChildProcess; match: RegExpExecArray }> => {
  const child = startEstate(['serve'], { DATA_DIR: folder, LOG_LEVEL: 'silent', PORT: '0' });
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (chunk) => {
        said += chunk;
        const match = pattern.exec(said);
        if (match) resolve({ child, match });
      });
    child.once('exit', () => reject(new Error(`It ended: ${said}`)));
  });
};

const kill = async (child: ChildProcess, signal: NodeJS.Signals) => {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
};

test('after an interruption between the rows of a customer and its keys, it creates the keys', async () => {
  const database = await openTestDatabase();
  try {
    await database.pool.query(`delete from estate.api_keys where id in ('nordbasic', 'suedenterprise')`);
    const ids = async () => (await database.pool.query('select id from estate.api_keys order by id')).rows.map(({ id }) => id);
    const parts = { database, secret: testSecret, folder };
    const finish = async () => {
      const loaded: string[] = [];
      for await (const slug of firstStart(parts)) loaded.push(slug);
      return loaded;
    };
    expect(await finish()).toEqual([]);
    expect(await ids()).toEqual(['nordagents', 'nordenterprise', 'nordprofessional']);
    writeFileSync(join(folder, 'first-start'), '');
    expect(await finish()).toEqual(['sued', 'nord']);
    expect(await ids()).toEqual(['nordagents', 'nordbasic', 'nordenterprise', 'nordprofessional', 'suedenterprise']);
    expect(existsSync(join(folder, 'first-start'))).toBe(false);
  } finally {
    await database.close();
  }
});

describe.skipIf(onServer)('after kill -9 or a stop in the middle of each customer', () => {
  test('the next starts resume until both customers are complete', { timeout: 600_000 }, async () => {
    for (const [moment, signal] of [
      [/^sued: loading/m, 'SIGKILL'],
      [/^nord: loading/m, 'SIGTERM'],
      [/^nord: publishing/m, 'SIGKILL'],
    ] as const) {
      const { child } = await startUntil(moment);
      await kill(child, signal);
      // A stop ends the load between two steps.
      if (signal === 'SIGTERM') expect(child.exitCode).toBe(0);
      expect(existsSync(join(folder, 'first-start'))).toBe(true);
    }
    const { child, match } = await startUntil(/answers at (http:\S+)/);
    try {
      const ask = async (key: string) => {
        const answer = await fetch(`${match[1]}/property/properties?limit=1`, { headers: { 'X-API-Key': key } });
        return [answer.status, Number(answer.headers.get('x-total-count')) > 0];
      };
      // The smaller customer is there from the first answer on, and the other one follows beside its requests.
      expect(await ask(keys.suedEnterprise)).toEqual([200, true]);
      for (const key of [keys.nordBasic, keys.nordEnterprise]) await expect.poll(() => ask(key)).toEqual([200, true]);
      expect(await ask(keys.suedEnterprise)).toEqual([200, true]);
    } finally {
      await kill(child, 'SIGTERM');
    }
    expect(existsSync(join(folder, 'first-start'))).toBe(false);
  });
});
