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
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import type { ResolvedRelation } from '../catalogue/index.ts';
import { kinds } from '../catalogue/kinds.ts';
import type { LookupName } from '../catalogue/lookups.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import {
  countName,
  type Fold,
  type Formula,
  foldOf,
  type GroupKey,
  type GroupValue,
  measureOf,
  nameOf,
  valueTerm,
} from '../read/groups.ts';
import { Wire } from '../read/json-values.ts';
import { type Step, stepOf } from '../read/paths.ts';
import { formulasOf, meaningOf, tableOf } from './field-meaning.ts';
import { limits } from './limits.ts';
import { camelCase } from './names.ts';

/** The rows of one table that one statement reads. */
export interface Level {
  readonly table: Table;
  /** Columns to read; fields know theirs by position. */
  readonly columns: string[];
}

/** A field of the answer: its key, and that as the JSON that precedes the value. */
export interface Named {
  readonly key: string;
  readonly name: Uint8Array;
}

interface Typename {
  readonly is: 'typename';
  /** Name of the type. */
  readonly type: string;
}

export type RowField = Named &
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

/** A field whose arguments are read when a request is planned. */
export interface Asked {
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
}

export interface ConnectionSelection extends Asked {
  readonly level: Level;
  readonly fields: readonly ConnectionField[];
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

/** What going through selection sets takes. */
export interface Walk {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Those of the directives. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What the walk through one operation shares. */
interface RowsWalk extends Walk {
  readonly lookups: Set<LookupName>;
  readonly tables: Set<string>;
  reads: number;
}

export type Sets = readonly SelectionSetNode[];
/** A field of a selection set: response key, field, what is asked for inside, and all of its nodes. */
export type Entry = readonly [key: string, field: Asked, inner: Sets, nodes: readonly FieldNode[]];

const isIncluded = (node: SelectionNode, { variables }: Walk): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;

/** Whether a fragment speaks of rows of a type: of a row that can be of any table, it may speak of another's. */
const isAbout = (type: GraphQLObjectType, condition: string | undefined): boolean =>
  condition === undefined || condition === type.name || type.getInterfaces().some(({ name }) => name === condition);

/** Gathers the fields of selection sets on a type by response key, through fragments, each of which counts once. */
const gather = (
  walk: Walk,
  type: GraphQLObjectType,
  sets: Sets,
  found = new Map<string, FieldNode[]>(),
  seen = new Set<string>(),
): Map<string, FieldNode[]> => {
  for (const selection of sets.flatMap((set) => set.selections)) {
    if (!isIncluded(selection, walk)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      // Assigned to an object it would be no key of it.
      if (key === '__proto__') throw new ApiError('invalidParameter', 'An alias cannot be __proto__');
      const nodes = found.get(key);
      if (nodes) nodes.push(selection);
      else found.set(key, [selection]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      if (isAbout(type, selection.typeCondition?.name.value)) gather(walk, type, [selection.selectionSet], found, seen);
    } else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      const { typeCondition, selectionSet } = walk.fragments.get(selection.name.value)!;
      if (isAbout(type, typeCondition.name.value)) gather(walk, type, [selectionSet], found, seen);
    }
  }
  return found;
};

const typenameField = { name: '__typename', extensions: {} } as unknown as GraphQLField<unknown, unknown>;

/** Fields that every schema has. */
const metaFields: Readonly<Record<string, GraphQLField<unknown, unknown>>> = {
  __typename: typenameField,
  __schema: SchemaMetaFieldDef,
  __type: TypeMetaFieldDef,
};

/** The fields that selection sets ask for of a type, by response key, with what is asked for inside each. */
export const fieldsOf = function* (walk: Walk, type: GraphQLObjectType, sets: Sets): Iterable<Entry> {
  for (const [key, nodes] of gather(walk, type, sets)) {
    const node = nodes[0]!;
    const inner = nodes.flatMap(({ selectionSet }) => (selectionSet ? [selectionSet] : []));
    yield [key, { node, field: type.getFields()[node.name.value] ?? metaFields[node.name.value]! }, inner, nodes];
  }
};

const named = (key: string): Named => ({ key, name: Buffer.from(`${JSON.stringify(key)}:`) });
const typenameOf = ({ name }: GraphQLObjectType): Typename => ({ is: 'typename', type: name });

const typeOf = (field: GraphQLField<unknown, unknown>) => getNamedType(field.type) as GraphQLObjectType;

const countReads = (walk: RowsWalk, reads: number): void => {
  walk.reads += reads;
  if (walk.reads > limits.reads) throw new ApiError('limitExceeded', `The document asks for more than ${limits.reads} lists and relations`);
};

const newLevel = (walk: RowsWalk, table: Table): Level => {
  countReads(walk, 1);
  walk.tables.add(table.name);
  return { table, columns: [] };
};

/** The position of a column among those to read. */
const positionOf = ({ columns }: Level, column: string): number => {
  const known = columns.indexOf(column);
  return known >= 0 ? known : columns.push(column) - 1;
};

const selectRow = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, level: Level): readonly RowField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, asked, inner]): RowField => {
    const meaning = meaningOf(asked.field);
    if (meaning?.is === 'column') {
      return {
        ...named(key),
        is: 'column',
        at: positionOf(level, meaning.column),
        wire: Wire[kinds[level.table.columns[meaning.column]!.kind].wire],
      };
    }
    if (meaning?.is === 'label') {
      walk.lookups.add(meaning.lookup);
      return { ...named(key), is: 'label', at: positionOf(level, meaning.column), lookup: meaning.lookup };
    }
    if (meaning?.is === 'id') return { ...named(key), is: 'id', at: positionOf(level, level.table.key), table: level.table };
    if (meaning?.is !== 'relation' && meaning?.is !== 'relatedGroups') return { ...named(key), ...typenameOf(type) };
    const { relation } = meaning;
    const at = positionOf(level, relation.column);
    if (meaning.is === 'relatedGroups') return { ...named(key), is: 'many', at, relation, connection: selectGroups(walk, asked, inner) };
    if (relation.kind === 'to-many') return { ...named(key), is: 'many', at, relation, connection: selectConnection(walk, asked, inner) };
    const target = typeOf(asked.field);
    const there = newLevel(walk, tableOf(target));
    return { ...named(key), is: 'one', at, relation, level: there, fields: selectRow(walk, target, inner, there) };
  });

const selectConnection = (walk: RowsWalk, asked: Asked, sets: Sets): ConnectionSelection => {
  const type = typeOf(asked.field);
  const level = newLevel(walk, tableOf(type));
  const fields = [...fieldsOf(walk, type, sets)].map(([key, { field }, inner]): ConnectionField => {
    switch (field.name) {
      case 'nodes':
        return { ...named(key), is: 'nodes', fields: selectRow(walk, typeOf(field), inner, level) };
      case 'edges':
        return { ...named(key), is: 'edges', fields: selectEdge(walk, typeOf(field), inner, level) };
      case 'pageInfo':
        return { ...named(key), is: 'pageInfo', fields: selectPageInfo(walk, typeOf(field), inner) };
      case 'totalCount':
        return { ...named(key), is: 'totalCount' };
      default:
        return { ...named(key), ...typenameOf(type) };
    }
  });
  return { ...asked, level, fields };
};

const selectGroups = (walk: RowsWalk, asked: Asked, sets: Sets): ConnectionSelection => {
  const type = typeOf(asked.field);
  const level = newLevel(walk, tableOf(type));
  const groups: GroupsSelection = { keys: [], values: [], formulas: formulasOf(type) };
  const fields = [...fieldsOf(walk, type, sets)].map(([key, { field }, inner]): ConnectionField => {
    switch (field.name) {
      case 'groups':
        return { ...named(key), is: 'nodes', fields: selectGroup(walk, typeOf(field), inner, { level, groups }) };
      case 'pageInfo':
        return { ...named(key), is: 'pageInfo', fields: selectPageInfo(walk, typeOf(field), inner) };
      case 'totalCount':
        return { ...named(key), is: 'totalCount' };
      default:
        return { ...named(key), ...typenameOf(type) };
    }
  });
  return { ...asked, level, fields, groups };
};

interface GroupsLevel {
  readonly level: Level;
  readonly groups: GroupsSelection;
}

const selectGroup = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, made: GroupsLevel): readonly RowField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, { field }, inner]): RowField => {
    const within = typeOf(field);
    if (field.name === 'key') return { ...named(key), is: 'part', fields: selectKey(walk, within, inner, { ...made, via: [], path: '' }) };
    if (meaningOf(field)?.is === 'part')
      return { ...named(key), is: 'part', fields: selectFigures(walk, within, inner, field.name as Fold, made) };
    if (field === typenameField) return { ...named(key), ...typenameOf(type) };
    return { ...named(key), is: 'column', at: positionOf(made.level, countName), wire: Wire.number };
  });

/** `by` is the fold; measures have their own formula. */
const selectFigures = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, by: Fold, { level, groups }: GroupsLevel) =>
  [...fieldsOf(walk, type, sets)].map(([key, { field }]): RowField => {
    const meaning = meaningOf(field);
    if (meaning?.is !== 'figure' && meaning?.is !== 'measure') return { ...named(key), ...typenameOf(type) };
    const value = meaning.is === 'measure' ? measureOf(meaning.formula) : foldOf(level.table, by, meaning.column);
    const at = positionOf(level, nameOf(groups.values, value));
    return { ...named(key), is: 'column', at, wire: Wire[kinds[valueTerm({ ...value, name: '' }).kind].wire] };
  });

interface KeyLevel extends GroupsLevel {
  readonly via: readonly Step[];
  /** Names of the fields that lead there, each with a point behind it. */
  readonly path: string;
}

const selectKey = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, made: KeyLevel): readonly RowField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, asked, inner]): RowField => {
    const meaning = meaningOf(asked.field);
    const { level, groups, via, path } = made;
    if (meaning?.is === 'relation') {
      const { relation } = meaning;
      walk.tables.add(relation.target);
      const there = { ...made, via: [...via, stepOf(relation)], path: `${path}${relation.name}.` };
      return { ...named(key), is: 'part', fields: selectKey(walk, typeOf(asked.field), inner, there) };
    }
    if (meaning?.is !== 'column' && meaning?.is !== 'label') return { ...named(key), ...typenameOf(type) };
    const { column } = meaning;
    const { kind, required } = tableOf(type).columns[column]!;
    const here = `${path}${camelCase(column)}`;
    const isPlain = ({ asked: { node } }: { readonly asked: Asked }) => !node.arguments?.length;
    let selected = isPlain({ asked }) ? groups.keys.find((other) => other.path === here && isPlain(other)) : undefined;
    if (!selected) {
      selected = { name: `k${groups.keys.length}`, via, column, kind, isNullable: via.length > 0 || !required, path: here, asked };
      groups.keys.push(selected);
    }
    const at = positionOf(level, selected.name);
    if (meaning.is === 'column') return { ...named(key), is: 'column', at, wire: Wire[kinds[kind].wire] };
    walk.lookups.add(meaning.lookup);
    return { ...named(key), is: 'label', at, lookup: meaning.lookup };
  });

const selectEdge = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, level: Level): readonly EdgeField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, { field }, inner]): EdgeField => {
    if (field.name === 'cursor') return { ...named(key), is: 'cursor' };
    if (field.name === 'node') return { ...named(key), is: 'node', fields: selectRow(walk, typeOf(field), inner, level) };
    return { ...named(key), ...typenameOf(type) };
  });

const selectPageInfo = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets): readonly PageInfoField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, { field }]) =>
    field === typenameField ? { ...named(key), ...typenameOf(type) } : { ...named(key), is: field.name as PageInfoName },
  );

/** What is asked for of rows of each table that an id can name; the ids tell what is read of it. */
const selectNodes = (walk: RowsWalk, types: readonly GraphQLObjectType[], sets: Sets, isList: boolean) => {
  const rows = new Map<string, RowSelection>();
  const reads: number[] = [];
  for (const type of types) {
    const own: RowsWalk = { ...walk, tables: new Set(), reads: 0 };
    const level = newLevel(own, tableOf(type));
    rows.set(level.table.name, { level, fields: selectRow(own, type, sets, level) });
    reads.push(own.reads);
  }
  countReads(walk, isList ? reads.reduce((sum, each) => sum + each) : Math.max(...reads));
  return rows;
};

/** Looks through an operation; `variables` are those of its directives. Throws `limitExceeded` for too many reads. */
export const selectOperation = (
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Readonly<Record<string, unknown>>,
): OperationSelection => {
  const walk: RowsWalk = { fragments, variables, lookups: new Set(), tables: new Set(), reads: 0 };
  const query = schema.getQueryType()!;
  const roots = [...fieldsOf(walk, query, [operation.selectionSet])].map(([key, asked, inner, nodes]): RootSelection => {
    const root = { ...named(key), ...asked };
    if (asked.field === typenameField) return { ...root, ...typenameOf(query) };
    if (asked.field.name.startsWith('__')) return { ...root, is: 'introspection', sets: inner };
    const meaning = meaningOf(asked.field);
    if (meaning?.is === 'rows') return { ...root, is: 'rows', connection: selectConnection(walk, asked, inner) };
    if (meaning?.is === 'nodes') {
      const { isList } = meaning;
      const types = schema.getPossibleTypes(getNamedType(asked.field.type) as GraphQLInterfaceType);
      return { ...root, is: 'nodes', isList, rows: selectNodes(walk, types, inner, isList) };
    }
    if (meaning?.is === 'groups') return { ...root, is: 'rows', connection: selectGroups(walk, asked, inner) };
    if (meaning?.is !== 'row') return { ...root, is: 'service', nodes };
    const level = newLevel(walk, meaning.table);
    return { ...root, is: 'row', level, fields: selectRow(walk, typeOf(asked.field), inner, level) };
  });
  return { operation, roots, walk: { fragments, variables }, lookups: walk.lookups, tables: walk.tables };
};
