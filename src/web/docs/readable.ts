/** The part of the documentation that a key may see: its tables, its relations and its endpoint groups (contract: interface description). */
import { catalogueWithin } from '../../catalogue/data-scope.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import type { LookupName } from '../../catalogue/lookups.ts';
import type { RawTableName } from '../../catalogue/raw/index.ts';
import type { Table } from '../../catalogue/table.ts';
import type { EndpointGroup } from '../../catalogue/tiers.ts';
import { readableTables } from '../../execute/visible.ts';
import { type InterfaceReader, interfaceScopeOf } from '../../rest/openapi/scope.ts';
import { codeNames, rawNames } from './dictionary.ts';

export interface Readable {
  readonly catalogue: Catalogue;
  readonly rawNames: readonly RawTableName[];
  /** Code lists. Those of a key depend only on its tier, like lookup values. */
  readonly codeNames: readonly LookupName[];
  includes(group: EndpointGroup): boolean;
}

/** All tables, for documentation without a key. */
export const everything = (catalogue: Catalogue): Readable => ({ catalogue, rawNames, codeNames, includes: () => true });

const targetOf = (to: string): string => to.split('.')[0] ?? '';

/** The tables that a key may read. Relations to other tables are left out. */
export const readableBy = (catalogue: Catalogue, reader: InterfaceReader): Readable => {
  const { tables, relations, rawTables, includes } = interfaceScopeOf(catalogue, reader);
  const names = new Set(tables.map(({ name }) => name));
  const narrowed = (table: Table): Table => ({
    ...table,
    relations: Object.fromEntries(Object.entries(table.relations).filter(([, { to }]) => names.has(targetOf(to)))),
  });
  const columns = readableTables([...catalogueWithin(catalogue, reader.scope).tables.values()], reader.tier).flatMap((table) =>
    Object.values(table.columns),
  );
  const coded = new Set(columns.map(({ lookup }) => lookup));
  return {
    catalogue: {
      tables: new Map(tables.map((table) => [table.name, narrowed(table)])),
      relations: new Map(tables.map(({ name }) => [name, relations(name)])),
    },
    codeNames: codeNames.filter((name) => coded.has(name)),
    rawNames: includes('raw') ? rawNames.filter((name) => rawTables.has(name)) : [],
    includes,
  };
};
