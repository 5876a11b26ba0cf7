/** The selection of groups: their keys, their values, and the shape of the response. */
import type { GraphQLObjectType } from 'graphql';
import { kinds } from '../../catalogue/kinds.ts';
import { type Aggregate, aggregateOf, countName, measureOf, nameOf, valueTerm } from '../../plan/groups.ts';
import { type RelationStep, relationStep } from '../../plan/paths.ts';
import { Wire } from '../../wire/json-values.ts';
import { formulasOf, meaningOf, tableOf } from '../schema/field-meaning.ts';
import { camelCase } from '../schema/names.ts';
import { newLevel, positionOf, type RowsWalk, rowFieldsOf, selectBeside, typenameOf, typeOf } from './select-levels.ts';
import type { ConnectionField, ConnectionSelection, GroupsSelection, Level, RowField } from './selection.ts';
import { type Asked, fieldsOf, type Sets, typenameField } from './selection-sets.ts';

export const selectGroups = (walk: RowsWalk, asked: Asked, sets: Sets): ConnectionSelection => {
  const type = typeOf(asked.field);
  const level = newLevel(walk, tableOf(type));
  const groups: GroupsSelection = { keys: [], values: [], formulas: formulasOf(type) };
  const fields = [...fieldsOf(walk, type, sets)].map((entry): ConnectionField => {
    const [key, { field }, inner] = entry;
    if (field.name !== 'groups') return selectBeside(walk, type, entry);
    return { key, is: 'nodes', fields: selectGroup(walk, typeOf(field), inner, { level, groups }) };
  });
  return { ...asked, level, fields, rowFields: rowFieldsOf(fields), groups };
};

interface GroupsLevel {
  readonly level: Level;
  readonly groups: GroupsSelection;
}

const selectGroup = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, made: GroupsLevel): readonly RowField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, { field }, inner]): RowField => {
    const within = typeOf(field);
    if (field.name === 'key') return { key, is: 'part', fields: selectKey(walk, within, inner, { ...made, via: [], path: '' }) };
    if (meaningOf(field)?.is === 'part')
      return { key, is: 'part', fields: selectFigures(walk, within, inner, field.name as Aggregate, made) };
    if (field === typenameField) return { key, ...typenameOf(type) };
    return { key, is: 'column', at: positionOf(made.level, countName), wire: Wire.number };
  });

/** `by` is the aggregate. Measures ignore it, because they have a formula. */
const selectFigures = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, by: Aggregate, { level, groups }: GroupsLevel) =>
  [...fieldsOf(walk, type, sets)].map(([key, { field }]): RowField => {
    const meaning = meaningOf(field);
    if (meaning?.is !== 'figure' && meaning?.is !== 'measure') return { key, ...typenameOf(type) };
    const value = meaning.is === 'measure' ? measureOf(meaning.formula) : aggregateOf(level.table, by, meaning.column);
    const at = positionOf(level, nameOf(groups.values, value));
    return { key, is: 'column', at, wire: Wire[kinds[valueTerm({ ...value, name: '' }).kind].wire] };
  });

interface KeyLevel extends GroupsLevel {
  readonly via: readonly RelationStep[];
  /** The names of the relation fields on the way to this key, each followed by a point. */
  readonly path: string;
}

const selectKey = (walk: RowsWalk, type: GraphQLObjectType, sets: Sets, made: KeyLevel): readonly RowField[] =>
  [...fieldsOf(walk, type, sets)].map(([key, asked, inner]): RowField => {
    const meaning = meaningOf(asked.field);
    const { level, groups, via, path } = made;
    if (meaning?.is === 'relation') {
      const { relation } = meaning;
      walk.tables.add(relation.target);
      const there = { ...made, via: [...via, relationStep(relation)], path: `${path}${relation.name}.` };
      return { key, is: 'part', fields: selectKey(walk, typeOf(asked.field), inner, there) };
    }
    if (meaning?.is !== 'column' && meaning?.is !== 'label') return { key, ...typenameOf(type) };
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
    if (meaning.is === 'column') return { key, is: 'column', at, wire: Wire[kinds[kind].wire] };
    walk.lookups.add(meaning.lookup);
    return { key, is: 'label', at, lookup: meaning.lookup };
  });
