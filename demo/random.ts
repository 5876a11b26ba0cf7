/**
 * The only source of randomness: sfc32, seeded by the seed and a path such as ('lettings', 17).
 *
 * Every subject of every property has its own stream, so that a change of one does not affect others.
 */

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d = 1;

  private constructor(a: number, b: number, c: number) {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    for (let round = 0; round < 12; round++) this.next();
  }

  static of(seed: number, ...path: readonly (string | number)[]): Random {
    const text = `${seed}/${path.join('/')}`;
    return new Random(hash(text, 0x9e3779b9), hash(text, 0x85ebca6b), hash(text, 0xc2b2ae35));
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + t) | 0;
    return (t >>> 0) / 4294967296;
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }

  /** One of the names, with probabilities by weight. */
  weighted<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name {
    let total = 0;
    for (const name in weights) total += weights[name]!;
    let rest = this.next() * total;
    let last: Name | undefined;
    for (const name in weights) {
      last = name;
      rest -= weights[name]!;
      if (rest < 0) break;
    }
    return last!;
  }
}

/** FNV-1a with a final mix: similar paths give unrelated streams. */
const hash = (text: string, start: number): number => {
  let h = start;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return h ^ (h >>> 16);
};
