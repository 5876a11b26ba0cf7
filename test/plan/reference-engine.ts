/** The customer's category tables in another engine, and results of SQL there as text. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Column } from '../../src/catalogue/column.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Database } from '../../src/database/connections/connection.ts';

const typeOf = ({ kind, digits }: Column): string =>
  ({
    integer: 'INTEGER',
    bigint: 'BIGINT',
    number: `DECIMAL(${digits?.join()})`,
    string: 'VARCHAR',
    date: 'DATE',
    timestamp: 'TIMESTAMP',
    boolean: 'BOOLEAN',
  })[kind];

const field = (value: string | null): string => (value === null ? '\\N' : `"${value.replaceAll('"', '""')}"`);

export class ReferenceEngine {
  readonly #connection: DuckDBConnection;
  readonly #known = new Map<string, Promise<(string | null)[][]>>();

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** Copies all category tables of a schema. Points in time are in UTC. */
  static async copyOf({ pool }: Database, schema: string): Promise<ReferenceEngine> {
    // Its threads take longer to share the work of such small tables than to do it.
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    const folder = mkdtempSync(join(tmpdir(), 'estate-other-'));
    for (const { name, columns } of catalogue.tables.values()) {
      const entries = Object.entries(columns);
      const texts = entries.map(([column, { kind }]) =>
        kind === 'timestamp' ? `("${column}" at time zone 'UTC')::text` : `"${column}"::text`,
      );
      const { rows } = await pool.query<{ row: (string | null)[] }>(`select array[${texts.join()}] as row from "${schema}"."${name}"`);
      const file = join(folder, `${name}.csv`);
      writeFileSync(file, rows.map(({ row }) => `${row.map(field).join()}\r\n`).join(''));
      await connection.run(`create table ${name} (${entries.map(([column, own]) => `"${column}" ${typeOf(own)}`).join()})`);
      const read = entries.map(([column]) => `'${column}': 'VARCHAR'`).join();
      if (rows.length > 0)
        await connection.run(
          `insert into ${name} select * from read_csv('${file}', header=false, nullstr='\\N', quote='"', escape='"', columns={${read}})`,
        );
    }
    rmSync(folder, { recursive: true });
    return new ReferenceEngine(connection);
  }

  /** Rows as text. Every column must be text. */
  async rows(sql: string): Promise<(string | null)[][]> {
    return (await this.#connection.runAndReadAll(sql)).getRows() as (string | null)[][];
  }

  /** Like `rows`, but executes the same SQL once. The copied tables do not change. */
  knownRows(sql: string): Promise<(string | null)[][]> {
    const known = this.#known.get(sql) ?? this.rows(sql);
    this.#known.set(sql, known);
    return known;
  }
}
