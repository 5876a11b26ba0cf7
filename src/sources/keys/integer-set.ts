/** A set of positive integers as pages of bits: 5 million consecutive integers take less than a megabyte. */
const pageBits = 65_536;

export class IntegerSet {
  readonly #pages = new Map<number, Uint8Array>();

  add(value: number): void {
    const page = Math.floor(value / pageBits);
    let bits = this.#pages.get(page);
    if (!bits) {
      bits = new Uint8Array(pageBits / 8);
      this.#pages.set(page, bits);
    }
    const at = value % pageBits;
    bits[at >> 3]! |= 1 << (at & 7);
  }

  has(value: number): boolean {
    const at = value % pageBits;
    return ((this.#pages.get(Math.floor(value / pageBits))?.[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }
}
