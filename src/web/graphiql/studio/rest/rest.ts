/** The operation as REST requests. The service writes them from its plans, so they ask for the same rows. */
import { postOperation } from '../fetcher.ts';
import type { Operation } from '../operations/operation.ts';

export interface RestRequest {
  /** The response key of the root field. */
  readonly field: string;
  /** Path and query; undefined if REST has no such request. */
  readonly path?: string;
  /** The differences, one sentence each. */
  readonly notes: readonly string[];
}

type Answer = {
  readonly data?: { readonly requests: readonly RestRequest[] } | null;
  readonly errors?: readonly { readonly message: string }[];
};

/** Rejects with the reason if the operation is not valid or there is no key. */
export const requestsOf = async ({ query, variables, operationName }: Operation, signal: AbortSignal): Promise<readonly RestRequest[]> => {
  const given = variables.trim() === '' ? {} : JSON.parse(variables);
  const { text } = await postOperation('/graphql/rest', { query, variables: given, operationName }, signal);
  const { data, errors = [] } = JSON.parse(text) as Answer;
  if (!data) throw new Error(errors[0]?.message ?? 'The service did not answer.');
  return data.requests;
};
