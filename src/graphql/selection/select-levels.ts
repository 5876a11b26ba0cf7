/** Functions that the selection of rows and the selection of groups share: levels, their columns and limits. */
import { type GraphQLField, type GraphQLObjectType, getNamedType } from 'graphql';
import type { LookupName } from '../../catalogue/lookups.ts';
import type { Table } from '../../catalogue/table.ts';
import { ApiError } from '../../errors.ts';
import { limits } from '../document/limits.ts';
import type { ConnectionField, Level, PageInfoField, PageInfoName, RowField, Typename } from './selection.ts';
import { type Entry, fieldsOf, type Sets, typenameField, type Walk } from './selection-sets.ts';

/** The state of the walk through one operation. */
export interface RowsWalk extends Walk {
  readonly lookups: Set<LookupName>;
  readonly tables: Set<string>;
  reads: number;
}

export const typenameOf = ({ name }: GraphQLObjectType): Typename => ({ is: 'typename', type: name });

export const typeOf = (field: GraphQLField<unknown, unknown>) => getNamedType(field.type) as GraphQLObjectType;

export const countReads = (walk: RowsWalk, reads: number): void => {
  walk.reads += reads;
  if (walk.reads > limits.reads) throw new ApiError('limitExceeded', `The document asks for more than ${limits.reads} lists and relations`);
};

export const newLevel = (walk: RowsWalk, table: Table): Level => {
  countReads(walk, 1);
  walk.tables.add(table.name);
  return { table, columns: [] };
};

/** The position of a column in the level. Adds the column if it is not there yet. */
export const positionOf = ({ columns }: Level, column: string): number => {
  const known = columns.indexOf(column);
  return known >= 0 ? known : columns.push(column) - 1;
};

const selectPageInfo = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets): readonly PageInfoField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, { field }]) =>
    field === typenameField ? { key, ...typenameOf(type) } : { key, is: field.name as PageInfoName },
  );

/** The fields of a connection's rows. */
export const rowFieldsOf = (fields: readonly ConnectionField[]): readonly RowField[] =>
  fields.flatMap((field) => {
    if (field.is === 'nodes') return field.fields;
    return field.is === 'edges' ? field.fields.flatMap((inner) => (inner.is === 'node' ? inner.fields : [])) : [];
  });

/** A field of a connection that contains no rows and no groups. */
export const selectBeside = (walk: RowsWalk, type: GraphQLObjectType, [key, { field }, sets]: Entry): ConnectionField => {
  if (field.name === 'pageInfo') return { key, is: 'pageInfo', fields: selectPageInfo(walk, typeOf(field), sets) };
  if (field.name === 'totalCount') return { key, is: 'totalCount' };
  return { key, ...typenameOf(type) };
};
