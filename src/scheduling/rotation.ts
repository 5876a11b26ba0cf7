/** A queue with one line for each owner. Owners take turns, so many entries of one owner do not delay another owner. */
export class Rotation<T> {
  /** The owner that was served longest ago comes first. */
  readonly #lines = new Map<unknown, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(owner: unknown, entry: T): void {
    const line = this.#lines.get(owner);
    if (line) line.push(entry);
    else this.#lines.set(owner, [entry]);
    this.#size++;
  }

  /** Removes and returns the oldest entry of the next owner; undefined if there is none. */
  next(): T | undefined {
    const [first] = this.#lines;
    if (!first) return undefined;
    const [owner, line] = first;
    const entry = line.shift();
    this.#lines.delete(owner);
    if (line.length > 0) this.#lines.set(owner, line);
    this.#size--;
    return entry;
  }

  /** Removes and returns the newest entry of the owner with the longest line; undefined if there is none. */
  dropLast(): T | undefined {
    let longest: [unknown, T[]] | undefined;
    for (const line of this.#lines) if (!longest || line[1].length > longest[1].length) longest = line;
    if (!longest) return undefined;
    const [owner, line] = longest;
    const entry = line.pop();
    if (line.length === 0) this.#lines.delete(owner);
    this.#size--;
    return entry;
  }
}
