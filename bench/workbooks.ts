/**
 * Workbooks: the check of one of 13 sheets and 1.2 MB, and the load of one of 100,000 rows and 20 columns into a database. Each is read in a
 * process of its own, whose memory is measured. Usage: DATABASE_URL=… npm run bench -- workbooks
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utils, write } from '@e965/xlsx';
import { catalogue } from '../src/catalogue/index.ts';
import { checkSource } from '../src/sources/check.ts';
import { loadSource } from '../src/sources/load-source.ts';
import type { Export } from '../src/sources/prepare-load.ts';
import { parseSource } from '../src/sources/source-file.ts';
import { withCustomer } from './with-customer.ts';

const names = [
  'condition_id',
  'property_id',
  'account_id',
  'floor_area_id',
  'debit_type_key',
  'description',
  'valid_from',
  'net_amount',
  'vat_rate',
  'vat_amount',
  'gross_amount',
  'payment_interval_key',
  'is_advance_payment',
  'currency',
  'created_at',
  'changed_at',
];
const further = ['Konto', 'Notiz', 'Ort', 'Kennung'];
const day = 45_292;

const rowOf = (row: number) => [
  row,
  1 + (row % 500),
  1 + (row % 9_000),
  `${row % 500}-${row % 100}`,
  'basic_rent',
  `Grundmiete ${row % 977}`,
  { t: 'n', v: day + (row % 365), z: 'dd.mm.yyyy' },
  { t: 'n', v: 400 + (row % 900) + 0.5, z: '#,##0.00' },
  0,
  0,
  { t: 'n', v: 400 + (row % 900) + 0.5, z: '#,##0.00' },
  'monthly',
  false,
  'EUR',
  '2024-11-30T03:00:00Z',
  '2024-11-30T03:00:00Z',
  1_000_000 + row,
  `Notiz ${row % 313}`,
  'Berlin',
  `K${row}`,
];

const bookOf = (sheets: number, rows: number): Buffer => {
  const book = utils.book_new();
  for (let sheet = 0; sheet < sheets; sheet++) {
    const data = Array.from({ length: rows }, (_, row) => rowOf(sheet * rows + row + 1));
    utils.book_append_sheet(book, utils.aoa_to_sheet([[...names, ...further], ...data]), `Liste ${sheet + 1}`);
  }
  return write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
};

const sourceOf = (sheets: number): string => `name: bench
formats: { timezone: UTC }
tables:
${Array.from(
  { length: sheets },
  (_, sheet) => `  - table: contract_condition
    path: book.xlsx
    dialect: { sheetName: Liste ${sheet + 1} }
    columns: { ${names.map((name) => `${name}: ${name}`).join(', ')} }
`,
).join('')}`;

const load = (delivery: Export): Promise<number> =>
  withCustomer(async (loaded) => (await loadSource({ ...loaded, catalogue }, delivery, { retentionHours: 0 })).read);

const check = async (delivery: Export): Promise<number> => {
  const { tables, isLoadable } = await checkSource({ ...delivery, questions: {} }, undefined);
  if (!isLoadable) throw new Error('the workbook is refused');
  return tables.reduce((sum, { valid }) => sum + valid, 0);
};

const [, , folderOfChild, sheetsOfChild] = process.argv;
if (folderOfChild !== undefined) {
  const source = parseSource(sourceOf(Number(sheetsOfChild)), 'source.yml');
  const started = process.resourceUsage();
  const [begun, before] = [performance.now(), started.userCPUTime + started.systemCPUTime];
  const delivery = { source, folder: folderOfChild };
  const rows = sheetsOfChild === '1' ? await load(delivery) : await check(delivery);
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpu = ((userCPUTime + systemCPUTime - before) / 1e6).toFixed(1);
  const wall = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${rows.toLocaleString('en')} rows in ${wall} s, ${cpu} s of CPU time, ${Math.round(maxRSS / 1024)} MB`);
} else {
  for (const [sheets, rows] of [
    [13, 325],
    [1, 100_000],
  ] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'estate-bench-'));
    try {
      writeFileSync(join(folder, 'book.xlsx'), bookOf(sheets, rows));
      const size = (statSync(join(folder, 'book.xlsx')).size / 1e6).toFixed(1);
      console.log(`${sheets} sheets of ${rows.toLocaleString('en')} rows and ${names.length + further.length} columns, ${size} MB:`);
      spawnSync(process.execPath, ['--import', 'tsx', import.meta.filename, folder, String(sheets)], { stdio: 'inherit' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}
