/**
 * The names of tables on a server that has them under names of its own, such as a node of Citus (`cluster/placements.ts`).
 *
 * Statements are written for the names of the catalogue. A lease says for how long a connection has other names. A statement that is not
 * translated has the same answer, because the node knows the names of the catalogue, too. It only takes longer.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** The text of a statement, and its name on the server; the name is empty or absent if the server plans the statement each time. */
export interface NamedText {
  readonly text: string;
  readonly name?: string;
}

const mebibyte = 2 ** 20;
/** Translated statements of all customers, by the names and the name of the statement. */
const translated = new LRUCache<string, NamedText>({ maxSize: 8 * mebibyte, sizeCalculation: ({ text }, key) => text.length + key.length });

/**
 * A qualified name in a statement. Values are bound, so the text of a statement has no other quotes. The text is translated and not the query
 * that it was made from: it is made once for all customers and servers, and many texts are written by hand.
 */
const qualifiedName = /"(?:[^"]|"")+"\."(?:[^"]|"")+"/g;

let created = 0;

/** Qualified names of the catalogue, and those of the same tables on a server. */
export class TableNames {
  readonly #names: ReadonlyMap<string, string>;
  readonly #id = ++created;

  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
  }

  of(qualified: string): string {
    return this.#names.get(qualified) ?? qualified;
  }

  translate(text: string): string {
    return text.replaceAll(qualifiedName, (name) => this.of(name));
  }

  /** Translates a statement. Its name follows from its text, so that a name never has two texts. */
  statement({ text, name = '' }: NamedText): NamedText {
    if (name === '') return { text: this.translate(text), name };
    const key = `${this.#id} ${name}`;
    const known = translated.get(key);
    if (known) return known;
    const own = this.translate(text);
    const made = { text: own, name: `n_${createHash('sha256').update(own).digest('base64url').slice(0, 24)}` };
    translated.set(key, made);
    return made;
  }
}
