/** The documents of the portal: navigation, notice, content. */
import type { Text } from '../../catalogue/texts/presentation.ts';
import type { Tone } from '../pages/elements.ts';
import { brand, documentOf, frameFiles, inBoth, type NavigationEntry, topBar } from '../pages/frame.ts';
import { type Html, html } from '../pages/html.ts';
import type { LanguageCode } from '../pages/language.ts';
import { type FrameTexts, frameTextsOf } from './texts/frame.ts';
import type { Wording } from './texts/wording.ts';

const both = (textIn: (texts: FrameTexts) => string): Text => ({ en: textIn(frameTextsOf.en), de: textIn(frameTextsOf.de) });

const sections = {
  overview: ['/portal', both(({ sections: { overview } }) => overview)],
  customers: ['/portal/customers', both(({ sections: { customers } }) => customers)],
  keys: ['/portal/keys', both(({ sections: { keys } }) => keys)],
  usage: ['/portal/usage', both(({ sections: { usage } }) => usage)],
  log: ['/portal/log', both(({ sections: { log } }) => log)],
} as const satisfies Record<string, NavigationEntry>;
export type Section = keyof typeof sections;

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** Its texts are in the language of the call. Without it, they are English. */
  readonly isTranslated?: true;
  /** Its script offers the choice of a language. */
  readonly choosesLanguage?: true;
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
  customer: 'good',
  tier: 'good',
  renamed: 'good',
  suspended: 'warn',
  resumed: 'good',
  removed: 'good',
  rights: 'good',
  disabled: 'good',
  enabled: 'good',
  revoked: 'good',
  gone: 'warn',
  tested: 'good',
  testFailed: 'bad',
  webhookRemoved: 'good',
  once: 'warn',
} as const satisfies Record<keyof FrameTexts['notices'], Tone>;

export type NoticeName = keyof typeof notices;

export const tokenField = (token: string): Html => html`<input type="hidden" name="token" value="${token}">`;

const noticeOf = (name: string, { frame }: Wording, language: Html | false): Html | undefined => {
  if (!Object.hasOwn(notices, name)) return undefined;
  const tone = notices[name as NoticeName];
  return html`<p class="notice ${tone}" role="${tone === 'good' ? 'status' : 'alert'}"${language}>${frame.notices[name as NoticeName]}</p>`;
};

interface Frame {
  /** The path prefix of the service. */
  readonly prefix: string;
  readonly token: string;
  readonly wording: Wording;
  /** The path of the page, for a choice of the language. */
  readonly path: string;
}

const languageNames: Readonly<Record<LanguageCode, string>> = { en: 'English', de: 'Deutsch' };
export const languagePath = '/portal/language';

/** The button that shows the page in the other language. */
const languageForm = ({ token, wording, path }: Frame): Html => {
  const other = wording.language === 'en' ? 'de' : 'en';
  return html`<form method="post" action="${languagePath}?to=${encodeURIComponent(path)}">${tokenField(token)}<button class="plain" name="language" value="${other}" lang="${other}">${languageNames[other]}</button></form>`;
};

/** The language of the texts of a page. */
const contentLanguage = ({ isTranslated }: PageContent, { language }: Wording): LanguageCode => (isTranslated ? language : 'en');

/** A page for a signed-in operator. */
export const operatorPage = (
  content: PageContent,
  /** `name`: the operator; empty with the shared password. `notice`: the name of the message at the top. */
  { name, notice, ...frame }: Frame & { readonly name: string; readonly notice: string },
): string => {
  const { title, body, section, bodyClass, styles = [], scripts = [], choosesLanguage } = content;
  const { prefix, token, wording } = frame;
  const { language } = wording;
  const own = contentLanguage(content, wording);
  const isMixed = own !== language;
  const signOut = both((texts) => texts.signOut);
  const end = html`${name && html`<span class="operator" title="${wording.frame.signedInAs(name)}">${name}</span>`}${!choosesLanguage && languageForm(frame)}<form method="post" action="/portal/sign-out">${tokenField(token)}<button class="plain"${inBoth(signOut)}>${signOut[language]}</button></form>`;
  const bar = topBar({
    name: wording.frame.portal,
    entries: Object.values(sections),
    current: section && sections[section][0],
    end,
    language,
  });
  return documentOf({
    prefix,
    title,
    language,
    titleLanguage: own,
    body: html`${bar}
<main id="content"${isMixed && html` lang="${own}"`}>${noticeOf(notice, wording, isMixed && html` lang="${language}"`)}${body}</main>`,
    bodyClass,
    styles,
    scripts: [frameFiles.path('chart.js'), ...scripts],
  });
};

/** A page without sign-in. While the portal is off, it is English. */
export const visitorPage = ({ title, body }: PageContent, prefix: string, frame?: Frame): string =>
  documentOf({
    prefix,
    title,
    language: frame?.wording.language,
    body: html`<main id="content" class="narrow">${brand('/')}${body}${frame && languageForm(frame)}</main>`,
    bodyClass: 'visitor',
  });
