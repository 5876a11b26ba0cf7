/**
 * The fields of selection sets on a type, collected by response key, with their arguments. Fragments and directives are applied.
 *
 * GraphQL reads arguments from the document once, with blanks in place of variables. Each request fills in the blanks.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  visit,
} from 'graphql';
import { ApiError } from '../../errors.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A placeholder for the value of a variable. */
class Blank {
  readonly variable: string;
  constructor(variable: string) {
    this.variable = variable;
  }
}

/** Copies a value and fills in its blanks. */
type Fill = (variables: Arguments) => unknown;

/** Undefined for a value without blanks. */
const fillOf = (value: unknown): Fill | undefined => {
  if (value instanceof Blank) return (variables) => variables[value.variable];
  if (typeof value !== 'object' || value === null) return undefined;
  const parts = Object.entries(value).map(([name, part]) => [name, part, fillOf(part)] as const);
  if (parts.every(([, , fill]) => !fill)) return undefined;
  return (variables) => {
    const filled = (Array.isArray(value) ? [] : {}) as Record<string, unknown>;
    for (const [name, part, fill] of parts) filled[name] = fill ? fill(variables) : part;
    return filled;
  };
};

const variablesOf = (node: FieldNode): readonly string[] => {
  const names = new Set<string>();
  for (const argument of node.arguments ?? []) visit(argument, { [Kind.VARIABLE]: ({ name }) => void names.add(name.value) });
  return [...names];
};

/**
 * Gives the arguments of a field for the coerced variables of a request. Throws a `GraphQLError` as GraphQL does. Requests share the
 * result, so do not change it.
 */
export type ArgumentsOf = (variables: Arguments) => Arguments;

export const createArguments = (field: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentsOf => {
  let names: readonly string[] | undefined;
  let fill: Fill | undefined;
  return (variables) => {
    names ??= variablesOf(node);
    // The meaning of null or of an absent variable depends on its position, so GraphQL reads these arguments itself.
    if (names.some((name) => (variables[name] ?? null) === null)) return getArgumentValues(field, node, variables);
    if (!fill) {
      const values = getArgumentValues(field, node, Object.fromEntries(names.map((name) => [name, new Blank(name)])));
      fill = fillOf(values) ?? (() => values);
    }
    return fill(variables) as Arguments;
  };
};

/** A selected field. Its arguments are read when a request is planned. */
export interface SelectedField {
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
  readonly argumentsOf: ArgumentsOf;
}

/** The context of a walk through selection sets. */
export interface Walk {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The values of variables in directives. */
  readonly variables: Readonly<Record<string, unknown>>;
}

export type Sets = readonly SelectionSetNode[];
/** A field of a selection set: response key, field, inner selection sets, and all of its nodes. */
export type FieldEntry = readonly [key: string, field: SelectedField, inner: Sets, nodes: readonly FieldNode[]];

const isIncluded = (node: SelectionNode, { variables }: Walk): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;

/**
 * Whether a fragment applies to a type. A fragment on `Node` applies to every table. In a selection on `Node`, a fragment can be on another
 * table.
 */
const isAbout = (type: GraphQLObjectType, condition: string | undefined): boolean =>
  condition === undefined || condition === type.name || type.getInterfaces().some(({ name }) => name === condition);

/** Collects the fields of selection sets by response key. Each named fragment is visited once. */
const collect = (
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
      // Assignment to `__proto__` does not create a key of an object.
      if (key === '__proto__') throw new ApiError('invalidParameter', 'An alias cannot be __proto__');
      const nodes = found.get(key);
      if (nodes) nodes.push(selection);
      else found.set(key, [selection]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      if (isAbout(type, selection.typeCondition?.name.value)) collect(walk, type, [selection.selectionSet], found, seen);
    } else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      const { typeCondition, selectionSet } = walk.fragments.get(selection.name.value)!;
      if (isAbout(type, typeCondition.name.value)) collect(walk, type, [selectionSet], found, seen);
    }
  }
  return found;
};

export const typenameField = { name: '__typename', extensions: {} } as unknown as GraphQLField<unknown, unknown>;

/** Fields that every schema has. */
const metaFields: Readonly<Record<string, GraphQLField<unknown, unknown>>> = {
  __typename: typenameField,
  __schema: SchemaMetaFieldDef,
  __type: TypeMetaFieldDef,
};

/** The fields of selection sets on a type by response key, each with its inner selection sets. */
export const selectedFieldsOf = function* (walk: Walk, type: GraphQLObjectType, sets: Sets): Iterable<FieldEntry> {
  for (const [key, nodes] of collect(walk, type, sets)) {
    const node = nodes[0]!;
    const inner = nodes.flatMap(({ selectionSet }) => (selectionSet ? [selectionSet] : []));
    const field = type.getFields()[node.name.value] ?? metaFields[node.name.value]!;
    yield [key, { node, field, argumentsOf: createArguments(field, node) }, inner, nodes];
  }
};
