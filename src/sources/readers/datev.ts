/**
 * DATEV exports (EXTF): a meta line, a header, rows. Amounts are positive, and the column `Soll/Haben-Kennzeichen` has their side.
 *
 * `Belegdatum` is a day and a month. Its year follows from the period in the meta line.
 */
import { OperatorError } from '../../errors.ts';
import { Rejection, shown } from '../../sync/files/rejections.ts';
import type { Dialect } from '../source-file.ts';
import type { SourceList, SourceRow } from '../source-rows.ts';
import { readCsv } from './csv.ts';

/** Positions of the meta line. */
const meta = {
  format: 0,
  category: 2,
  categoryName: 3,
  consultant: 10,
  client: 11,
  fiscalYearBegins: 12,
  from: 14,
  to: 15,
  currency: 21,
} as const;

/** The column that marks a reversal. The amount of a reversal is positive, as if it were a booking. */
export const reversalColumn = /^Generalumkehr/i;
export const isReversal = (mark: string): boolean => mark === '1' || mark.toUpperCase() === 'G';

const dayMonthColumn = 'Belegdatum';

const isoDay = (text: string | undefined): string | undefined => {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text ?? '') ?? [];
  return day === undefined ? undefined : `${year}-${month}-${day}`;
};

/** The date within the period: `103` and `0103` are 1 March. */
const dateWithin = (text: string, from: string, to: string): string => {
  const [, day = '', month = ''] = /^(\d{1,2})(\d{2})$/.exec(text) ?? [];
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year++) {
    const date = `${year}-${month}-${day.padStart(2, '0')}`;
    if (date >= from && date <= to) return date;
  }
  throw new Rejection(`is no day and month such as 0103 between ${from} and ${to}`, text);
};

/** The first two rows, and the batches after them. */
const takeTwo = async (batches: AsyncIterable<readonly SourceRow[]>) => {
  const iterator = batches[Symbol.asyncIterator]();
  let begun: readonly SourceRow[] = [];
  while (begun.length < 2) {
    const next = await iterator.next();
    if (next.done) break;
    begun = [...begun, ...next.value];
  }
  async function* rest(): AsyncGenerator<readonly SourceRow[]> {
    yield begun.slice(2);
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { first: begun[0], second: begun[1], rest: rest() };
};

/** Reads an export of bookings, accounts or business partners. The facts of its meta line are columns that begin with `$`. */
export const readDatev = async (name: string, text: AsyncIterable<Buffer>, { lastLineEnd }: Dialect): Promise<SourceList> => {
  const plain = await readCsv(name, text, { delimiter: ';', headerRows: [], header: [], lastLineEnd });
  const { first: metaRow, second: header, rest } = await takeTwo(plain.rows);
  const values = (metaRow?.cells ?? []).map(String);
  if (!['EXTF', 'DTVF'].includes(values[meta.format] ?? '') || !header)
    throw new OperatorError(`${shown(name)}: the first line is not the meta line of a DATEV export, which begins with EXTF.`);
  const columns = header.cells.map(String);
  const begins = isoDay(values[meta.fiscalYearBegins]);
  const from = isoDay(values[meta.from]) ?? begins;
  const to = isoDay(values[meta.to]);
  const at = columns.indexOf(dayMonthColumn);
  const withYear = (row: SourceRow): SourceRow => {
    const { line, cells } = row;
    const given = cells[at];
    if (at < 0 || typeof given !== 'string' || given === '') return row;
    if (from === undefined || to === undefined)
      throw new OperatorError(`${shown(name)}: the meta line has no period, so ${dayMonthColumn} has no year.`);
    return { line, cells: cells.with(at, dateOr(given, from, to)) };
  };
  async function* rows(): AsyncGenerator<readonly SourceRow[]> {
    for await (const batch of rest) yield batch.map(withYear);
  }
  const facts = {
    $consultant: values[meta.consultant] ?? '',
    $client: values[meta.client] ?? '',
    $fiscalYear: begins?.slice(0, 4) ?? '',
    $fiscalYearBegins: begins ?? '',
    $currency: values[meta.currency] || 'EUR',
  };
  return { name, columns, rows: rows(), facts };
};

/** The row is rejected where the column is read, so the text stays as it is. */
const dateOr = (text: string, from: string, to: string): string => {
  try {
    return dateWithin(text, from, to);
  } catch {
    return text;
  }
};
