/**
 * Claims of builds: of several processes that share a store, one builds a file.
 *
 * A claim saves work only. Two builds of the same file are harmless (`file-store.ts`), so clocks that differ and stores without conditions are
 * harmless, too.
 */
import { type FileName, nameInFolder } from './file-names.ts';
import type { Objects } from './objects.ts';

const folder = 'building';

/** A claim that is older was left by a process that ended. Its holder renews it more often. */
const lostMs = 90_000;
const renewalMs = 20_000;

const text = '{}';

export class BuildClaims {
  readonly #objects: Objects;

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  /** Claims the build of a file. Returns what ends the claim; undefined if another process builds the file. */
  async take(file: FileName): Promise<(() => Promise<void>) | undefined> {
    const name = nameInFolder(file, folder);
    if (!(await this.#objects.create(name, text))) {
      if (!(await this.#isLost(name))) return undefined;
      await this.#objects.remove(name);
      if (!(await this.#objects.create(name, text))) return undefined;
    }
    let renewing: Promise<void> = Promise.resolve();
    const renewal = setInterval(() => {
      renewing = this.#objects.write(name, text).catch(() => {});
    }, renewalMs).unref();
    return async () => {
      clearInterval(renewal);
      await renewing;
      await this.#objects.remove(name);
    };
  }

  async #isLost(name: string): Promise<boolean> {
    const found = (await this.#objects.list(name)).find((each) => each.name === name);
    return Date.now() - ((await found?.changedAt()) ?? 0) > lostMs;
  }
}
