/** Writes a list of an export in each format and as a table of a database. Nothing here is shared with the code that reads it. */
import { utils, write } from '@e965/xlsx';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Formats } from '../../src/sources/source-file.ts';
import type { SourceList } from '../../src/sources/source-rows.ts';

type Kind = 'text' | 'integer' | 'decimal' | 'date';

/** A value in plain form, and as the export shows it. */
export interface Value {
  readonly kind: Kind;
  readonly text: string;
  readonly shown: string;
}

export interface List {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (Value | null)[])[];
}

const german = /^-?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$/;

const readValue = (shown: string, { decimalChar = '.', dateFormats = [], missingValues = [''] }: Formats): Value | null => {
  const text = shown.trim();
  if (text === '' || missingValues.includes(text)) return null;
  const day = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text);
  if (day && dateFormats.includes('%d.%m.%Y')) return { kind: 'date', text: `${day[3]}-${day[2]}-${day[1]}`, shown };
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { kind: 'date', text, shown };
  if (decimalChar === ',' && german.test(text)) return { kind: 'decimal', text: text.replaceAll('.', '').replace(',', '.'), shown };
  if (decimalChar === '.' && /^-?\d+\.\d+$/.test(text)) return { kind: 'decimal', text, shown };
  return { kind: /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? 'integer' : 'text', text: shown, shown };
};

/** Reads the list once. Facts of the file become columns. */
export const listOf = async ({ columns, rows, facts = {} }: SourceList, formats: Formats): Promise<List> => {
  const read: (Value | null)[][] = [];
  for await (const batch of rows)
    for (const { cells } of batch)
      read.push(
        [...columns.map((_, index) => cells[index] ?? null), ...Object.values(facts)].map((cell) =>
          cell === null ? null : readValue(String(cell), formats),
        ),
      );
  return { columns: [...columns, ...Object.keys(facts)], rows: read };
};

/** The kind of a column: text, if its values have several kinds. */
const kindOf = ({ rows }: List, column: number): Kind => {
  const kinds = new Set(rows.flatMap((row) => row[column]?.kind ?? []));
  if (kinds.size === 2 && kinds.has('integer') && kinds.has('decimal')) return 'decimal';
  return kinds.size === 1 ? [...kinds][0]! : 'text';
};

const typed = (list: List): List => {
  const kinds = list.columns.map((_, index) => kindOf(list, index));
  const rows = list.rows.map((row) =>
    row.map((value, index): Value | null => (value && kinds[index] === 'text' ? { ...value, kind: 'text', text: value.shown } : value)),
  );
  return { ...list, rows };
};

const field = (text: string): string => `"${text.replaceAll('"', '""')}"`;

export const csvOf = ({ columns, rows }: List): string =>
  [columns, ...rows.map((row) => row.map((value) => value?.shown ?? ''))].map((row) => `${row.map(field).join()}\r\n`).join('');

export const jsonOf = (list: List): string => {
  const { columns, rows } = typed(list);
  const member = (value: Value | null) => {
    if (value === null) return 'null';
    return value.kind === 'integer' || value.kind === 'decimal' ? value.text : JSON.stringify(value.text);
  };
  return `[${rows.map((row) => `{${row.map((value, index) => `${JSON.stringify(columns[index])}:${member(value)}`).join()}}`).join(',\n')}]`;
};

const dayMs = 86_400_000;
const serialOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs + 25_569;

/** A workbook with a sheet for each list. Numbers that begin with zeros are numbers in a format of zeros. */
export const workbookOf = (lists: Readonly<Record<string, List>>, kind: 'xlsx' | 'xls' | 'xlsb' | 'ods'): Buffer => {
  const book = utils.book_new();
  const dayFormat = kind === 'ods' ? 'yyyy-mm-dd' : 'dd.mm.yyyy';
  for (const [name, list] of Object.entries(lists)) {
    const { columns, rows } = typed(list);
    const cell = (value: Value | null) => {
      if (value === null) return null;
      if (value.kind === 'date' && value.text >= '1900-03-01') return { t: 'n', v: serialOf(value.text), z: dayFormat };
      if (value.kind === 'integer' || value.kind === 'decimal') return { t: 'n', v: Number(value.text) };
      if (/^0\d{1,9}$/.test(value.text)) return { t: 'n', v: Number(value.text), z: '0'.repeat(value.text.length) };
      return { t: 's', v: value.text };
    };
    const sheet = utils.aoa_to_sheet([[...columns], ...rows.map((row) => row.map(cell))] as unknown[][]);
    utils.book_append_sheet(book, sheet, name);
  }
  return write(book, { type: 'buffer', bookType: kind, compression: true }) as Buffer;
};

const parquetTypes = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  decimal: { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 4 },
  date: { type: 'INT32', converted_type: 'DATE' },
} as const;

const scaled = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(4, '0')}`);
};

export const parquetOf = (list: List): Buffer => {
  const { columns, rows } = typed(list);
  const kinds = columns.map((_, index) => kindOf(list, index));
  const cell = (value: Value | null, kind: Kind) => {
    if (value === null) return null;
    if (kind === 'integer') return BigInt(value.text);
    if (kind === 'decimal') return scaled(value.text);
    return kind === 'date' ? Date.parse(`${value.text}T00:00:00Z`) / dayMs : value.text;
  };
  const names = columns.map((name) => name.replaceAll('.', '.'));
  return Buffer.from(
    parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: columns.length },
        ...names.map((name, index) => ({ name, repetition_type: 'OPTIONAL', ...parquetTypes[kinds[index]!] })),
      ],
      columnData: names.map((name, index) => ({ name, data: rows.map((row) => cell(row[index] ?? null, kinds[index]!)) })),
    } as unknown as Parameters<typeof parquetWriteBuffer>[0]),
  );
};

const sqlTypes = {
  mysql: { text: 'varchar(500)', integer: 'bigint', decimal: 'decimal(18,4)', date: 'date' },
  postgres: { text: 'text', integer: 'bigint', decimal: 'numeric(18,4)', date: 'date' },
} as const;

/** The statements that make the table. */
export const tableOf = (list: List, table: string, type: keyof typeof sqlTypes): string => {
  const { columns, rows } = typed(list);
  const kinds = columns.map((_, index) => kindOf(list, index));
  const quote = (name: string) => (type === 'mysql' ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`);
  const literal = (text: string) => `'${text.replaceAll("'", "''").replaceAll('\\', type === 'mysql' ? '\\\\' : '\\')}'`;
  const values = rows.map((row) => `(${row.map((value) => (value === null ? 'null' : literal(value.text))).join(', ')})`);
  const declared = columns.map((name, index) => `${quote(name)} ${sqlTypes[type][kinds[index]!]}`);
  return `create table ${quote(table)} (${declared.join(', ')}); insert into ${quote(table)} values ${values.join(', ')};`;
};
