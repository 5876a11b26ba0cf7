/**
 * The key: GraphiQL knows nothing of it; each of its requests to this service takes it along as a header. It is in session storage, so
 * it goes with the tab, and never in an address.
 */
import type { Operation } from './operation.ts';

const slot = 'estate-api-key';
const key = sessionStorage.getItem(slot) ?? '';
const message = document.getElementById('key-message') as HTMLElement;

const say = (text: string, isWrong: boolean): void => {
  message.textContent = text;
  message.classList.toggle('wrong', isWrong);
};

/** Fills the form above; another key means another schema, so the page begins anew. */
export const showKeyForm = (): void => {
  const field = document.getElementById('api-key') as HTMLInputElement;
  field.value = key;
  say(key ? 'Key in use until this tab is closed.' : 'Enter an API key to see the schema and to run queries.', !key);
  document.getElementById('key-bar')?.addEventListener('submit', (event) => {
    event.preventDefault();
    sessionStorage.setItem(slot, field.value.trim());
    location.reload();
  });
};

const reasons: Readonly<Record<number, string>> = { 401: 'This API key is not valid.', 403: 'This API key does not include GraphQL.' };
const refusal = (text: string): Response =>
  new Response(JSON.stringify({ errors: [{ message: text }] }), { headers: { 'Content-Type': 'application/json' } });

/** The operation that a request of GraphiQL asks; undefined for its question about the schema. */
const operationIn = (body: string): Operation | undefined => {
  const { query, variables, operationName } = JSON.parse(body);
  if (operationName === 'IntrospectionQuery') return undefined;
  const hasVariables = Object.keys(variables ?? {}).length > 0;
  return { query, variables: hasVariables ? JSON.stringify(variables, null, 2) : '', operationName: operationName ?? undefined };
};

/** Puts the key to every question to GraphQL, and tells of each operation with the text of its answer. */
export const useKey = (answered: (operation: Operation, text: string) => void): void => {
  const ask = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).href !== new URL('/graphql', location.origin).href) return ask(request);
    if (!key) return refusal('Enter an API key above.');
    const body = request.method === 'POST' ? await request.clone().text() : '';
    request.headers.set('X-API-Key', key);
    const response = await ask(request);
    // An answer that is not read to its end keeps its connection.
    const text = await response.text();
    if ((response.headers.get('Content-Type') ?? '').startsWith('application/problem+json')) {
      const reason = reasons[response.status] ?? JSON.parse(text).detail;
      say(reason, true);
      return refusal(reason);
    }
    const operation = body && operationIn(body);
    if (operation) answered(operation, text);
    return new Response(text, response);
  };
};
