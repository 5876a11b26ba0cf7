/** Whether a text answers a query: it has each word, the beginning or the end of a compound word, or another word with its meaning. */
import { synonymsOf } from './synonyms.ts';
import { distinctWords, normalWord, splitWords } from './words.ts';

/** A German compound begins or ends with a word: `Mietrückstände` has `Rückstand`. A shorter word than this is in many others. */
const longEnough = 4;

const hasWord = (words: ReadonlySet<string>, wanted: string): boolean =>
  words.has(wanted) || [...words].some((word) => word.startsWith(wanted) || (wanted.length >= longEnough && word.includes(wanted)));

/** The words of texts that are searched again with each letter of a query. */
const known = new Map<string, ReadonlySet<string>>();

const wordsOf = (text: string): ReadonlySet<string> => {
  const words = known.get(text) ?? new Set([...splitWords(text), ...text.split(/[^\p{L}\p{N}]+/u)].filter(Boolean).map(normalWord));
  known.set(text, words);
  return words;
};

export const matchesQuery = (text: string, query: string): boolean =>
  distinctWords(query).every((word) => {
    const words = wordsOf(text);
    return hasWord(words, word) || synonymsOf(word).some((other) => hasWord(words, other));
  });
