/** A set of recently added texts in bounded memory. It has two generations, and drops the older one as a whole. */
export class RecentSet {
  readonly #maxOfHalf: number;
  #newer = new Set<string>();
  #older = new Set<string>();
  /** Characters in the newer generation. */
  #characters = 0;

  /** Holds up to this many characters in all. */
  constructor(maxCharacters: number) {
    this.#maxOfHalf = maxCharacters / 2;
  }

  /** Adds a text and returns whether it was in the set. */
  add(text: string): boolean {
    if (this.#newer.has(text)) return true;
    if (this.#characters + text.length > this.#maxOfHalf) {
      this.#older = this.#newer;
      this.#newer = new Set();
      this.#characters = 0;
    }
    this.#newer.add(text);
    this.#characters += text.length;
    return this.#older.has(text);
  }
}
