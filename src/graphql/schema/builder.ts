/**
 * The Pothos builder of a schema, the types of the references between its parts, and the meaning of its fields.
 */
import PothosBuilder, {
  type EnumRef,
  type InputFieldBuilder,
  type InputObjectRef,
  type InterfaceRef as PothosInterfaceRef,
  type ObjectRef as PothosObjectRef,
} from '@pothos/core';
import type { GraphQLField, GraphQLObjectType } from 'graphql';
import type { ResolvedRelation } from '../../catalogue/index.ts';
import type { LookupName } from '../../catalogue/lookups.ts';
import type { Table } from '../../catalogue/table.ts';
import type { GroupableTable } from '../../plan/groups/request.ts';
import type { Computation, RowFunction } from '../../plan/vocabulary/values.ts';
import type { GraphqlContext } from '../context.ts';
import { BigIntScalar, DateScalar, DateTimeScalar } from './scalars.ts';

interface SchemaTypes {
  Context: GraphqlContext;
  Scalars: {
    Date: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    BigInt: { Input: string; Output: number };
  };
}

/** The type of a row or connection for Pothos. No such value exists: rows are written as bytes. */
export type Shaped = Readonly<Record<string, unknown>>;

/** The resolver of rows and groups. It never runs, because `execute.ts` writes them. */
export const byWriter = (): never => {
  throw new Error('Rows are written, not resolved');
};

export const createBuilder = () => {
  const builder = new PothosBuilder<SchemaTypes>({});
  builder.addScalarType('Date', DateScalar);
  builder.addScalarType('DateTime', DateTimeScalar);
  builder.addScalarType('BigInt', BigIntScalar);
  return builder;
};

export type SchemaBuilder = ReturnType<typeof createBuilder>;
type Types = SchemaBuilder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;
/** Builds the fields of an input. */
export type InputFields = InputFieldBuilder<Types, 'InputObject'>;
// biome-ignore lint/suspicious/noExplicitAny: the catalogue decides at run time which fields an input has
export type InputRef = InputObjectRef<Types, any>;
// biome-ignore lint/suspicious/noExplicitAny: Pothos infers an enum's values only where it is made
export type InputEnum = EnumRef<any, any>;
export type InterfaceRef = PothosInterfaceRef<Types, Shaped, Shaped>;
export type ObjectRef = PothosObjectRef<Types, Shaped, Shaped>;

/** The part of the catalogue that a field represents. It is stored in `extensions`. The selection of a document reads it from there. */
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
  /** An aggregate of a row function, whose columns are arguments. */
  | { readonly is: 'applied'; readonly call: RowFunction }
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
export const writtenField = (value: FieldMeaning) => ({ extensions: { estate: value }, resolve: byWriter });
/** The `extensions` of a type of rows. */
export const rowOf = (table: Table) => ({ estate: table });
/** The `extensions` of a type of groups. */
export const groupsExtension = (groupable: GroupableTable) => ({ estate: groupable.table, groupable });

export const fieldMeaningOf = ({ extensions }: GraphQLField<unknown, unknown>): FieldMeaning | undefined =>
  extensions.estate as FieldMeaning | undefined;

/** The table of a type of rows, groups or connections. */
export const tableOfType = ({ extensions }: GraphQLObjectType): Table => extensions.estate as Table;

export const groupableOf = ({ extensions }: GraphQLObjectType): GroupableTable => extensions.groupable as GroupableTable;
