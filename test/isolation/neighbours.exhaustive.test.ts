/**
 * The most expensive requests of one customer, twenty at once, and the pages of another customer meanwhile: the built program in a separate
 * process (contract: waiting). `npm run bench -- neighbours` measures the same on more data.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attacksOf } from '../../bench/neighbours/attacks.ts';
import { memoryOf } from '../../scripts/support/process.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { startEstate } from '../support/program.ts';
import { partOf } from '../support/rounds.ts';
import { keys, testSecret } from '../support/settings.ts';

const columns = Object.keys(catalogue.tables.get('orders')!.columns).map(camelCase);
/** Readers that take days are measured, not tested. */
const attacks = attacksOf(columns).filter(({ bytesPerSecond }) => bytesPerSecond === undefined);
const maxMemory = 512;
const pages = 40;

describe.runIf(onServer)('a neighbour', () => {
  let database: Database & { readonly address?: string };
  let service: ChildProcess;
  let url = '';
  const folder = mkdtempSync(join(tmpdir(), 'estate-isolation-'));
  /** Bundled once, because each attack starts the program again. */
  const program = join(folder, 'attacker.cjs');
  beforeAll(async () => {
    await build({ entryPoints: ['bench/neighbours/attacker.ts'], outfile: program, bundle: true, platform: 'node', logLevel: 'warning' });
    database = await openTestDatabase();
    const limits = { RATE_LIMIT: '0', RESPONSE_CACHE_MB: '0' };
    const environment = {
      FILES_DIR: join(folder, 'files'),
      DATABASE_URL: database.address,
      KEY_SECRET: testSecret,
      PORT: '0',
      LOG_LEVEL: 'silent',
      ...limits,
    };
    service = startEstate(['serve'], environment, ['ignore', 'pipe', 'inherit']);
    for await (const line of createInterface({ input: service.stdout! })) {
      url = /http:\/\/\S+/.exec(line)?.[0] ?? '';
      if (url) break;
    }
  });
  afterAll(async () => {
    service.kill();
    await once(service, 'exit');
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(partOf(attacks.map(({ name }) => name)))('that requests %s', async (name) => {
    const attacker = spawn('node', [program, url, keys.nordEnterprise, name, columns.join(' ')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: attacker.stdout! })[Symbol.asyncIterator]();
    // Printed once all of its requests have been sent.
    await lines.next();
    const statuses: number[] = [];
    let memory = 0;
    for (let page = 0; page < pages; page++) {
      const response = await fetch(`${url}/operations/orders?limit=100&offset=${page}`, { headers: { 'X-API-Key': keys.suedEnterprise } });
      await response.arrayBuffer();
      statuses.push(response.status);
      memory = Math.max(memory, memoryOf(service.pid, 'VmRSS'));
    }
    attacker.kill();
    const answers = Object.keys(JSON.parse((await lines.next()).value));
    expect(statuses).toEqual(Array(pages).fill(200));
    expect(answers.filter((answer) => answer.startsWith('500') || answer.includes('INTERNAL'))).toEqual([]);
    expect(memory).toBeLessThan(maxMemory);
  });
});
