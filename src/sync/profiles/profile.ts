/** The profile of a delivery: figures of its rows that show damage which no single row shows (contract: surprises). */
import type pg from 'pg';
import { rawColumnFacts } from '../../catalogue/raw/columns.ts';
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import { quote } from '../../database/identifier.ts';

/** Figures of a column of amounts. */
export interface NumberProfile {
  /** Values other than 0. */
  readonly filled: number;
  readonly negative: number;
  readonly sum: number;
  /** The mean natural logarithm of the values without their signs. It moves with the unit, and little with single values. */
  readonly size: number;
}

/** Figures of a column of days. */
export interface DateProfile {
  readonly filled: number;
  /** The mean year. */
  readonly year: number;
  /** Rows by month, such as `2026-03`. */
  readonly months: Readonly<Record<string, number>>;
  /** Rows by day of the month, from the first. */
  readonly days: readonly number[];
}

export interface Profile {
  readonly rows: number;
  /** The rows that were measured. Of a large delivery, this is a sample, and all figures below are those of the sample. */
  readonly measured: number;
  /** Rows with a value, by column that need not have one. */
  readonly filled: Readonly<Record<string, number>>;
  readonly numbers: Readonly<Record<string, NumberProfile>>;
  readonly dates: Readonly<Record<string, DateProfile>>;
  /** Rows by code. Only the most frequent codes are kept. */
  readonly codes: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Rows whose net amount is above the gross amount, by the net column. */
  readonly netAboveGross: Readonly<Record<string, { readonly rows: number; readonly above: number }>>;
}

/** A column of a delivery, as its raw table declares it. */
export interface ProfiledColumn {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

const codesKept = 50;

/** Whether the values of a text column are codes. */
const isCode = (table: string, { name, type }: ProfiledColumn): boolean => {
  if (type === 'boolean') return true;
  if (type !== 'text') return false;
  const known = Object.hasOwn(rawTables, table) && rawColumnFacts(table as RawTableName, name).lookup !== undefined;
  return known || name.endsWith('_key');
};

/** The columns of net amounts with those of their gross amounts. */
const grossOf = (columns: readonly ProfiledColumn[]): readonly (readonly [net: string, gross: string])[] => {
  const amounts = new Set(columns.filter(({ type }) => type.startsWith('numeric')).map(({ name }) => name));
  return [...amounts].flatMap((net) => {
    const gross = net.replace(/(^|_)net(?=_|$)/, '$1gross');
    return gross !== net && amounts.has(gross) ? [[net, gross] as const] : [];
  });
};

const byCode = async (client: pg.ClientBase, from: string, column: string): Promise<Record<string, number>> => {
  const { rows } = await client.query<{ code: string; count: number }>(
    `select ${quote(column)}::text as code, count(*) as count from ${from} where ${quote(column)} is not null
     group by 1 order by 2 desc, 1 limit ${codesKept}`,
  );
  return Object.fromEntries(rows.map(({ code, count }) => [code, Number(count)]));
};

const datesOf = async (client: pg.ClientBase, from: string, column: string): Promise<DateProfile> => {
  const { rows } = await client.query<{ day: string; count: number }>(
    `select ${quote(column)}::text as day, count(*) as count from ${from} where ${quote(column)} is not null group by ${quote(column)}`,
  );
  const months: Record<string, number> = {};
  const days = Array.from({ length: 31 }, () => 0);
  let [filled, years] = [0, 0];
  for (const { day, count } of rows) {
    const [, year = '0', month = '01', dayOfMonth = '01'] = /^(\d+)-(\d\d)-(\d\d)/.exec(day) ?? [];
    const rowsOfDay = Number(count);
    months[`${year}-${month}`] = (months[`${year}-${month}`] ?? 0) + rowsOfDay;
    days[Number(dayOfMonth) - 1]! += rowsOfDay;
    filled += rowsOfDay;
    years += rowsOfDay * Number(year);
  }
  return { filled, year: filled === 0 ? 0 : years / filled, months, days };
};

interface Measuring {
  readonly table: string;
  /** The qualified name of the rows, or of a sample of them. */
  readonly from: string;
  readonly columns: readonly ProfiledColumn[];
  /** The number of all rows, if these are a sample. */
  readonly all?: number;
}

/** More rows than these are measured by a sample of about this size, because a load of a million rows should not take longer. */
const sampleSize = 50_000;

/** Reads the profile of all rows of a table. `sample` is the qualified name of a table for a sample; the caller drops it. */
export const measureProfile = async (client: pg.ClientBase, measuring: Measuring & { readonly sample: string }): Promise<Profile> => {
  const { from, columns, sample } = measuring;
  const { rows } = await client.query<{ all: number }>(`select count(*) as all from ${from}`);
  const all = Number(rows[0]?.all ?? 0);
  if (all <= sampleSize * 2 || columns.length === 0) return profileOf(client, measuring);
  const list = columns.map(({ name }) => quote(name)).join(', ');
  const percent = ((sampleSize / all) * 100).toFixed(4);
  await client.query(`create unlogged table ${sample} as select ${list} from ${from} tablesample bernoulli (${percent}) repeatable (1)`);
  return profileOf(client, { ...measuring, from: sample, all });
};

/** Reads the profile of rows as they are. */
export const profileOf = async (client: pg.ClientBase, { table, from, columns, all }: Measuring): Promise<Profile> => {
  const optional = columns.filter(({ required }) => !required).map(({ name }) => name);
  const amounts = columns.filter(({ type }) => type.startsWith('numeric')).map(({ name }) => name);
  const pairs = grossOf(columns);
  const counts = [
    ...optional.map((name) => `count(${quote(name)})`),
    ...amounts.flatMap((name) => {
      const value = quote(name);
      return [
        `count(*) filter (where ${value} <> 0)`,
        `count(*) filter (where ${value} < 0)`,
        `coalesce(sum(${value}), 0)`,
        `coalesce(avg(ln(abs(${value})::float8)) filter (where ${value} <> 0), 0)`,
      ];
    }),
    ...pairs.flatMap(([net, gross]) => [
      `count(*) filter (where ${quote(net)} <> 0 and ${quote(gross)} <> 0)`,
      `count(*) filter (where abs(${quote(net)}) > abs(${quote(gross)}) and ${quote(gross)} <> 0)`,
    ]),
  ];
  const { rows } = await client.query<{ rows: number; figures: number[] }>(
    `select count(*) as rows, array[${counts.map((count) => `(${count})::float8`).join(', ')}]::float8[] as figures from ${from}`,
  );
  const figures = (rows[0]?.figures ?? []).map(Number);
  let at = 0;
  const next = (): number => figures[at++] ?? 0;
  const filled = Object.fromEntries(optional.map((name) => [name, next()]));
  const numbers = Object.fromEntries(
    amounts.map((name) => [name, { filled: next(), negative: next(), sum: next(), size: next() }] as const),
  );
  const netAboveGross = Object.fromEntries(pairs.map(([net]) => [net, { rows: next(), above: next() }] as const));
  const codes: Record<string, Record<string, number>> = {};
  for (const column of columns) if (isCode(table, column)) codes[column.name] = await byCode(client, from, column.name);
  const dates: Record<string, DateProfile> = {};
  for (const { name, type } of columns) if (type === 'date') dates[name] = await datesOf(client, from, name);
  const measured = Number(rows[0]?.rows ?? 0);
  return { rows: all ?? measured, measured, filled, numbers, dates, codes, netAboveGross };
};
