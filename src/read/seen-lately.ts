/** What has been seen lately, in bounded memory: the newer half, and the one before it, which is forgotten as a whole. */
export class SeenLately {
  readonly #mostOfHalf: number;
  #newer = new Set<string>();
  #older = new Set<string>();
  /** In the newer half. */
  #characters = 0;

  /** Remembers texts of up to so many characters together. */
  constructor(mostCharacters: number) {
    this.#mostOfHalf = mostCharacters / 2;
  }

  /** Sees a text; tells whether it was seen before. */
  see(text: string): boolean {
    if (this.#newer.has(text)) return true;
    if (this.#characters + text.length > this.#mostOfHalf) {
      this.#older = this.#newer;
      this.#newer = new Set();
      this.#characters = 0;
    }
    this.#newer.add(text);
    this.#characters += text.length;
    return this.#older.has(text);
  }
}
