/**
 * Caches the selections of a document for as long as the parsed document exists. The parsed document is itself cached by text and tier.
 * Selections of one document differ only by the operation and by the variables of `@skip` and `@include`.
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
  /** The variables of directives. */
  readonly deciding: readonly string[];
  readonly selections: Map<string, OperationSelection>;
}

/** The maximum number of cached selections of one document. The number of combinations of variables has no bound. */
const combinationsKept = 64;

const responseCache = new WeakMap<DocumentNode, Kept>();

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

/** The selection of an operation, from the cache if possible. */
export const cachedSelection = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Readonly<Record<string, unknown>>,
): OperationSelection => {
  const entry = responseCache.get(document) ?? lookThrough(document);
  responseCache.set(document, entry);
  const key = JSON.stringify([operationName ?? null, ...entry.deciding.map((name) => variables[name])]);
  const known = entry.selections.get(key);
  if (known) return known;
  const operation = getOperationAST(document, operationName) as OperationDefinitionNode;
  const selection = selectOperation(schema, operation, entry.fragments, variables);
  if (entry.selections.size >= combinationsKept) entry.selections.clear();
  entry.selections.set(key, selection);
  return selection;
};
