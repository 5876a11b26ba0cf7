/** Rows of SQL databases, streamed. Values come as text, so that no driver rounds or shifts them. */
import { OperatorError } from '../../errors.ts';
import { shown } from '../../sync/files/rejections.ts';
import type { DatabaseRule, Origin } from '../source-file.ts';
import type { SourceList, SourceRow } from '../source-rows.ts';
import type { Query } from './databases/query.ts';

const schemes = { postgres: ['postgres', 'postgresql'], mysql: ['mysql', 'mariadb'], sqlserver: ['sqlserver', 'mssql'] } as const;

/** The names of variables that a source reads begin with this, so that it reads no secret of the service. */
const readable = 'SOURCE_';

/** The address with the variables of the environment that it names. It has a password, so no message shows it. */
const addressOf = ({ url, type }: DatabaseRule, database: string): string => {
  const address = url.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    if (!name.startsWith(readable))
      throw new OperatorError(`The source names the variable ${shown(name)}: it reads only variables whose names begin with ${readable}.`);
    const value = process.env[name];
    if (value === undefined) throw new OperatorError(`The variable ${name} of the environment is not set, and the source names it.`);
    return value;
  });
  if (!schemes[type].some((scheme) => address.startsWith(`${scheme}://`)) || !URL.canParse(address))
    throw new OperatorError(
      `The address of the database ${shown(database)} is none of the type ${type}: write ${schemes[type][0]}://user:password@host:port/database.`,
    );
  return address;
};

const quotes = { postgres: ['"', '"'], mysql: ['`', '`'], sqlserver: ['[', ']'] } as const;
/** Removes blanks and semicolons at the end. */
const withoutEnd = (text: string): string => {
  let end = text.length;
  while (end > 0 && /[\s;]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
};

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** A watermark less its overlap: of a counter by a number, of a time by a duration. Throws an `OperatorError` if both do not match. */
export const watermarkBefore = (since: string, lookback: string | undefined): string => {
  if (lookback === undefined) return since;
  const [amount = '', unit = ''] = lookback.split(' ');
  const isCounter = /^-?\d+$/.test(since);
  if (isCounter !== (unit === ''))
    throw new OperatorError(
      `lookback '${lookback}' does not fit the watermark '${shown(since)}': ${isCounter ? 'state a number' : 'state a duration such as 15 minutes'}.`,
    );
  if (isCounter) return String(BigInt(since) - BigInt(amount));
  const zone = /(?<=:\d{2}(?:\.\d{1,9})?)(?:Z|[+-]\d{2}(?::?\d{2})?)$/.exec(since)?.[0] ?? '';
  const local = Date.parse(`${since.slice(0, since.length - zone.length).replace(' ', 'T')}${since.includes(':') ? '' : 'T00:00'}Z`);
  if (Number.isNaN(local)) throw new OperatorError(`lookback: the watermark '${shown(since)}' is no time.`);
  const before = new Date(local - Number(amount) * unitMs[unit.replace(/s$/, '') as keyof typeof unitMs]);
  return `${before.toISOString().slice(0, -1)}${zone}`;
};

const parameters = { postgres: '$1', mysql: '@since', sqlserver: '@since' } as const;

/** The name of a table or a column, quoted. A point separates schema and table. */
const quoteName = (type: DatabaseRule['type'], name: string): string => {
  const [open, close] = quotes[type];
  return name
    .split('.')
    .map((part) => `${open}${part.replaceAll(close, () => close + close)}${close}`)
    .join('.');
};

/** The statement of an origin: its query or its whole table, since the watermark of the last load if it has one. */
export const queryOf = (type: DatabaseRule['type'], { query, dbtable, watermark, lookback }: Origin, since: string | undefined): Query => {
  const text = query === undefined ? `select * from ${quoteName(type, dbtable ?? '')}` : withoutEnd(query);
  const name = dbtable ?? 'the query';
  if (watermark === undefined || since === undefined) return { text, values: [], name };
  return {
    text: `select * from (${text}\n) as changed where ${quoteName(type, watermark)} >= ${parameters[type]}`,
    values: [watermarkBefore(since, lookback)],
    name,
  };
};

/** The driver of SQL Server brings many packages, so an installation may leave it out. */
const explainMissing = (error: unknown): never => {
  if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw new OperatorError(
    'The driver of SQL Server is not installed. In the folder of the service, run: npm install --no-save --omit=dev --include=optional',
  );
};

const readers = {
  postgres: async () => (await import('./databases/postgres.ts')).queryPostgres,
  mysql: async () => (await import('./databases/mysql.ts')).queryMysql,
  sqlserver: async () => (await import('./databases/sql-server.ts').catch(explainMissing)).querySqlServer,
} as const;

/** A connection that is lost between rows is an error of the operator, too. */
async function* explaining(rows: SourceList['rows'], explained: (error: unknown) => OperatorError): AsyncGenerator<readonly SourceRow[]> {
  const iterator = rows[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next().catch((error: unknown) => {
      throw explained(error);
    });
    if (next.done) return;
    yield next.value;
  }
}

/** Runs the query of an origin. Throws an `OperatorError` without the address of the database. */
export const openQuery = async (database: DatabaseRule, origin: Origin, since: string | undefined): Promise<SourceList> => {
  const query = queryOf(database.type, origin, since);
  const address = addressOf(database, origin.database ?? '');
  const explained = (error: unknown): OperatorError =>
    error instanceof OperatorError
      ? error
      : new OperatorError(`${shown(query.name)}: the database ${origin.database} says: ${shown((error as Error).message)}`);
  try {
    const list = await (await readers[database.type]())(address, query);
    return { ...list, rows: explaining(list.rows, explained) };
  } catch (error) {
    throw explained(error);
  }
};

const tableLists = {
  postgres: `select table_schema || '.' || table_name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  mysql: "select table_name from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE' order by 1",
  sqlserver: "select table_schema + '.' + table_name from information_schema.tables where table_type = 'BASE TABLE' order by 1",
} as const;

/** The names of the tables of a database. */
export const tablesOf = async (database: DatabaseRule, name: string): Promise<string[]> => {
  const { rows, close } = await openQuery(database, { database: name, query: tableLists[database.type] }, undefined);
  const names: string[] = [];
  for await (const batch of rows) for (const { cells } of batch) names.push(String(cells[0]));
  await close?.();
  return names;
};
