/** Keys of a check without a customer. */
import type { Keys } from './assigned-keys.ts';
import { firstAssigned, integerOf } from './key-text.ts';
import { keyTypeOf } from './key-type.ts';

export class MemoryKeys implements Keys {
  readonly #assigned = new Map<string, number>();
  readonly #next = { ...firstAssigned };

  async find(table: string, source: string, texts: readonly string[]): Promise<Map<string, number>> {
    return new Map(
      texts.flatMap((text) => {
        const key = integerOf(text, keyTypeOf(table)) ?? this.#assigned.get(`${table}\0${source}\0${text}`);
        return key === undefined ? [] : [[text, key] as const];
      }),
    );
  }

  async assign(table: string, source: string, texts: readonly string[]): Promise<Map<string, number>> {
    const type = keyTypeOf(table);
    for (const text of texts)
      if (integerOf(text, type) === undefined && !this.#assigned.has(`${table}\0${source}\0${text}`))
        this.#assigned.set(`${table}\0${source}\0${text}`, ++this.#next[type]);
    return this.find(table, source, texts);
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
