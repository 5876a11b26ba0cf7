/** An operation in the editor, which can be run, stored, shared and translated. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { isObject, type JsonObject, parseExact } from '../../../browser/exact.ts';

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
}

const operationsIn = ({ definitions }: DocumentNode): readonly OperationDefinitionNode[] =>
  definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

const fragmentsIn = ({ definitions }: DocumentNode): readonly FragmentDefinitionNode[] =>
  definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);

/** The variables as an object. Throws if the text is not JSON. */
export const variablesIn = (text: string): JsonObject => {
  const value = text.trim() === '' ? {} : parseExact(text);
  return isObject(value) ? value : {};
};

/** The operation that would run: the named one, or the first. Throws if the document is not GraphQL. */
export const parseOperation = ({ query, operationName }: Pick<Operation, 'query' | 'operationName'>): ParsedOperation => {
  const document = parse(query);
  const operations = operationsIn(document);
  const definition = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
  if (!definition) throw new Error('There is no operation in the editor.');
  return {
    definition,
    fragments: new Map(fragmentsIn(document).map((fragment) => [fragment.name.value, fragment])),
  };
};

/** The name of the operation that would run; undefined if it has none or is invalid. */
export const nameIn = (operation: Operation): string | undefined => {
  try {
    return parseOperation(operation).definition.name?.value;
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
