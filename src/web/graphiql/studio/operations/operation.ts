/** An operation in the editor, which can be run, stored, shared and translated. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { Figure, isObject, type Json, type JsonObject, parseExact } from '../response/exact.ts';

export interface Operation {
  readonly query: string;
  /** JSON text; may be empty. */
  readonly variables: string;
  /** The name of the selected operation in the document. */
  readonly operationName: string | undefined;
}

export interface ParsedOperation {
  readonly definition: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The given variables, with the defaults of the document. */
  readonly variables: JsonObject;
}

const operationsIn = ({ definitions }: DocumentNode): readonly OperationDefinitionNode[] =>
  definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

const fragmentsIn = ({ definitions }: DocumentNode): readonly FragmentDefinitionNode[] =>
  definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);

/** A value of the document with its variables replaced. */
const valueIn = (node: ValueNode, variables: JsonObject): Json => {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables[node.name.value] ?? null;
    case Kind.LIST:
      return node.values.map((value) => valueIn(value, variables));
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, valueIn(value, variables)]));
    case Kind.INT:
    case Kind.FLOAT:
      return new Figure(node.value);
    case Kind.NULL:
      return null;
    default:
      return node.value;
  }
};

/** The variables as an object. Throws if the text is not JSON. */
export const variablesIn = (text: string): JsonObject => {
  const value = text.trim() === '' ? {} : parseExact(text);
  return isObject(value) ? value : {};
};

/** The operation that would run: the named one, or the first. Throws if the document is not GraphQL or the variables are not JSON. */
export const parseOperation = ({ query, variables, operationName }: Operation): ParsedOperation => {
  const document = parse(query);
  const operations = operationsIn(document);
  const definition = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
  if (!definition) throw new Error('There is no operation in the editor.');
  const standard = (definition.variableDefinitions ?? []).map(
    ({ variable, defaultValue }) => [variable.name.value, defaultValue ? valueIn(defaultValue, {}) : null] as const,
  );
  return {
    definition,
    fragments: new Map(fragmentsIn(document).map((fragment) => [fragment.name.value, fragment])),
    variables: { ...Object.fromEntries(standard), ...variablesIn(variables) },
  };
};

/** The name of the operation that would run; undefined if it has none or is invalid. */
export const nameIn = (operation: Operation): string | undefined => {
  try {
    return parseOperation({ ...operation, variables: '' }).definition.name?.value;
  } catch {
    return undefined;
  }
};

/** The fields of a selection, including those of fragments. */
export const fieldsIn = (parsed: ParsedOperation, set: SelectionSetNode | undefined): readonly FieldNode[] =>
  (set?.selections ?? []).flatMap((selection): readonly FieldNode[] => {
    if (selection.kind === Kind.FIELD) return [selection];
    const spread = selection.kind === Kind.INLINE_FRAGMENT ? selection : parsed.fragments.get(selection.name.value);
    return fieldsIn(parsed, spread?.selectionSet);
  });

export const argumentsOf = ({ variables }: ParsedOperation, { arguments: given = [] }: FieldNode): JsonObject =>
  Object.fromEntries(given.map(({ name, value }) => [name.value, valueIn(value, variables)]));
