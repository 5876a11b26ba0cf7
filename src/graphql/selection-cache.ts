/**
 * Keeps what a document asks for beside the parsed document, which is itself kept by text and tier; so it lives as long as
 * that. A document asks for different things only by the variables of its `@skip` and `@include`.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { selectOperation } from './select.ts';
import type { OperationSelection } from './selection.ts';

interface Kept {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Variables that decide what is included. */
  readonly deciding: readonly string[];
  readonly selections: Map<string, OperationSelection>;
}

/** A document can be asked with as many combinations of its variables as it likes; these many are kept. */
const combinationsKept = 64;

const kept = new WeakMap<DocumentNode, Kept>();

const lookThrough = (document: DocumentNode): Kept => {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const deciding = new Set<string>();
  visit(document, {
    FragmentDefinition: (node) => void fragments.set(node.name.value, node),
    Directive: ({ arguments: values }) => {
      for (const { value } of values ?? []) if (value.kind === Kind.VARIABLE) deciding.add(value.name.value);
    },
  });
  return { fragments, deciding: [...deciding], selections: new Map() };
};

/** What an operation of a document asks for. */
export const keptSelection = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Readonly<Record<string, unknown>>,
): OperationSelection => {
  const entry = kept.get(document) ?? lookThrough(document);
  kept.set(document, entry);
  const key = JSON.stringify([operationName ?? null, ...entry.deciding.map((name) => variables[name])]);
  const known = entry.selections.get(key);
  if (known) return known;
  const operation = getOperationAST(document, operationName) as OperationDefinitionNode;
  const selection = selectOperation(schema, operation, entry.fragments, variables);
  if (entry.selections.size >= combinationsKept) entry.selections.clear();
  entry.selections.set(key, selection);
  return selection;
};
