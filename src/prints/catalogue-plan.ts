/** Plans of shipped addresses. They read no customer: the whole catalogue is there, and nothing is hidden. */
import { categorySource } from '../cache/directory.ts';
import { catalogue } from '../catalogue/index.ts';
import type { Table } from '../catalogue/table.ts';
import type { Cursors } from '../plan/cursor.ts';
import { planOfAddress, readAddress } from '../query/address.ts';
import type { NamedPlan } from '../query/lists.ts';
import type { RelationsOf } from '../query/relation-names.ts';

export interface CataloguePlan {
  readonly named: NamedPlan;
  readonly table: Table;
  readonly relationsOf: RelationsOf;
}

const noCustomer = { id: 0, schema: '' };

/** A shipped address begins at the first row. */
const noCursors: Cursors = { sign: () => '', open: () => undefined };

const relationsOf: RelationsOf = (table) => catalogue.relations.get(table) ?? [];

/** The plan of an address of rows or groups. Throws for an address that a full key cannot send. */
export const cataloguePlan = (text: string): CataloguePlan => {
  const address = readAddress(text);
  const table = address && catalogue.tables.get(address.name);
  if (!table) throw new Error(`${text} is no address of rows or groups`);
  const named = planOfAddress(address, noCursors, {
    source: categorySource(table, noCustomer),
    table,
    tables: catalogue.tables,
    relationsOf,
  });
  return { named, table, relationsOf };
};
