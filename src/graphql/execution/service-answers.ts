/** Answers the root fields about the service itself with GraphQL's own execution. */
import { type DocumentNode, execute as executeByGraphql, type GraphQLError, type GraphQLSchema, Kind } from 'graphql';
import type { LookupName } from '../../catalogue/lookups.ts';
import { readStates } from '../../database/control/datasets.ts';
import { lookupValues } from '../../execute/lookup.ts';
import type { GraphqlContext, Questions } from '../context.ts';
import type { OperationSelection, RootSelection } from '../selection/selection.ts';
import type { OperationPlan } from './plan.ts';

/** One operation of one request, ready for execution. */
export interface Operation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly selection: OperationSelection;
  readonly plan: OperationPlan;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: GraphqlContext;
}

export type ServiceAnswer = { readonly json: string } | { readonly error: GraphQLError };

/** Stores the result for each key for the time of one document. */
const once = <Key, Value>(ask: (key: Key) => Promise<Value>) => {
  const known = new Map<Key, Promise<Value>>();
  return (key: Key): Promise<Value> => {
    const answer = known.get(key) ?? ask(key);
    known.set(key, answer);
    return answer;
  };
};

/** The database reads of the resolvers. They run one after the other, and each returns its connection at once. */
const questionsOf = ({ services, caller, requestContext }: GraphqlContext): Questions => {
  const { connections, database } = services.reading;
  let last: Promise<unknown> = Promise.resolve();
  const lookup = async (name: LookupName) => {
    const answer = last.then(() => connections.read(requestContext, ({ client }) => lookupValues(client, caller.customer, name)));
    last = answer.catch(() => {});
    return answer;
  };
  return { lookup: once(lookup), states: once((kind) => readStates(database.pool, caller.customer.id, kind)) };
};

/** Executes the service fields as a separate operation. */
export const readServiceFields = async (operation: Operation): Promise<ReadonlyMap<RootSelection, ServiceAnswer>> => {
  const { schema, document, selection, variables, context } = operation;
  const roots = selection.roots.filter((root) => root.is === 'service');
  const found = new Map<RootSelection, ServiceAnswer>();
  if (roots.length === 0) return found;
  const own = selection.operation;
  context.questions = questionsOf(context);
  const asked = { ...own, selectionSet: { kind: Kind.SELECTION_SET, selections: roots.flatMap(({ nodes }) => nodes) } };
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const { data, errors = [] } = await executeByGraphql({
    schema,
    document: { kind: Kind.DOCUMENT, definitions: [asked, ...fragments] } as DocumentNode,
    variableValues: variables,
    contextValue: context,
  });
  for (const root of roots) {
    const error = errors.find(({ path }) => path?.[0] === root.key);
    found.set(root, error ? { error } : { json: JSON.stringify(data?.[root.key] ?? null) });
  }
  return found;
};
