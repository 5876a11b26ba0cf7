/** The tables of a full copy as connectors need them: path, key, place of the rows, and the schema of a row. */
import type { Catalogue } from '../../catalogue/index.ts';
import { type KindMeaning, kinds } from '../../catalogue/kinds.ts';
import { rawTables } from '../../catalogue/raw/index.ts';
import { partsOf, type RawTable } from '../../catalogue/raw-table.ts';
import { pathOfTable, type Table } from '../../catalogue/table.ts';
import { pageLimits } from '../../query/parameters.ts';

/** JSON Schema of a value or of a row. */
type Schema = Readonly<Record<string, unknown>>;

export interface Stream {
  readonly name: string;
  /** The path without a leading slash. */
  readonly path: string;
  readonly key: string;
  /** The member of the response that holds the rows; undefined if the response is the list of rows. */
  readonly rowsIn: string | undefined;
  readonly schema: Schema;
}

/** The largest page, so that a copy takes few requests. */
export const pageSize = pageLimits.limit.max;

const nullable = ({ type, ...format }: KindMeaning['schema'], isRequired: boolean): Schema => ({
  type: isRequired ? type : ['null', type],
  ...format,
});

const rowOf = (properties: Readonly<Record<string, Schema>>): Schema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties,
});

const categoryStream = (table: Table): Stream => ({
  name: table.name,
  path: pathOfTable(table).slice(1),
  key: table.key,
  rowsIn: undefined,
  schema: rowOf(
    Object.fromEntries(
      Object.entries(table.columns).map(([name, { kind, required, meaning }]) => [
        name,
        { ...nullable(kinds[kind].schema, required === true), description: meaning },
      ]),
    ),
  ),
});

/** SQL types of raw tables as kinds of columns. */
const kindOf = (type: string): keyof typeof kinds => {
  if (type === 'integer' || type === 'bigint' || type === 'boolean' || type === 'date') return type;
  if (type === 'timestamptz') return 'timestamp';
  return type.startsWith('numeric') ? 'number' : 'string';
};

const rawStream = (name: string): Stream => {
  const { key, columns }: RawTable = rawTables[name as keyof typeof rawTables];
  const properties = Object.entries(columns).map(([column, declared]) => {
    const { type, required } = partsOf(declared);
    return [column, nullable(kinds[kindOf(type)].schema, required)] as const;
  });
  return { name, path: `raw/${name}`, key, rowsIn: 'data', schema: rowOf(Object.fromEntries(properties)) };
};

/** One stream for each category table. A table with required filters cannot be read as a whole, so its raw table takes its place. */
export const streamsOf = ({ tables }: Catalogue): readonly Stream[] =>
  [...tables.values()].map((table) => (table.requiredFilters.length > 0 ? rawStream(table.source.table) : categoryStream(table)));
