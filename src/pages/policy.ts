/** What a page may load and do: the headers of every HTML answer. */

export interface Needs {
  /** Only scripts that carry this nonce run, instead of all that the service serves. */
  readonly nonce?: string;
  /** A library sets styles inline. */
  readonly inlineStyles?: true;
  /** Its scripts ask the service. */
  readonly requests?: true;
  /** A library starts workers and has its fonts in its style sheet. */
  readonly editor?: true;
  /** It has forms that are sent to the service. */
  readonly forms?: true;
}

/** Nothing but what is named, all of it from this service; never in a frame. */
export const contentSecurityPolicy = ({ nonce, inlineStyles, requests, editor, forms }: Needs): string =>
  [
    "default-src 'none'",
    `script-src ${nonce ? `'nonce-${nonce}'` : "'self'"}`,
    `style-src 'self'${inlineStyles ? " 'unsafe-inline'" : ''}`,
    'img-src data:',
    ...(requests ? ["connect-src 'self'"] : []),
    ...(editor ? ["worker-src 'self' blob:", 'font-src data:'] : []),
    `form-action ${forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

export const pageHeaders = (needs: Needs): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': contentSecurityPolicy(needs),
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
});
