/** How GraphiQL sends requests: with the API key, and with the text of each response passed on as it was received. */
import type { GraphiQLProps } from 'graphiql';
import { request } from '../../browser/client.ts';
import { apiKey, showKeyMessage } from '../../browser/key.ts';
import type { Operation } from './operations/operation.ts';

type Fetcher = GraphiQLProps['fetcher'];

const reasons: Readonly<Record<number, string>> = { 401: 'This API key is not valid.', 403: 'This API key does not include GraphQL.' };

/** What a reader without a key does. */
export const missingKeyText = (): string =>
  document.querySelector('[data-demo-keys]') ? 'Choose a demo key above, or enter an API key.' : 'Enter an API key above.';

/** Posts an operation. Without a key, and if the key or the quota is refused, the text is a GraphQL answer with the reason. */
export const postOperation = async (
  path: string,
  operation: object,
  signal: AbortSignal | null = null,
): Promise<{ readonly text: string; readonly isRefused: boolean }> => {
  const refused = (reason: string) => ({ text: JSON.stringify({ errors: [{ message: reason }] }), isRefused: true });
  if (!apiKey) return refused(missingKeyText());
  const response = await request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(operation),
    signal,
  });
  const text = await response.text();
  if (!(response.headers.get('Content-Type') ?? '').startsWith('application/problem+json')) return { text, isRefused: false };
  const reason = reasons[response.status] ?? JSON.parse(text).detail;
  showKeyMessage(reason, true);
  return refused(reason);
};

/** `onResponse` gets each operation that was run, with the response text. Introspection is not reported. */
export const createFetcher =
  (onResponse: (operation: Operation, text: string) => void): Fetcher =>
  async ({ query, variables, operationName }) => {
    const { text, isRefused } = await postOperation('/graphql', { query, variables, operationName });
    if (!isRefused && operationName !== 'IntrospectionQuery') {
      const hasVariables = Object.keys(variables ?? {}).length > 0;
      onResponse(
        { query, variables: hasVariables ? JSON.stringify(variables, null, 2) : '', operationName: operationName ?? undefined },
        text,
      );
    }
    return JSON.parse(text);
  };
