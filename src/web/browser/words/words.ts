/** How a text becomes the words that are compared: without case, accents and plural endings. The index and a query use the same rules. */

/** Words that say nothing about a subject, in both languages. */
const idle = new Set(
  `a an and are as at be by can do does for from get has have how i in is it its me mean means my of on or than that the then there they this to
  what where which who with your
  aus bei das dem den der des die ein eine einen für gibt hat ich im ist mein mit oder sind und von was welche welcher wer wie wo zu`
    .split(/\s+/)
    .map((word) => fold(word)),
);

/** Without accents; `ae`, `oe` and `ue` are what people type for umlauts. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([aou])e(?=[\p{L}])/gu, '$1')
    .replaceAll('²', '2');
}

const singular = (word: string): string => (word.length > 3 ? word.replace(/(?<!s)s$/, '').replace(/ie$/, 'y') : word);

/** `totalNet` and `total_net` have the same two words. */
export const splitWords = (text: string): string[] =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}²]+/u)
    .filter(Boolean);

/** Texts repeat their words: a word is converted once. */
const known = new Map<string, string>();
const maxKnown = 20_000;

export const normalWord = (word: string): string => {
  const own = known.get(word) ?? singular(fold(word));
  if (known.size < maxKnown) known.set(word, own);
  return own;
};

const isIdle = (word: string): boolean => idle.has(fold(word));

/** A word as the index has it. Idle words are found only in titles. */
export const indexedWord = (word: string, field?: string): string | null => (field === 'text' && isIdle(word) ? null : normalWord(word));

const maxWords = 12;

/** The first words of a query, each once. If all of them are idle, they are kept. */
export const distinctWords = (query: string): readonly string[] => {
  const every = splitWords(query);
  const telling = every.filter((word) => !isIdle(word));
  return [...new Set((telling.length > 0 ? telling : every).map(normalWord))].slice(0, maxWords);
};
