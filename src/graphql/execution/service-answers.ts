/** Answers the root fields about the service itself with GraphQL's own execution. */
import { type DocumentNode, execute as executeByGraphql, type GraphQLError, type GraphQLSchema, Kind } from 'graphql';
import type { LookupName } from '../../catalogue/lookups.ts';
import { type FailedChecks, visibleFailures } from '../../checks/visible.ts';
import { readDatasetStates } from '../../database/control/datasets.ts';
import { readCodes } from '../../execute/lookup.ts';
import type { GraphqlContext, ServiceReads } from '../context.ts';
import type { OperationSelection } from '../selection/selection.ts';
import type { OperationPlan } from './plan.ts';

/** One operation of one request, ready for execution. */
export interface RunningOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly selection: OperationSelection;
  readonly plan: OperationPlan;
  /** The coerced variables. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The variables of the request. GraphQL coerces them itself, and a coerced enum value would not be one of its names. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly context: GraphqlContext;
}

export type ServiceAnswer = { readonly json: string } | { readonly error: GraphQLError };

/** Stores the result for each key for the time of one document. */
const once = <Key, Value>(read: (key: Key) => Promise<Value>) => {
  const known = new Map<Key, Promise<Value>>();
  return (key: Key): Promise<Value> => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
};

/** The database reads of the resolvers. They run one after the other, and each returns its connection at once. */
const readsOf = ({ services, caller, requestContext }: GraphqlContext): ServiceReads => {
  const { connections, database } = services.reading;
  let last: Promise<unknown> = Promise.resolve();
  const lookup = async (name: LookupName) => {
    const codes = last.then(() => connections.read(requestContext, ({ client }) => readCodes(client, caller.customer, name)));
    last = codes.catch(() => {});
    return codes;
  };
  let failed: Promise<FailedChecks> | undefined;
  return {
    lookup: once(lookup),
    states: once((kind) => readDatasetStates(database, caller.customer, kind)),
    // All fields of a document have the same tables.
    failedChecks: (tables) => (failed ??= visibleFailures(database, { catalogue: services.catalogue, caller, tables })),
  };
};

/** Executes the service fields as a separate operation. Returns the answers by the position of their root field. */
export const readServiceFields = async (operation: RunningOperation): Promise<(ServiceAnswer | undefined)[]> => {
  const { schema, document, selection, given, context } = operation;
  const nodes = selection.roots.flatMap((root) => (root.is === 'service' ? root.nodes : []));
  if (nodes.length === 0) return selection.roots.map(() => undefined);
  context.reads = readsOf(context);
  const own = { ...selection.operation, selectionSet: { kind: Kind.SELECTION_SET, selections: nodes } };
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const { data, errors = [] } = await executeByGraphql({
    schema,
    document: { kind: Kind.DOCUMENT, definitions: [own, ...fragments] } as DocumentNode,
    variableValues: given,
    contextValue: context,
  });
  return selection.roots.map((root) => {
    if (root.is !== 'service') return undefined;
    const error = errors.find(({ path }) => path?.[0] === root.key);
    return error ? { error } : { json: JSON.stringify(data?.[root.key] ?? null) };
  });
};
