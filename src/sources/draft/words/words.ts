/**
 * What the words of a name mean. A name is a set of concepts, whatever its language, its order and its abbreviations are: `V-Ende`,
 * `Vertragsende` and `lease end` are a lease and an end.
 */
import { distance } from 'fastest-levenshtein';
import stemmers from 'snowball-stemmers';
import { lexicon } from './lexicon.ts';
import { columnTerms } from './terms.ts';

/** A word without case and accents: `Straße` is `strasse`, and `Gebäude` is `gebaeude`. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replaceAll('²', '2')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '');

/** One way to read a name. */
export interface Meaning {
  readonly concepts: ReadonlySet<string>;
  /** Words that mean nothing known. */
  readonly unknown: number;
  /** From 0 to 1: 1 for whole words, less for abbreviations. */
  readonly confidence: number;
}

const conceptsByWord = new Map<string, string[]>();
for (const [concept, words] of Object.entries(lexicon))
  for (const word of words.split(' ')) conceptsByWord.set(word, [...(conceptsByWord.get(word) ?? []), concept]);
const allWords = [...conceptsByWord.keys()];

const languages = ['german', 'dutch', 'english'].map((language) => stemmers.newStemmer(language));
const stemsOf = (word: string): readonly string[] => (word.length < 4 ? [] : languages.map((stemmer) => stemmer.stem(word)));
const wordsByStem = languages.map((stemmer) => {
  const words = new Map<string, string[]>();
  for (const word of allWords)
    if (word.length >= 4) {
      const stem = stemmer.stem(word);
      words.set(stem, [...(words.get(stem) ?? []), word]);
    }
  return words;
});

const silent = new Set(
  'in der die das des dem den of the van de het een a an und and en fuer for zum zur am im bei mit with voor eur euro chf usd gbp sfr lt laut gemaess zzgl m ft ca lfd'.split(
    ' ',
  ),
);

interface Part {
  readonly concepts: readonly string[];
  readonly unknown: number;
  readonly confidence: number;
}

/** Letters that join words of a compound: Vertrag-s-ende, Eigentümer-n-ummer. */
const joints = ['', 's', 'n', 'en', 'es', 'e', 'er'];
/** Short words that end a compound: Objektnr, tenantid. Others are too short to be found within a word. */
const shortEnds = new Set(['nr', 'no', 'id', 'dt']);

/** Readings of a word as a compound of known words, each with all concepts. `shortest`: prefixes of this length count as words. */
const compounds = (word: string, shortest?: number): Part[] => {
  const found: Part[] = [];
  const walk = (at: number, concepts: readonly string[], confidence: number): void => {
    if (found.length > 24) return;
    if (at === word.length) {
      if (concepts.length > 1) found.push({ concepts, unknown: 0, confidence });
      return;
    }
    for (let end = word.length; end > at + 1; end--) {
      const piece = word.slice(at, end);
      const isEnd = end === word.length;
      if (piece.length < 3 && !(isEnd && shortEnds.has(piece)) && !(at === 0 && shortEnds.has(word.slice(end)))) continue;
      const whole = conceptsByWord.get(piece);
      if (whole) {
        for (const concept of whole)
          for (const joint of isEnd ? [''] : joints)
            if (word.startsWith(joint, end) && (joint === '' || end + joint.length < word.length))
              walk(end + joint.length, [...concepts, concept], confidence * (joint === '' ? 1 : 0.995));
      } else if (shortest !== undefined && piece.length >= shortest)
        for (const concept of abbreviated(piece)) walk(end, [...concepts, concept], confidence * 0.88);
    }
  };
  walk(0, [], 0.98);
  return found;
};

/** The concepts of words that begin with these letters. */
const abbreviated = (letters: string): readonly string[] => [
  ...new Set(
    allWords.filter((word) => word.length > letters.length && word.startsWith(letters)).flatMap((word) => conceptsByWord.get(word)!),
  ),
];

const abbreviationConfidence = (letters: number): number => (letters >= 4 ? 0.86 : letters === 3 ? 0.8 : letters === 2 ? 0.7 : 0.55);

const known = new Map<string, readonly Part[]>();

/** The readings of one word, the best kind of them only. */
const readWord = (word: string, hasPoint: boolean): readonly Part[] => {
  const cached = known.get(`${word}${hasPoint}`);
  if (cached) return cached;
  const parts = readNewWord(word, hasPoint);
  known.set(`${word}${hasPoint}`, parts);
  return parts;
};

const readNewWord = (word: string, hasPoint: boolean): readonly Part[] => {
  const single = (concepts: Iterable<string>, confidence: number): Part[] =>
    [...new Set(concepts)].map((concept) => ({ concepts: [concept], unknown: 0, confidence }));
  const exact = conceptsByWord.get(word);
  if (exact) return single(exact, 1);
  const whole = compounds(word);
  if (whole.length > 0) {
    const fewest = Math.min(...whole.map(({ concepts }) => concepts.length));
    return whole.filter(({ concepts }) => concepts.length === fewest);
  }
  const stems = stemsOf(word);
  const stemmed = stems.flatMap((stem, index) => wordsByStem[index]!.get(stem) ?? []);
  if (stemmed.length > 0)
    return single(
      stemmed.flatMap((one) => conceptsByWord.get(one)!),
      0.94,
    );
  const allowed = word.length >= 10 ? 2 : word.length >= 6 ? 1 : 0;
  const near =
    allowed === 0
      ? []
      : allWords.filter((one) => one.length >= 5 && Math.abs(one.length - word.length) <= allowed && distance(one, word) <= allowed);
  if (near.length > 0)
    return single(
      near.flatMap((one) => conceptsByWord.get(one)!),
      0.85,
    );
  const isShort = hasPoint || word.length <= 5;
  const begun = isShort ? single(abbreviated(word), abbreviationConfidence(word.length)) : [];
  const together = usualCompounds.flatMap(({ parts, concepts }) =>
    abbreviates(word, parts) ? [{ concepts, unknown: 0, confidence: word.length >= 4 ? 0.82 : 0.76 }] : [],
  );
  if (begun.length > 0 || together.length > 0)
    return [...together.slice(0, 8), ...begun.slice(0, 12), ...(word.length <= 3 ? [{ concepts: [], unknown: 1, confidence: 0.6 }] : [])];
  const shortened = compounds(word, 3);
  if (shortened.length > 0) return shortened;
  // The last word of a compound says what it is, and an unknown one before it says which.
  const end = allWords.filter((one) => one.length >= 4 && word.endsWith(one)).sort((a, b) => b.length - a.length)[0];
  if (end !== undefined) return conceptsByWord.get(end)!.map((concept) => ({ concepts: [concept], unknown: 1, confidence: 0.9 }));
  return [];
};

/** The words of a name, and whether each is cut: `Obj.-Art` is `obj` with a point, and `art`. */
export const wordsOf = (name: string): readonly { readonly word: string; readonly hasPoint: boolean }[] => {
  const joined = name
    .replaceAll(/\bsq(?:uare|\.)? ?f(?:ee|oo)?t\.?(?![a-z])/gi, 'sqft')
    .replaceAll(/\bsq\.? ?m\.?(?![a-z])/gi, 'sqm')
    .replaceAll(/(\p{L})-\s+(?=\p{Ll})/gu, '$1')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' ');
  return [...plain(joined).matchAll(/([a-z]+\d?|\d+)(\.?)/g)].flatMap(([, word = '', point = '']) =>
    silent.has(word) || /^\d+$/.test(word) ? [] : [{ word: word === 'm2' ? word : word.replace(/\d$/, ''), hasPoint: point !== '' }],
  );
};

/** A word in its parts, if it is a compound of known words: `baujahr` is `bau` and `jahr`. */
export const partsOfWord = (word: string): readonly string[] => {
  const walk = (at: number): readonly string[] | undefined => {
    if (at === word.length) return [];
    for (let end = word.length; end > at + 1; end--) {
      const piece = word.slice(at, end);
      if ((piece.length < 3 && !shortEnds.has(piece)) || !conceptsByWord.has(piece) || (at === 0 && end === word.length)) continue;
      for (const joint of end === word.length ? [''] : joints) {
        const rest = word.startsWith(joint, end) ? walk(end + joint.length) : undefined;
        if (rest) return [piece, ...rest];
      }
    }
    return undefined;
  };
  return walk(0) ?? [word];
};

/** Compounds that lists use, with their parts and what they mean. */
const usualCompounds = [...new Set(Object.values(columnTerms).flatMap((terms) => terms.split(' ')))].flatMap((term) => {
  const parts = partsOfWord(plain(term));
  return parts.length > 1 ? [{ parts, concepts: [...new Set(parts.map((part) => conceptsByWord.get(part)![0]!))] }] : [];
});

const maxMeanings = 60;

/** The ways to read a name, the surest first. Empty if no word is known. */
export const meaningsOf = (name: string): readonly Meaning[] => {
  let meanings: Meaning[] = [{ concepts: new Set(), unknown: 0, confidence: 1 }];
  for (const { word, hasPoint } of wordsOf(name)) {
    const parts = readWord(word, hasPoint);
    const readings: readonly Part[] = parts.length > 0 ? parts : [{ concepts: [], unknown: 1, confidence: 1 }];
    meanings = meanings
      .flatMap((meaning) =>
        readings.map(({ concepts, unknown, confidence }) => ({
          concepts: new Set([...meaning.concepts, ...concepts]),
          unknown: meaning.unknown + unknown,
          confidence: meaning.confidence * confidence,
        })),
      )
      .sort((a, b) => b.confidence - a.confidence)
      .slice(0, maxMeanings);
  }
  return meanings.filter(({ concepts }) => concepts.size > 0);
};

/** Concepts that many columns have say less. */
const weights: Readonly<Record<string, number>> = {
  number: 0.6,
  name: 0.6,
  date: 0.4,
  type: 0.7,
  amount: 0.4,
  text: 0.5,
  description: 0.6,
  rate: 0.7,
  line: 0.3,
};
/** Concepts that make another thing of the same words: the old rent, the rent per square metre, the number of units. */
const changing = new Set([
  'old',
  'next',
  'planned',
  'per',
  'total',
  'gross',
  'count',
  'paid',
  'fax',
  'language',
  'contra',
  'renovated',
  'clearing',
  'balance',
  'notice',
  'vat',
  'heating',
  'advance',
  'external',
]);

const weightOf = (concept: string): number => weights[concept] ?? 1;

/** How well a name fits a term, from 0 to 1. `implied`: concepts of the whole list, such as the lease in a list of leases. */
export const likeness = (name: readonly Meaning[], term: ReadonlySet<string>, implied: ReadonlySet<string>): number => {
  let best = 0;
  for (const { concepts, unknown, confidence } of name) {
    let same = 0;
    let differs = unknown * 0.8;
    for (const concept of term) {
      if (concepts.has(concept)) same += weightOf(concept);
      else if (concept === 'date') differs += 0.05;
      else if (concept === 'number') differs += 1;
      else differs += implied.has(concept) ? 0.15 : changing.has(concept) ? 1.2 : weightOf(concept);
    }
    for (const concept of concepts)
      if (!term.has(concept))
        differs += concept === 'date' ? 0.1 : implied.has(concept) ? 0.12 : changing.has(concept) ? 1.6 : weightOf(concept);
    // A letter that can mean what the whole list is about does.
    const isImplied = [...concepts].some((concept) => implied.has(concept));
    const sure = isImplied ? Math.min(1, confidence + 0.3) : confidence;
    if (same > 0) best = Math.max(best, (sure * same) / (same + differs));
  }
  return best;
};

/** Whether letters abbreviate words, each by its beginning: `wfl` is `Wohn-Fläche`, and `bj` is `Bau-Jahr`. */
export const abbreviates = (letters: string, words: readonly string[]): boolean => {
  if (letters.length < words.length || letters.length > 6 || words.length < 2 || letters[0] !== words[0]![0]) return false;
  const pattern = words
    .map((word) => [...word].reduceRight((rest, letter, at) => (at === 0 ? `${letter}${rest}` : `(?:${letter}${rest})?`), ''))
    .join('');
  return new RegExp(`^${pattern}$`).test(letters);
};
