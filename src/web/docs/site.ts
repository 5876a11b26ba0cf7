/**
 * The documentation under `/docs`: guide, tables, reference (contract: interface description). Pages are rendered from the catalogue and
 * from Markdown. Without a key, a page is rendered once and shows everything. With a key, it is rendered for the tables of the key.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalogue } from '../../catalogue/index.ts';
import { categories } from '../../catalogue/tiers.ts';
import { ApiError } from '../../errors.ts';
import { etagOf, hasTag, sendNotModified } from '../../http/responses/headers.ts';
import type { Reader } from '../../rest/openapi/scope.ts';
import { demoKeysPath } from '../pages/demo-keys.ts';
import { documentOf, originOf, publicBar } from '../pages/frame.ts';
import { type Html, html } from '../pages/html.ts';
import { type Needs, pageHeaders } from '../pages/policy.ts';
import { pageScript, StaticFiles } from '../pages/static-files.ts';
import { dataSourceOf, dataSourcePathOf } from './data-source.ts';
import { changelogArticle, guide, guideArticle, type ServiceLimits } from './guide.ts';
import { type Article, sampleOrigin } from './markdown.ts';
import { everything, type Readable, readableBy } from './readable.ts';
import { referenceArticle, referenceFiles } from './reference.ts';
import { searchEntries } from './search/entries.ts';
import { writeIndex } from './search/search.ts';
import { codesArticle, glossaryArticle, rawArticle, tableArticle, tablesArticle } from './tables.ts';

export interface SiteOptions {
  readonly catalogue: Catalogue;
  readonly limits: ServiceLimits;
  /** Whether the pages offer the keys of demo customers. */
  readonly hasDemoKeys?: boolean;
}

interface SitePage {
  readonly path: string;
  /** The name in the navigation. */
  readonly name: string;
  /** Further search words; undefined for tables, which have their own entries. */
  readonly words?: string;
  readonly article: () => Article;
}

const changelogPath = '/docs/changelog';

const sitePages = ({ limits }: SiteOptions, readable: Readable) => {
  const { catalogue } = readable;
  const guides = (Object.keys(guide) as (keyof typeof guide)[]).map((file): SitePage => {
    const [name, words] = guide[file];
    return { path: file === 'start' ? '/docs' : `/docs/${file}`, name, words, article: () => guideArticle(file, catalogue, limits) };
  });
  const page = (path: string, name: string, words: string, article: () => Article): SitePage => ({ path, name, words, article });
  return {
    guide: [...guides, page(changelogPath, 'Changelog', 'release notes version new neu', changelogArticle)],
    dictionary: [
      page('/docs/tables', 'All tables', 'table columns dictionary data model er diagram datenmodell tabellen', () =>
        tablesArticle(catalogue),
      ),
      page('/docs/codes', 'Codes', 'code codes value label meaning lookup meta schlüsselwerte', () => codesArticle(readable)),
      page('/docs/glossary', 'Glossary', 'german english term translation begriffe', glossaryArticle),
      ...(readable.rawNames.length > 0
        ? [page('/docs/raw', 'Raw tables', 'raw source export erp rohdaten quelle', () => rawArticle(readable))]
        : []),
    ],
    tables: [...catalogue.tables.values()].map((table) => ({
      path: `/docs/tables/${table.name}`,
      name: table.name,
      category: table.category,
      article: () => tableArticle(readable, table),
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
${Object.keys(categories)
  .filter((category) => pages.tables.some((page) => page.category === category))
  .map(
    (category) =>
      html`<h3>${category}</h3><ul class="names">${pages.tables.filter((page) => page.category === category).map((page) => link(current, page))}</ul>`,
  )}
</nav>`;

const onThisPage = ({ headings }: Article): Html | undefined =>
  headings.length > 1
    ? html`<nav class="parts" aria-label="On this page"><h2>On this page</h2><ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`
    : undefined;

/** Files that a page loads besides the common ones. */
interface Extra {
  readonly styles?: readonly string[];
  readonly libraries?: readonly string[];
  readonly scripts?: readonly string[];
}

const reference = {
  path: '/docs/reference',
  words: 'swagger openapi endpoints api rest try schnittstelle',
  article: () => referenceArticle,
  extra: (): Extra => ({
    styles: [referenceFiles.path('reference.css')],
    libraries: [referenceFiles.path('swagger-ui-bundle.js')],
    scripts: [referenceFiles.path('reference.js')],
  }),
};

/** The search and the page scripts. The index is loaded with the first search. */
export const siteFiles = (options: SiteOptions) =>
  new StaticFiles({
    'docs.js': () => pageScript('src/web/docs/page/main.js'),
    'search.json': () => {
      const { guide, dictionary } = sitePages(options, everything(options.catalogue));
      // The dictionary and the changelog consist of entries of their own, or of history.
      const searched = [...guide, ...dictionary, reference].map((page) => {
        const { path, words = '', article } = page;
        return { path, words, article: article(), isWhole: guide.includes(page as SitePage) && path !== changelogPath };
      });
      return writeIndex(searchEntries(options.catalogue, searched));
    },
  });

export const siteRoutes = (app: FastifyInstance, options: SiteOptions, files: ReturnType<typeof siteFiles>): void => {
  const write = (pages: ReturnType<typeof sitePages>, path: string): string => {
    const own = [...pages.guide, ...pages.dictionary, ...pages.tables, reference].find((page) => page.path === path);
    if (!own) throw new ApiError('forbidden');
    const article = own.article();
    const extra = own === reference ? reference.extra() : {};
    return documentOf({
      title: article.title,
      bodyClass: 'docs',
      ...extra,
      scripts: [files.path('docs.js'), ...(extra.scripts ?? [])],
      body: html`${publicBar('/docs', searchBox)}
<div class="columns" data-index="${files.path('search.json')}"${options.hasDemoKeys && html` data-demo-keys="${demoKeysPath}"`}>
${navigation(pages, path)}
${article.bringsMain ? html`<div id="content" class="article">${article.body}</div>` : html`<main id="content" class="article">${article.body}</main>`}
${onThisPage(article)}
</div>`,
    });
  };
  const whole = sitePages(options, everything(options.catalogue));
  const made = new Map<string, { readonly text: string; readonly tag: string }>();
  /** The page without a key, rendered once. */
  const publicPage = (path: string) => {
    const known = made.get(path);
    if (known) return known;
    const text = write(whole, path);
    const page = { text, tag: etagOf(text) };
    made.set(path, page);
    return page;
  };
  const pageFor = (caller: Reader, path: string) => {
    const text = write(sitePages(options, readableBy(options.catalogue, caller)), path);
    return { text, tag: etagOf(text) };
  };
  const serve = (path: string, needs: Needs): void => {
    const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      const { caller } = request;
      const { text, tag } = caller ? pageFor(caller, path) : publicPage(path);
      const origin = originOf(request);
      // The only part that differs between responses. The rest of the page is large.
      const etag = etagOf(tag, origin);
      reply
        .headers(pageHeaders(needs))
        .header('Cache-Control', `${caller ? 'private' : 'public'}, no-cache`)
        .header('ETag', etag);
      return hasTag(request, etag) ? sendNotModified(reply, etag) : reply.send(text.replaceAll(sampleOrigin, origin));
    };
    app.route({ method: ['GET', 'HEAD'], url: path, config: { isPublic: true }, handler: (request, reply) => answer(request, reply) });
  };
  const serveDataSource = (name: string): void => {
    const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      const { caller } = request;
      const { catalogue, includes } = caller ? readableBy(options.catalogue, caller) : everything(options.catalogue);
      const table = catalogue.tables.get(name);
      if (!table || !includes('rest')) throw new ApiError('forbidden');
      const text = dataSourceOf(table, originOf(request));
      const etag = etagOf(text);
      reply.header('Cache-Control', `${caller ? 'private' : 'public'}, no-cache`).header('ETag', etag);
      if (hasTag(request, etag)) return sendNotModified(reply, etag);
      return reply.type('application/json; charset=utf-8').header('Content-Disposition', `attachment; filename=${name}.pbids`).send(text);
    };
    const config = { isPublic: true } as const;
    app.route({ method: ['GET', 'HEAD'], url: dataSourcePathOf(name), config, handler: (request, reply) => answer(request, reply) });
  };
  for (const { name } of whole.tables) serveDataSource(name);
  for (const { path } of [...whole.guide, ...whole.dictionary, ...whole.tables]) serve(path, { requests: true });
  // Swagger UI sets inline styles.
  serve(reference.path, { requests: true, inlineStyles: true });
};
