/** The service's own steps between Yoga's: documents within the limits, and the execution. */
import type { DocumentNode, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Prepared } from '../document/documents.ts';
import type { VariableValues } from '../document/variables.ts';
import { asGraphqlError } from '../errors.ts';
import type { Exchange, ServerContext } from './exchange.ts';

const errorsOf = (prepared: Prepared): readonly GraphQLError[] => ('errors' in prepared ? prepared.errors : []);

/**
 * Parses and validates within the limits, in time slices of the customer. Yoga's own steps cannot wait, so they take what was prepared. Yoga refuses
 * a query that is not a string, and a mutation by GET.
 */
export const useDocuments = (): Plugin<ServerContext, ServerContext> => ({
  onParams: async ({ params: { query }, context: { exchange } }) => {
    if (typeof query !== 'string') return;
    const { served, context } = exchange;
    try {
      exchange.prepared = await served.documents.prepare(query, context.requestContext);
    } catch (error) {
      throw asGraphqlError(error, context.report);
    }
  },
  onParse: ({ context: { exchange }, setParsedDocument, setParseFn }) => {
    const prepared = exchange.prepared!;
    if (prepared.document) setParsedDocument(prepared.document);
    else
      setParseFn(() => {
        throw errorsOf(prepared)[0];
      });
  },
  onValidate: ({ context: { exchange }, setResult }) => setResult([...errorsOf(exchange.prepared!)]),
});

interface Arguments {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: VariableValues | null | undefined;
  readonly contextValue: unknown;
}

/** Executes the operation. `data` of the result is bytes, which Yoga passes on. */
const execute = async ({ document, operationName, variableValues, contextValue }: Arguments) => {
  const { exchange } = contextValue as { readonly exchange: Exchange };
  const { served, context, run } = exchange;
  const parameters = { operationName: operationName ?? undefined, variables: variableValues ?? undefined };
  exchange.result = await run({ schema: served.schema, document, parameters }, context);
  return exchange.result;
};

export const useEngine = (): Plugin<ServerContext> => ({
  onExecute: ({ setExecuteFn }) => setExecuteFn(execute as Parameters<typeof setExecuteFn>[0]),
  // The schema has no subscriptions. The execution refuses them with the same error as mutations.
  onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(execute as Parameters<typeof setSubscribeFn>[0]),
});
