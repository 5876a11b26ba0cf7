/**
 * An operation as the fragment of an address, which no browser sends to anybody: it reaches no log. The key is no part of it.
 */
import type { Operation } from './operation.ts';

/** The fragment, with its `#`. */
export const fragmentOf = ({ query, variables, operationName }: Operation): string => {
  const parts = new URLSearchParams({ query });
  if (variables.trim() !== '') parts.set('variables', variables);
  if (operationName) parts.set('operationName', operationName);
  return `#${parts}`;
};

/** The operation that a fragment brings; undefined for any other fragment. */
export const operationIn = (fragment: string): Operation | undefined => {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const query = parts.get('query');
  if (!query) return undefined;
  return { query, variables: parts.get('variables') ?? '', operationName: parts.get('operationName') ?? undefined };
};
