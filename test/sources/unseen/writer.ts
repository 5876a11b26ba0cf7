/** Writes grids as CSV files, workbooks and statements of a database. */
import { utils, write } from '@e965/xlsx';
import type { Grid } from './layout.ts';
import type { Cell } from './truth.ts';

export type Encoding = 'utf-8' | 'utf-8 with mark' | 'windows-1252' | 'utf-16le';

const windows1252: Readonly<Record<string, number>> = {
  '€': 0x80,
  '‚': 0x82,
  '„': 0x84,
  '…': 0x85,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '–': 0x96,
  '—': 0x97,
};

const encoded = (text: string, encoding: Encoding): Buffer => {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-8 with mark') return Buffer.from(`\ufeff${text}`);
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  return Buffer.from(
    [...text].map((character) => {
      const code = windows1252[character] ?? character.codePointAt(0)!;
      if (code > 0xff) throw new Error(`windows-1252 has no ${character}`);
      return code;
    }),
  );
};

const textOf = (cell: Cell): string => (cell === null ? '' : typeof cell === 'string' ? cell : cell.text);

export interface Csv {
  readonly encoding: Encoding;
  readonly delimiter: string;
  /** Whether every field is quoted. */
  readonly isQuoted?: boolean;
}

/** The file, and the number of the line of each row, from 1. */
export const csvOf = ({ lines, places }: Grid, { encoding, delimiter, isQuoted = false }: Csv): { bytes: Buffer; places: number[] } => {
  const field = (cell: Cell) => {
    const text = textOf(cell);
    return isQuoted || text.includes(delimiter) || /["\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const width = Math.max(...lines.map(({ length }) => length));
  const numbers: number[] = [];
  let next = 1;
  const records = lines.map((line) => {
    const full = Array.from({ length: width }, (_, index) => field(line[index] ?? null)).join(delimiter);
    numbers.push(next);
    next += full.split('\n').length;
    return full;
  });
  return { bytes: encoded(`${records.join('\r\n')}\r\n`, encoding), places: places.map((index) => numbers[index]!) };
};

const dayMs = 86_400_000;
const sheetCell = (cell: Cell) => {
  if (cell === null || typeof cell === 'string') return cell;
  if (cell.kind === 'number') return { t: 'n', v: Number(cell.text) };
  return { t: 'n', v: Date.parse(`${cell.text}T00:00:00Z`) / dayMs + 25_569, z: 'dd.mm.yyyy' };
};

/** A workbook. The line of a row is its number in the sheet. */
export const workbookOf = (sheets: ReadonlyMap<string, Grid>, kind: 'xlsx' | 'xls'): Buffer => {
  const book = utils.book_new();
  for (const [name, { lines }] of sheets)
    utils.book_append_sheet(book, utils.aoa_to_sheet(lines.map((line) => line.map((cell) => sheetCell(cell)))), name);
  return write(book, { type: 'buffer', bookType: kind, compression: true }) as Buffer;
};

export interface SqlTable {
  readonly name: string;
  readonly grid: Grid;
  /** The column that identifies rows. */
  readonly key?: string;
  /** Columns and the tables that they name. */
  readonly references?: Readonly<Record<string, readonly [table: string, column: string]>>;
}

const typeOf = (grid: Grid, index: number): string => {
  const cells = grid.places.flatMap((place) => grid.lines[place]![index] ?? []);
  // A zero in a column of numbers is no value.
  const kinds = new Set(cells.flatMap((cell) => (cell === '0' ? [] : typeof cell === 'string' ? 'text' : cell.kind)));
  if (kinds.size === 1 && kinds.has('day')) return 'date';
  if (kinds.size === 1 && kinds.has('number')) return cells.every((cell) => /^-?\d{1,9}$/.test(textOf(cell))) ? 'integer' : 'decimal(14,4)';
  return 'varchar(300)';
};

/** The statements that make the tables, in their order. */
export const statementsOf = (tables: readonly SqlTable[], type: 'postgres' | 'mysql'): string => {
  const quote = (name: string) => (type === 'mysql' ? `\`${name}\`` : `"${name}"`);
  const literal = (cell: Cell) => (cell === null ? 'null' : `'${textOf(cell).replaceAll("'", "''")}'`);
  return tables
    .map(({ name, grid, key, references = {} }) => {
      const declared = grid.columns.map(({ name: column }, index) => {
        const isKey = column === key;
        const to = references[column];
        const type = grid.sqlTypes[index] ?? typeOf(grid, index);
        return `${quote(column)} ${type}${isKey ? ' primary key' : ''}${to ? ` references ${quote(to[0])} (${quote(to[1])})` : ''}`;
      });
      const values = grid.places.map((place) => `(${grid.lines[place]!.map(literal).join(', ')})`);
      return `create table ${quote(name)} (${declared.join(', ')}); insert into ${quote(name)} values ${values.join(', ')};`;
    })
    .join('\n');
};
