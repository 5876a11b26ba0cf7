/** The library has no types of its own. */
declare module 'snowball-stemmers' {
  export interface Stemmer {
    stem(word: string): string;
  }
  const stemmers: { newStemmer(language: string): Stemmer };
  export default stemmers;
}

declare module 'munkres-js' {
  /** The pairs of row and column with the least cost in sum. */
  export default function munkres(costs: readonly (readonly number[])[]): [number, number][];
}
