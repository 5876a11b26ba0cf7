/** Random choices that a seed repeats. */

/** The generator "mulberry32". */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  below(count: number): number {
    return Math.floor(this.next() * count);
  }
  chance(probability: number): boolean {
    return this.next() < probability;
  }
  oneOf<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
  some<T>(values: readonly T[], max: number): T[] {
    return Array.from({ length: this.below(max + 1) }, () => this.oneOf(values));
  }
}
