/** A script of DuckDB: a view for each table, which reads the Parquet file of the current version (contract: script of views). */
import type { Table } from '../catalogue/table.ts';
import { parquetPathOf } from './formats.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const viewOf = ({ name, purpose }: Pick<Table, 'name' | 'purpose'>, address: string): string =>
  `create or replace view ${name} as from read_parquet(${quoted(`${address}${parquetPathOf(name)}`)});
comment on view ${name} is ${quoted(purpose)};
`;

/** `address` is that of the service, without a slash at its end. */
export const duckdbScript = (tables: Iterable<Pick<Table, 'name' | 'purpose'>>, address: string): string => `\
-- DuckDB: a view of each table, which reads the Parquet file of its current version. Put your key in, then: duckdb -init estate.sql
install httpfs;
load httpfs;
create or replace secret estate (type http, scope ${quoted(`${address}/`)}, extra_http_headers map {'X-API-Key': 'est_YOUR_KEY'});

${[...tables].map((table) => viewOf(table, address)).join('')}`;
