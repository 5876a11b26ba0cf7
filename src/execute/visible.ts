/** The tables that a caller sees, for all APIs (contract: visibility). */
import { authorize, authorizeTable, type Caller } from '../access/caller.ts';
import { categorySource, type Directory, type RawDataset } from '../cache/directory.ts';
import { catalogueWithin, includesTable } from '../catalogue/data-scope.ts';
import type { Catalogue, ResolvedRelation } from '../catalogue/index.ts';
import type { DatasetKind, Table } from '../catalogue/table.ts';
import { type Category, categories, type EndpointGroup, includesTier, type Tier } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import type { ReadableTable } from '../plan/plan-query.ts';

/** Tables that a tier includes, of those given. */
export const readableTables = (tables: readonly Table[], tier: Tier): Table[] =>
  tables.filter((table) => includesTier(tier, categories[table.category]));

/** Tables of the catalogue that the customer has, in catalogue order. */
export const presentTables = (catalogue: Catalogue, directory: Directory): Table[] =>
  [...catalogue.tables.values()].filter((table) => directory.categoryTables.has(table.name));

/** The relations of a table that lead to those given. */
export const relationsAmong = (catalogue: Catalogue, tables: readonly Table[]): ((table: string) => readonly ResolvedRelation[]) => {
  const names = new Set(tables.map(({ name }) => name));
  return (table) => (catalogue.relations.get(table) ?? []).filter(({ target }) => names.has(target));
};

export interface ReadableCategoryTable extends ReadableTable {
  /** The table within the data scope of the key. */
  readonly table: Table;
}

/** The category table of this name, as the caller's customer has it. Throws 404 if there is none, 403 if the key excludes it. */
export const readableCategoryTable = (
  catalogue: Catalogue,
  { categoryTables }: Directory,
  caller: Caller,
  { name, group }: { readonly name: string; readonly group: EndpointGroup },
): ReadableCategoryTable => {
  const found = catalogue.tables.get(name);
  if (!found || !categoryTables.has(name)) throw new ApiError('notFound');
  authorize(caller, categories[found.category], group);
  authorizeTable(caller, 'category', name);
  const table = catalogueWithin(catalogue, caller.scope).tables.get(name)!;
  const key = { column: table.key, kind: table.columns[table.key]?.kind ?? 'string' };
  return { source: categorySource(table, caller.customer, caller.scope), columns: Object.keys(table.columns), key, table };
};

/** A table as lists show it. Raw tables are listed under the category `raw`, so that `/{category}/{name}` is the path of either kind. */
export interface ListedTable {
  readonly kind: DatasetKind;
  readonly category: Category | 'raw';
  readonly name: string;
}

type Reader = Pick<Caller, 'tier' | 'groups' | 'scope'>;

/** The endpoint groups that read category tables. */
const categoryGroups: readonly EndpointGroup[] = ['rest', 'graphql', 'files', 'agents'];

/** Whether the endpoint groups include category tables: over REST, over GraphQL, as files or as tools of agents. */
export const readsCategories = ({ groups }: Pick<Reader, 'groups'>): boolean => categoryGroups.some((group) => groups.has(group));

/** The raw tables of the customer that the key may read. */
export const readableRawTables = ({ rawTables }: Directory, { tier, groups, scope }: Reader): RawDataset[] =>
  groups.has('raw')
    ? [...rawTables.values()].filter((raw) => includesTier(tier, raw.tier) && includesTable(scope, 'raw', raw.source.name))
    : [];

/** What the key may read: category tables in catalogue order, then raw tables by name (contract: visibility). */
export const listReadable = (catalogue: Catalogue, directory: Directory, reader: Reader): ListedTable[] => {
  const present = presentTables(catalogueWithin(catalogue, reader.scope), directory);
  const tables = readsCategories(reader) ? readableTables(present, reader.tier) : [];
  return [
    ...tables.map(({ category, name }) => ({ kind: 'category', category, name }) as const),
    ...readableRawTables(directory, reader).map(({ source: { name } }) => ({ kind: 'raw', category: 'raw', name }) as const),
  ];
};

/** Categories that have tables, with the names of those. */
export const groupByCategory = (tables: readonly Pick<ListedTable, 'category' | 'name'>[]) =>
  [...Object.keys(categories), 'raw']
    .map((category) => ({ category, tables: tables.filter((table) => table.category === category).map(({ name }) => name) }))
    .filter((group) => group.tables.length > 0);
