/**
 * What a type or field of the schema stands for in the catalogue; kept in its `extensions`, read when a document is looked
 * through.
 */
import type { GraphQLField, GraphQLObjectType } from 'graphql';
import type { ResolvedRelation } from '../catalogue/index.ts';
import type { LookupName } from '../catalogue/lookups.ts';
import type { MeasureFormula } from '../catalogue/measures.ts';
import type { Table } from '../catalogue/table.ts';
import { byWriter } from './builder.ts';

export type FieldMeaning =
  | { readonly is: 'column'; readonly column: string }
  | { readonly is: 'label'; readonly column: string; readonly lookup: LookupName }
  | { readonly is: 'id' }
  | { readonly is: 'relation'; readonly relation: ResolvedRelation }
  /** Groups of the rows that a relation leads to. */
  | { readonly is: 'relatedGroups'; readonly relation: ResolvedRelation }
  /** Of a group: an object of its values, a value of a column, a measure. */
  | { readonly is: 'part' }
  | { readonly is: 'figure'; readonly column: string }
  | { readonly is: 'measure'; readonly measure: string; readonly formula: MeasureFormula }
  /** Root fields. */
  | { readonly is: 'groups'; readonly table: Table }
  | { readonly is: 'rows'; readonly table: Table }
  | { readonly is: 'row'; readonly table: Table }
  /** Rows of any table by their global ids: one, or a list. */
  | { readonly is: 'nodes'; readonly isList: boolean };

/** What a field is made with that stands for something. */
export const written = (value: FieldMeaning) => ({ extensions: { estate: value }, resolve: byWriter });
/** The entry for the `extensions` of a type of rows. */
export const rowOf = (table: Table) => ({ estate: table });
/** Of a type of groups: the table of their rows, and the measures that they can show. */
export const groupsOf = (table: Table, measures: ReadonlyMap<string, MeasureFormula>) => ({ estate: table, measures });

export const meaningOf = ({ extensions }: GraphQLField<unknown, unknown>): FieldMeaning | undefined =>
  extensions.estate as FieldMeaning | undefined;

/** The table whose rows a type shows, or a connection of them. */
export const tableOf = ({ extensions }: GraphQLObjectType): Table => extensions.estate as Table;

export const formulasOf = ({ extensions }: GraphQLObjectType): ReadonlyMap<string, MeasureFormula> =>
  extensions.measures as ReadonlyMap<string, MeasureFormula>;
