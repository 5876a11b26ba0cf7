/** Contract debits as a file in the form of a load, and as exports with a source file. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { rawTables } from '../src/catalogue/raw/index.ts';

const tenancies = 100_000;
export const debitColumns = Object.keys(rawTables.contract_condition.columns);

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
export type Debit = ReturnType<typeof debit>;

const amount = (cents: number, point: string): string => `${Math.floor(cents / 100)}${point}${two(cents % 100)}`;

export const loadRow = ({ row, property, tenancy, month, net, vat }: Debit): string => {
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
  return debitColumns.map((name) => values[name] ?? '').join();
};

export const exportHeader = 'Nr;Objekt;Vertrag;Einheit;Sollart;Text;Gültig ab;Netto;USt-Satz;USt;Brutto';
export const exportRow = ({ row, property, tenancy, month, net, vat }: Debit): string =>
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

/** The source of the export. */
export const debitSource = `name: bench
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

/** Writes a file of `rows` rows. */
export const writeDebits = (
  path: string,
  rows: number,
  header: string,
  line: (row: Debit) => string,
  encoding: BufferEncoding,
): Promise<void> => {
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
