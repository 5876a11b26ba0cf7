/**
 * The documentation under `/docs`: guide, tables, reference (contract: interface description). Pages are rendered from the catalogue and
 * from Markdown. Without a key, a page shows everything and is made once. With a key, it shows the tables of the key, and is made once for
 * all callers who see the same.
 */
import { basename } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import type { DataScope } from '../../catalogue/data-scope.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { categories } from '../../catalogue/tiers.ts';
import { ApiError } from '../../errors.ts';
import { duckdbScript } from '../../files/duckdb-script.ts';
import { hasFiles } from '../../files/file-tables.ts';
import { downloadAs } from '../../http/responses/headers.ts';
import { MadeBodies, publicRoute } from '../../http/responses/made-bodies.ts';
import { runInSlice, runInSlices } from '../../scheduling/time-slices.ts';
import { demoKeysPath } from '../pages/demo-keys.ts';
import { documentOf, publicBar } from '../pages/frame.ts';
import { type Html, html } from '../pages/html.ts';
import { type Needs, securityHeaders } from '../pages/policy.ts';
import { type FileSet, type OpenedFile, pageScript, StaticFiles } from '../pages/static-files.ts';
import { viewsPath } from './data-source.ts';
import { changelogArticle, guide, guideArticle, type ServiceLimits } from './guide.ts';
import { type Article, atAddress, sampleOrigin } from './markdown.ts';
import { everything, type Readable, readableBy } from './readable.ts';
import { referenceArticle } from './reference.ts';
import { type SearchedPage, searchEntries } from './search/entries.ts';
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
  /** Whether its readers run the service. */
  readonly isForOperators?: boolean;
}

const sitePages = ({ limits }: SiteOptions, readable: Readable) => {
  const { catalogue } = readable;
  const guidePage = (section: string, file: string, [name, words]: readonly [string, string]): SitePage => ({
    path: file === 'start' ? '/docs' : `/docs/${file}`,
    name,
    words,
    article: () => guideArticle(file, catalogue, limits),
    isForOperators: section === 'For operators',
  });
  const page = (path: string, name: string, words: string, article: () => Article): SitePage => ({ path, name, words, article });
  const sections = Object.entries(guide).map(([title, pages]) => ({
    title,
    pages: Object.entries(pages).map(([file, entry]) => guidePage(title, file, entry)),
  }));
  return {
    sections,
    guide: sections.flatMap(({ pages }) => pages),
    reference: page('/docs/reference', 'Endpoints', 'swagger openapi endpoints api rest try schnittstelle', () =>
      referenceArticle(catalogue),
    ),
    changelog: page('/docs/changelog', 'Changelog', 'release notes version new neu', changelogArticle),
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
${pages.sections.map(({ title, pages }) => html`<h2>${title}</h2><ul>${pages.map((page) => link(current, page))}</ul>`)}
<h2>Reference</h2><ul>${link(current, pages.reference)}<li><a href="/graphql">GraphiQL</a></li><li><a href="/openapi.json">OpenAPI</a></li>${link(current, pages.changelog)}</ul>
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

/** The index of the search. It takes a second, so it is made with pauses between articles. */
function* searchIndex(options: SiteOptions): Generator<void, string> {
  const { guide, changelog, dictionary, reference } = sitePages(options, everything(options.catalogue));
  // The dictionary consists of entries of its own, the changelog of history. The contract repeats the guide in detail.
  // The questions of analysts are entries, too.
  const depths = new Map<string, SearchedPage['depth']>(
    guide.map(({ path, isForOperators }) => [path, isForOperators ? 'titles' : 'text']),
  );
  depths.set('/docs/comparison', 'titles').set('/docs/analysts', 'titles').delete('/docs/contract');
  const searched: SearchedPage[] = [];
  for (const page of [...guide, changelog, ...dictionary, reference]) {
    const { path, words = '', article } = page;
    searched.push({ path, words, article: article(), depth: depths.get(path) ?? 'page' });
    yield;
  }
  const entries = searchEntries(options.catalogue, searched);
  yield;
  return yield* writeIndex(entries);
}

/** The owner of work for pages without a key. */
const pagesOwner = 'pages';

const fileNames = ['docs.js', 'search.json'] as const;
type SiteFileSet = StaticFiles<(typeof fileNames)[number]>;

/** The search and the page scripts. They are made for the first page, because their addresses contain their hashes. */
export class SiteFiles implements FileSet {
  readonly #options: SiteOptions;
  #opened: Promise<SiteFileSet> | undefined;

  constructor(options: SiteOptions) {
    this.#options = options;
  }

  open(): Promise<SiteFileSet> {
    this.#opened ??= this.#make();
    return this.#opened;
  }

  async find(name: string): Promise<OpenedFile | undefined> {
    return fileNames.some((each) => each === name) ? (await this.open()).find(name) : undefined;
  }

  async #make(): Promise<SiteFileSet> {
    let index = '';
    const options = this.#options;
    const steps = function* () {
      index = yield* searchIndex(options);
    };
    await runInSlices(pagesOwner, steps());
    return new StaticFiles({ 'docs.js': () => pageScript('src/web/docs/page/main.ts'), 'search.json': () => index });
  }
}

/** A file that programs open. */
interface Download {
  readonly path: string;
  /** Its media type. */
  readonly type: string;
  /** Its text for a reader. Throws 403 if the reader has none. */
  readonly write: (readable: Readable, scope: DataScope | undefined) => string;
}

/** Bytes of pages and their compressed forms in memory for keys: those of keys without a data scope, and some of keys with one. */
const maxBytes = 32 * 2 ** 20;

export const siteRoutes = (app: FastifyInstance, options: SiteOptions, siteFiles: SiteFiles): void => {
  const { publicUrl } = app;
  const write = (files: SiteFileSet, pages: ReturnType<typeof sitePages>, path: string): string => {
    const own = [...pages.guide, pages.reference, pages.changelog, ...pages.dictionary, ...pages.tables].find((page) => page.path === path);
    if (!own) throw new ApiError('forbidden');
    const article = own.article();
    const text = documentOf({
      prefix: publicUrl.prefix,
      title: article.title,
      bodyClass: 'docs',
      scripts: [files.path('docs.js')],
      body: html`${publicBar('/docs', searchBox)}
<div class="columns" data-address="${sampleOrigin}" data-index="${files.path('search.json')}"${options.hasDemoKeys && html` data-demo-keys="${demoKeysPath}"`}>
${navigation(pages, path)}
<main id="content" class="article">${article.body}</main>
${onThisPage(article)}
</div>`,
    });
    return atAddress(text, html`${publicUrl.address}`.text);
  };
  const whole = sitePages(options, everything(options.catalogue));
  // A browser sends no key with a page, so these are for programs. They do not displace the pages without a key.
  const shaped = new MadeBodies(maxBytes);
  const render = async (path: string, caller?: Caller): Promise<string> => {
    const files = await siteFiles.open();
    return runInSlice(caller?.customer.id ?? pagesOwner, () => {
      const pages = caller ? sitePages(options, readableBy(options.catalogue, caller)) : whole;
      return write(files, pages, path);
    });
  };
  const serve = (path: string, needs: Needs): void =>
    publicRoute(app, path, { headers: securityHeaders(needs), make: (caller) => render(path, caller), shaped });
  /** Serves a file that programs open, as the caller sees the tables. */
  const serveDownload = ({ path, type, write }: Download): void => {
    const make = (caller?: Caller) => write(caller ? readableBy(options.catalogue, caller) : everything(options.catalogue), caller?.scope);
    publicRoute(app, path, { headers: { 'content-type': type, ...downloadAs(basename(path)) }, make, shaped });
  };
  serveDownload({
    path: viewsPath,
    type: 'application/sql; charset=utf-8',
    write: ({ catalogue, includes }, scope) => {
      if (!includes('files')) throw new ApiError('forbidden');
      const tables = [...catalogue.tables.values()].filter(({ name }) => hasFiles(scope, 'category', name));
      return duckdbScript(tables, publicUrl.address);
    },
  });
  for (const { path } of [...whole.guide, whole.reference, whole.changelog, ...whole.dictionary, ...whole.tables])
    serve(path, { requests: true });
};
