/** Rows of a MySQL or MariaDB database, streamed. */
import type { Socket } from 'node:net';
import { type Connection, createConnection, type RowDataPacket, type TypeCastField } from 'mysql2';
import { type Cell, inBatches, PlainText, type SourceList, type SourceRow } from '../../source-rows.ts';
import type { Query } from './query.ts';

/** Instants come in UTC, a statement that ends the transaction by itself cannot write either, and the server waits while rows are stored. */
const session = ["set time_zone = '+00:00'", 'set session net_write_timeout = 3600', 'set session transaction read only'];

/** The address without what would let it send several statements. The driver prefers the address to its options. */
const ofOneStatement = (address: string): string => {
  const url = new URL(address);
  for (const name of ['multipleStatements', 'flags']) url.searchParams.delete(name);
  return String(url);
};

const run = (connection: Connection, statement: string, values: readonly string[] = []): Promise<void> =>
  new Promise((resolve, reject) => connection.execute(statement, [...values], (error) => (error ? reject(error) : resolve())));

export const queryMysql = async (address: string, { text, values, name }: Query): Promise<SourceList> => {
  const connection = createConnection({
    uri: ofOneStatement(address),
    multipleStatements: false,
    rowsAsArray: true,
    connectTimeout: 10_000,
    typeCast: cellOf,
  });
  // The statement that runs rejects as well.
  connection.on('error', () => {});
  const close = () => {
    connection.destroy();
    // The driver ends the socket only when all rows are read.
    (connection as unknown as { readonly stream: Socket }).stream.destroy();
  };
  try {
    for (const statement of session) await run(connection, statement);
    // The query of the source may have question marks, so the value is a variable and no parameter of the query.
    if (values.length > 0)
      await run(
        connection,
        'set @since = ?',
        values.map((value) => value.replace(/Z$/, '')),
      );
    // The server does not prepare this statement.
    await new Promise<void>((resolve, reject) =>
      connection.query('start transaction read only', (error) => (error ? reject(error) : resolve())),
    );
    const stream = connection.query<RowDataPacket[][]>(text).stream({ highWaterMark: 500 });
    // The driver does not tell the query that the connection is lost.
    connection.on('error', (error) => stream.destroy(error));
    const columns = new Promise<string[]>((resolve, reject) => {
      stream.once('fields', (fields: readonly { readonly name: string }[] | undefined) =>
        fields ? resolve(fields.map((field) => field.name)) : reject(new Error('the query gives no rows')),
      );
      stream.on('error', reject);
    });
    const names = await columns;
    async function* rows(): AsyncGenerator<SourceRow> {
      let line = 0;
      for await (const cells of stream as AsyncIterable<Cell[]>) yield { line: ++line, cells };
    }
    return { name, columns: names, rows: inBatches(rows()), close };
  } catch (error) {
    close();
    throw error;
  }
};

/** A day of zeros is no day. */
const momentOf = (text: string | null, zone = ''): Cell =>
  text === null || text.startsWith('0000-00-00') ? null : new PlainText(`${text}${zone}`);

const plainOf = (text: string | null): Cell => (text === null ? null : new PlainText(text));

/** The value of a field. A bit is true or false, longer bits are a number, and bytes are hexadecimal. */
const cellOf = (field: TypeCastField, next: () => unknown): Cell => {
  switch (field.type) {
    case 'DATE':
    case 'NEWDATE':
    case 'DATETIME':
      return momentOf(field.string());
    case 'TIMESTAMP':
      return momentOf(field.string(), 'Z');
    case 'DECIMAL':
    case 'NEWDECIMAL':
    case 'TINY':
    case 'SHORT':
    case 'INT24':
    case 'LONG':
    case 'LONGLONG':
    case 'YEAR':
      return plainOf(field.string());
    case 'FLOAT':
    case 'DOUBLE': {
      const text = field.string();
      return text === null ? null : Number(text);
    }
    case 'BIT': {
      const bytes = field.buffer();
      if (bytes === null) return null;
      return field.length === 1 ? bytes[0] === 1 : BigInt(`0x${bytes.toString('hex')}`);
    }
    case 'GEOMETRY':
      return field.buffer()?.toString('hex') ?? null;
    case 'JSON':
      return field.string('utf8');
    default: {
      // MariaDB marks JSON in the column only.
      if ((field as { readonly extendedFormat?: string }).extendedFormat === 'json') return field.string('utf8');
      const value = next();
      return Buffer.isBuffer(value) ? value.toString('hex') : (value as Cell);
    }
  }
};
