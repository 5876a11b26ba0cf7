/**
 * Answers `__schema` and `__type` with GraphQL's own resolvers. The result is written as bytes and in time slices, because a document can
 * request the schema many times. Its size is limited (contract: document limits).
 */
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  isLeafType,
  isListType,
} from 'graphql';
import type { JsonOut } from '../../wire/json-out.ts';
import { literal } from '../../wire/json-values.ts';
import { exceeds, limits } from '../document/limits.ts';
import { type SelectedField, type Sets, selectedFieldsOf, type Walk } from '../selection/fields.ts';
import type { Keyed, RootSelection } from '../selection/selection.ts';
import { type Steps, writeObject } from './json-layout.ts';

export interface Introspection {
  readonly out: JsonOut;
  readonly schema: GraphQLSchema;
  readonly walk: Walk;
  /** The number of values written so far. */
  values: number;
}

interface Entry extends Keyed {
  readonly selected: SelectedField;
  readonly sets: Sets;
}
type Entries = readonly Entry[];

/** The fields of selection sets by type. They are collected once for all objects of the type. */
const collected = new WeakMap<Sets, Map<GraphQLObjectType, Entries>>();

const entriesOf = (walk: Walk, type: GraphQLObjectType, sets: Sets): Entries => {
  const byType = collected.get(sets) ?? new Map<GraphQLObjectType, Entries>();
  collected.set(sets, byType);
  const entries =
    byType.get(type) ?? [...selectedFieldsOf(walk, type, sets)].map(([key, selected, inner]) => ({ key, selected, sets: inner }));
  byType.set(type, entries);
  return entries;
};

/** Writes the value of an introspection root field. Throws `limitExceeded` when the response becomes too large. */
export function* writeIntrospection(introspection: Introspection, root: Extract<RootSelection, { is: 'introspection' }>): Steps {
  yield* writeField(introspection, undefined, root, root.sets);
}

const resolved = ({ walk, schema }: Introspection, source: unknown, { field, argumentsOf }: SelectedField): unknown => {
  if (!field.resolve) return (source as Record<string, unknown>)[field.name];
  return field.resolve(source, argumentsOf(walk.variables), undefined, { schema } as GraphQLResolveInfo);
};

/** Writes a null or a leaf value. Returns false for objects and lists. */
const wroteLeaf = ({ out }: Introspection, type: GraphQLOutputType, value: unknown): boolean => {
  if (value === null || value === undefined) out.put(literal.null);
  else if (isLeafType(type)) out.json(JSON.stringify(type.serialize(value)));
  else return false;
  return true;
};

function* writeField(introspection: Introspection, source: unknown, selected: SelectedField, sets: Sets): Steps {
  if (++introspection.values > limits.introspected) throw exceeds('introspected', introspection.values);
  const type = getNullableType(selected.field.type);
  const value = resolved(introspection, source, selected);
  if (!wroteLeaf(introspection, type, value)) yield* writeNested(introspection, type, value, sets);
}

function* writeNested(introspection: Introspection, type: GraphQLOutputType, value: unknown, sets: Sets): Steps {
  if (!isListType(type)) {
    yield* writeFields(introspection, type as GraphQLObjectType, value, sets);
    return;
  }
  const { out } = introspection;
  const item = getNullableType(type.ofType);
  let separator = 0x5b;
  for (const each of value as Iterable<unknown>) {
    out.byte(separator);
    separator = 0x2c;
    if (!wroteLeaf(introspection, item, each)) yield* writeNested(introspection, item, each, sets);
    yield;
  }
  if (separator === 0x5b) out.byte(separator);
  out.byte(0x5d);
}

const writeFields = (introspection: Introspection, type: GraphQLObjectType, value: unknown, sets: Sets): Steps => {
  const { out, walk } = introspection;
  return writeObject(out, entriesOf(walk, type, sets), ({ selected, sets: inner }) => {
    if (selected.node.name.value !== '__typename') return writeField(introspection, value, selected, inner);
    out.json(JSON.stringify(type.name));
    return undefined;
  });
};
