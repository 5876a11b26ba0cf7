/** The first start on the embedded database loads two demo customers, however often it is interrupted. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finishFirstStart } from '../../src/cli/commands/demo.ts';
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
    await finishFirstStart(parts);
    expect(await ids()).toEqual(['nordagents', 'nordenterprise', 'nordprofessional']);
    writeFileSync(join(folder, 'first-start'), '');
    await finishFirstStart(parts);
    expect(await ids()).toEqual(['nordagents', 'nordbasic', 'nordenterprise', 'nordprofessional', 'suedenterprise']);
    expect(existsSync(join(folder, 'first-start'))).toBe(false);
  } finally {
    await database.close();
  }
});

describe.skipIf(onServer)('after kill -9 in the middle of each customer', () => {
  test('the next starts resume until both customers are complete', { timeout: 600_000 }, async () => {
    for (const moment of [/^nord: loading/m, /^nord: publishing/m, /^sued: /m]) {
      const { child } = await startUntil(moment);
      await kill(child, 'SIGKILL');
      expect(existsSync(join(folder, 'first-start'))).toBe(true);
    }
    const { child, match } = await startUntil(/answers at (http:\S+)/);
    try {
      for (const key of [keys.nordBasic, keys.nordEnterprise, keys.suedEnterprise]) {
        const answer = await fetch(`${match[1]}/property/properties?limit=1`, { headers: { 'X-API-Key': key } });
        expect([answer.status, Number(answer.headers.get('x-total-count')) > 0]).toEqual([200, true]);
      }
    } finally {
      await kill(child, 'SIGTERM');
    }
    expect(existsSync(join(folder, 'first-start'))).toBe(false);
  });
});
