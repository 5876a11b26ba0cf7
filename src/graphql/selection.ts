/**
 * What a document asks for, as a tree of levels: one for each table that it reads, with the columns to read and the shape
 * to give them. A pure value of schema, document and the variables of its `@skip` and `@include`; it is kept per document
 * and says nothing of arguments, customers or data.
 */
import type { FieldNode, OperationDefinitionNode } from 'graphql';
import type { ResolvedRelation } from '../catalogue/index.ts';
import type { LookupName } from '../catalogue/lookups.ts';
import type { Table } from '../catalogue/table.ts';
import type { Formula, GroupKey, GroupValue } from '../read/groups.ts';
import type { Wire } from '../read/json-values.ts';
import type { Piece } from '../read/words.ts';
import type { Asked, Sets, Walk } from './selection-sets.ts';

/** The rows of one table that one statement reads. */
export interface Level {
  readonly table: Table;
  /** Columns to read; fields know theirs by position. */
  readonly columns: string[];
}

/** A field of the answer. */
interface Keyed {
  readonly key: string;
}

/** One whose key is kept as the JSON that precedes the value; those of rows are kept in their layout. */
export interface Named extends Keyed {
  readonly name: Piece;
}

export interface Typename {
  readonly is: 'typename';
  /** Name of the type. */
  readonly type: string;
}

export type RowField = Keyed &
  (
    | Typename
    | { readonly is: 'column'; readonly at: number; readonly wire: Wire }
    /** The global id, made of the key. */
    | { readonly is: 'id'; readonly at: number; readonly table: Table }
    | { readonly is: 'label'; readonly at: number; readonly lookup: LookupName }
    | {
        readonly is: 'one';
        readonly at: number;
        readonly relation: ResolvedRelation;
        readonly level: Level;
        readonly fields: readonly RowField[];
      }
    | { readonly is: 'many'; readonly at: number; readonly relation: ResolvedRelation; readonly connection: ConnectionSelection }
    /** An object of values of the same row. */
    | { readonly is: 'part'; readonly fields: readonly RowField[] }
  );

export type PageInfoName = 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor';

export type ConnectionField = Named &
  (
    | Typename
    | { readonly is: 'totalCount' }
    | { readonly is: 'nodes'; readonly fields: readonly RowField[] }
    | { readonly is: 'edges'; readonly fields: readonly EdgeField[] }
    | { readonly is: 'pageInfo'; readonly fields: readonly PageInfoField[] }
  );
export type EdgeField = Named & (Typename | { readonly is: 'cursor' } | { readonly is: 'node'; readonly fields: readonly RowField[] });
export type PageInfoField = Named & (Typename | { readonly is: PageInfoName });

export interface ConnectionSelection extends Asked {
  readonly level: Level;
  readonly fields: readonly ConnectionField[];
  /** What is asked for of its rows, wherever among its fields they stand. */
  readonly rowFields: readonly RowField[];
  /** Its rows are groups. */
  readonly groups?: GroupsSelection;
}

/** A key that is selected, by the names of the fields that lead to it; its bucket is an argument. */
export type SelectedKey = Omit<GroupKey, 'bucket'> & { readonly path: string; readonly asked: Asked };

/** What groups are made by and what they show; both name columns of their level. */
export interface GroupsSelection {
  readonly keys: SelectedKey[];
  readonly values: GroupValue[];
  /** Of all measures that there are, by name. */
  readonly formulas: ReadonlyMap<string, Formula>;
}

/** What is asked for of one row. */
export interface RowSelection {
  readonly level: Level;
  readonly fields: readonly RowField[];
}

export type RootSelection = Named &
  Asked &
  (
    | { readonly is: 'rows'; readonly connection: ConnectionSelection }
    | ({ readonly is: 'row' } & RowSelection)
    /** Rows whose ids say of which table; what is asked for of each. */
    | { readonly is: 'nodes'; readonly isList: boolean; readonly rows: ReadonlyMap<string, RowSelection> }
    | { readonly is: 'introspection'; readonly sets: Sets }
    | Typename
    /** What the service says of itself: left to GraphQL's own execution. */
    | { readonly is: 'service'; readonly nodes: readonly FieldNode[] }
  );

export interface OperationSelection {
  readonly operation: OperationDefinitionNode;
  readonly roots: readonly RootSelection[];
  readonly walk: Walk;
  /** The lists that labels are taken from. */
  readonly lookups: ReadonlySet<LookupName>;
  readonly tables: ReadonlySet<string>;
}
