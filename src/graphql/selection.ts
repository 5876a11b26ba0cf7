/**
 * What a document asks for, as a tree of levels: one for each table that it reads, with the columns to read and the shape
 * to give them. A pure value of schema, document and the variables of its `@skip` and `@include`; it is kept per document
 * and says nothing of arguments, customers or data.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Kind as ColumnKind } from '../catalogue/column.ts';
import type { ResolvedRelation } from '../catalogue/index.ts';
import type { LookupName } from '../catalogue/lookups.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import { meaningOf, tableOf } from './field-meaning.ts';
import { limits } from './limits.ts';

/** The rows of one table that one statement reads. */
export interface Level {
  readonly table: Table;
  /** Columns to read; fields know theirs by position. */
  readonly columns: string[];
}

export type RowField = { readonly key: string } & (
  | { readonly is: 'typename'; readonly name: string }
  | { readonly is: 'column'; readonly at: number; readonly kind: ColumnKind }
  | { readonly is: 'label'; readonly at: number; readonly lookup: LookupName }
  | {
      readonly is: 'one';
      readonly at: number;
      readonly relation: ResolvedRelation;
      readonly level: Level;
      readonly fields: readonly RowField[];
    }
  | { readonly is: 'many'; readonly at: number; readonly relation: ResolvedRelation; readonly connection: ConnectionSelection }
);

export type PageInfoName = 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor';

export type ConnectionField = { readonly key: string } & (
  | { readonly is: 'typename'; readonly name: string }
  | { readonly is: 'totalCount' }
  | { readonly is: 'nodes'; readonly fields: readonly RowField[] }
  | { readonly is: 'edges'; readonly fields: readonly EdgeField[] }
  | { readonly is: 'pageInfo'; readonly fields: readonly PageInfoField[] }
);
export type EdgeField = { readonly key: string } & (
  | { readonly is: 'typename'; readonly name: string }
  | { readonly is: 'cursor' }
  | { readonly is: 'node'; readonly fields: readonly RowField[] }
);
export type PageInfoField = { readonly key: string } & ({ readonly is: 'typename'; readonly name: string } | { readonly is: PageInfoName });

/** A field whose arguments are read when a request is planned. */
export interface Asked {
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
}

export interface ConnectionSelection extends Asked {
  readonly level: Level;
  readonly fields: readonly ConnectionField[];
}

export type RootSelection = { readonly key: string } & Asked &
  (
    | { readonly is: 'rows'; readonly connection: ConnectionSelection }
    | { readonly is: 'row'; readonly level: Level; readonly fields: readonly RowField[] }
    /** Not rows: left to GraphQL's own execution. */
    | { readonly is: 'other' }
  );

export interface OperationSelection {
  readonly roots: readonly RootSelection[];
  /** The lists that labels are taken from. */
  readonly lookups: ReadonlySet<LookupName>;
  readonly tables: ReadonlySet<string>;
}

/** What the walk through one operation shares. */
interface Walk {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly lookups: Set<LookupName>;
  readonly tables: Set<string>;
  reads: number;
}

type Sets = readonly SelectionSetNode[];
type Fields = Iterable<readonly [key: string, field: Asked, inner: Sets]>;

const isIncluded = (node: SelectionNode, { variables }: Walk): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;

/** Gathers the fields of selection sets by response key, through fragments, each of which counts once. */
const gather = (walk: Walk, sets: Sets, found = new Map<string, FieldNode[]>(), seen = new Set<string>()): Map<string, FieldNode[]> => {
  for (const selection of sets.flatMap((set) => set.selections)) {
    if (!isIncluded(selection, walk)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      // Assigned to an object it would be no key of it.
      if (key === '__proto__') throw new ApiError('invalidParameter', 'An alias cannot be __proto__');
      const nodes = found.get(key);
      if (nodes) nodes.push(selection);
      else found.set(key, [selection]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) gather(walk, [selection.selectionSet], found, seen);
    else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      gather(walk, [walk.fragments.get(selection.name.value)!.selectionSet], found, seen);
    }
  }
  return found;
};

const typenameField = { name: '__typename', extensions: {} } as unknown as GraphQLField<unknown, unknown>;

const fieldsOf = function* (walk: Walk, type: GraphQLObjectType, sets: Sets): Fields {
  for (const [key, nodes] of gather(walk, sets)) {
    const node = nodes[0]!;
    const inner = nodes.flatMap(({ selectionSet }) => (selectionSet ? [selectionSet] : []));
    yield [key, { node, field: type.getFields()[node.name.value] ?? typenameField }, inner];
  }
};

const typeOf = (field: GraphQLField<unknown, unknown>) => getNamedType(field.type) as GraphQLObjectType;

const newLevel = (walk: Walk, table: Table): Level => {
  if (++walk.reads > limits.reads)
    throw new ApiError('limitExceeded', `The document asks for more than ${limits.reads} lists and relations`);
  walk.tables.add(table.name);
  return { table, columns: [] };
};

/** The position of a column among those to read. */
const positionOf = ({ columns }: Level, column: string): number => {
  const known = columns.indexOf(column);
  return known >= 0 ? known : columns.push(column) - 1;
};

const selectRow = (walk: Walk, type: GraphQLObjectType, sets: Sets, level: Level): readonly RowField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, asked, inner]): RowField => {
    const meaning = meaningOf(asked.field);
    if (meaning?.is === 'column') {
      return { key, is: 'column', at: positionOf(level, meaning.column), kind: level.table.columns[meaning.column]!.kind };
    }
    if (meaning?.is === 'label') {
      walk.lookups.add(meaning.lookup);
      return { key, is: 'label', at: positionOf(level, meaning.column), lookup: meaning.lookup };
    }
    if (meaning?.is !== 'relation') return { key, is: 'typename', name: type.name };
    const { relation } = meaning;
    const at = positionOf(level, relation.column);
    if (relation.kind === 'to-many') return { key, is: 'many', at, relation, connection: selectConnection(walk, asked, inner) };
    const target = typeOf(asked.field);
    const there = newLevel(walk, tableOf(target));
    return { key, is: 'one', at, relation, level: there, fields: selectRow(walk, target, inner, there) };
  });

const selectConnection = (walk: Walk, asked: Asked, sets: Sets): ConnectionSelection => {
  const type = typeOf(asked.field);
  const level = newLevel(walk, tableOf(type));
  const fields = [...fieldsOf(walk, type, sets)].map(([key, { field }, inner]): ConnectionField => {
    switch (field.name) {
      case 'nodes':
        return { key, is: 'nodes', fields: selectRow(walk, typeOf(field), inner, level) };
      case 'edges':
        return { key, is: 'edges', fields: selectEdge(walk, typeOf(field), inner, level) };
      case 'pageInfo':
        return { key, is: 'pageInfo', fields: selectPageInfo(walk, typeOf(field), inner) };
      case 'totalCount':
        return { key, is: 'totalCount' };
      default:
        return { key, is: 'typename', name: type.name };
    }
  });
  return { ...asked, level, fields };
};

const selectEdge = (walk: Walk, type: GraphQLObjectType, sets: Sets, level: Level): readonly EdgeField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, { field }, inner]): EdgeField => {
    if (field.name === 'cursor') return { key, is: 'cursor' };
    if (field.name === 'node') return { key, is: 'node', fields: selectRow(walk, typeOf(field), inner, level) };
    return { key, is: 'typename', name: type.name };
  });

const selectPageInfo = (walk: Walk, type: GraphQLObjectType, sets: Sets): readonly PageInfoField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, { field }]) =>
    field === typenameField ? { key, is: 'typename', name: type.name } : { key, is: field.name as PageInfoName },
  );

/** Looks through an operation; `variables` are those of its directives. Throws `limitExceeded` for too many reads. */
export const selectOperation = (
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Readonly<Record<string, unknown>>,
): OperationSelection => {
  const walk: Walk = { fragments, variables, lookups: new Set(), tables: new Set(), reads: 0 };
  const roots = [...fieldsOf(walk, schema.getQueryType()!, [operation.selectionSet])].map(([key, asked, inner]): RootSelection => {
    const meaning = meaningOf(asked.field);
    if (meaning?.is === 'rows') return { key, ...asked, is: 'rows', connection: selectConnection(walk, asked, inner) };
    if (meaning?.is !== 'row') return { key, ...asked, is: 'other' };
    const level = newLevel(walk, meaning.table);
    return { key, ...asked, is: 'row', level, fields: selectRow(walk, typeOf(asked.field), inner, level) };
  });
  return { roots, lookups: walk.lookups, tables: walk.tables };
};
