/** A set of positive integers as pages of bits: 5 million consecutive integers take less than a megabyte. */
const pageBits = 65_536;

export class IntegerSet {
  readonly #pages = new Map<number, Uint8Array>();
  /** The page that was used last. Most integers follow each other. */
  #last: { readonly page: number; readonly bits: Uint8Array } | undefined;

  #pageOf(value: number): Uint8Array | undefined {
    const page = Math.floor(value / pageBits);
    if (this.#last?.page === page) return this.#last.bits;
    const bits = this.#pages.get(page);
    if (bits) this.#last = { page, bits };
    return bits;
  }

  add(value: number): void {
    let bits = this.#pageOf(value);
    if (!bits) {
      bits = new Uint8Array(pageBits / 8);
      this.#pages.set(Math.floor(value / pageBits), bits);
    }
    const at = value % pageBits;
    bits[at >> 3]! |= 1 << (at & 7);
  }

  has(value: number): boolean {
    const at = value % pageBits;
    return ((this.#pageOf(value)?.[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }
}
