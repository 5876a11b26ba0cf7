/** The Content-Security-Policy and the other headers of every HTML response. */

export interface Needs {
  /** A library sets inline styles. */
  readonly inlineStyles?: true;
  /** Its scripts send requests to the service. */
  readonly requests?: true;
  /** A library starts workers and embeds fonts in its style sheet. */
  readonly editor?: true;
  /** The page has forms. */
  readonly forms?: true;
}

/** Allows only the named features, all from this service, and never in a frame. It has no nonce, because a page is made once. */
export const contentSecurityPolicy = ({ inlineStyles, requests, editor, forms }: Needs): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${inlineStyles ? " 'unsafe-inline'" : ''}`,
    'img-src data:',
    ...(requests ? ["connect-src 'self'"] : []),
    ...(editor ? ["worker-src 'self'", 'font-src data:'] : []),
    `form-action ${forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

export const securityHeaders = (needs: Needs): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': contentSecurityPolicy(needs),
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
});
