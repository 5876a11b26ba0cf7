/** What a process asks itself: pages and documents of the largest table that there is, and what of them is asked again. */
import type { Caller } from '../access/caller.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { cursorColumn, pathOfTable, type Table } from '../catalogue/table.ts';
import { endpointGroups } from '../catalogue/tiers.ts';
import type { Database } from '../database/connection.ts';
import { camelCase } from '../graphql/names.ts';
import { readableTables, relationsAmong } from '../read/visible.ts';
import type { Client } from './client.ts';

/** A table to ask for, and the customer whose it is. */
export interface Place {
  readonly caller: Caller;
  readonly table: Table;
}

const callerOf = (customer: Caller['customer'], tier: Caller['tier']): Caller => ({
  keyId: '',
  lineage: '',
  customer,
  tier,
  groups: new Set(endpointGroups),
  expiresAt: null,
  isSuspended: false,
});

/** Where the most rows are that are paged through by cursor; undefined if nobody has any. */
export const findPlace = async ({ control }: Database, catalogue: Catalogue): Promise<Place | undefined> => {
  const paged = [...catalogue.tables.values()].filter((table) => cursorColumn(table) && table.requiredFilters.length === 0);
  const names = paged.map(({ name }) => name);
  const found = await control
    .selectFrom('datasets as d')
    .innerJoin('customers as c', 'c.id', 'd.customer_id')
    .select(['c.id', 'c.slug', 'c.schema_name as schema', 'c.tier', 'd.name'])
    .where('d.kind', '=', 'category')
    .where('d.name', 'in', names)
    .where('d.row_count', '>', 0)
    .where('c.suspended_at', 'is', null)
    .orderBy('d.row_count', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!found) return undefined;
  const { name, tier, ...customer } = found;
  return { caller: callerOf(customer, tier), table: catalogue.tables.get(name)! };
};

/** Fields of a row, and relations of a list, that callers ask for at once. */
const [mostFields, mostRelations] = [12, 3];

/** A list with fields of its rows, and of the rows that these refer to, as far as the caller may see them. */
const documentOf = (catalogue: Catalogue, { table, caller: { tier } }: Place): string => {
  const fieldsOf = ({ columns }: Table) => Object.keys(columns).slice(0, mostFields).map(camelCase).join(' ');
  const relations = relationsAmong(
    catalogue,
    readableTables([...catalogue.tables.values()], tier),
  )(table.name)
    .filter(({ kind }) => kind === 'to-one')
    .slice(0, mostRelations)
    .map(({ name, target }) => `${name} { ${fieldsOf(catalogue.tables.get(target)!)} }`);
  return `query ($first: Int!, $after: String) { ${camelCase(table.name)}(first: $first, after: $after) {
    nodes { ${fieldsOf(table)} ${relations.join(' ')} } pageInfo { endCursor } } }`;
};

/** Asks for the next page, over REST and over GraphQL, for each of them again, and for what needs no table. */
export const createRound = (catalogue: Catalogue, place: Place): ((client: Client) => Promise<void>) => {
  const path = pathOfTable(place.table);
  const query = documentOf(catalogue, place);
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
