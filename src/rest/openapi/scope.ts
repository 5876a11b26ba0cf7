/** How much of the interface a document describes: all of it, or what a key includes (contract: interface description). */
import type { Caller } from '../../access/caller.ts';
import { catalogueWithin, type DataScope, includesTable } from '../../catalogue/data-scope.ts';
import type { Catalogue, ResolvedRelation } from '../../catalogue/index.ts';
import { rawTables } from '../../catalogue/raw/index.ts';
import type { RawTable } from '../../catalogue/raw-table.ts';
import { pathOfTable, type Table } from '../../catalogue/table.ts';
import { categories, type EndpointGroup, includesTier, type Tier, tiers } from '../../catalogue/tiers.ts';
import { readsCategories, relationsAmong } from '../../execute/visible.ts';
import { type RawExample, rawExample } from './examples.ts';

export interface DescribedScope {
  /** Category tables that the key may read, in catalogue order. */
  readonly tables: readonly Table[];
  /** The relations of a table that lead to tables of the tier. */
  relations(table: string): readonly ResolvedRelation[];
  /** Raw tables that every customer has, of the tier. */
  readonly rawTables: ReadonlyMap<string, RawTable>;
  /** The raw table that examples show, if one has an example of every column. */
  readonly rawExample: RawExample | undefined;
  /** The tier of the key, or the highest one. */
  readonly tier: Tier;
  readonly dataScope: DataScope | undefined;
  /** Whether the category endpoints, or the raw ones, are described. */
  includes(group: EndpointGroup): boolean;
}

export type InterfaceReader = Pick<Caller, 'tier' | 'groups'> & Partial<Pick<Caller, 'scope'>>;

export const interfaceScopeOf = (everything: Catalogue, reader?: InterfaceReader): DescribedScope => {
  const catalogue = catalogueWithin(everything, reader?.scope);
  const isIncluded = (tier: Tier) => !reader || includesTier(reader.tier, tier);
  const hasCategories = !reader || readsCategories(reader);
  const tables = [...catalogue.tables.values()].filter((table) => hasCategories && isIncluded(categories[table.category]));
  const included = new Map(
    Object.entries<RawTable>(rawTables).filter(([name, { tier }]) => isIncluded(tier) && includesTable(reader?.scope, 'raw', name)),
  );
  return {
    tables,
    relations: relationsAmong(catalogue, tables),
    rawTables: included,
    rawExample: rawExample(catalogue, included, reader?.scope),
    tier: reader?.tier ?? (tiers.at(-1) as Tier),
    dataScope: reader?.scope,
    includes: (group) => !reader || reader.groups.has(group),
  };
};

/** A path that examples of answers show. */
export const examplePath = ({ tables: [first] }: DescribedScope): string => (first ? pathOfTable(first) : '/catalog');
