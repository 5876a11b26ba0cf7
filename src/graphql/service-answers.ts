/** Answers the root fields that are not rows: what the service says of itself, by GraphQL's own execution. */
import { type DocumentNode, execute as executeByGraphql, type GraphQLError, type GraphQLSchema, Kind } from 'graphql';
import type { LookupName } from '../catalogue/lookups.ts';
import { readStates } from '../database/datasets.ts';
import { lookupValues } from '../read/lookup.ts';
import type { Questions, RequestContext } from './context.ts';
import type { OperationPlan } from './plan.ts';
import type { OperationSelection, RootSelection } from './selection.ts';

/** One operation of one request, ready to be answered. */
export interface Operation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly selection: OperationSelection;
  readonly plan: OperationPlan;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: RequestContext;
}

export type ServiceAnswer = { readonly json: string } | { readonly error: GraphQLError };

/** Remembers what a question was answered while a document is being read. */
const once = <Key, Value>(ask: (key: Key) => Promise<Value>) => {
  const known = new Map<Key, Promise<Value>>();
  return (key: Key): Promise<Value> => {
    const answer = known.get(key) ?? ask(key);
    known.set(key, answer);
    return answer;
  };
};

/** What resolvers ask of the database; one question after the other, each over a connection that goes back at once. */
const questionsOf = ({ services, caller, asker }: RequestContext): Questions => {
  const { connections, database } = services.reading;
  let last: Promise<unknown> = Promise.resolve();
  const lookup = async (name: LookupName) => {
    const answer = last.then(() => connections.read(asker, ({ client }) => lookupValues(client, caller.customer, name)));
    last = answer.catch(() => {});
    return answer;
  };
  return { lookup: once(lookup), states: once((kind) => readStates(database.pool, caller.customer.id, kind)) };
};

/** The root fields that GraphQL answers by itself, as an operation of their own. */
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
