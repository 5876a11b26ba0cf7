/**
 * What a type or field of the schema stands for in the catalogue; kept in its `extensions`, read when a document is looked
 * through.
 */
import type { GraphQLField, GraphQLObjectType } from 'graphql';
import type { ResolvedRelation } from '../catalogue/index.ts';
import type { LookupName } from '../catalogue/lookups.ts';
import type { Table } from '../catalogue/table.ts';

export type FieldMeaning =
  | { readonly is: 'column'; readonly column: string }
  | { readonly is: 'label'; readonly column: string; readonly lookup: LookupName }
  | { readonly is: 'relation'; readonly relation: ResolvedRelation }
  /** Root fields. */
  | { readonly is: 'rows'; readonly table: Table }
  | { readonly is: 'row'; readonly table: Table };

/** The entry for a field's or type's `extensions`. */
export const meaning = (value: FieldMeaning) => ({ estate: value });
export const rowOf = (table: Table) => ({ estate: table });

export const meaningOf = ({ extensions }: GraphQLField<unknown, unknown>): FieldMeaning | undefined =>
  extensions.estate as FieldMeaning | undefined;

/** The table whose rows a type shows, or a connection of them. */
export const tableOf = ({ extensions }: GraphQLObjectType): Table => extensions.estate as Table;
