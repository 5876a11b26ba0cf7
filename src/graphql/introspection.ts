/**
 * Answers `__schema` and `__type`: GraphQL's own resolvers, written as bytes and in slices, since a document can ask for a
 * schema many times over. What is written counts against the bound on values (semantics 31).
 */
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { ApiError } from '../errors.ts';
import type { JsonOut } from '../read/json-out.ts';
import { literal } from '../read/json-values.ts';
import { limits } from './limits.ts';
import { type Asked, type Entry, fieldsOf, type RootSelection, type Sets, type Walk } from './selection.ts';

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

const resolve = (field: GraphQLField<unknown, unknown>, source: unknown, args: Record<string, unknown>, schema: GraphQLSchema): unknown =>
  field.resolve
    ? field.resolve(source, args, undefined, { schema } as GraphQLResolveInfo)
    : (source as Record<string, unknown>)[field.name];

function* writeField(introspection: Introspection, source: unknown, { field, node }: Asked, sets: Sets): Steps {
  if (++introspection.values > limits.values)
    throw new ApiError('limitExceeded', `The document asks for more than ${limits.values} values, the limit of its answer`);
  const { schema, walk } = introspection;
  yield* writeValue(introspection, field.type, resolve(field, source, getArgumentValues(field, node, walk.variables), schema), sets);
}

function* writeValue(introspection: Introspection, type: GraphQLOutputType, value: unknown, sets: Sets): Steps {
  const { out } = introspection;
  if (isNonNullType(type)) yield* writeValue(introspection, type.ofType, value, sets);
  else if (value === null || value === undefined) out.bytes(literal.null);
  else if (isListType(type)) {
    let isFirst = true;
    out.byte(0x5b);
    for (const item of value as Iterable<unknown>) {
      if (!isFirst) out.byte(0x2c);
      isFirst = false;
      yield* writeValue(introspection, type.ofType, item, sets);
      yield;
    }
    out.byte(0x5d);
  } else if (isLeafType(type)) out.json(JSON.stringify(type.serialize(value)));
  else yield* writeObject(introspection, type as GraphQLObjectType, value, sets);
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
