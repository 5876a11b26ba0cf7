/** Sends GraphQL documents to the service, and records the statements that it sends to the database. */
import type { TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

export interface GraphqlAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers have any shape
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: answers have any shape
  readonly errors: any[];
  // biome-ignore lint/suspicious/noExplicitAny: answers have any shape
  readonly extensions: any;
}

export interface Ask {
  readonly variables?: object;
  readonly path?: string;
  readonly key?: string;
  readonly operationName?: string;
  readonly extensions?: object;
}

/** Posts a document. Fails the test if the response is not GraphQL. */
export const ask = async (
  service: TestService,
  query: string | undefined,
  { path = '/graphql', key = keys.nordEnterprise, ...rest }: Ask = {},
): Promise<GraphqlAnswer> => {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query, ...rest }),
  });
  const { data, errors = [], extensions } = (await response.json()) as Partial<GraphqlAnswer>;
  return { status: response.status, headers: response.headers, data, errors, extensions };
};

/** The data of a document that must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: answers have any shape
export const dataOf = async (service: TestService, query: string, options: Ask = {}): Promise<any> => {
  const { data, errors } = await ask(service, query, options);
  if (errors.length > 0) throw new Error(`${errors.map(({ message }) => message).join('; ')} in ${query}`);
  return data;
};
