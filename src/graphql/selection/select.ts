/**
 * Turns a document into a selection: the rows, related rows and groups to read, and the shape of the response. Selections are cached as long
 * as the parsed document, which is itself cached by text and tier.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { kinds } from '../../catalogue/kinds.ts';
import type { LookupName } from '../../catalogue/lookups.ts';
import type { Table } from '../../catalogue/table.ts';
import { ApiError } from '../../errors.ts';
import { countName, labelColumn } from '../../plan/groups/groups.ts';
import { keyName, valueName } from '../../plan/groups/request.ts';
import { kindOfValue } from '../../plan/groups/resolving.ts';
import type { Aggregate } from '../../plan/vocabulary/values.ts';
import { Wire } from '../../wire/json-values.ts';
import { limits } from '../document/limits.ts';
import { fieldMeaningOf, groupableOf, tableOfType } from '../schema/builder.ts';
import { camelCase } from '../schema/names.ts';
import { type FieldEntry, type SelectedField, type Sets, selectedFieldsOf, typenameField, type Walk } from './fields.ts';
import type {
  ConnectionField,
  ConnectionSelection,
  EdgeField,
  GroupsSelection,
  Level,
  OperationSelection,
  PageInfoField,
  PageInfoName,
  RelationField,
  RootSelection,
  RowField,
  RowSelection,
  SelectedAggregate,
  SelectedValue,
  Typename,
} from './selection.ts';

/** The state of the walk through one operation. */
interface RowsWalk extends Walk {
  readonly lookups: Set<LookupName>;
  readonly tables: Set<string>;
  reads: number;
}

const typenameOf = ({ name }: GraphQLObjectType): Typename => ({ is: 'typename', type: name });

const typeOf = (field: GraphQLField<unknown, unknown>) => getNamedType(field.type) as GraphQLObjectType;

const countReads = (walk: RowsWalk, reads: number): void => {
  walk.reads += reads;
  if (walk.reads > limits.reads) throw new ApiError('limitExceeded', `The document asks for more than ${limits.reads} lists and relations`);
};

const newLevel = (walk: RowsWalk, table: Table): Level => {
  countReads(walk, 1);
  walk.tables.add(table.name);
  return { table, columns: [], relations: [] };
};

/** The position of a column in the level. Adds the column if it is not there yet. */
const positionOf = ({ columns }: Level, column: string): number => {
  const known = columns.indexOf(column);
  return known >= 0 ? known : columns.push(column) - 1;
};

const selectRow = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, level: Level): readonly RowField[] =>
  [...selectedFieldsOf(walk, type, sets)].map(([key, selected, inner]): RowField => {
    const meaning = fieldMeaningOf(selected.field);
    if (meaning?.is === 'column') {
      const { kind } = level.table.columns[meaning.column]!;
      return { key, is: 'column', at: positionOf(level, meaning.column), wire: Wire[kinds[kind].wire] };
    }
    if (meaning?.is === 'label') {
      walk.lookups.add(meaning.lookup);
      const { argumentsOf } = selected;
      return { key, is: 'label', at: positionOf(level, meaning.column), lookup: meaning.lookup, argumentsOf };
    }
    if (meaning?.is === 'id') return { key, is: 'id', at: positionOf(level, level.table.key), table: level.table };
    if (meaning?.is !== 'relation' && meaning?.is !== 'relatedGroups') return { key, ...typenameOf(type) };
    const { relation } = meaning;
    const at = positionOf(level, relation.column);
    const related = { key, at, index: level.relations.length, relation };
    const field: RelationField =
      meaning.is === 'relation' && relation.kind === 'to-one'
        ? { ...related, is: 'one', ...selectRelated(walk, typeOf(selected.field), inner) }
        : { ...related, is: 'many', connection: (meaning.is === 'relation' ? selectConnection : selectGroups)(walk, selected, inner) };
    level.relations.push(field);
    return field;
  });

const selectRelated = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets): RowSelection => {
  const level = newLevel(walk, tableOfType(type));
  return { level, fields: selectRow(walk, type, sets, level) };
};

const selectConnection = (walk: RowsWalk, selected: SelectedField, sets: Sets): ConnectionSelection => {
  const type = typeOf(selected.field);
  const level = newLevel(walk, tableOfType(type));
  const fields = [...selectedFieldsOf(walk, type, sets)].map((entry): ConnectionField => {
    const [key, { field }, inner] = entry;
    if (field.name === 'nodes') return { key, is: 'nodes', fields: selectRow(walk, typeOf(field), inner, level) };
    if (field.name === 'edges') return { key, is: 'edges', fields: selectEdge(walk, typeOf(field), inner, level) };
    return selectPageField(walk, type, entry);
  });
  return { ...selected, level, fields };
};

const selectEdge = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, level: Level): readonly EdgeField[] =>
  [...selectedFieldsOf(walk, type, sets)].map(([key, { field }, inner]): EdgeField => {
    if (field.name === 'cursor') return { key, is: 'cursor' };
    if (field.name === 'node') return { key, is: 'node', fields: selectRow(walk, typeOf(field), inner, level) };
    return { key, ...typenameOf(type) };
  });

/** A field of a connection that contains no rows and no groups. */
const selectPageField = (walk: RowsWalk, type: GraphQLObjectType, [key, { field }, sets]: FieldEntry): ConnectionField => {
  if (field.name === 'totalCount') return { key, is: 'totalCount' };
  if (field.name !== 'pageInfo') return { key, ...typenameOf(type) };
  const fields = [...selectedFieldsOf(walk, typeOf(field), sets)].map(
    ([name, inner]): PageInfoField =>
      inner.field === typenameField ? { key: name, ...typenameOf(typeOf(field)) } : { key: name, is: inner.field.name as PageInfoName },
  );
  return { key, is: 'pageInfo', fields };
};

interface GroupsLevel {
  readonly level: Level;
  readonly groups: GroupsSelection;
}

const selectGroups = (walk: RowsWalk, selected: SelectedField, sets: Sets): ConnectionSelection => {
  const type = typeOf(selected.field);
  const level = newLevel(walk, tableOfType(type));
  const groups: GroupsSelection = { groupable: groupableOf(type), keys: [], values: [], named: new Map() };
  const fields = [...selectedFieldsOf(walk, type, sets)].map((entry): ConnectionField => {
    const [key, { field }, inner] = entry;
    if (field.name !== 'groups') return selectPageField(walk, type, entry);
    return { key, is: 'nodes', fields: selectGroup(walk, typeOf(field), inner, { level, groups }) };
  });
  return { ...selected, level, fields, groups };
};

const selectGroup = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, to: GroupsLevel): readonly RowField[] =>
  [...selectedFieldsOf(walk, type, sets)].map(([key, selected, inner]): RowField => {
    const { field, node } = selected;
    const within = typeOf(field);
    if (field.name === 'key') return { key, is: 'part', fields: selectKeys(walk, within, inner, { ...to, via: [] }) };
    if (field === typenameField) return { key, ...typenameOf(type) };
    const meaning = fieldMeaningOf(field);
    if (meaning?.is === 'computed') return selectNamed({ is: 'computed', of: meaning.call, key, selected }, to);
    if (meaning?.is === 'sumOnce') return selectNamed({ is: 'sumOnce', key, selected }, to);
    if (meaning?.is === 'asOf') {
      const known = to.groups.keys.findIndex(({ is }) => is === 'asOf');
      const index = known >= 0 ? known : to.groups.keys.push({ name: 'asOf', via: [], column: '', selected, is: 'asOf' }) - 1;
      return { key, is: 'column', at: positionOf(to.level, keyName(index)), wire: Wire.date };
    }
    const named = node.arguments?.length ? selected : undefined;
    if (named) to.groups.named.set(key, named);
    if (meaning?.is === 'part')
      return {
        key,
        is: 'part',
        fields: selectValues(walk, within, inner, { ...to, aggregate: field.name as Aggregate, named, via: [], path: key }),
      };
    if (!named) return { key, is: 'column', at: positionOf(to.level, countName), wire: Wire.number };
    return selectValue({ key, path: key, table: to.level.table }, { is: 'count', of: '', selected: named }, to);
  });

/** A number that others refer to by its response key. */
type NamedValue = Extract<SelectedValue, { is: 'computed' | 'sumOnce' }>;

const selectNamed = (value: NamedValue, { level, groups }: GroupsLevel): RowField => {
  const index = groups.values.push(value) - 1;
  return { key: value.key, is: 'column', at: positionOf(level, valueName(index)), wire: Wire.number };
};

/** A field of a value: its response key, all response keys that lead to it, and the table of its column. */
interface ValueField {
  readonly key: string;
  readonly path: string;
  readonly table: Table;
}

/** Values are the same if they have the same arguments, which is known only of values of one field or without arguments. */
const selectValue = (
  { key, path, table }: ValueField,
  value: Omit<SelectedAggregate, 'paths'>,
  { level, groups }: GroupsLevel,
): RowField => {
  const isSame = (other: SelectedValue): other is SelectedAggregate =>
    'paths' in other &&
    !(other.applied || value.applied) &&
    other.is === value.is &&
    other.of === value.of &&
    String(other.via) === String(value.via) &&
    other.selected === value.selected;
  const known = groups.values.findIndex(isSame);
  const index = known >= 0 ? known : groups.values.push({ ...value, paths: [] }) - 1;
  (groups.values[index] as SelectedAggregate).paths.push(path);
  const wire = Wire[kinds[kindOfValue(table, value)].wire];
  return { key, is: 'column', at: positionOf(level, valueName(index)), wire };
};

interface ValuesLevel extends GroupsLevel {
  /** Does not apply to measures. */
  readonly aggregate: Aggregate;
  /** The field of these values, if it has arguments. */
  readonly named: SelectedField | undefined;
  /** The relations that lead to the column of a value. */
  readonly via: readonly string[];
  /** The response keys that lead to these values, joined by dots. */
  readonly path: string;
}

const selectValues = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, level: ValuesLevel): readonly RowField[] =>
  [...selectedFieldsOf(walk, type, sets)].map(([key, field, inner]): RowField => {
    const { aggregate, named: selected, via, ...to } = level;
    const meaning = fieldMeaningOf(field.field);
    const path = `${level.path}.${key}`;
    if (meaning?.is === 'relation') {
      const { name, target } = meaning.relation;
      walk.tables.add(target);
      return { key, is: 'part', fields: selectValues(walk, typeOf(field.field), inner, { ...level, via: [...via, name], path }) };
    }
    const value = { key, path, table: tableOfType(type) };
    if (meaning?.is === 'measure') return selectValue(value, { is: meaning.is, of: meaning.measure, selected }, to);
    if (meaning?.is === 'aggregate') return selectValue(value, { is: aggregate, of: meaning.column, via, selected }, to);
    if (meaning?.is === 'applied')
      return selectValue(value, { is: aggregate, of: '', via, applied: { call: meaning.call, selected: field }, selected }, to);
    return { key, ...typenameOf(type) };
  });

/** The name of selected bands in references. No column has a blank in its name. */
export const bandName = (responseKey: string): string => `band ${responseKey}`;

interface KeyLevel extends GroupsLevel {
  /** The names of the relation fields on the way to this key. */
  readonly via: readonly string[];
}

const selectKeys = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, to: KeyLevel): readonly RowField[] =>
  [...selectedFieldsOf(walk, type, sets)].map(([key, selected, inner]): RowField => {
    const meaning = fieldMeaningOf(selected.field);
    const { level, groups, via } = to;
    if (meaning?.is === 'relation') {
      const { name, target } = meaning.relation;
      walk.tables.add(target);
      return { key, is: 'part', fields: selectKeys(walk, typeOf(selected.field), inner, { ...to, via: [...via, name] }) };
    }
    if (meaning?.is === 'band') {
      const name = [...via, bandName(key)].join('.');
      const index = groups.keys.push({ name, via, column: '', selected, is: 'band' }) - 1;
      return { key, is: 'column', at: positionOf(level, labelColumn(keyName(index))), wire: Wire.text };
    }
    if (meaning?.is !== 'column' && meaning?.is !== 'label') return { key, ...typenameOf(type) };
    const { column } = meaning;
    const name = [...via, camelCase(column)].join('.');
    // The language of a label makes no other key.
    const isPlain = ({ field, node }: SelectedField) => fieldMeaningOf(field)?.is === 'label' || !node.arguments?.length;
    const known = isPlain(selected)
      ? groups.keys.findIndex((other) => other.is === 'column' && other.name === name && isPlain(other.selected))
      : -1;
    const index = known >= 0 ? known : groups.keys.push({ name, via, column, selected, is: 'column' }) - 1;
    const at = positionOf(level, keyName(index));
    if (meaning.is === 'column') return { key, is: 'column', at, wire: Wire[kinds[tableOfType(type).columns[column]!.kind].wire] };
    walk.lookups.add(meaning.lookup);
    return { key, is: 'label', at, lookup: meaning.lookup, argumentsOf: selected.argumentsOf };
  });

/** A selection for each table, because any table can have the row of an id. The ids decide later which of these selections are read. */
const selectNodes = (walk: RowsWalk, types: readonly GraphQLObjectType[], sets: Sets, isList: boolean) => {
  const rows = new Map<string, RowSelection>();
  const reads: number[] = [];
  for (const type of types) {
    const own: RowsWalk = { ...walk, tables: new Set(), reads: 0 };
    rows.set(tableOfType(type).name, selectRelated(own, type, sets));
    reads.push(own.reads);
  }
  countReads(walk, isList ? reads.reduce((sum, each) => sum + each) : Math.max(...reads));
  return rows;
};

const selectRoot = (walk: RowsWalk, schema: GraphQLSchema, [key, selected, inner, nodes]: FieldEntry): RootSelection => {
  const root = { key, ...selected };
  const { field } = selected;
  if (field === typenameField) return { ...root, ...typenameOf(schema.getQueryType()!) };
  if (field.name.startsWith('__')) return { ...root, is: 'introspection', sets: inner };
  const meaning = fieldMeaningOf(field);
  if (meaning?.is === 'rows') return { ...root, is: 'rows', connection: selectConnection(walk, selected, inner) };
  if (meaning?.is === 'groups') return { ...root, is: 'rows', connection: selectGroups(walk, selected, inner) };
  if (meaning?.is === 'row') return { ...root, is: 'row', ...selectRelated(walk, typeOf(field), inner) };
  if (meaning?.is !== 'nodes') return { ...root, is: 'service', nodes };
  const { isList } = meaning;
  const types = schema.getPossibleTypes(getNamedType(field.type) as GraphQLInterfaceType);
  return { ...root, is: 'nodes', isList, rows: selectNodes(walk, types, inner, isList) };
};

/** The selections of one document. They differ only by the operation and by the variables of `@skip` and `@include`. */
interface DocumentSelections {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The variables of directives. */
  readonly directiveVariables: readonly string[];
  readonly selections: Map<string, OperationSelection>;
}

/** The maximum number of cached selections of one document. The number of combinations of variables has no bound. */
const maxSelections = 64;

const cache = new WeakMap<DocumentNode, DocumentSelections>();

const prepare = (document: DocumentNode): DocumentSelections => {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const names = new Set<string>();
  visit(document, {
    FragmentDefinition: (node) => void fragments.set(node.name.value, node),
    Directive: ({ arguments: values }) => {
      for (const { value } of values ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return { fragments, directiveVariables: [...names], selections: new Map() };
};

/** The selection of an operation, from the cache if possible. Throws `limitExceeded` for too many reads. */
export const selectOperation = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Readonly<Record<string, unknown>>,
): OperationSelection => {
  const entry = cache.get(document) ?? prepare(document);
  cache.set(document, entry);
  const { fragments, directiveVariables, selections } = entry;
  const key = JSON.stringify([operationName ?? null, ...directiveVariables.map((name) => variables[name])]);
  const known = selections.get(key);
  if (known) return known;
  const operation = getOperationAST(document, operationName) as OperationDefinitionNode;
  const walk: RowsWalk = { fragments, variables, lookups: new Set(), tables: new Set(), reads: 0 };
  const entries = selectedFieldsOf(walk, schema.getQueryType()!, [operation.selectionSet]);
  const roots = [...entries].map((root) => selectRoot(walk, schema, root));
  const selection = { operation, roots, walk: { fragments, variables }, lookups: walk.lookups, tables: walk.tables };
  if (selections.size >= maxSelections) selections.clear();
  selections.set(key, selection);
  return selection;
};
