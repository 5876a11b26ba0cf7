/** The Content-Security-Policy and the other headers of every HTML response. */

export interface Needs {
  /** Only scripts with this nonce run, instead of all scripts of the service. */
  readonly nonce?: string;
  /** A library sets inline styles. */
  readonly inlineStyles?: true;
  /** Its scripts send requests to the service. */
  readonly requests?: true;
  /** A library starts workers and embeds fonts in its style sheet. */
  readonly editor?: true;
  /** It has forms. */
  readonly forms?: true;
}

/** Allows only the named features, all from this service, and never in a frame. */
export const contentSecurityPolicy = ({ nonce, inlineStyles, requests, editor, forms }: Needs): string =>
  [
    "default-src 'none'",
    `script-src ${nonce ? `'nonce-${nonce}'` : "'self'"}`,
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
