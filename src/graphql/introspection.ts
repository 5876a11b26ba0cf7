/**
 * Answers `__schema` and `__type`: GraphQL's own resolvers, written as bytes and in slices, since a document can ask for a
 * schema many times over. What is written is bounded (contract: document limits).
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
import type { JsonOut } from '../read/json-out.ts';
import { literal } from '../read/json-values.ts';
import { exceeds, limits } from './limits.ts';
import type { RootSelection } from './selection.ts';
import { type Asked, type Entry, fieldsOf, type Sets, type Walk } from './selection-sets.ts';

export interface Introspection {
  readonly out: JsonOut;
  readonly schema: GraphQLSchema;
  readonly walk: Walk;
  /** Values written so far. */
  values: number;
}

type Steps = Generator<void, void>;
type Entries = readonly Entry[];

/** The fields of selection sets on a type: gathered once, whatever the number of objects that show them. */
const gathered = new WeakMap<Sets, Map<GraphQLObjectType, Entries>>();

const entriesOf = (walk: Walk, type: GraphQLObjectType, sets: Sets): Entries => {
  const byType = gathered.get(sets) ?? new Map<GraphQLObjectType, Entries>();
  gathered.set(sets, byType);
  const entries = byType.get(type) ?? [...fieldsOf(walk, type, sets)];
  byType.set(type, entries);
  return entries;
};

/** Writes the value of a root field of introspection. Throws `limitExceeded` when it has become too large. */
export function* writeIntrospection(introspection: Introspection, root: Extract<RootSelection, { is: 'introspection' }>): Steps {
  yield* writeField(introspection, undefined, root, root.sets);
}

const resolved = ({ walk, schema }: Introspection, source: unknown, { field, argumentsOf }: Asked): unknown => {
  if (!field.resolve) return (source as Record<string, unknown>)[field.name];
  return field.resolve(source, argumentsOf(walk.variables), undefined, { schema } as GraphQLResolveInfo);
};

/** Writes a value that holds no others; false if it does. */
const wroteLeaf = ({ out }: Introspection, type: GraphQLOutputType, value: unknown): boolean => {
  if (value === null || value === undefined) out.put(literal.null);
  else if (isLeafType(type)) out.json(JSON.stringify(type.serialize(value)));
  else return false;
  return true;
};

function* writeField(introspection: Introspection, source: unknown, asked: Asked, sets: Sets): Steps {
  if (++introspection.values > limits.introspected) throw exceeds('introspected', introspection.values);
  const type = getNullableType(asked.field.type);
  const value = resolved(introspection, source, asked);
  if (!wroteLeaf(introspection, type, value)) yield* writeNested(introspection, type, value, sets);
}

function* writeNested(introspection: Introspection, type: GraphQLOutputType, value: unknown, sets: Sets): Steps {
  if (!isListType(type)) {
    yield* writeObject(introspection, type as GraphQLObjectType, value, sets);
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

function* writeObject(introspection: Introspection, type: GraphQLObjectType, value: unknown, sets: Sets): Steps {
  const { out, walk } = introspection;
  let separator = '{';
  for (const [key, asked, inner] of entriesOf(walk, type, sets)) {
    out.json(`${separator}${JSON.stringify(key)}:`);
    separator = ',';
    if (asked.node.name.value === '__typename') out.json(JSON.stringify(type.name));
    else yield* writeField(introspection, value, asked, inner);
  }
  out.byte(0x7d);
}
