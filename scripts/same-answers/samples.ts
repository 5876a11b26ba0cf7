/** The data for the requests: existing rows, a version, cursors and tags, read through one version of the service. */
import type { Kind } from '../../src/catalogue/column.ts';
import { entries } from '../../src/catalogue/index.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { pathOfTable, type Table } from '../../src/catalogue/table.ts';
import { type ApiResponse, mapConcurrently, type Send } from './client.ts';

export type Value = string | number | boolean;

/** A category table with values of its rows. */
export interface Sample {
  readonly table: Table;
  readonly path: string;
  /** An existing value by column. A column that is null in all sampled rows has none. */
  readonly values: ReadonlyMap<string, Value>;
  readonly version: number;
  /** The cursor of the next page of a delta. */
  readonly deltaCursor: string | null;
  /** For a page of `walkLimit` rows that match the required filters: the next two pages, and the page's tag. */
  readonly cursors: readonly string[];
  readonly etag: string;
}

/** A raw table, with the cursor behind its first `walkLimit` rows. */
export interface RawSample {
  readonly name: string;
  readonly cursor: string | null;
  readonly version: number;
  readonly deltaCursor: string | null;
  readonly etag: string;
}

export const walkLimit = 25;
export const deltaLimit = 10;
/** The version after the first load. Deltas start from it. */
export const firstVersion = 1;
const sampleRows = 60;

/** For each kind a value that no row has. */
export const absent: Readonly<Record<Kind, Value>> = {
  integer: 2_000_000_001,
  bigint: 9_007_199_254_740_001,
  number: 987_654_321.5,
  string: 'no such value',
  date: '1802-03-04',
  timestamp: '1802-03-04T05:06:07Z',
  boolean: false,
};

/** An answer that must exist. */
export const get = async (send: Send, path: string): Promise<ApiResponse> => {
  const answer = await send({ method: 'GET', path, key: 'enterprise', expects: 'data' });
  if (answer.status !== 200) throw new Error(`GET ${path} is answered ${answer.status}: ${answer.body.subarray(0, 500)}`);
  return answer;
};

export const json = ({ body }: ApiResponse) => JSON.parse(body.toString());

type Rows = readonly Readonly<Record<string, Value | null>>[];

/** The first value of each column that is not null. */
const valuesOf = (columns: readonly string[], rows: Rows): ReadonlyMap<string, Value> =>
  new Map(
    columns.flatMap((column): [string, Value][] => {
      const value = rows.find((row) => row[column] !== null)?.[column];
      return value === undefined || value === null ? [] : [[column, value]];
    }),
  );

/** Values of the required filters that one row matches, from the driving raw table. */
const requiredValues = async (send: Send, { requiredFilters, columns, source }: Table): Promise<ReadonlyMap<string, Value>> => {
  if (requiredFilters.length === 0) return new Map();
  const rows: Rows = json(await get(send, `/raw/${source.table}?limit=${sampleRows}`)).data;
  const row = rows.at(-1) ?? {};
  return new Map(requiredFilters.map((column) => [column, row[columns[column]?.from ?? column] ?? absent[columns[column]!.kind]]));
};

/** The minimal query of a table, with more parameters. */
export const queryOf = ({ table, values }: Pick<Sample, 'table' | 'values'>, more: Readonly<Record<string, unknown>> = {}): string => {
  const parameters = new URLSearchParams(table.requiredFilters.map((column) => [column, String(values.get(column))]));
  for (const [name, value] of Object.entries(more)) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
};

const sampleOf = async (send: Send, table: Table): Promise<Sample> => {
  const path = pathOfTable(table);
  const required = await requiredValues(send, table);
  const page = (limit: number, more = {}) => get(send, `${path}${queryOf({ table, values: required }, { limit, ...more })}`);
  const rows: Rows = json(await page(sampleRows));
  const first = await page(walkLimit);
  const cursors: string[] = [];
  for (let cursor = first.headers.get('x-next-cursor'); cursor !== undefined && cursors.length < 2; ) {
    cursors.push(cursor);
    cursor = (await page(walkLimit, { cursor })).headers.get('x-next-cursor');
  }
  const deltas = await get(send, `${path}/deltas?since_version=${firstVersion}&limit=${deltaLimit}`);
  return {
    table,
    path,
    // The sample starts in the middle, so that rows exist before and behind it.
    values: new Map([...valuesOf(Object.keys(table.columns), [...rows.slice(rows.length / 2), ...rows]), ...required]),
    version: json(deltas).to_version,
    deltaCursor: json(deltas).next_cursor,
    cursors,
    etag: first.headers.get('etag') ?? '',
  };
};

const rawSampleOf = async (send: Send, name: string): Promise<RawSample> => {
  const page = await get(send, `/raw/${name}?limit=${walkLimit}`);
  const deltas = json(await get(send, `/raw/${name}/deltas?since_version=${firstVersion}&limit=${deltaLimit}`));
  const etag = page.headers.get('etag') ?? '';
  return { name, cursor: json(page).next_cursor, version: deltas.to_version, deltaCursor: deltas.next_cursor, etag };
};

export const readSamples = (send: Send): Promise<readonly Sample[]> => mapConcurrently(entries, (table) => sampleOf(send, table));
export const readRawSamples = (send: Send): Promise<readonly RawSample[]> =>
  mapConcurrently(Object.keys(rawTables), (name) => rawSampleOf(send, name));
