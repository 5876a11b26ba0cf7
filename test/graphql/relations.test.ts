/** Every table and relation of the catalogue, compared with plain SQL (contract: GraphQL connections). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue, type ResolvedRelation } from '../../src/catalogue/index.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { byIdName, camelCase } from '../../src/graphql/schema/names.ts';
import { startService, type TestService } from '../support/service.ts';
import { statementsDuring } from '../support/statements.ts';
import { dataOf } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const schema = 'customer_nord';
const tables = [...catalogue.tables.values()];
const relations = tables.flatMap((table) => (catalogue.relations.get(table.name) ?? []).map((relation) => ({ table, relation })));

const sql = async <T extends unknown[]>(text: string): Promise<T[]> =>
  (await service.database.pool.query({ text, rowMode: 'array' })).rows as T[];

/** Values of required filters that find rows. */
const requiredFilter = async ({ name, requiredFilters }: Table): Promise<string> => {
  if (requiredFilters.length === 0) return '';
  const [row = []] = await sql(`select ${requiredFilters.join()} from ${schema}.${name} limit 1`);
  return `filter: { ${requiredFilters.map((column, index) => `${camelCase(column)}: { eq: ${row[index]} }`).join(' ')} }`;
};

describe('tables', () => {
  test.each(tables.map(({ name }) => name))('%s', async (name) => {
    const table = catalogue.tables.get(name)!;
    const filter = await requiredFilter(table);
    const columns = Object.keys(table.columns);
    const fields = columns.map(camelCase).join(' ');
    const { rows } = await dataOf(service, `{ rows: ${camelCase(name)}(first: 3, ${filter}) { totalCount nodes { ${fields} } } }`);
    const query = filter.replaceAll(/filter: \{ (.*) \}/g, '$1').replaceAll(/(\w+): \{ eq: (\w+) \}/g, (_, field, value) => {
      const column = columns.find((candidate) => camelCase(candidate) === field);
      return `${column}=${value}&`;
    });
    const rest = await service.get(`/${table.category}/${name}?limit=3&${query.replaceAll(' ', '')}`);
    expect(rows.nodes.map((row: object) => Object.values(row))).toEqual(rest.json.map((row: object) => Object.values(row)));
    expect(rows.totalCount).toBe(Number(rest.headers.get('X-Total-Count')));
    expect(rows.nodes.length).toBeGreaterThan(0);
    const key = rows.nodes[0][camelCase(table.key)];
    const { one } = await dataOf(service, `{ one: ${byIdName(name)}(${camelCase(table.key)}: ${JSON.stringify(key)}) { ${fields} } }`);
    expect(one).toEqual(rows.nodes[0]);
  });
});

/** The keys on both sides of a relation, for the first parents in key order with children. */
const expected = async (table: Table, { column, target, targetColumn }: ResolvedRelation) => {
  const other = catalogue.tables.get(target)!;
  const order = other.sort.map((name) => `c.${name}`).join();
  const found = await sql<[unknown, string[]]>(
    `select p.${table.key}, array_agg(c.${other.key}::text order by ${order})
     from ${schema}.${table.name} p join ${schema}.${target} c on c.${targetColumn} = p.${column}
     group by 1 order by 1 limit 5`,
  );
  return found.map(([key, children]) => [key, children.slice(0, 50), children.length] as const);
};

/** To-one relations of few rows are read by a join, those of many rows separately. Both must give the same result. */
const ways = relations.flatMap(({ table, relation }): [name: string, Table, ResolvedRelation, first: number, statements: number][] => {
  const name = `${table.name}.${relation.name}`;
  if (relation.kind === 'to-many') return [[name, table, relation, 100, 3]];
  return [
    [`${name}, read along`, table, relation, 100, 1],
    [`${name}, read by itself`, table, relation, 1000, 2],
  ];
});

describe('relations', () => {
  test.each(ways)('%s', async (_name, table, relation, first, count) => {
    const wanted = await expected(table, relation);
    const key = camelCase(table.key);
    const childKey = camelCase(catalogue.tables.get(relation.target)!.key);
    const inner = relation.kind === 'to-one' ? `{ ${childKey} }` : `(first: 50) { totalCount nodes { ${childKey} } }`;
    const filter = `${key}: { in: ${JSON.stringify(wanted.map(([value]) => value))} } ${await anyOfRequired(table)}`;
    let nodes: Record<string, unknown>[] = [];
    const statements = await statementsDuring(async () => {
      const document = `{ rows: ${camelCase(table.name)}(first: ${first}, orderBy: [{ ${key}: ASC }], filter: { ${filter} }) { nodes { ${key} ${relation.name} ${inner} } } }`;
      nodes = (await dataOf(service, document)).rows.nodes;
    });
    const isMany = relation.kind === 'to-many';
    expect(statements).toHaveLength(wanted.length === 0 ? 1 : count);
    const got = nodes.map((node) => {
      const related = node[relation.name] as { nodes: Record<string, unknown>[]; totalCount: number } & Record<string, unknown>;
      if (!isMany) return [node[key], [String(related[childKey])], 1];
      return [node[key], related.nodes.map((child) => String(child[childKey])), related.totalCount];
    });
    expect(got).toEqual(wanted);
  });
});

/** Values of the required filters that match all rows. */
const anyOfRequired = async (table: Table): Promise<string> => {
  const parts = table.requiredFilters.map(async (column) => {
    const values = await sql<[unknown]>(`select distinct ${column} from ${schema}.${table.name}`);
    return `${camelCase(column)}: { in: [${values.join()}] }`;
  });
  return (await Promise.all(parts)).join(' ');
};
