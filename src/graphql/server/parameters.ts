/** Supplements Yoga's reading of parameters (contract: GraphQL requests). */
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { spend } from '../../scheduling/time-slices.ts';
import { badRequest } from '../errors.ts';
import type { ServerContext } from './exchange.ts';

/**
 * Yoga's reader of parameters, within the time slice of the customer. JSON that cannot be parsed is a bad request. Yoga does not check the type of
 * `operationName`.
 */
export const useParameters = (): Plugin<ServerContext> => ({
  onRequestParse: ({ requestParser, setRequestParser }) => {
    if (!requestParser) return;
    setRequestParser(async (request) => {
      try {
        const parameters = await spend(() => requestParser(request));
        const { operationName } = parameters as { readonly operationName?: unknown };
        if (typeof (operationName ?? '') !== 'string') throw badRequest('The parameter "operationName" must be a string');
        return parameters;
      } catch (error) {
        throw error instanceof GraphQLError ? error : badRequest('A parameter of the query string is not JSON');
      }
    });
  },
});
