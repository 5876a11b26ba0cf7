/**
 * An operation as the fragment of an address. Browsers do not send fragments, so it reaches no log. It does not contain the key.
 */
import type { Operation } from './operation.ts';

/** The fragment, with its `#`. */
export const fragmentOf = ({ query, variables, operationName }: Operation): string => {
  const parts = new URLSearchParams({ query });
  if (variables.trim() !== '') parts.set('variables', variables);
  if (operationName) parts.set('operationName', operationName);
  return `#${parts}`;
};

/** The operation in a fragment; undefined for any other fragment. */
export const operationIn = (fragment: string): Operation | undefined => {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const query = parts.get('query');
  if (!query) return undefined;
  return { query, variables: parts.get('variables') ?? '', operationName: parts.get('operationName') ?? undefined };
};

const isFromDocs = (): boolean => {
  const from = document.referrer === '' ? undefined : new URL(document.referrer);
  return from?.origin === location.origin && (from.pathname === '/docs' || from.pathname.startsWith('/docs/'));
};

const slot = 'estate-query-of-docs';

/**
 * Whether an operation runs without a click, because a page of the documentation wrote it. The query of any other link is read first. The
 * page loads again after the entry of a key, and then it is its own referrer. So the query is remembered in the tab.
 */
export const runsWithoutClick = ({ query }: Operation): boolean => {
  if (isFromDocs()) sessionStorage.setItem(slot, query);
  return sessionStorage.getItem(slot) === query;
};

/** The operation of the page's address. Once there is a key it is taken from the address, so that a reload shows the current tabs. */
export const takeLink = (hasKey: boolean): Operation | undefined => {
  const operation = operationIn(location.hash);
  if (operation && hasKey) history.replaceState(null, '', location.pathname);
  return operation;
};
