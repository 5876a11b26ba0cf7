/**
 * Converts the project's Markdown to page content. Consecutive code blocks form one sample in several languages. A comment such as `<!--
 * table: errors -->` is replaced by a generated block.
 */
import { Marked, type Token, type Tokens } from 'marked';
import { runLink } from '../graphiql/run-link.ts';
import { Html, html } from '../pages/html.ts';
import { highlighted } from './highlight.ts';

/** Placeholders in samples: the address of the service, and the reader's key, which the script of a page fills in. */
export const sampleOrigin = 'https://estate.example.com';
export const sampleKey = 'est_YOUR_KEY';

/** The text with the address of the service in its samples. */
export const atAddress = (text: string, address: string): string => text.replaceAll(sampleOrigin, () => address);

const languages: Readonly<Record<string, string>> = {
  sh: 'curl',
  python: 'Python',
  ts: 'TypeScript',
  js: 'JavaScript',
  powerquery: 'Power Query',
  graphql: 'GraphQL',
  json: 'JSON',
  yaml: 'YAML',
  sql: 'SQL',
  text: 'Text',
};

export interface MarkdownHeading {
  readonly id: string;
  readonly text: string;
}

export interface Article {
  readonly title: string;
  /** The first paragraph as plain text. */
  readonly summary: string;
  readonly headings: readonly MarkdownHeading[];
  readonly body: Html;
}

export const slugOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');

/** Text of a sample, with the places of the reader's key marked. */
const keyMarked = (text: string): Html =>
  html`${text.split(sampleKey).map((part, index) => html`${index > 0 && html`<span data-your-key>${sampleKey}</span>`}${part}`)}`;

const code = (text: string, language: string): Html => html`<pre tabindex="0"><code>${highlighted(text, language, keyMarked)}</code></pre>`;

/** One sample with a tab for each language. Without JavaScript, all languages are visible. */
export const sample = (blocks: readonly (readonly [language: string, text: string])[]): Html => html`<div class="sample" data-sample>
${blocks.map(
  ([language, text]) =>
    html`<div data-language="${languages[language] ?? language}"><p class="language">${languages[language] ?? language}</p>${code(text, language)}${language === 'graphql' && runLink(text, 'this query')}</div>\n`,
)}</div>`;

/** Documents of the project that are no pages of the service. */
const unpublished = /^(?:architecture|performance|glossary|mutation|licences|README|CONTRIBUTING)\.md/;

/** The address of a link's target in the service. Undefined for a relative link to a file that is no page. */
const addressOf = (href: string): string | undefined => {
  if (/^(?:[a-z]+:|[/#])/.test(href)) return href;
  const file = href.replace(/^(?:\.\.\/|guide\/)+/, '');
  const [, name, part = ''] = /^([\w-]+)\.md(#.*)?$/.exec(file) ?? [];
  if (!name || unpublished.test(file)) return undefined;
  return `${name === 'start' ? '/docs' : `/docs/${name}`}${part}`;
};

const isGap = ({ type }: Token | undefined = { type: 'end', raw: '' }): boolean => type === 'space';

/** Tokens, with consecutive code blocks merged. */
const grouped = (tokens: readonly Token[]): (Token | Tokens.Code[])[] => {
  const groups: (Token | Tokens.Code[])[] = [];
  for (const token of tokens) {
    const last = groups.at(-1);
    if (token.type === 'code' && Array.isArray(last)) last.push(token as Tokens.Code);
    else if (token.type === 'code') groups.push([token as Tokens.Code]);
    else if (!isGap(token)) groups.push(token);
  }
  return groups;
};

/** `blocks` provides the generated blocks. */
export const articleOf = (text: string, blocks: Readonly<Record<string, () => Html>> = {}): Article => {
  const headings: MarkdownHeading[] = [];
  let section = '';
  /** The number of tables under each heading. Two regions must not have the same name. */
  const tables = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const words = this.parser.parseInline(tokens);
        section = text.replaceAll('`', '');
        if (depth === 1) return `<h1>${words}</h1>\n`;
        const heading = { id: slugOf(text), text: section };
        if (depth === 2) headings.push(heading);
        return `<h${depth} id="${heading.id}">${words}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const address = addressOf(href);
        const words = new Html(this.parser.parseInline(tokens));
        return address === undefined ? words.text : html`<a href="${address}">${words}</a>`.text;
      },
      // In a list. Others form groups.
      code: ({ lang, text }) => sample([[lang || 'text', text]]).text,
      // Pages show no pictures of the repository.
      image: () => '',
      // A name stays on one line. An address with parameters may wrap.
      codespan({ text }) {
        return html`<code${text.length > 40 && html` class="long"`}>${text}</code>`.text;
      },
      table({ header, rows }) {
        const heads = header.map(({ tokens }) => `<th scope="col">${this.parser.parseInline(tokens)}</th>`);
        const cells = (row: Tokens.TableCell[]) =>
          row.map(({ tokens }, at) => html`<td data-label="${header[at]?.text}">${new Html(this.parser.parseInline(tokens))}</td>`.text);
        const number = (tables.get(section) ?? 0) + 1;
        tables.set(section, number);
        const region = html`${section}${number > 1 && html`, table ${number}`}`.text;
        return `<div class="scroll" tabindex="0" role="region" aria-label="${region}"><table class="cards"><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row).join('')}</tr>`).join('')}</tbody></table></div>\n`;
      },
      // HTML in the project's Markdown is a known block or an error.
      html({ text }) {
        const name = /^<!-- (.+) -->\s*$/.exec(text)?.[1] ?? '';
        return blocks[name]?.().text ?? '';
      },
    },
  });
  const tokens = marked.lexer(text);
  const parts = grouped(tokens).map((part) =>
    Array.isArray(part) ? sample(part.map(({ lang, text }) => [lang || 'text', text])).text : marked.parser([part]),
  );
  const first = (type: string) => (tokens.find((token) => token.type === type) as { text?: string } | undefined)?.text ?? '';
  const summary = first('paragraph')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replaceAll('\n', ' ');
  return { title: first('heading'), summary, headings, body: new Html(parts.join('')) };
};

/** Markdown with the generated blocks in place, and with links to pages of the service as absolute addresses. */
export const expandMarkdown = (text: string, blocks: Readonly<Record<string, () => Html>>): string =>
  text
    .replaceAll(/^<!-- (.+) -->$/gm, (_, name) => blocks[name]?.().text ?? '')
    .replaceAll(/(?<=\]\()[^)\s]+(?=\))/g, (href) => {
      const address = addressOf(href);
      return address?.startsWith('/') ? sampleOrigin + address : (address ?? href);
    });
