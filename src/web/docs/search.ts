/** The search index of the documentation: pages, sections, tables, columns, codes, terms, operations. */
import { glossary } from '../../catalogue/glossary.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { lookups } from '../../catalogue/lookups.ts';
import { camelCase } from '../../graphql/schema/names.ts';
import { describeInterface } from '../../rest/openapi.ts';
import { codeNames, columnsOf, sentence, usersOf } from './dictionary.ts';
import { type Article, slugOf } from './markdown.ts';
import { termsOf } from './tables.ts';

/** Kind, title, address, description, and further search words. */
export type Entry = readonly [kind: string, title: string, address: string, about: string, words: string];

export interface SearchedPage {
  readonly path: string;
  readonly article: Article;
  /** Further search words of the page. */
  readonly words: string;
}

const pageEntries = ({ path, article, words }: SearchedPage): Entry[] => [
  ['page', article.title, path, article.summary, words],
  ...article.headings.map(({ id, text }): Entry => ['part', text, `${path}#${id}`, article.title, '']),
];

const tableEntries = (catalogue: Catalogue): Entry[] =>
  [...catalogue.tables.values()].flatMap((table) => {
    const path = `/docs/tables/${table.name}`;
    const words = `columns fields table schema ${camelCase(table.name)} ${table.category} ${termsOf(table.name).join(' ')}`;
    const columns = columnsOf(catalogue, table).map(
      ({ name, meaning }): Entry => ['column', `${table.name}.${name}`, `${path}#column-${name}`, sentence(meaning), camelCase(name)],
    );
    return [['table', table.name, path, table.purpose, words], ...columns];
  });

const codeEntries = (catalogue: Catalogue): Entry[] =>
  codeNames.flatMap((list) => {
    const users = usersOf(catalogue, list).map(({ table, column }) => `${table}.${column}`);
    return lookups[list].map(
      ([value, english, german]): Entry => [
        'code',
        value,
        `/docs/codes#${list}-${value}`,
        `${english} · ${german} (${list})`,
        `code ${users.join(' ')}`,
      ],
    );
  });

const operationEntries = (catalogue: Catalogue): Entry[] =>
  Object.entries(describeInterface(catalogue).paths).map(([path, { get }]) => {
    const { summary = '', operationId = '', tags = [] } = get as { summary?: string; operationId?: string; tags?: readonly string[] };
    return ['endpoint', `GET ${path}`, `/docs/reference#/${tags[0]}/${operationId}`, summary, 'endpoint operation'];
  });

export const searchIndex = (catalogue: Catalogue, pages: readonly SearchedPage[]): readonly Entry[] => [
  ...pages.flatMap(pageEntries),
  ...tableEntries(catalogue),
  ...codeEntries(catalogue),
  ...glossary.map(
    ({ german, english, where }): Entry => ['term', german, `/docs/glossary#${slugOf(german)}`, `${english} · ${where}`, english],
  ),
  ...operationEntries(catalogue),
];
