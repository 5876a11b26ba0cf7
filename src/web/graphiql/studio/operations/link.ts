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

/** The operation of the page's address. It is taken from the address, so that a reload shows the current tabs. */
export const takeLink = (): Operation | undefined => {
  const operation = operationIn(location.hash);
  if (operation) history.replaceState(null, '', location.pathname);
  return operation;
};

const slot = 'estate-link-of-docs';

/**
 * The operation that the page opens with, and whether it runs without a click, because a page of the documentation wrote it. The query of
 * any other link is read first. The entry of a key loads the page again, so the link is remembered in the tab until there is a key.
 */
export const openedLink = (hasKey: boolean): { readonly linked: Operation | undefined; readonly runsLink: boolean } => {
  const linked = takeLink();
  const remembered = sessionStorage.getItem(slot);
  sessionStorage.removeItem(slot);
  const ofDocs = linked ? (isFromDocs() ? linked : undefined) : operationIn(remembered ?? '');
  if (ofDocs && !hasKey) sessionStorage.setItem(slot, fragmentOf(ofDocs));
  return { linked: linked ?? ofDocs, runsLink: ofDocs !== undefined };
};
