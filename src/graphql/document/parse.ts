/**
 * Parses documents and checks the limits that need no schema (contract: document limits). These limits bound the time of validation.
 * Depth, aliases, selections and pairs include spread fragments.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { ApiError } from '../../errors.ts';
import { exceeds, limits } from './limits.ts';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** GraphQL compares the fields of one response name with each other, and all spread fragments of a selection. */
const nameOf = (selection: SelectionNode): string => {
  if (selection.kind === Kind.FIELD) return (selection.alias ?? selection.name).value;
  return selection.kind === Kind.FRAGMENT_SPREAD ? '...' : '';
};

/** Counts an operation with its fragments. Ends at the limit of selections, because fragments can multiply each other. */
class Extent {
  depth = 0;
  aliases = 0;
  selections = 0;
  pairs = 0;
  readonly #fragments: Fragments;
  readonly #uses = new Map<string, number>();
  /** The fragments around the current selection. GraphQL reports cycles. */
  readonly #open = new Set<string>();

  constructor(fragments: Fragments) {
    this.#fragments = fragments;
  }

  /** `depth` is the level of the set; undefined within introspection, which has no limit of depth. */
  add(set: SelectionSetNode | undefined, depth: number | undefined): void {
    for (const selection of set?.selections ?? []) {
      if (++this.selections > limits.selections) throw exceeds('selections', this.selections);
      this.#count(nameOf(selection));
      if (selection.kind === Kind.FIELD) this.#addField(selection.name.value, selection, depth);
      else if (selection.kind === Kind.INLINE_FRAGMENT) this.add(selection.selectionSet, depth);
      else this.#addFragment(selection.name.value, depth);
    }
  }

  #addField(name: string, { alias, selectionSet }: Extract<SelectionNode, { kind: Kind.FIELD }>, depth: number | undefined): void {
    if (alias) this.aliases++;
    const level = depth === undefined || name.startsWith('__') ? undefined : depth + 1;
    this.depth = Math.max(this.depth, level ?? 0);
    this.add(selectionSet, level);
  }

  #addFragment(name: string, depth: number | undefined): void {
    if (this.#open.has(name)) return;
    this.#open.add(name);
    this.add(this.#fragments.get(name)?.selectionSet, depth);
    this.#open.delete(name);
  }

  #count(name: string): void {
    if (name === '') return;
    const before = this.#uses.get(name) ?? 0;
    this.pairs += before;
    this.#uses.set(name, before + 1);
  }
}

/** Checks the limits that need no schema. Throws `limitExceeded`. */
const checkDocument = (document: DocumentNode): void => {
  const { definitions } = document;
  let objects = 0;
  visit(document, { ObjectValue: () => void objects++ });
  if (objects > limits.objects) throw exceeds('objects', objects);
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode[];
  if (operations.length > limits.operations) throw exceeds('operations', operations.length);
  for (const { selectionSet } of operations) {
    const extent = new Extent(fragments);
    extent.add(selectionSet, 0);
    for (const name of ['depth', 'aliases', 'pairs'] as const) if (extent[name] > limits[name]) throw exceeds(name, extent[name]);
  }
};

const checkLines = (text: string): void => {
  let lines = 1;
  for (const _ of text.matchAll(/\r\n|[\n\r]/g)) if (++lines > limits.lines) throw exceeds('lines', lines);
};

/** Parses a document within the limits. Throws `limitExceeded` and GraphQL's syntax errors. */
export const parseWithin = (text: string): DocumentNode => {
  checkLines(text);
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: limits.tokens });
  } catch (error) {
    if (error instanceof GraphQLError && error.message.includes(`${limits.tokens} tokens`))
      throw new ApiError('limitExceeded', `The document exceeds the limit of ${limits.tokens} for tokens`);
    throw error;
  }
  checkDocument(document);
  return document;
};
