/** The frame of every page: head, navigation, notice, content. */
import { assetPath } from './assets.ts';
import { type Html, html } from './html.ts';
import type { Notice } from './notices.ts';

export type Section = 'overview' | 'customers' | 'keys' | 'usage' | 'log';

export interface Screen {
  readonly title: string;
  readonly body: Html;
  /** Which entry of the navigation is the present one. */
  readonly section?: Section;
  readonly status?: number;
}

/** No inline script or style, nothing from elsewhere, no framing. */
export const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

const sections: readonly (readonly [Section, path: string, label: string])[] = [
  ['overview', '/portal', 'Overview'],
  ['customers', '/portal/customers', 'Customers'],
  ['keys', '/portal/keys', 'Keys'],
  ['usage', '/portal/usage', 'Usage'],
  ['log', '/portal/log', 'Log'],
];

export const mark = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M3 11.2 12 4l9 7.2V20a1 1 0 0 1-1 1h-5v-6.5H9V21H4a1 1 0 0 1-1-1z"/></svg>`;

export const tokenField = (token: string): Html => html`<input type="hidden" name="token" value="${token}">`;

/** A whole document; the portal's pages and the front page are made of it. */
export const documentOf = (title: string, body: Html, bodyClass = ''): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Estate</title>
<link rel="icon" href="${assetPath['icon.svg']}" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath['portal.css']}">
<script src="${assetPath['portal.js']}" type="module"></script>
</head>
<body${bodyClass && html` class="${bodyClass}"`}>
${body}
</body>
</html>
`.text;

const navigation = (current: Section | undefined, token: string): Html => html`
<header class="top-bar">
<a class="skip" href="#content">Skip to the content</a>
<a class="brand" href="/portal">${mark}<span>Estate</span></a>
<nav aria-label="Portal">${sections.map(
  ([section, path, label]) => html`<a class="tab" href="${path}"${section === current && html` aria-current="page"`}>${label}</a>`,
)}</nav>
<form method="post" action="/portal/sign-out">${tokenField(token)}<button class="plain">Sign out</button></form>
</header>`;

/** A page of a signed-in operator. */
export const operatorPage = ({ title, body, section }: Screen, token: string, notice?: Notice): string =>
  documentOf(
    title,
    html`${navigation(section, token)}
<main id="content">${notice && html`<p class="notice ${notice[0]}" role="${notice[0] === 'good' ? 'status' : 'alert'}">${notice[1]}</p>`}${body}</main>`,
  );

/** A page of somebody who has not signed in. */
export const visitorPage = ({ title, body }: Screen): string =>
  documentOf(
    title,
    html`<main id="content" class="narrow"><a class="brand" href="/">${mark}<span>Estate</span></a>${body}</main>`,
    'visitor',
  );
