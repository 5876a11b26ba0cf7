/** Keys of a check without a customer. */
import type { Keys } from './assigned-keys.ts';
import { firstAssigned, integerOf } from './key-text.ts';
import { keyTypeOf } from './key-type.ts';

export class MemoryKeys implements Keys {
  readonly #assigned = new Map<string, number>();
  readonly #next = { ...firstAssigned };

  async find(table: string, source: string, texts: readonly string[]): Promise<readonly (number | undefined)[]> {
    const type = keyTypeOf(table);
    return texts.map((text) => integerOf(text, type) ?? this.#assigned.get(`${table}\0${source}\0${text}`));
  }

  async assign(table: string, source: string, texts: readonly string[]): Promise<readonly number[]> {
    const type = keyTypeOf(table);
    return texts.map((text) => {
      const name = `${table}\0${source}\0${text}`;
      const known = integerOf(text, type) ?? this.#assigned.get(name);
      if (known !== undefined) return known;
      const key = ++this.#next[type];
      this.#assigned.set(name, key);
      return key;
    });
  }

  textsOf(): ReadonlyMap<number, string> {
    return new Map();
  }

  async presentIn(): Promise<readonly number[]> {
    return [];
  }

  async sourcesOf(): Promise<readonly string[]> {
    return [];
  }

  async watermarkOf(): Promise<undefined> {
    return undefined;
  }

  async *ownedBy(): AsyncGenerator<readonly number[]> {}

  async *keysIn(): AsyncGenerator<readonly number[]> {}
}
