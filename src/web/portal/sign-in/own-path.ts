/** Where a form may lead: to a path of the portal. */

/** Resolves targets like a browser. Only its origin matters. */
const base = 'http://portal.invalid';

/**
 * The target if it is a path of the portal, otherwise the overview, because a link must not lead a signed-in operator elsewhere. Paths of
 * the portal have no percent-encoding. Encoded paths are refused, because a proxy could decode them into others.
 */
export const ownPath = (target: string | null): string => {
  const url = target && URL.canParse(target, base) ? new URL(target, base) : undefined;
  const isOwn = url?.origin === base && /^\/portal(?:\/[\w.@-]+)*$/.test(url.pathname);
  return isOwn ? `${url.pathname}${url.search}` : '/portal';
};
