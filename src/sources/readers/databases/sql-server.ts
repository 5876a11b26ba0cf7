/** Rows of a SQL Server database, streamed: the connection is paused while rows wait. */
import { Connection, Request, TYPES } from 'tedious';
import { type Cell, PlainText, type SourceList, type SourceRow } from '../../source-rows.ts';
import type { Query } from './query.ts';

const waitingRows = 1_000;

interface Column {
  readonly value: unknown;
  readonly metadata: { readonly type: { readonly name: string } };
}

/** The driver gives times without a zone as if they were in UTC; this type alone is an instant. */
const cellOf = ({ value, metadata }: Column): Cell => {
  if (value instanceof Date && metadata.type.name === 'DateTimeOffset') return new PlainText(value.toISOString());
  return Buffer.isBuffer(value) ? value.toString('hex') : (value as Cell);
};

const connect = (address: string): Promise<Connection> => {
  const { hostname, port, username, password, pathname, searchParams } = new URL(address);
  const connection = new Connection({
    server: hostname,
    authentication: { type: 'default', options: { userName: decodeURIComponent(username), password: decodeURIComponent(password) } },
    options: {
      port: Number(port || 1433),
      database: decodeURIComponent(pathname.slice(1)),
      encrypt: searchParams.get('encrypt') !== 'false',
      trustServerCertificate: searchParams.get('trustServerCertificate') === 'true',
      requestTimeout: 0,
      useUTC: true,
    },
  });
  return new Promise((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve(connection))));
};

export const querySqlServer = async (address: string, { text, values, name }: Query): Promise<SourceList> => {
  const connection = await connect(address);
  const waiting: SourceRow[] = [];
  let ended = false;
  let failure: Error | undefined;
  let wake = () => {};
  let line = 0;
  const request = new Request(text, (error) => {
    failure = error ?? undefined;
    ended = true;
    wake();
  });
  for (const value of values) request.addParameter('since', TYPES.NVarChar, value);
  const columns = new Promise<string[]>((resolve, reject) => {
    request.once('columnMetadata', (metadata: { colName: string }[]) => resolve(metadata.map(({ colName }) => colName)));
    request.once('error', reject);
    request.once('requestCompleted', () => resolve([]));
  });
  request.on('row', (cells: Column[]) => {
    waiting.push({ line: ++line, cells: cells.map(cellOf) });
    if (waiting.length >= waitingRows) request.pause();
    wake();
  });
  connection.execSql(request);
  async function* rows(): AsyncGenerator<SourceRow> {
    while (true) {
      while (waiting.length > 0) yield waiting.shift()!;
      if (failure) throw failure;
      if (ended) return;
      const more = new Promise<void>((resolve) => {
        wake = resolve;
      });
      request.resume();
      await more;
    }
  }
  const close = () => connection.close();
  try {
    return { name, columns: await columns, rows: rows(), close };
  } catch (error) {
    close();
    throw error;
  }
};
