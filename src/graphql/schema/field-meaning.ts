/**
 * The part of the catalogue that a type or field represents. It is stored in `extensions`. The selection of a document reads it from there.
 */
import type { GraphQLField, GraphQLObjectType } from 'graphql';
import type { ResolvedRelation } from '../../catalogue/index.ts';
import type { LookupName } from '../../catalogue/lookups.ts';
import type { Table } from '../../catalogue/table.ts';
import type { Computation } from '../../plan/groups/computed.ts';
import type { GroupableTable } from '../../plan/groups/request.ts';
import { byWriter } from './builder.ts';

export type FieldMeaning =
  | { readonly is: 'column'; readonly column: string }
  | { readonly is: 'label'; readonly column: string; readonly lookup: LookupName }
  | { readonly is: 'id' }
  | { readonly is: 'relation'; readonly relation: ResolvedRelation }
  /** Groups of the related rows. */
  | { readonly is: 'relatedGroups'; readonly relation: ResolvedRelation }
  /** Fields of a group: an object of values, a value of a column, a measure. */
  | { readonly is: 'part' }
  | { readonly is: 'aggregate'; readonly column: string }
  | { readonly is: 'measure'; readonly measure: string }
  | { readonly is: 'computed'; readonly call: Computation }
  /** A sum over a column of related rows, which is an argument. */
  | { readonly is: 'sumOnce' }
  /** A key by bands of a column, which is an argument. */
  | { readonly is: 'band' }
  /** The day of a series. */
  | { readonly is: 'asOf' }
  /** Root fields. */
  | { readonly is: 'groups'; readonly table: Table }
  | { readonly is: 'rows'; readonly table: Table }
  | { readonly is: 'row'; readonly table: Table }
  /** Rows of any table by global id: one row or a list. */
  | { readonly is: 'nodes'; readonly isList: boolean };

/** The options of a field that has a meaning. */
export const written = (value: FieldMeaning) => ({ extensions: { estate: value }, resolve: byWriter });
/** The `extensions` of a type of rows. */
export const rowOf = (table: Table) => ({ estate: table });
/** The `extensions` of a type of groups. */
export const groupsOf = (groupable: GroupableTable) => ({ estate: groupable.table, groupable });

export const meaningOf = ({ extensions }: GraphQLField<unknown, unknown>): FieldMeaning | undefined =>
  extensions.estate as FieldMeaning | undefined;

/** The table of a type of rows, groups or connections. */
export const tableOf = ({ extensions }: GraphQLObjectType): Table => extensions.estate as Table;

export const groupableOf = ({ extensions }: GraphQLObjectType): GroupableTable => extensions.groupable as GroupableTable;
