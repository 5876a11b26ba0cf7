/** The search of the documentation over an index of MiniSearch. The service makes the index, the browser asks it. */
import MiniSearch, { type AsPlainObject, type Options, type Query, type SearchOptions } from 'minisearch';
import { synonymsOf } from '../../browser/words/synonyms.ts';
import { distinctWords, indexedWord, normalWord, splitWords } from '../../browser/words/words.ts';

export type EntryKind = 'page' | 'part' | 'table' | 'measure' | 'example' | 'column' | 'code' | 'term' | 'endpoint';

/** What can be found. */
export interface SearchEntry {
  readonly kind: EntryKind;
  readonly title: string;
  readonly address: string;
  /** One sentence per line; the one that matches is shown. */
  readonly text: string;
  /** More words by which it is found, which are not shown. */
  readonly words: string;
}

export interface Hit extends Omit<SearchEntry, 'words' | 'text'> {
  /** The sentence that matches best, in parts; every second part is a word that was found. */
  readonly sentence: readonly string[];
}

const weights: Readonly<Record<EntryKind, number>> = {
  table: 2.6,
  page: 1.8,
  measure: 1.6,
  part: 1.2,
  example: 0.9,
  term: 0.7,
  column: 0.6,
  code: 0.5,
  endpoint: 0.3,
};

type Stored = Omit<SearchEntry, 'words'>;

const options: Options<SearchEntry & { readonly id: number }> = {
  fields: ['title', 'words', 'text'],
  storeFields: ['kind', 'title', 'address', 'text'],
  tokenize: splitWords,
  processTerm: indexedWord,
};

const most = 12;
/** Words of a query are normal already. */
const searchOptions: SearchOptions = {
  boost: { title: 4, words: 3 },
  boostDocument: (_id, _word, stored) => weights[(stored as unknown as Stored).kind],
  tokenize: (word) => [word],
  processTerm: (word) => word,
};

const alternatives = (word: string): Query => ({
  combineWith: 'OR',
  queries: [
    {
      queries: [word],
      prefix: word.length > 1,
      // A typing error in a short word or in a number makes another word.
      fuzzy: word.length < 4 || /\d/.test(word) ? false : word.length < 8 ? 1 : 2,
      maxFuzzy: 2,
      weights: { prefix: 0.6, fuzzy: 0.2 },
    },
    ...synonymsOf(word).map(
      (other): Query => ({ queries: [other], prefix: false, fuzzy: false, boost: { title: 2.4, words: 2, text: 0.6 } }),
    ),
  ],
});

/** The sentence with most of the found words. */
const sentenceOf = (text: string, found: ReadonlySet<string>): readonly string[] => {
  const isFound = (word: string) => splitWords(word).some((part) => found.has(normalWord(part)));
  const inParts = text.split('\n').map((line) => line.split(/([\p{L}\p{N}_²]+)/u));
  const count = (parts: readonly string[]) => new Set(parts.filter(isFound).map(normalWord)).size;
  const best = inParts.reduce((best, parts) => (count(parts) > count(best) ? parts : best), inParts[0] ?? []);
  // Joins the other parts, so that the words that were found have odd indexes.
  return best.reduce<string[]>(
    (joined, part, at) => {
      if (at % 2 === 1 && isFound(part)) joined.push(part, '');
      else joined[joined.length - 1] += part;
      return joined;
    },
    [''],
  );
};

/** For a query that is a title. Parts have general titles, and a term leads on to the table that is searched. */
const titleBonus = (kind: EntryKind): number => (kind === 'part' || kind === 'term' ? 1 : 2);

/** Entries between two pauses. */
const perPause = 20;

/** Writes the index, with pauses. */
export function* writeIndex(entries: readonly SearchEntry[]): Generator<void, string> {
  const index = new MiniSearch(options);
  for (const [id, entry] of entries.entries()) {
    index.add({ ...entry, id });
    if (id % perPause === 0) yield;
  }
  return JSON.stringify({ ...index.toJSON(), documentIds: undefined });
}

/** Reads the index. Each entry is its own number, so the file does not say so for each of them. */
const readIndex = (file: string): MiniSearch => {
  const written = JSON.parse(file) as AsPlainObject;
  const documentIds = Object.fromEntries(Object.keys(written.storedFields).map((id) => [id, Number(id)]));
  return MiniSearch.loadJS({ ...written, documentIds }, options as Options);
};

/** Answers queries over an index that `writeIndex` wrote. All words must match; if nothing has all of them, some of them. */
export const openSearch = (file: string): ((query: string) => readonly Hit[]) => {
  const index = readIndex(file);
  return (query) => {
    const words = distinctWords(query);
    if (words.length === 0) return [];
    const queries = words.map(alternatives);
    const ask = (combineWith: 'AND' | 'OR') => index.search({ combineWith, queries }, searchOptions);
    const all = ask('AND');
    const isTitle = (title: string) => {
      const own = splitWords(title).map(normalWord);
      return own.length === words.length && own.every((word) => words.includes(word));
    };
    return (all.length > 0 ? all : ask('OR'))
      .map((result) => ({ result, score: result.score * (isTitle(result.title) ? titleBonus(result.kind) : 1) }))
      .sort((one, other) => other.score - one.score)
      .slice(0, most)
      .map(({ result: { kind, title, address, text, terms } }) => ({ kind, title, address, sentence: sentenceOf(text, new Set(terms)) }));
  };
};
