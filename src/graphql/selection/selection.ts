/**
 * The selection of a document: a tree with one level for each table that the document reads. A level has the columns and relations to read
 * and the shape of the response. A selection depends only on the schema, the document and the variables of `@skip` and `@include`. It is
 * cached per document and contains no arguments, customers or data.
 */
import type { FieldNode, OperationDefinitionNode } from 'graphql';
import type { ResolvedRelation } from '../../catalogue/index.ts';
import type { LookupName } from '../../catalogue/lookups.ts';
import type { Table } from '../../catalogue/table.ts';
import type { GroupableTable, RequestedKey, RequestedValue } from '../../plan/groups/request.ts';
import type { Computation, RowFunction } from '../../plan/vocabulary/values.ts';
import type { Wire } from '../../wire/json-values.ts';
import type { SelectedField, Sets, Walk } from './fields.ts';

/** The rows of one table that one statement reads. */
export interface Level {
  readonly table: Table;
  /** The columns to read. Fields refer to them by position. */
  readonly columns: string[];
  /** The fields that read related rows. Plans and rows of a level have its relations in the same order. */
  readonly relations: RelationField[];
}

/** A field of the response, with its response key. */
export interface Keyed {
  readonly key: string;
}

export interface Typename {
  readonly is: 'typename';
  readonly type: string;
}

/** A field with related rows. `at` is the position of the column that refers to them; `index` is the position among the relations. */
export type RelationField = Keyed & { readonly at: number; readonly index: number; readonly relation: ResolvedRelation } & (
    | ({ readonly is: 'one' } & RowSelection)
    | { readonly is: 'many'; readonly connection: ConnectionSelection }
  );

/** A field of a row. `at` is the position of its column in the level. */
export type RowField =
  | RelationField
  | (Keyed &
      (
        | Typename
        | { readonly is: 'column'; readonly at: number; readonly wire: Wire }
        /** The global id, which is made from the key. */
        | { readonly is: 'id'; readonly at: number; readonly table: Table }
        /** The language is an argument. */
        | ({ readonly is: 'label'; readonly at: number; readonly lookup: LookupName } & Pick<SelectedField, 'argumentsOf'>)
        /** An object with values of the same row. */
        | { readonly is: 'part'; readonly fields: readonly RowField[] }
      ));

export type PageInfoName = 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor';

export type ConnectionField = Keyed &
  (
    | Typename
    | { readonly is: 'totalCount' }
    | { readonly is: 'nodes'; readonly fields: readonly RowField[] }
    | { readonly is: 'edges'; readonly fields: readonly EdgeField[] }
    | { readonly is: 'pageInfo'; readonly fields: readonly PageInfoField[] }
  );
export type EdgeField = Keyed & (Typename | { readonly is: 'cursor' } | { readonly is: 'node'; readonly fields: readonly RowField[] });
export type PageInfoField = Keyed & (Typename | { readonly is: PageInfoName });

export interface ConnectionSelection extends SelectedField {
  readonly level: Level;
  readonly fields: readonly ConnectionField[];
  /** Present if its rows are groups. */
  readonly groups?: GroupsSelection;
}

/**
 * A selected group key. Its name has the names of the fields that lead to it. Its bucket is an argument, and so are the column and the
 * bounds of bands.
 */
export type SelectedKey = Omit<RequestedKey, 'bucket' | 'band'> & {
  readonly selected: SelectedField;
  readonly is: 'column' | 'band' | 'asOf';
};

/** An aggregate, a number of rows, or a measure. Its arguments, if it has any, are those of `selected`. */
export interface SelectedAggregate extends Pick<RequestedValue, 'is' | 'of' | 'via'> {
  readonly selected: SelectedField | undefined;
  /** The row function that it is over. The columns are arguments of its field. */
  readonly applied?: { readonly call: RowFunction; readonly selected: SelectedField } | undefined;
  /** The response keys that lead to it, joined by dots. Equal values are selected once. */
  readonly paths: string[];
}

/** A selected value. */
export type SelectedValue =
  | SelectedAggregate
  /** A sum over related rows. `key` is its response key. Its column is an argument. */
  | { readonly is: 'sumOnce'; readonly key: string; readonly selected: SelectedField }
  /** `key` is its response key. Its values and keys are arguments. */
  | { readonly is: 'computed'; readonly of: Computation; readonly key: string; readonly selected: SelectedField };

/** The keys and values of groups. Their names in the plan are columns of their level. */
export interface GroupsSelection {
  readonly groupable: GroupableTable;
  readonly keys: SelectedKey[];
  readonly values: SelectedValue[];
  /** The fields of a group that have arguments, by response key. Orders and conditions refer to them. */
  readonly named: Map<string, SelectedField>;
}

/** The selection of one row. */
export interface RowSelection {
  readonly level: Level;
  readonly fields: readonly RowField[];
}

export type RootSelection = Keyed &
  SelectedField &
  (
    | { readonly is: 'rows'; readonly connection: ConnectionSelection }
    | ({ readonly is: 'row' } & RowSelection)
    /** Rows by global id. Each id names its table, so there is one selection for each table. */
    | { readonly is: 'nodes'; readonly isList: boolean; readonly rows: ReadonlyMap<string, RowSelection> }
    | { readonly is: 'introspection'; readonly sets: Sets }
    | Typename
    /** Fields about the service. GraphQL executes them itself. */
    | { readonly is: 'service'; readonly nodes: readonly FieldNode[] }
  );

export interface OperationSelection {
  readonly operation: OperationDefinitionNode;
  readonly roots: readonly RootSelection[];
  readonly walk: Walk;
  /** The lists that provide labels. */
  readonly lookups: ReadonlySet<LookupName>;
  readonly tables: ReadonlySet<string>;
}
