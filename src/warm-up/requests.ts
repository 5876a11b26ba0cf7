/** The warm-up requests: pages and documents of the largest table, and repetitions of them. */
import type { Caller } from '../access/caller.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { cursorColumn, pathOfTable, type Table } from '../catalogue/table.ts';
import { endpointGroups } from '../catalogue/tiers.ts';
import type { Database } from '../database/connections/connection.ts';
import { datasetsOf, runControlQuery } from '../database/control/datasets.ts';
import { readableTables, relationsAmong } from '../execute/visible.ts';
import { camelCase } from '../graphql/schema/names.ts';
import type { Client } from './client.ts';

/** A table to request, and its customer. */
export interface WarmUpTarget {
  readonly caller: Caller;
  readonly table: Table;
}

const callerOf = (customer: Caller['customer'], tier: Caller['tier']): Caller => ({
  keyId: '',
  keyFamily: '',
  customer,
  tier,
  groups: new Set(endpointGroups),
  scope: undefined,
  expiresAt: null,
  isSuspended: false,
  isWarmUp: true,
});

/** The table with the most rows that has cursors, of the customer with the most rows; undefined if all are empty. */
export const findWarmUpTarget = async ({ control, pool }: Database, catalogue: Catalogue): Promise<WarmUpTarget | undefined> => {
  const found = await control
    .selectFrom('publications as p')
    .innerJoin('customers as c', 'c.id', 'p.customer_id')
    .select(['c.id', 'c.slug', 'c.schema_name as schema', 'c.tier'])
    .where('p.total_rows', '>', 0)
    .where('c.suspended_at', 'is', null)
    .orderBy('p.total_rows', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!found) return undefined;
  const { tier, ...customer } = found;
  const paged = [...catalogue.tables.values()].filter((table) => cursorColumn(table) && table.requiredFilters.length === 0);
  const isPaged = datasetsOf(customer.schema, 'category').where(
    'name',
    'in',
    paged.map(({ name }) => name),
  );
  const [largest] = await runControlQuery(pool, isPaged.select('name').where('row_count', '>', 0).orderBy('row_count', 'desc').limit(1));
  return largest && { caller: callerOf(customer, tier), table: catalogue.tables.get(largest.name)! };
};

/** The number of fields of a row, and of relations of a list, in one document. */
const [maxFields, maxRelations] = [12, 3];

/** A list with fields of its rows and of referenced rows, as far as the caller may read them. */
const documentOf = (catalogue: Catalogue, { table, caller: { tier } }: WarmUpTarget): string => {
  const fieldsOf = ({ columns }: Table) => Object.keys(columns).slice(0, maxFields).map(camelCase).join(' ');
  const relations = relationsAmong(
    catalogue,
    readableTables([...catalogue.tables.values()], tier),
  )(table.name)
    .filter(({ kind }) => kind === 'to-one')
    .slice(0, maxRelations)
    .map(({ name, target }) => `${name} { ${fieldsOf(catalogue.tables.get(target)!)} }`);
  return `query ($first: Int!, $after: String) { ${camelCase(table.name)}(first: $first, after: $after) {
    nodes { ${fieldsOf(table)} ${relations.join(' ')} } pageInfo { endCursor } } }`;
};

/** Requests the next page over REST and over GraphQL, repeats each, and requests what needs no table. */
export const createRound = (catalogue: Catalogue, target: WarmUpTarget): ((client: Client) => Promise<void>) => {
  const path = pathOfTable(target.table);
  const query = documentOf(catalogue, target);
  let [cursor, after]: [string | undefined, string | undefined] = [undefined, undefined];
  return async (client) => {
    const page = `${path}?limit=100${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const { headers } = await client.get(page);
    cursor = headers['x-next-cursor']?.toString();
    await client.get(page);
    await client.get(page, { 'If-None-Match': headers.etag });
    const document = { query, variables: { first: 50, after } };
    const { text } = await client.execute(document);
    after = /"endCursor":"([^"]+)"/.exec(text)?.[1];
    await client.execute(document);
    await client.get('/catalog');
    await client.get('/nowhere');
  };
};
