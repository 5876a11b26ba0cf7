/**
 * The catalogue: every category table, and the types that follow from it.
 *
 * Facts about a table are written only here. Every table that one of the six category files exports is served. Within a category, tables
 * have the order of their export names.
 */
import type { Column, Kind, ValueOf } from './column.ts';
import type { Relation, Table } from './table.ts';
import * as accounting from './tables/accounting.ts';
import * as contracts from './tables/contracts.ts';
import * as depreciation from './tables/depreciation.ts';
import * as operations from './tables/operations.ts';
import { inNameOrder } from './tables/order.ts';
import * as property from './tables/property.ts';
import * as stakeholder from './tables/stakeholder.ts';

const modules = [accounting, contracts, depreciation, operations, property, stakeholder] as const;

type Exported<M> = M extends unknown ? M[keyof M] : never;
type Entry = Exported<(typeof modules)[number]>;

export type TableName = Entry['name'];
type Named<N extends TableName> = Extract<Entry, { name: N }>;
export type ColumnName<N extends TableName> = keyof Named<N>['columns'] & string;
/** The names of all columns of decimal numbers. */
export type NumberColumnName = {
  [N in TableName]: { [C in ColumnName<N>]: Named<N>['columns'][C] extends Column<'number'> ? C : never }[ColumnName<N>];
}[TableName];

type ValueIn<C> = C extends Column<infer K extends Kind> ? (C extends { required: true } ? ValueOf<K> : ValueOf<K> | null) : never;

/** A row of a category table, as the data services return it to TypeScript callers. */
export type CatalogueRow<N extends TableName> = { [C in ColumnName<N>]: ValueIn<Named<N>['columns'][C]> };

type ColumnPath = { [N in TableName]: `${N}.${ColumnName<N>}` }[TableName];
type RelationsOf<E> = E extends { relations: infer R } ? Extract<R[keyof R], Relation> : never;
type Dangling = Exclude<RelationsOf<Entry>['to'], ColumnPath>;
/** Does not compile if a relation leads to a column that does not exist. The error names the column. */
const relationsLead: [Dangling] extends [never] ? true : Dangling = true;

/** A relation as seen from one of its two tables. */
export interface ResolvedRelation {
  readonly name: string;
  readonly kind: 'to-one' | 'to-many';
  readonly column: string;
  readonly target: string;
  readonly targetColumn: string;
  /** The name of the same relation on the target. */
  readonly inverse: string;
}

export interface Catalogue {
  /** The tables by name, in catalogue order: by category, then by name. */
  readonly tables: ReadonlyMap<string, Table>;
  /** The relations in both directions, by the table that they start from. */
  readonly relations: ReadonlyMap<string, readonly ResolvedRelation[]>;
}

const isUnique = (table: Table, column: string) => table.key === column || table.unique.includes(column);

/** Combines the tables and derives the inverse of every relation. */
export const catalogueOf = (entries: readonly Table[]): Catalogue => {
  const tables = new Map(entries.map((entry) => [entry.name, entry]));
  const relations = new Map<string, ResolvedRelation[]>(entries.map((entry) => [entry.name, []]));
  for (const entry of entries) {
    for (const [name, { kind, column, to, inverse }] of Object.entries(entry.relations)) {
      const [target = '', targetColumn = ''] = to.split('.');
      const back = isUnique(entry, column) ? 'to-one' : 'to-many';
      relations.get(entry.name)?.push({ name, kind, column, target, targetColumn, inverse });
      relations
        .get(target)
        ?.push({ name: inverse, kind: back, column: targetColumn, target: entry.name, targetColumn: column, inverse: name });
    }
  }
  return { tables, relations };
};

export const entries: readonly Table[] = relationsLead ? modules.flatMap((module) => Object.values<Table>(inNameOrder(module))) : [];

export const catalogue: Catalogue = catalogueOf(entries);
