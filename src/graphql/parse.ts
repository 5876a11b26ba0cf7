/**
 * Parses documents within the limits that need no schema (contract: document limits).
 *
 * They are checked right after parsing, because validation takes longer the more fields share a name. Depth, aliases and
 * fields count through fragments, each fragment measured once, so that a document which multiplies itself costs no more to
 * check.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type Source,
  type ValueNode,
} from 'graphql';
import { ApiError } from '../errors.ts';
import { exceeds, limits } from './limits.ts';

interface Extent {
  readonly depth: number;
  readonly aliases: number;
  readonly fields: number;
}

const nothing: Extent = { depth: 0, aliases: 0, fields: 0 };

/** Measures selection sets; fragments that lead back to themselves are left to GraphQL's own rule. */
const createMeasure = (fragments: ReadonlyMap<string, FragmentDefinitionNode>) => {
  const known = new Map<string, Extent>();
  const ofFragment = (name: string): Extent => {
    const measured = known.get(name);
    if (measured) return measured;
    known.set(name, nothing);
    const extent = measure(fragments.get(name)?.selectionSet, false);
    known.set(name, extent);
    return extent;
  };
  /** Inside introspection, only the depth does not count. */
  const measure = (set: SelectionSetNode | undefined, isIntrospection: boolean): Extent => {
    let { depth, aliases, fields } = nothing;
    for (const selection of set?.selections ?? []) {
      const isField = selection.kind === Kind.FIELD;
      const isExempt = isIntrospection || (isField && selection.name.value.startsWith('__'));
      const inner = selection.kind === Kind.FRAGMENT_SPREAD ? ofFragment(selection.name.value) : measure(selection.selectionSet, isExempt);
      if (!isExempt) depth = Math.max(depth, inner.depth + (isField ? 1 : 0));
      aliases += inner.aliases + (isField && selection.alias ? 1 : 0);
      fields += inner.fields + (isField ? 1 : 0);
    }
    return { depth, aliases, fields };
  };
  return measure;
};

/** Nesting of a value that is written in the document or sent as a variable; neither is coerced beyond it. */
const deepest = 3 * limits.nesting;

const depthOf = (value: unknown, childrenOf: (value: object) => Iterable<unknown>): number => {
  let level: unknown[] = [value];
  for (let depth = 0; ; depth++) {
    const inner: unknown[] = [];
    for (const each of level) if (typeof each === 'object' && each !== null) for (const child of childrenOf(each)) inner.push(child);
    if (inner.length === 0 || depth > deepest) return depth;
    level = inner;
  }
};

const literalChildren = (value: object): Iterable<ValueNode> => {
  const node = value as ValueNode;
  if (node.kind === Kind.LIST) return node.values;
  return node.kind === Kind.OBJECT ? node.fields.map((field) => field.value) : [];
};

/** Checks what graphql-js would go through by recursion. Throws `limitExceeded`. */
export const checkVariables = (variables: unknown): void => {
  const depth = depthOf(variables, Object.values);
  if (depth > deepest) throw exceeds('nesting', depth);
};

const checkLiterals = (set: SelectionSetNode): void => {
  for (const selection of set.selections) {
    const values = selection.kind === Kind.FIELD ? (selection.arguments ?? []) : [];
    for (const { value } of values) {
      const depth = depthOf(value, literalChildren);
      if (depth > deepest) throw exceeds('nesting', depth);
    }
    if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet) checkLiterals(selection.selectionSet);
  }
};

const isOperation = ({ kind }: { kind: string }) => kind === Kind.OPERATION_DEFINITION;

/** Throws `limitExceeded` for what can be said of a document without the schema. */
const checkDocument = ({ definitions }: DocumentNode): void => {
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  const measure = createMeasure(fragments);
  for (const definition of definitions) if ('selectionSet' in definition) checkLiterals(definition.selectionSet);
  for (const operation of definitions.filter(isOperation) as OperationDefinitionNode[]) {
    const extent = measure(operation.selectionSet, false);
    for (const name of ['depth', 'aliases', 'fields'] as const) if (extent[name] > limits[name]) throw exceeds(name, extent[name]);
  }
};

/** Parses a document within the limits. Throws `limitExceeded`, and GraphQL's own errors of syntax. */
export const parseWithin = (source: string | Source): DocumentNode => {
  let document: DocumentNode;
  try {
    document = parse(source, { maxTokens: limits.tokens });
  } catch (error) {
    if (error instanceof GraphQLError && error.message.includes(`${limits.tokens} tokens`))
      throw new ApiError('limitExceeded', `The document exceeds the limit of ${limits.tokens} for tokens`);
    throw error;
  }
  checkDocument(document);
  return document;
};
