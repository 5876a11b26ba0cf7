/** Rows of a SQL Server database, streamed: the connection is paused while rows wait. */
import { Connection, Request, TYPES } from 'tedious';
import { OperatorError } from '../../../errors.ts';
import { type Cell, inBatches, PlainText, type SourceList, type SourceRow } from '../../source-rows.ts';
import type { Query } from './query.ts';

const waitingRows = 1_000;

interface Column {
  readonly value: unknown;
  readonly metadata: { readonly colName: string; readonly type: { readonly name: string } };
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

/** A column of a query, with its type in SQL. */
export interface TypedColumn {
  readonly name: string;
  readonly type: string;
}

const isExact = (type: string): boolean => /^(?:decimal|numeric|money|smallmoney)\b/.test(type);
const quoted = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

/** The query with its decimals and amounts of money as text, because the driver makes doubles of them. Other queries stay as they are. */
export const withExactText = (text: string, columns: readonly TypedColumn[]): string => {
  if (!columns.some(({ type }) => isExact(type))) return text;
  if (columns.some(({ name }) => name === '')) throw new OperatorError('a column of the query has no name: name it with as');
  const list = columns.map(({ name, type }) => {
    if (!isExact(type)) return quoted(name);
    // Style 2 keeps all four decimals of money.
    return `convert(varchar(60), ${quoted(name)}${type.includes('money') ? ', 2' : ''}) as ${quoted(name)}`;
  });
  return `select ${list.join(', ')} from (${text}\n) as exported`;
};

/** Runs a statement that gives a few rows. */
const fewRows = (connection: Connection, text: string, parameters: Readonly<Record<string, string>>): Promise<Column[][]> =>
  new Promise((resolve, reject) => {
    const rows: Column[][] = [];
    const request = new Request(text, (error) => (error ? reject(error) : resolve(rows)));
    for (const [name, value] of Object.entries(parameters)) request.addParameter(name, TYPES.NVarChar, value);
    request.on('row', (cells: Column[]) => rows.push(cells));
    connection.execSql(request);
  });

/** The columns of a query, as the server describes them without running it. */
const describe = async (connection: Connection, { text, values }: Query): Promise<TypedColumn[]> => {
  const declared = values.length > 0 ? '@since nvarchar(4000)' : '';
  const rows = await fewRows(connection, 'exec sp_describe_first_result_set @tsql = @query, @params = @declared', {
    query: text,
    declared,
  });
  const fieldOf = (cells: Column[], name: string) => String(cells.find(({ metadata }) => metadata.colName === name)?.value ?? '');
  return rows.map((cells) => ({ name: fieldOf(cells, 'name'), type: fieldOf(cells, 'system_type_name') }));
};

/**
 * Runs a query. SQL Server has no transaction that only reads: the login of the source must have no right to write (guide: databases). The
 * driver sends one batch, and a batch may hold several statements.
 */
export const querySqlServer = async (address: string, query: Query): Promise<SourceList> => {
  const connection = await connect(address);
  try {
    const columns = await describe(connection, query);
    const exact = columns.map(({ type }) => isExact(type));
    return await run(connection, { ...query, text: withExactText(query.text, columns) }, exact);
  } catch (error) {
    connection.close();
    throw error;
  }
};

/** `exact`: whether a column is the text of a number. */
const run = async (connection: Connection, { text, values, name }: Query, exact: readonly boolean[]): Promise<SourceList> => {
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
    waiting.push({
      line: ++line,
      cells: cells.map((cell, index) => (exact[index] && cell.value !== null ? new PlainText(String(cell.value)) : cellOf(cell))),
    });
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
  return { name, columns: await columns, rows: inBatches(rows()), close };
};
