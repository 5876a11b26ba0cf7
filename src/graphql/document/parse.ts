/**
 * Parses documents and checks the limits that need no schema (contract: document limits).
 *
 * The check follows parsing directly, because these limits bound the time of validation. Depth, aliases and fields include spread
 * fragments. Each fragment is measured once, so a document that multiplies itself costs no more to check.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  Source,
  type ValueNode,
} from 'graphql';
import { ApiError } from '../../errors.ts';
import { countValues, exceeds, limits } from './limits.ts';

interface Extent {
  readonly depth: number;
  readonly aliases: number;
  readonly fields: number;
}

const nothing: Extent = { depth: 0, aliases: 0, fields: 0 };

/** Measures selection sets. GraphQL's own rule reports fragment cycles. */
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
  /** Introspection is exempt from the depth limit only. */
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

const literalChildren = (value: ValueNode): Iterable<ValueNode> => {
  if (value.kind === Kind.LIST) return value.values;
  return value.kind === Kind.OBJECT ? value.fields.map((field) => field.value) : [];
};

/** Checks the nesting, because graphql-js visits a document by recursion. Throws `limitExceeded`. */
const checkLiterals = (set: SelectionSetNode): void => {
  for (const selection of set.selections) {
    const values = selection.kind === Kind.FIELD ? (selection.arguments ?? []) : [];
    for (const { value } of values) countValues(value, literalChildren);
    if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet) checkLiterals(selection.selectionSet);
  }
};

const isOperation = ({ kind }: { kind: string }) => kind === Kind.OPERATION_DEFINITION;

/** Checks the limits that need no schema. Throws `limitExceeded`. */
const checkDocument = ({ definitions }: DocumentNode): void => {
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  const measure = createMeasure(fragments);
  for (const definition of definitions) if ('selectionSet' in definition) checkLiterals(definition.selectionSet);
  const operations = definitions.filter(isOperation) as OperationDefinitionNode[];
  if (operations.length > limits.operations) throw exceeds('operations', operations.length);
  for (const operation of operations) {
    const extent = measure(operation.selectionSet, false);
    for (const name of ['depth', 'aliases', 'fields'] as const) if (extent[name] > limits[name]) throw exceeds(name, extent[name]);
  }
};

const checkLines = (text: string): void => {
  let lines = 1;
  for (const _ of text.matchAll(/\r\n|[\n\r]/g)) if (++lines > limits.lines) throw exceeds('lines', lines);
};

/** Parses a document within the limits. Throws `limitExceeded` and GraphQL's syntax errors. */
export const parseWithin = (text: string): DocumentNode => {
  checkLines(text);
  const source = new Source(text);
  let document: DocumentNode;
  try {
    document = parse(source, { maxTokens: limits.tokens });
  } catch (error) {
    if (error instanceof GraphQLError && error.message.includes(`${limits.tokens} tokens`))
      throw new ApiError('limitExceeded', `The document exceeds the limit of ${limits.tokens} for tokens`);
    throw error;
  }
  // GraphQL searches the text for the line of each error. Tokens already contain their line.
  source.body = '';
  checkDocument(document);
  return document;
};
