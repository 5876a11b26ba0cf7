/**
 * DATEV exports (EXTF): a meta line, a header, rows. Amounts are positive, and the column `Soll/Haben-Kennzeichen` has their side.
 *
 * `Belegdatum` is a day and a month. Its year follows from the period in the meta line.
 */
import type { Readable } from 'node:stream';
import { OperatorError } from '../../errors.ts';
import { Rejection, shown } from '../rejections.ts';
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

const takeFirst = async (rows: AsyncIterable<SourceRow>) => {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  return { first: first.done ? undefined : first.value, rest: { [Symbol.asyncIterator]: () => iterator } };
};

/** Reads an export of bookings, accounts or business partners. The facts of its meta line are columns that begin with `$`. */
export const readDatev = async (name: string, text: Readable, { lastLineEnd }: Dialect): Promise<SourceList> => {
  const plain = await readCsv(name, text, { delimiter: ';', headerRows: [], header: [], lastLineEnd });
  const { first: metaRow, rest } = await takeFirst(plain.rows);
  const values = (metaRow?.cells ?? []).map(String);
  const { first: header, rest: body } = await takeFirst(rest);
  if (!['EXTF', 'DTVF'].includes(values[meta.format] ?? '') || !header)
    throw new OperatorError(`${shown(name)}: the first line is not the meta line of a DATEV export, which begins with EXTF.`);
  const columns = header.cells.map(String);
  const begins = isoDay(values[meta.fiscalYearBegins]);
  const from = isoDay(values[meta.from]) ?? begins;
  const to = isoDay(values[meta.to]);
  const at = columns.indexOf(dayMonthColumn);
  async function* rows(): AsyncGenerator<SourceRow> {
    for await (const { line, cells } of body) {
      const given = cells[at];
      if (at < 0 || typeof given !== 'string' || given === '') yield { line, cells };
      else {
        if (from === undefined || to === undefined)
          throw new OperatorError(`${shown(name)}: the meta line has no period, so ${dayMonthColumn} has no year.`);
        yield { line, cells: cells.with(at, dateOr(given, from, to)) };
      }
    }
  }
  const facts = {
    $consultant: values[meta.consultant] ?? '',
    $client: values[meta.client] ?? '',
    $fiscalYear: begins?.slice(0, 4) ?? '',
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
