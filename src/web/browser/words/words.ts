/** How a text becomes the words that are compared: without case, accents and plural endings. The index and a query use the same rules. */

/** Words that say nothing about a subject, in both languages. */
const idle = new Set(
  `a about all an and any are as at be been but by can could did do does for from get give had has have how i if in into is it its know like
  me mean means my need not of on or our should so than that the their them then there these they this those to us use using want was we were what
  when where which who why will with would you your
  alle als am an auch auf aus bei bin bis da damit das dass dem den der des die dies diese dieser dieses ein eine einem einen einer eines er es
  für gibt habe haben hat ich ihr im in ist kann kein keine können man mein meine mich mir mit muss nach nicht noch nur ob oder sein sich sie
  sind so über um und uns unser unter viel vom von vor wann warum was welche welchen welcher welches wenn wer werden wie wird wir wo zu zum zur`
    .split(/\s+/)
    .map((word) => fold(word)),
);

/** The text without accents; `ae`, `oe` and `ue` are what people type for umlauts. */
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
