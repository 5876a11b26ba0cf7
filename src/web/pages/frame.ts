/** The frame of every page: head, top bar, content. */
import type { Text } from '../../catalogue/texts/presentation.ts';
import { type Html, html } from './html.ts';
import type { LanguageCode } from './language.ts';
import { pageScript, projectFile, StaticFiles } from './static-files.ts';

/** The parts of the sheet of every page, in the order in which later rules win. */
const sheets = ['base', 'parts', 'front', 'documentation', 'print'];

/** Files of every page, and those of pages with charts. */
export const frameFiles = new StaticFiles({
  'estate.css': () => sheets.map((name) => projectFile(`src/web/pages/assets/${name}.css`)).join('\n'),
  'page.js': () => pageScript('src/web/browser/pages/page.ts'),
  'chart.js': () => pageScript('src/web/browser/pages/chart.ts'),
});

/** The icon as a data URL, so that it needs no request. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5.5" fill="#1d6b4f"/><path d="M5.4 11.4 12 6.1l6.6 5.3v6.9a.8.8 0 0 1-.8.8h-3.6v-4.8h-4.4v4.8H6.2a.8.8 0 0 1-.8-.8z" fill="#fff"/></svg>',
)}`;

const mark = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M3 11.2 12 4l9 7.2V20a1 1 0 0 1-1 1h-5v-6.5H9V21H4a1 1 0 0 1-1-1z"/></svg>`;

export const brand = (path: string): Html => html`<a class="brand" href="${path}">${mark}<span>Estate</span></a>`;

export interface PageDocument {
  /** The path prefix of the service for clients; empty without one. */
  readonly prefix: string;
  readonly title: string;
  /** English by default. */
  readonly language?: LanguageCode | undefined;
  /** The language of the title if the page has parts in another one. */
  readonly titleLanguage?: LanguageCode | undefined;
  readonly body: Html;
  readonly bodyClass?: string | undefined;
  /** Addresses of files in addition to the common style sheet and script. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
}

/** Attributes with a path of the service. Attribute values are in double quotes, which text and other values cannot contain. */
const pathAttribute = /( (?:href|src|action|formaction)=")\/(?!\/)/g;

/** Pages are written with paths of the service. The prefix is added at the end, and scripts read it from the root element. */
export const documentOf = ({
  prefix,
  title,
  language = 'en',
  titleLanguage = language,
  body,
  bodyClass,
  styles = [],
  scripts = [],
}: PageDocument): string => {
  const { text } = html`<!doctype html>
<html lang="${language}"${prefix && html` data-prefix="${prefix}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title${titleLanguage !== language && html` lang="${titleLanguage}"`}>${title} · Estate</title>
<link rel="icon" href="${icon}">
${[frameFiles.path('estate.css'), ...styles].map((path) => html`<link rel="stylesheet" href="${path}">\n`)}</head>
<body${bodyClass && html` class="${bodyClass}"`}>
${body}
${[frameFiles.path('page.js'), ...scripts].map((path) => html`<script src="${path}" type=module></script>\n`)}</body>
</html>
`;
  return prefix === '' ? text : text.replaceAll(pathAttribute, (_, beginning: string) => `${beginning}${prefix}/`);
};

export type NavigationEntry = readonly [path: string, label: Text];

/** The attributes with which a page that changes its language changes this text (`browser/frame-language.ts`). */
export const inBoth = ({ en, de }: Text): Html => html` data-en="${en}" data-de="${de}"`;

const skip = { en: 'Skip to the content', de: 'Zum Inhalt' };

interface Bar {
  readonly name: string;
  readonly entries: readonly NavigationEntry[];
  /** The path of the page's navigation entry. */
  readonly current: string | undefined;
  readonly end?: Html | undefined;
  readonly language?: LanguageCode;
}

/** The top bar. */
export const topBar = ({ name, entries, current, end, language = 'en' }: Bar): Html => html`
<header class="top-bar">
<a class="skip" href="#content"${inBoth(skip)}>${skip[language]}</a>
${brand(entries[0]?.[0] === '/portal' ? '/portal' : '/')}
<nav aria-label="${name}">${entries.map(
  ([path, label]) =>
    html`<a class="tab" href="${path}"${path === current && html` aria-current="page"`}${inBoth(label)}>${label[language]}</a>`,
)}</nav>
${end}
</header>`;

/** The top bar of public pages. */
export const publicBar = (current: string, end?: Html): Html =>
  topBar({
    name: 'Pages',
    entries: [
      ['/explore', { en: 'Explore', de: 'Daten ansehen' }],
      ['/docs', { en: 'Documentation', de: 'Dokumentation' }],
      ['/graphql', { en: 'GraphiQL', de: 'GraphiQL' }],
    ],
    current,
    end,
  });
