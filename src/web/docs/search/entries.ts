/** What the search of the documentation finds: the full text of the guide, tables, measures, columns, codes, terms, examples, operations. */

import type { Catalogue } from '../../../catalogue/index.ts';
import { lookups } from '../../../catalogue/lookups.ts';
import { glossary } from '../../../catalogue/texts/glossary.ts';
import { upperFirst } from '../../../graphql/schema/names.ts';
import { describeInterface } from '../../../rest/openapi.ts';
import { questionInText } from '../../graphiql/example-text.ts';
import { examples } from '../../graphiql/examples.ts';
import { questions } from '../../graphiql/questions.ts';
import { graphiqlAddress } from '../../graphiql/run-link.ts';
import { codeNames, describedIn, sentence } from '../dictionary.ts';
import { type Article, slugOf } from '../markdown.ts';
import { termsOf } from '../tables.ts';
import type { SearchEntry } from './search.ts';

export interface SearchedPage {
  readonly path: string;
  readonly article: Article;
  /** Further search words of the page. */
  readonly words: string;
  /** What is found: the text of its parts, their titles, or only the page. */
  readonly depth: 'text' | 'titles' | 'page';
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** HTML as sentences, one on each line, without samples of code. */
const sentencesIn = (markup: string): string =>
  markup
    .replaceAll(/<p class="language".*?<\/p>|<pre.*?<\/pre>|<thead.*?<\/thead>/gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<\/td>\s*(?=<td)/g, ' · ')
    .replaceAll(/<\/(?:p|li|tr|h[1-6]|div)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&([\w#]+);/g, (whole, name) => entities[name] ?? whole)
    .replaceAll(/(?<=[.!?]) (?=\p{Lu})/gu, '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');

const pageEntries = ({ path, article, words, depth }: SearchedPage): SearchEntry[] => {
  // Headings below those of parts are found by their titles, and the text stays with the part.
  const parts = depth === 'page' ? [] : article.body.text.split(/(?=<h[23] id=")/).slice(1);
  const partEntries = parts.map((part): SearchEntry => {
    const [, id = '', title = '', text = ''] = /^<h[23] id="([^"]*)">(.*?)<\/h[23]>(.*)$/s.exec(part) ?? [];
    const shown = depth === 'text' ? sentencesIn(text) : '';
    return {
      kind: 'part',
      title: sentencesIn(title),
      address: `${path}#${id}`,
      text: shown,
      words: article.title,
    };
  });
  return [{ kind: 'page', title: article.title, address: path, text: article.summary, words }, ...partEntries];
};

const tableEntries = (catalogue: Catalogue): SearchEntry[] =>
  [...catalogue.tables.values()].flatMap((table) => {
    const { name, category, purpose, grain } = table;
    const path = `/docs/tables/${name}`;
    const columns = describedIn(catalogue, table).columns.map(
      (column): SearchEntry => ({
        kind: 'column',
        title: `${name}.${column.name}`,
        address: `${path}#column-${column.name}`,
        text: sentence(column.meaning),
        words: '',
      }),
    );
    const measures = describedIn(catalogue, table).measures.map(
      (measure): SearchEntry => ({
        kind: 'measure',
        title: `${upperFirst(measure.label.en)}, ${measure.label.de}`,
        address: `${path}#measure-${measure.name}`,
        text: sentence(measure.definition),
        words: measure.name,
      }),
    );
    const words = `columns table schema ${category} ${termsOf(name).join(' ')}`;
    return [{ kind: 'table', title: name, address: path, text: `${purpose}\n${sentence(grain)}`, words }, ...measures, ...columns];
  });

/** A text names its list, such as `order_status`. Columns with these codes are not words of their own, because the index is small. */
const codeEntries = (): SearchEntry[] =>
  codeNames.flatMap((list) =>
    lookups[list].map(
      ([value, english, german]): SearchEntry => ({
        kind: 'code',
        title: value,
        address: `/docs/codes#${list}-${value}`,
        text: `${english} · ${german} (${list})`,
        words: 'code',
      }),
    ),
  );

/** Without the questions of analysts, which are sections of a page of the guide. */
const exampleEntries = (): SearchEntry[] =>
  Object.entries(examples)
    .filter(([name]) => !(name in questions))
    .map(([, query]) => ({
      kind: 'example',
      title: questionInText(query),
      address: graphiqlAddress(query),
      text: 'An example in GraphiQL.',
      words: `example ${[...new Set(query.match(/\b(?!(?:query|first|filter|nodes|totalCount|orderBy)\b)[A-Za-z]\w{3,}/g))].join(' ')}`,
    }));

/** Versioned paths answer the same as those without a version. */
const operationEntries = (catalogue: Catalogue): SearchEntry[] =>
  Object.entries(describeInterface(catalogue).paths).flatMap(([path, { get, post }]): SearchEntry[] => {
    const operation = get ?? post;
    if (!operation || path.startsWith('/v1/')) return [];
    const { summary, operationId, tags } = operation;
    const title = `${get ? 'GET' : 'POST'} ${path}`;
    return [{ kind: 'endpoint', title, address: `/docs/reference#/${tags[0]}/${operationId}`, text: summary, words: 'endpoint operation' }];
  });

export const searchEntries = (catalogue: Catalogue, pages: readonly SearchedPage[]): readonly SearchEntry[] => [
  ...pages.flatMap(pageEntries),
  ...tableEntries(catalogue),
  ...codeEntries(),
  ...glossary.map(
    ({ german, english, where }): SearchEntry => ({
      kind: 'term',
      title: german,
      address: `/docs/glossary#${slugOf(german)}`,
      text: `${upperFirst(english)} · ${where}`,
      words: english,
    }),
  ),
  ...exampleEntries(),
  ...operationEntries(catalogue),
];
