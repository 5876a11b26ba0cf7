/**
 * First loads of 500,000 and of 5 million contract debits, as a file in the form of a load and as an export with a source file. The peaks of
 * memory show whether it grows with the rows.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debitColumns, debitSource, exportHeader, exportRow, loadRow, writeDebits } from '../debits.ts';
import { estate, type Figure, megabytes, seconds, withCustomer } from './estate.ts';
import { copySeconds } from './loads.ts';

const sizes = (process.env.ROWS ?? '500000,5000000').split(',').map(Number);
export const measure = async (): Promise<Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-bench-'));
  const [file, exported, described] = [join(folder, 'contract_condition.csv'), join(folder, 'export'), join(folder, 'source.yml')];
  const figures: Figure[] = [];
  try {
    mkdirSync(exported);
    writeFileSync(described, debitSource);
    for (const rows of sizes) {
      const figure = (what: string, { seconds: time, memory }: Awaited<ReturnType<typeof estate>>, copied: number): void => {
        const speed = Math.round(rows / time).toLocaleString('en');
        const against = `${(time / copied).toFixed(2)} of \`\\copy\` into new tables with their indexes (${seconds(copied)})`;
        figures.push([
          `${rows.toLocaleString('en')} contract debits: ${what}`,
          `${seconds(time)}, ${speed} rows a second, ${against}, peak ${megabytes(memory)}`,
        ]);
      };
      await writeDebits(file, rows, debitColumns.join(), loadRow, 'utf8');
      await writeDebits(join(exported, 'sollstellungen.csv'), rows, exportHeader, exportRow, 'latin1');
      let copied = 0;
      await withCustomer(async (location, url) => {
        const loaded = await estate(location, 'sync', 'bench', file);
        copied = await copySeconds(url, file, 'contract_condition', 'contract_debits');
        figure('first load of a file', loaded, copied);
      });
      await withCustomer(async (location) => {
        figure(
          'first load of an export with a source file',
          await estate(location, 'sync', 'bench', exported, '--source', described),
          copied,
        );
      });
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
