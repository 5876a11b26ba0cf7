/**
 * The documentation under `/docs`: the guide, the tables, the reference (contract: interface description). Every page is made once, from
 * the catalogue and from Markdown, and needs no key.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalogue } from '../catalogue/index.ts';
import { categories } from '../catalogue/tiers.ts';
import { etagOf, hasTag, sendNotModified } from '../http/etag.ts';
import { documentOf, originOf, publicBar } from '../pages/frame.ts';
import { type Html, html } from '../pages/html.ts';
import { type Needs, pageHeaders } from '../pages/policy.ts';
import { pageScript, StaticFiles } from '../pages/static-files.ts';
import { changelogArticle, guide, guideArticle, type ServiceLimits } from './guide.ts';
import { type Article, sampleOrigin } from './markdown.ts';
import { referenceArticle, referenceFiles } from './reference.ts';
import { searchIndex } from './search.ts';
import { codesArticle, glossaryArticle, rawArticle, tableArticle, tablesArticle } from './tables.ts';

export interface SiteOptions {
  readonly catalogue: Catalogue;
  readonly limits: ServiceLimits;
}

interface SitePage {
  readonly path: string;
  /** In the navigation. */
  readonly name: string;
  /** Other words that it is searched by; undefined: tables, which have entries of their own. */
  readonly words?: string;
  readonly article: () => Article;
}

const sitePages = ({ catalogue, limits }: SiteOptions) => {
  const guides = (Object.keys(guide) as (keyof typeof guide)[]).map((file): SitePage => {
    const [name, words] = guide[file];
    return { path: file === 'start' ? '/docs' : `/docs/${file}`, name, words, article: () => guideArticle(file, catalogue, limits) };
  });
  const page = (path: string, name: string, words: string, article: () => Article): SitePage => ({ path, name, words, article });
  return {
    guide: [...guides, page('/docs/changelog', 'Changelog', 'release version new', changelogArticle)],
    dictionary: [
      page('/docs/tables', 'All tables', 'table columns dictionary data model er diagram', () => tablesArticle(catalogue)),
      page('/docs/codes', 'Codes', 'code codes value label meaning lookup meta', () => codesArticle(catalogue)),
      page('/docs/glossary', 'Glossary', 'german english term translation', glossaryArticle),
      page('/docs/raw', 'Raw tables', 'raw source export erp', () => rawArticle(catalogue)),
    ],
    tables: [...catalogue.tables.values()].map((table) => ({
      path: `/docs/tables/${table.name}`,
      name: table.name,
      category: table.category,
      article: () => tableArticle(catalogue, table),
    })),
  };
};

const searchBox = html`<div class="search" data-search hidden>
<input type="search" role="combobox" aria-label="Search the documentation" aria-controls="found" aria-expanded="false" aria-autocomplete="list" placeholder="Search tables, columns, codes, pages" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
<ul id="found" role="listbox" aria-label="Found" hidden></ul>
</div>
<button class="menu" popovertarget="contents">Contents</button>`;

const link = (current: string, { path, name }: Pick<SitePage, 'path' | 'name'>): Html =>
  html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${name}</a></li>`;

const navigation = (pages: ReturnType<typeof sitePages>, current: string): Html => html`
<nav class="side" id="contents" aria-label="Documentation" popover>
<h2>Guide</h2><ul>${pages.guide.map((page) => link(current, page))}</ul>
<h2>Reference</h2><ul>${link(current, { path: '/docs/reference', name: 'Endpoints' })}<li><a href="/graphql">GraphiQL</a></li><li><a href="/openapi.json">OpenAPI</a></li></ul>
<h2>Dictionary</h2><ul>${pages.dictionary.map((page) => link(current, page))}</ul>
${Object.keys(categories).map(
  (category) =>
    html`<h3>${category}</h3><ul class="names">${pages.tables.filter((page) => page.category === category).map((page) => link(current, page))}</ul>`,
)}
</nav>`;

const onThisPage = ({ headings }: Article): Html | undefined =>
  headings.length > 1
    ? html`<nav class="parts" aria-label="On this page"><h2>On this page</h2><ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`
    : undefined;

/** The search and what the pages do with JavaScript; the index is asked for when the search is. */
export const siteFiles = (options: SiteOptions) =>
  new StaticFiles({
    'docs.js': () => pageScript('src/docs/page/main.js'),
    'search.json': () => {
      const { guide, dictionary } = sitePages(options);
      const searched = [...guide, ...dictionary].map(({ path, words = '', article }) => ({ path, words, article: article() }));
      return JSON.stringify(searchIndex(options.catalogue, searched));
    },
  });

export const siteRoutes = (app: FastifyInstance, options: SiteOptions, files: ReturnType<typeof siteFiles>): void => {
  const pages = sitePages(options);
  const made = new Map<string, { readonly text: string; readonly tag: string }>();
  const write = (
    path: string,
    article: Article,
    extra: { styles?: readonly string[]; libraries?: readonly string[]; scripts?: readonly string[] },
  ) =>
    documentOf({
      title: article.title,
      bodyClass: 'docs',
      ...extra,
      scripts: [files.path('docs.js'), ...(extra.scripts ?? [])],
      body: html`${publicBar('/docs', searchBox)}
<div class="columns" data-index="${files.path('search.json')}">
${navigation(pages, path)}
${article.bringsMain ? html`<div id="content" class="article">${article.body}</div>` : html`<main id="content" class="article">${article.body}</main>`}
${onThisPage(article)}
</div>`,
    });
  const keep = (path: string, text: string) => {
    const page = { text, tag: etagOf(text) };
    made.set(path, page);
    return page;
  };
  const serve = (path: string, needs: Needs, make: () => string): void => {
    const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      const { text, tag } = made.get(path) ?? keep(path, make());
      const origin = originOf(request);
      // All that differs between answers; the page itself is large.
      const etag = etagOf(tag, origin);
      reply.headers(pageHeaders(needs)).header('Cache-Control', 'public, no-cache').header('ETag', etag);
      return hasTag(request, etag) ? sendNotModified(reply, etag) : reply.send(text.replaceAll(sampleOrigin, origin));
    };
    app.route({ method: ['GET', 'HEAD'], url: path, config: { isPublic: true }, handler: (request, reply) => answer(request, reply) });
  };
  for (const { path, article } of [...pages.guide, ...pages.dictionary, ...pages.tables])
    serve(path, { requests: true }, () => write(path, article(), {}));
  // Swagger UI sets styles inline.
  serve('/docs/reference', { requests: true, inlineStyles: true }, () =>
    write('/docs/reference', referenceArticle, {
      styles: [referenceFiles.path('reference.css')],
      libraries: [referenceFiles.path('swagger-ui-bundle.js')],
      scripts: [referenceFiles.path('reference.js')],
    }),
  );
};
