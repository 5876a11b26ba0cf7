/**
 * What a document may ask for at most; checked before anything is executed (semantics 31).
 *
 * Tokens are counted while parsing, depth and aliases while validating, nodes and reads while planning. Depth and aliases
 * count through fragments, each fragment measured once, so that a document which multiplies itself costs no more to check.
 */
import { type ASTVisitor, type FragmentDefinitionNode, GraphQLError, Kind, type SelectionSetNode, type ValidationContext } from 'graphql';

export const limits = {
  tokens: 4_000,
  /** Levels down to the leaf; introspection is exempt. */
  depth: 10,
  aliases: 50,
  /** A field's `first` times its parents', summed over the document. */
  nodes: 100_000,
  /** Connections and relations, each of which is at least one statement. */
  reads: 200,
} as const;

export const limitCode = 'LIMIT_EXCEEDED';

interface Extent {
  readonly depth: number;
  readonly aliases: number;
}

const nothing: Extent = { depth: 0, aliases: 0 };

/** Measures selection sets; fragments that lead back to themselves are left to GraphQL's own rule. */
const createMeasure = (fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined) => {
  const known = new Map<string, Extent>();
  const ofFragment = (name: string): Extent => {
    const measured = known.get(name);
    if (measured) return measured;
    known.set(name, nothing);
    const extent = measure(fragmentOf(name)?.selectionSet);
    known.set(name, extent);
    return extent;
  };
  const measure = (set: SelectionSetNode | undefined): Extent => {
    let { depth, aliases } = nothing;
    for (const selection of set?.selections ?? []) {
      const isField = selection.kind === Kind.FIELD;
      if (isField && selection.name.value.startsWith('__')) continue;
      const inner = selection.kind === Kind.FRAGMENT_SPREAD ? ofFragment(selection.name.value) : measure(selection.selectionSet);
      depth = Math.max(depth, inner.depth + (isField ? 1 : 0));
      aliases += inner.aliases + (isField && selection.alias ? 1 : 0);
    }
    return { depth, aliases };
  };
  return measure;
};

/** A validation rule: depth and aliases of every operation. */
export const withinLimits = (context: ValidationContext): ASTVisitor => {
  const measure = createMeasure((name) => context.getFragment(name));
  return {
    OperationDefinition: (operation) => {
      const extent = measure(operation.selectionSet);
      for (const name of ['depth', 'aliases'] as const) {
        if (extent[name] <= limits[name]) continue;
        const message = `The document exceeds the limit of ${limits[name]} for ${name}: it has ${extent[name]}`;
        context.reportError(new GraphQLError(message, { nodes: operation, extensions: { code: limitCode } }));
      }
    },
  };
};
