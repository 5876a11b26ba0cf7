/** Rows of a PostgreSQL database, by a cursor. */
import pg from 'pg';
import { type Cell, PlainText, type SourceList, type SourceRow } from '../../source-rows.ts';
import type { Query } from './query.ts';

const fetched = 2_000;

const { BOOL, BYTEA, DATE, FLOAT4, FLOAT8, INT2, INT4, INT8, NUMERIC, OID, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;
const plain = new Set([INT2, INT4, INT8, OID, NUMERIC, DATE, TIMESTAMP, TIMESTAMPTZ]);

/** The value that the server writes as this text. Bytes are hexadecimal. */
const cellOf = (type: number, text: string): Cell => {
  if (type === BOOL) return text === 't';
  if (type === FLOAT4 || type === FLOAT8) return Number(text);
  if (type === BYTEA) return text.slice(2);
  return plain.has(type) ? new PlainText(text) : text;
};

const types = {
  getTypeParser: (type: number) => (text: string | Buffer) => cellOf(type, String(text)),
} as unknown as pg.CustomTypesConfig;

export const queryPostgres = async (address: string, { text, values, name }: Query): Promise<SourceList> => {
  const client = new pg.Client({ connectionString: address, types, connectionTimeoutMillis: 10_000 });
  // The statement that runs rejects as well.
  client.on('error', () => {});
  const close = () => client.end().catch(() => {});
  const fetch = () =>
    client.query<Cell[]>({ text: `fetch ${fetched} from exported`, rowMode: 'array' } as pg.QueryArrayConfig) as unknown as Promise<
      pg.QueryArrayResult<Cell[]>
    >;
  try {
    await client.connect();
    await client.query('begin read only');
    await client.query("set local datestyle = 'ISO'; set local timezone = 'UTC'; set local bytea_output = 'hex'");
    // The extended protocol takes one statement, so the query cannot end the transaction. Without values, the driver would use the simple one.
    await client.query({
      text: `declare exported no scroll cursor for ${text}`,
      values: [...values],
      queryMode: 'extended',
    } as pg.QueryConfig);
    const first = await fetch();
    async function* rows(): AsyncGenerator<readonly SourceRow[]> {
      let line = 0;
      for (let page = first; page.rows.length > 0; page = await fetch()) yield page.rows.map((cells) => ({ line: ++line, cells }));
    }
    return { name, columns: first.fields.map((field) => field.name), rows: rows(), close };
  } catch (error) {
    await close();
    throw error;
  }
};
