/** A selection that is written field by field. Fields of one object share it. */

export class WrittenSelection {
  readonly #fields = new Map<string, { readonly field: string; readonly inner: WrittenSelection | undefined }>();

  /** Adds a field without fields of its own. `field` has the alias and the arguments. */
  add(responseKey: string, field = responseKey): void {
    this.#fields.set(responseKey, { field, inner: undefined });
  }

  /** The selection of an object, which is added if it is not there. */
  within(responseKey: string, field = responseKey): WrittenSelection {
    const known = this.#fields.get(responseKey)?.inner;
    if (known) return known;
    const inner = new WrittenSelection();
    this.#fields.set(responseKey, { field, inner });
    return inner;
  }

  /** The selection at the end of a path of objects. */
  at(path: readonly string[]): WrittenSelection {
    return path.reduce<WrittenSelection>((selection, name) => selection.within(name), this);
  }

  /** A response key that no field has: the name, or the name and a number. */
  free(name: string): string {
    const at = (count: number): string => (this.#fields.has(`${name}${count}`) ? at(count + 1) : `${name}${count}`);
    return this.#fields.has(name) ? at(2) : name;
  }

  get isEmpty(): boolean {
    return this.#fields.size === 0;
  }

  toString(): string {
    return `{ ${[...this.#fields.values()].map(({ field, inner }) => (inner ? `${field} ${inner}` : field)).join(' ')} }`;
  }
}

/** A field with an alias, if it has another name. */
export const aliased = (responseKey: string, name: string, args: readonly string[] = []): string =>
  `${responseKey === name ? name : `${responseKey}: ${name}`}${args.length > 0 ? `(${args.join(', ')})` : ''}`;
