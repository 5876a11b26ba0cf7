/** Turns a document into a selection: the rows and related rows to read, and the shape of the response. */
import {
  type FragmentDefinitionNode,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  type OperationDefinitionNode,
} from 'graphql';
import { kinds } from '../../catalogue/kinds.ts';
import { Wire } from '../../wire/json-values.ts';
import { meaningOf, tableOf } from '../schema/field-meaning.ts';
import { selectGroups } from './select-groups.ts';
import { countReads, newLevel, positionOf, type RowsWalk, rowFieldsOf, selectBeside, typenameOf, typeOf } from './select-levels.ts';
import type {
  ConnectionField,
  ConnectionSelection,
  EdgeField,
  Level,
  OperationSelection,
  RootSelection,
  RowField,
  RowSelection,
} from './selection.ts';
import { type Asked, fieldsOf, type Sets, typenameField } from './selection-sets.ts';

const selectRow = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, level: Level): readonly RowField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, asked, inner]): RowField => {
    const meaning = meaningOf(asked.field);
    if (meaning?.is === 'column') {
      return {
        key,
        is: 'column',
        at: positionOf(level, meaning.column),
        wire: Wire[kinds[level.table.columns[meaning.column]!.kind].wire],
      };
    }
    if (meaning?.is === 'label') {
      walk.lookups.add(meaning.lookup);
      return { key, is: 'label', at: positionOf(level, meaning.column), lookup: meaning.lookup };
    }
    if (meaning?.is === 'id') return { key, is: 'id', at: positionOf(level, level.table.key), table: level.table };
    if (meaning?.is !== 'relation' && meaning?.is !== 'relatedGroups') return { key, ...typenameOf(type) };
    const { relation } = meaning;
    const at = positionOf(level, relation.column);
    if (meaning.is === 'relatedGroups') return { key, is: 'many', at, relation, connection: selectGroups(walk, asked, inner) };
    if (relation.kind === 'to-many') return { key, is: 'many', at, relation, connection: selectConnection(walk, asked, inner) };
    const target = typeOf(asked.field);
    const there = newLevel(walk, tableOf(target));
    return { key, is: 'one', at, relation, level: there, fields: selectRow(walk, target, inner, there) };
  });

const selectConnection = (walk: RowsWalk, asked: Asked, sets: Sets): ConnectionSelection => {
  const type = typeOf(asked.field);
  const level = newLevel(walk, tableOf(type));
  const fields = [...fieldsOf(walk, type, sets)].map((entry): ConnectionField => {
    const [key, { field }, inner] = entry;
    if (field.name === 'nodes') return { key, is: 'nodes', fields: selectRow(walk, typeOf(field), inner, level) };
    if (field.name === 'edges') return { key, is: 'edges', fields: selectEdge(walk, typeOf(field), inner, level) };
    return selectBeside(walk, type, entry);
  });
  return { ...asked, level, fields, rowFields: rowFieldsOf(fields) };
};

const selectEdge = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, level: Level): readonly EdgeField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, { field }, inner]): EdgeField => {
    if (field.name === 'cursor') return { key, is: 'cursor' };
    if (field.name === 'node') return { key, is: 'node', fields: selectRow(walk, typeOf(field), inner, level) };
    return { key, ...typenameOf(type) };
  });

/** A selection for each table, because any table can have the row of an id. The ids decide later which of these selections are read. */
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

/** Makes the selection of an operation. `variables` are the variables of its directives. Throws `limitExceeded` for too many reads. */
export const selectOperation = (
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Readonly<Record<string, unknown>>,
): OperationSelection => {
  const walk: RowsWalk = { fragments, variables, lookups: new Set(), tables: new Set(), reads: 0 };
  const query = schema.getQueryType()!;
  const roots = [...fieldsOf(walk, query, [operation.selectionSet])].map(([key, asked, inner, nodes]): RootSelection => {
    const root = { key, ...asked };
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
