/** A request for groups: what REST parameters and GraphQL arguments become before they are resolved (contract: groups). */
import type { ResolvedRelation } from '../../catalogue/index.ts';
import { measuresOf, type ResolvedMeasure } from '../../catalogue/measures/measure-formula.ts';
import type { Table } from '../../catalogue/table.ts';
import type { Condition } from '../condition.ts';
import type { Aggregate, Computation, RowFunction } from '../vocabulary/values.ts';
import type { RequestedBand } from './bands.ts';
import type { GroupTerm } from './groups.ts';
import type { RequestedSeries } from './series.ts';

/** A table whose rows can be grouped, as the caller sees it. */
export interface GroupableTable {
  readonly table: Table;
  readonly tables: ReadonlyMap<string, Table>;
  /** To-one relations to tables that the caller may read, with their names in the API. */
  readonly toOneOf: (table: Table) => readonly ResolvedRelation[];
  /** To-many relations to tables that the caller may read, with their names in the API. */
  readonly toManyOf: (table: Table) => readonly ResolvedRelation[];
  /** The measures that the caller may use, by name. */
  readonly measures: ReadonlyMap<string, ResolvedMeasure>;
}

const relationsBy =
  (kind: ResolvedRelation['kind'], relationsOf: (table: string) => readonly ResolvedRelation[], spell: (name: string) => string) =>
  ({ name: from }: Table): readonly ResolvedRelation[] =>
    relationsOf(from).flatMap((relation) => (relation.kind === kind ? [{ ...relation, name: spell(relation.name) }] : []));

/** `spell` gives the name of a relation in the API. */
export const groupableTable = (
  table: Table,
  tables: ReadonlyMap<string, Table>,
  relationsOf: (table: string) => readonly ResolvedRelation[],
  spell = (name: string) => name,
): GroupableTable => ({
  table,
  tables,
  toOneOf: relationsBy('to-one', relationsOf, spell),
  toManyOf: relationsBy('to-many', relationsOf, spell),
  measures: new Map(measuresOf(table.name, relationsOf).map((measure) => [measure.name, measure])),
});

export interface RequestedKey {
  /** The name of the key in references and errors. Keys with the same name differ by their buckets. */
  readonly name: string;
  /** The names of the relations that lead to the column. */
  readonly via: readonly string[];
  readonly column: string;
  readonly bucket?: string | undefined;
  readonly band?: RequestedBand | undefined;
  /** The key is a day of a series. It has no column. */
  readonly series?: RequestedSeries | undefined;
}

/** A column of each row, or of the row that relations lead to. */
export interface RequestedColumn {
  readonly of: string;
  /** The names of the relations that lead to the column. */
  readonly via?: readonly string[] | undefined;
}

/** A row function and the columns that it is computed from. */
export interface AppliedFunction {
  readonly call: RowFunction;
  readonly of: readonly RequestedColumn[];
}

/** An aggregate of a column or of a row function, a number of rows, or a measure. */
export interface RequestedValue extends RequestedColumn {
  readonly is: Aggregate | 'count' | 'measure';
  /** The name of the column or of the measure. Empty for a number of rows and for a row function. */
  readonly of: string;
  readonly applied?: AppliedFunction | undefined;
  readonly percent?: number | undefined;
  /** Only rows that meet this condition count. Not for measures. */
  readonly where?: Condition | undefined;
}

/** A value that is computed from other values. */
export interface RequestedComputed {
  readonly is: 'computed';
  readonly call: Computation;
  readonly of: readonly RequestedTerm[];
  /** The keys whose values the groups of a window share. */
  readonly within: readonly KeyReference[];
  /** The key along which it looks back. If it is absent, the only key with a period. */
  readonly along?: KeyReference | undefined;
  /** The number of periods that it looks back; by default 1. */
  readonly periods?: number | undefined;
}

/** A reference to a requested key. Without a bucket, the plain column if it is requested, otherwise its only bucket. */
export interface KeyReference {
  readonly is: 'key';
  readonly name: string;
  readonly bucket?: string | undefined;
}

/** A part of an order or a condition. Its value need not be part of the response. */
export type RequestedTerm = KeyReference | RequestedValue | RequestedComputed;

export interface RequestedOrder {
  readonly term: RequestedTerm;
  readonly isDescending: boolean;
}

/** A list of conditions means that all of them hold. */
export type RequestedCondition =
  | { readonly is: 'and' | 'or'; readonly of: readonly (readonly RequestedCondition[])[] }
  | { readonly is: 'not'; readonly of: readonly RequestedCondition[] }
  | { readonly is: 'unknown' }
  /** `compare` reads the values of the request, because their kind follows from the term. */
  | {
      readonly is: 'compared';
      readonly term: RequestedTerm;
      readonly compare: (term: GroupTerm, fail: Fail) => readonly Condition[] | undefined;
    };

/** A request for groups, in the terms of both APIs. */
export interface GroupsRequest {
  readonly keys: readonly RequestedKey[];
  readonly values: readonly (RequestedValue | RequestedComputed)[];
  /** The condition on rows. */
  readonly where?: Condition | undefined;
  /** The column that links rows to their parents, if the groups are those of parents. */
  readonly linkedBy?: string | undefined;
  /** Keys whose empty buckets are groups as well. */
  readonly fill?: readonly KeyReference[] | undefined;
  readonly order: readonly RequestedOrder[];
  readonly having: readonly RequestedCondition[];
  readonly top: { readonly by: readonly KeyReference[]; readonly first: number } | undefined;
  /** Whether each group has the total number of groups. */
  readonly isCounted: boolean;
}

export type GroupsError =
  /** `names` gives the valid names among which `name` is not. */
  | { readonly is: 'unknown'; readonly name: string; readonly among: string; readonly names: () => readonly string[] }
  | { readonly is: 'tooManyRelations' }
  | { readonly is: 'invalid'; readonly reason: string };

export type Fail = (error: GroupsError) => undefined;

export type RequestPart = 'keys' | 'values' | 'order' | 'having' | 'top' | 'fill';
/** The key, value, term or condition that an error is about. The request itself for errors about all of it. */
export type RequestItem =
  | RequestedKey
  | RequestedValue
  | RequestedComputed
  | KeyReference
  | RequestedOrder
  | RequestedCondition
  | GroupsRequest;

/** Receives each error of a request. Resolving continues if it returns. */
export type OnGroupsError = (part: RequestPart, error: GroupsError, item: RequestItem) => void;

/** The names of keys and values in the plan, by their position in the request. */
export const keyName = (at: number): string => `k${at}`;
export const valueName = (at: number): string => `v${at}`;

/** The number of rows of a group. */
export const countValue: RequestedValue = { is: 'count', of: '' };
