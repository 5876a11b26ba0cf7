/**
 * First loads of 500,000 and of 5 million contract debits, as a file in the form of a load and as an export with a source file. The peaks of
 * memory show whether it grows with the rows.
 */
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { estate, type Figure, megabytes, seconds, withCustomer } from './estate.ts';
import { copySeconds } from './loads.ts';

const sizes = (process.env.ROWS ?? '500000,5000000').split(',').map(Number);
const tenancies = 100_000;
const columns = Object.keys(rawTables.contract_condition.columns);

const two = (value: number): string => String(value).padStart(2, '0');

/** The values of a row that both forms write in their own way. */
const debit = (row: number) => {
  const net = 40_000 + ((row * 137) % 90_000);
  return {
    row,
    property: 1 + (row % 500),
    tenancy: row % tenancies,
    month: 1 + (row % 12),
    net,
    vat: row % 3 === 0 ? Math.round(net * 0.19) : 0,
  };
};
type Debit = ReturnType<typeof debit>;

const amount = (cents: number, point: string): string => `${Math.floor(cents / 100)}${point}${two(cents % 100)}`;

const loadRow = ({ row, property, tenancy, month, net, vat }: Debit): string => {
  const values: Readonly<Record<string, string | number>> = {
    condition_id: row,
    property_id: property,
    account_id: tenancy + 1,
    floor_area_id: `${property}-${two(tenancy % 100)}`,
    debit_type_key: 'basic_rent',
    description: 'Grundmiete',
    valid_from: `2024-${two(month)}-01`,
    net_amount: amount(net, '.'),
    vat_rate: vat > 0 ? '19.00' : '0.00',
    vat_amount: amount(vat, '.'),
    gross_amount: amount(net + vat, '.'),
    payment_interval_key: 'monthly',
    is_advance_payment: 'false',
    currency: 'EUR',
    created_at: '2024-11-30T03:00:00Z',
    changed_at: '2024-11-30T03:00:00Z',
  };
  return columns.map((name) => values[name] ?? '').join();
};

const exportHeader = 'Nr;Objekt;Vertrag;Einheit;Sollart;Text;Gültig ab;Netto;USt-Satz;USt;Brutto';
const exportRow = ({ row, property, tenancy, month, net, vat }: Debit): string =>
  [
    row,
    String(property).padStart(4, '0'),
    `MV-${tenancy}`,
    two(tenancy % 100),
    'Grundmiete',
    'Grundmiete',
    `01.${two(month)}.2024`,
    amount(net, ','),
    vat > 0 ? '19,00' : '0,00',
    amount(vat, ','),
    amount(net + vat, ','),
  ].join(';');

const source = `name: bench
encoding: windows-1252
dialect: { delimiter: ";" }
formats: { decimalChar: ",", groupChar: ".", dateFormats: ["%d.%m.%Y"] }
tables:
  - table: contract_condition
    path: sollstellungen.csv
    primaryKey: Nr
    columns:
      property_id: { from: Objekt, references: property_hdr, unresolved: assign }
      account_id: { from: Vertrag, references: account, unresolved: assign }
      floor_area_id: { join: [Objekt, Einheit], separator: "-" }
      debit_type_key: { from: Sollart, codes: { Grundmiete: basic_rent } }
      description: Text
      valid_from: Gültig ab
      net_amount: Netto
      vat_rate: USt-Satz
      vat_amount: USt
      gross_amount: Brutto
      payment_interval_key: { constant: monthly }
      is_advance_payment: { constant: false }
      currency: { constant: EUR }
`;

const write = (path: string, rows: number, header: string, line: (row: Debit) => string, encoding: BufferEncoding): Promise<void> => {
  function* chunks() {
    let chunk = `${header}\n`;
    for (let row = 1; row <= rows; row++) {
      chunk += `${line(debit(row))}\n`;
      if (chunk.length < 1 << 20) continue;
      yield Buffer.from(chunk, encoding);
      chunk = '';
    }
    yield Buffer.from(chunk, encoding);
  }
  return pipeline(chunks(), createWriteStream(path));
};

export const measure = async (): Promise<Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-bench-'));
  const [file, exported, described] = [join(folder, 'contract_condition.csv'), join(folder, 'export'), join(folder, 'source.yml')];
  const figures: Figure[] = [];
  try {
    mkdirSync(exported);
    writeFileSync(described, source);
    for (const rows of sizes) {
      const figure = (what: string, { seconds: time, memory }: Awaited<ReturnType<typeof estate>>, copied: number): void => {
        const speed = Math.round(rows / time).toLocaleString('en');
        const against = `${(time / copied).toFixed(2)} of \`\\copy\` into new tables with their indexes (${seconds(copied)})`;
        figures.push([
          `${rows.toLocaleString('en')} contract debits: ${what}`,
          `${seconds(time)}, ${speed} rows a second, ${against}, peak ${megabytes(memory)}`,
        ]);
      };
      await write(file, rows, columns.join(), loadRow, 'utf8');
      await write(join(exported, 'sollstellungen.csv'), rows, exportHeader, exportRow, 'latin1');
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
