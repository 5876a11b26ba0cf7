/**
 * GraphQL's rule that fields with one response name must be the same field. The time is linear in the number of fields after fragments are
 * spread, which `limits.fields` bounds. GraphQL's own implementation compares all pairs of fields with one name.
 *
 * The rule collects the fields of one name from all selection sets that the response merges. It compares each field with the first:
 * - Their types must have the same shape, whatever their parents are.
 * - If their parents can be the same object, they must be the same field with the same arguments.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

type Parent = GraphQLNamedType | null | undefined;

/** One occurrence of a field in an operation. */
interface Use {
  readonly node: FieldNode;
  readonly parent: Parent;
  /** Undefined for `__typename`. */
  readonly type: GraphQLOutputType | undefined;
}

interface Document {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Arguments as text, by their field. */
  readonly texts: WeakMap<FieldNode, string>;
}

/** Ends a check at the first conflict. */
class Conflict extends Error {
  readonly error: GraphQLError;
  constructor([one, other]: readonly [Use, Use], reason: string) {
    super();
    const { alias, name } = one.node;
    const message = `Fields "${(alias ?? name).value}" conflict because ${reason}. Use different aliases on the fields to fetch both if this was intentional.`;
    this.error = new GraphQLError(message, { nodes: [one.node, other.node] });
  }
}

const typeOf = (parent: Parent, name: string): GraphQLOutputType | undefined =>
  isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;

type Groups<Key> = Map<Key, Use[]>;

const addTo = <Key>(groups: Groups<Key>, key: Key, use: Use): void => {
  const group = groups.get(key);
  if (group) group.push(use);
  else groups.set(key, [use]);
};

/** Collects the fields of a selection set by response name, each fragment once. */
const collect = (document: Document, parent: Parent, set: SelectionSetNode, found: Groups<string>, seen: Set<string>): void => {
  const typeNamed = (name: string | undefined) => (name === undefined ? parent : document.schema.getType(name));
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      const { alias, name } = selection;
      addTo(found, (alias ?? name).value, { node: selection, parent, type: typeOf(parent, name.value) });
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      collect(document, typeNamed(selection.typeCondition?.name.value), selection.selectionSet, found, seen);
    } else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      const { typeCondition, selectionSet } = document.fragments.get(selection.name.value)!;
      collect(document, typeNamed(typeCondition.name.value), selectionSet, found, seen);
    }
  }
};

/** The fields in the selection sets of merged fields. */
const inside = (document: Document, uses: readonly Use[]): Groups<string> => {
  const found: Groups<string> = new Map();
  const seen = new Set<string>();
  for (const { node, type } of uses) if (node.selectionSet) collect(document, getNamedType(type), node.selectionSet, found, seen);
  return found;
};

/** The list and non-null wrappers of a type, and its name if it is a leaf. Objects are compared by their fields. */
const shapeOf = (type: GraphQLOutputType): string => {
  if (isNonNullType(type)) return `${shapeOf(type.ofType)}!`;
  if (isListType(type)) return `[${shapeOf(type.ofType)}]`;
  return isLeafType(type) ? type.name : '';
};

const checkShapes = (document: Document, fields: Groups<string>): void => {
  for (const uses of fields.values()) {
    if (uses.length === 1 && !uses[0]!.node.selectionSet) continue;
    let first: Use | undefined;
    for (const use of uses) {
      if (!use.type) continue;
      first ??= use;
      if (use.type !== first.type && shapeOf(use.type) !== shapeOf(first.type!))
        throw new Conflict([first, use], `they return conflicting types "${first.type}" and "${use.type}"`);
    }
    checkShapes(document, inside(document, uses));
  }
};

const textOf = (value: ValueNode): unknown => {
  if (value.kind === Kind.VARIABLE) return [value.kind, value.name.value];
  if (value.kind === Kind.LIST) return [value.kind, ...value.values.map(textOf)];
  if (value.kind === Kind.OBJECT) return [value.kind, ...named(value.fields)];
  if (value.kind === Kind.NULL) return [value.kind];
  return [value.kind, value.value, value.kind === Kind.STRING && value.block === true];
};

/** Names and values, sorted by name. */
const named = (parts: readonly { readonly name: { readonly value: string }; readonly value: ValueNode }[]): readonly unknown[] =>
  parts.map(({ name, value }) => [name.value, textOf(value)] as const).sort(([one], [other]) => (one < other ? -1 : 1));

const argumentsOf = ({ texts }: Document, { node }: Use): string => {
  if (!node.arguments || node.arguments.length === 0) return '';
  const text = texts.get(node) ?? JSON.stringify(named(node.arguments));
  texts.set(node, text);
  return text;
};

/** Groups of fields whose parents can be the same object: the fields of each object type, together with those of interfaces and unions. */
const together = (uses: readonly Use[]): Iterable<readonly Use[]> => {
  const objects: Groups<Parent> = new Map();
  const others: Use[] = [];
  for (const use of uses) {
    if (isObjectType(use.parent)) addTo(objects, use.parent, use);
    else others.push(use);
  }
  if (objects.size === 0) return [others];
  return others.length === 0 ? objects.values() : [...objects.values()].map((own) => [...others, ...own]);
};

const checkFields = (document: Document, fields: Groups<string>): void => {
  for (const all of fields.values()) {
    if (all.length === 1 && !all[0]!.node.selectionSet) continue;
    for (const uses of together(all)) {
      const first = uses[0]!;
      for (const use of uses) {
        const [one, other] = [first.node.name.value, use.node.name.value];
        if (one !== other) throw new Conflict([first, use], `"${one}" and "${other}" are different fields`);
        if (argumentsOf(document, first) !== argumentsOf(document, use)) throw new Conflict([first, use], 'they have differing arguments');
      }
      checkFields(document, inside(document, uses));
    }
  }
};

/** The first conflict between fields. The document must be valid in all other ways. */
export const conflictOf = (schema: GraphQLSchema, { definitions }: DocumentNode): GraphQLError | undefined => {
  const fragments = new Map(definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])));
  const document: Document = { schema, fragments, texts: new WeakMap() };
  try {
    for (const definition of definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      const fields: Groups<string> = new Map();
      collect(document, schema.getRootType(definition.operation), definition.selectionSet, fields, new Set());
      checkFields(document, fields);
      checkShapes(document, fields);
    }
    return undefined;
  } catch (error) {
    if (error instanceof Conflict) return error.error;
    throw error;
  }
};
