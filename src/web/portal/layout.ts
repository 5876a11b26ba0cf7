/** The documents of the portal: navigation, notice, content. */
import type { Tone } from '../pages/elements.ts';
import { brand, documentOf, frameFiles, type NavigationEntry, topBar } from '../pages/frame.ts';
import { type Html, html } from '../pages/html.ts';

const sections = {
  overview: ['/portal', 'Overview'],
  customers: ['/portal/customers', 'Customers'],
  keys: ['/portal/keys', 'Keys'],
  usage: ['/portal/usage', 'Usage'],
  log: ['/portal/log', 'Log'],
} as const satisfies Record<string, NavigationEntry>;
export type Section = keyof typeof sections;

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** The current entry of the navigation. */
  readonly section?: Section;
  readonly status?: number;
  readonly bodyClass?: string;
  /** Addresses of files of this page alone. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** The browser loads the page again after this time. */
  readonly refreshSeconds?: number;
  /** Its scripts send requests to the service. */
  readonly sendsRequests?: true;
}

/** Messages after an action. The address contains only the name of the message. */
const notices = {
  customer: ['good', 'The customer is added, with empty tables.'],
  tier: ['good', 'The tier is changed.'],
  renamed: ['good', 'The name is changed.'],
  suspended: ['warn', 'The customer is suspended. Within 5 seconds all its keys are refused everywhere.'],
  resumed: ['good', 'The customer’s keys are let in again, within 5 seconds everywhere.'],
  removed: ['good', 'The customer is removed, with keys and data.'],
  rights: ['good', 'The rights of the key are changed.'],
  disabled: ['good', 'The key is disabled. Within 5 seconds it is refused everywhere.'],
  enabled: ['good', 'The key is enabled again.'],
  revoked: ['good', 'The key is revoked. Within 5 seconds it is refused everywhere.'],
  gone: ['warn', 'Nothing was changed: somebody else had revoked the key before. The log says who and when.'],
  tested: ['good', 'The test event was delivered.'],
  testFailed: ['bad', 'The test event was not delivered. The list of deliveries says why.'],
  webhookRemoved: ['good', 'The webhook is removed, with what waited for it.'],
  once: [
    'warn',
    'This form was sent before: its key has been made, and its text was shown then. If it is lost, revoke the key and create another.',
  ],
} as const satisfies Record<string, readonly [tone: Tone, text: string]>;

export type NoticeName = keyof typeof notices;

export const tokenField = (token: string): Html => html`<input type="hidden" name="token" value="${token}">`;

const noticeOf = (name: string): Html | undefined => {
  if (!Object.hasOwn(notices, name)) return undefined;
  const [tone, text] = notices[name as NoticeName];
  return html`<p class="notice ${tone}" role="${tone === 'good' ? 'status' : 'alert'}">${text}</p>`;
};

interface Frame {
  /** The path prefix of the service. */
  readonly prefix: string;
  readonly token: string;
  /** The operator; empty with the shared password. */
  readonly name: string;
  /** The name of the message at the top. */
  readonly notice: string;
}

/** A page for a signed-in operator. */
export const operatorPage = (
  { title, body, section, bodyClass, styles = [], scripts = [] }: PageContent,
  { prefix, token, name, notice }: Frame,
): string => {
  const signOut = html`${name && html`<span class="operator" title="Signed in as ${name}">${name}</span>`}<form method="post" action="/portal/sign-out">${tokenField(token)}<button class="plain">Sign out</button></form>`;
  const bar = topBar('Portal', Object.values(sections), section && sections[section][0], signOut);
  return documentOf({
    prefix,
    title,
    body: html`${bar}
<main id="content">${noticeOf(notice)}${body}</main>`,
    bodyClass,
    styles,
    scripts: [frameFiles.path('chart.js'), ...scripts],
  });
};

/** A page without sign-in. */
export const visitorPage = ({ title, body }: PageContent, prefix: string): string =>
  documentOf({ prefix, title, body: html`<main id="content" class="narrow">${brand('/')}${body}</main>`, bodyClass: 'visitor' });
