/** How GraphiQL sends requests: with the API key, and with the text of each response passed on as it was received. */
import type { GraphiQLProps } from 'graphiql';
import { apiKey, showKeyMessage } from './key.ts';
import type { Operation } from './operations/operation.ts';

type Fetcher = GraphiQLProps['fetcher'];

const reasons: Readonly<Record<number, string>> = { 401: 'This API key is not valid.', 403: 'This API key does not include GraphQL.' };
const failed = (message: string) => ({ errors: [{ message }] });

/** `onResponse` gets each operation that was run, with the response text. Introspection is not reported. */
export const createFetcher =
  (onResponse: (operation: Operation, text: string) => void): Fetcher =>
  async ({ query, variables, operationName }) => {
    if (!apiKey)
      return failed(
        document.querySelector('[data-demo-keys]') ? 'Choose a demo key above, or enter an API key.' : 'Enter an API key above.',
      );
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'X-API-Key': apiKey },
      body: JSON.stringify({ query, variables, operationName }),
    });
    const text = await response.text();
    if ((response.headers.get('Content-Type') ?? '').startsWith('application/problem+json')) {
      const reason = reasons[response.status] ?? JSON.parse(text).detail;
      showKeyMessage(reason, true);
      return failed(reason);
    }
    if (operationName !== 'IntrospectionQuery') {
      const hasVariables = Object.keys(variables ?? {}).length > 0;
      onResponse(
        { query, variables: hasVariables ? JSON.stringify(variables, null, 2) : '', operationName: operationName ?? undefined },
        text,
      );
    }
    return JSON.parse(text);
  };
