/**
 * What a source costs: contract debits into staging tables, as a file in the form of a load, as the same file with a source, and as a German
 * export with a source. The figures are the CPU time of this process, user and system, in turns.
 * Usage: DATABASE_URL=… npm run bench -- sources [case]. A case alone can be profiled with --cpu-prof.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRows } from '../src/sources/load-rows.ts';
import { type Loaded, withPreparedLoad } from '../src/sources/prepare-load.ts';
import { parseSource } from '../src/sources/source-file.ts';
import type { TableRows } from '../src/sync/files/rows.ts';
import { findSourceFiles, type SourceFile } from '../src/sync/files/source-files.ts';
import { withLoadSession } from '../src/sync/load-session.ts';
import { stage } from '../src/sync/staging/stage.ts';
import { debitColumns, debitSource, exportHeader, exportRow, loadRow, writeDebits } from './debits.ts';
import { withCustomer } from './with-customer.ts';

const rows = Number(process.env.ROWS ?? 300_000);
const rounds = Number(process.env.ROUNDS ?? 3);
const only = process.argv[2];

/** A source whose columns are those of the file. */
const sameSource = `name: same
tables:
  - table: contract_condition
    path: contract_condition.csv
    columns:
${debitColumns.map((name) => `      ${name}: ${name}`).join('\n')}
`;

const folder = mkdtempSync(join(tmpdir(), 'estate-bench-'));
const [plain, exported] = [join(folder, 'plain'), join(folder, 'export')];
const file = join(plain, 'contract_condition.csv');

const measure = async ({ database, customer }: Loaded): Promise<void> => {
  mkdirSync(plain);
  mkdirSync(exported);
  await writeDebits(file, rows, debitColumns.join(), loadRow, 'utf8');
  await writeDebits(join(exported, 'sollstellungen.csv'), rows, exportHeader, exportRow, 'latin1');

  const stageAll = (all: readonly (SourceFile | TableRows)[]) =>
    withLoadSession(
      database,
      customer,
      () => {},
      async (session) => {
        for (const one of all)
          await stage(session, one, { taken: new Set(), mode: 'full', reread: true, newTables: undefined, timeZone: undefined }, () => {});
      },
    );
  const staged = (text: string, from: string) => {
    const source = parseSource(text, 'source.yml');
    return withPreparedLoad({ database, customer }, { source, folder: from, isDryRun: true }, ({ tables, rejections }) => {
      rejections.throwIfAny();
      return stageAll(tables.flatMap((table) => loadRows(source.name, table)));
    });
  };
  const cases: Readonly<Record<string, () => Promise<void>>> = {
    plain: () => stageAll(findSourceFiles([file], 'rows')),
    same: () => staged(sameSource, plain),
    export: () => staged(debitSource, exported),
  };
  const measured = async (work: () => Promise<void>) => {
    const [cpu, begun] = [process.cpuUsage(), performance.now()];
    await work();
    const { user, system } = process.cpuUsage(cpu);
    return { cpu: (user + system) / 1e6, wall: (performance.now() - begun) / 1000 };
  };
  for (let round = 1; round <= rounds; round++) {
    let first: number | undefined;
    const words: string[] = [];
    for (const [name, work] of Object.entries(cases)) {
      if (only !== undefined && name !== only) continue;
      const { cpu, wall } = await measured(work);
      first ??= cpu;
      words.push(`${name} ${cpu.toFixed(2)} s CPU, ${wall.toFixed(1)} s (${(cpu / first).toFixed(1)})`);
    }
    console.log(words.join('; '));
  }
};

try {
  await withCustomer(measure);
} finally {
  rmSync(folder, { recursive: true });
}
