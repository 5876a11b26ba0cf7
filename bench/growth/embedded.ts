/** Compares the embedded database with the server of `DATABASE_URL`: the same pages of the same rows. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config, issueKey } from '../../scripts/support/key.ts';
import { memoryOf } from '../../scripts/support/process.ts';
import { Client } from '../client.ts';
import { measureInRounds } from '../rounds.ts';
import { listWorkloads } from '../workloads.ts';
import { embeddedIn, estate, type Figure, keyOf, megabytes, ms, withService } from './estate.ts';

const pieces = ['W1', 'W2', 'W3'];
const options = { rounds: 5, connections: 1, roundMs: 1_000, warmUp: 5 };

export const measure = async (): Promise<Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-bench-'));
  const location = embeddedIn(folder);
  const { key, revoke } = await issueKey('bench');
  try {
    await estate(location, 'demo', '--customer', 'bench', '--scale', 'bench');
    const embeddedKey = await keyOf(location, 'bench');
    return await withService(location, (embedded) =>
      withService({ DATABASE_URL: config.DATABASE_URL, KEY_SECRET: config.KEY_SECRET }, async (server) => {
        const [here, there] = [
          await listWorkloads(embedded, { 'X-API-Key': embeddedKey }),
          await listWorkloads(server, { 'X-API-Key': key }),
        ];
        const figures: Figure[] = [];
        for (const id of pieces) {
          const [one, other] = [here, there].map((list) => list.find((work) => work.id === id)!);
          const contenders = [
            { server: embedded, ask: one!.asks.service! },
            { server, ask: other!.asks.service! },
          ];
          const [measured] = await measureInRounds(contenders, options);
          figures.push([`embedded, ${one!.name}`, `${measured!.ratio.toFixed(1)} times as long as on PostgreSQL`]);
        }
        const client = await Client.to(embedded.url);
        const { firstByte } = await client.ask({ path: '/operations/orders?limit=100000', headers: { 'X-API-Key': embeddedKey } });
        client.close();
        const memory = megabytes(memoryOf(embedded.process.pid, 'VmHWM'));
        return [...figures, ['embedded, first byte of 100,000 orders', `${ms(firstByte)}, peak of the process ${memory}`]];
      }),
    );
  } finally {
    await revoke();
    rmSync(folder, { recursive: true, force: true });
  }
};
