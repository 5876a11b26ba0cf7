/**
 * A strict reader of JSON objects as rows. Nested objects become columns such as `address.city`, and lists stay JSON.
 *
 * `JSON.parse` keeps the last of two members with one name, and 53 bits of a number. This reader refuses the former and keeps all digits.
 */
import { type PlainCell, PlainText } from '../cells.ts';
import { withoutExponent } from './decimal-text.ts';

export type JsonMembers = Map<string, PlainCell>;

/** The text has another form. The message names no text of the file. */
export class NoRow extends Error {
  /** The member whose value is wrong. */
  readonly member: string | undefined;

  constructor(what: string, member?: string) {
    super(what);
    this.member = member;
  }
}

const string = '"([^"\\\\\\u0000-\\u001f]*(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\\\\u0000-\\u001f]*)*)"';
const number = '(-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)';
const space = '[ \\t\\r\\n]*';
const blanks = new RegExp(space, 'y');
const namePattern = new RegExp(`${string}${space}:${space}`, 'y');
/** A value, or the mark that begins one. */
const valuePattern = new RegExp(`(?:${string}|${number}|(true|false|null)|([{[]))${space}`, 'y');

const loneSurrogate = /\p{Surrogate}/u;
export const isWellFormed = (text: string): boolean => !loneSurrogate.test(text);

/** Reads values from the start of a text on. Throws a `NoRow`. */
export class JsonReader {
  readonly #text: string;
  readonly #isFlat: boolean;
  #at = 0;

  /** `isFlat`: the values of an object are no objects and no lists. */
  constructor(text: string, isFlat = false) {
    this.#text = text;
    this.#isFlat = isFlat;
  }

  #broken(at = this.#at): NoRow {
    return new NoRow(`it is no JSON: position ${at + 1} is not as JSON requires`);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  /** Reads a mark and the blanks after it, if it is there. */
  #skip(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at++;
    this.#match(blanks);
    return true;
  }

  /** Whether another element follows; otherwise the end has been read. */
  #continues(end: string): boolean {
    if (this.#skip(',')) return true;
    if (this.#skip(end)) return false;
    throw this.#broken();
  }

  #textOf(raw: string): string {
    const text = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
    if (!isWellFormed(text)) throw new NoRow('a \\u escape is half of a surrogate pair');
    return text;
  }

  #value(name: string, values: JsonMembers | undefined): void {
    const start = this.#at;
    const found = this.#match(valuePattern);
    if (!found) throw this.#broken();
    const [, text, digits, word, mark] = found;
    if (mark !== undefined && this.#isFlat) throw new NoRow('an object or a list is no value of a column', name);
    if (mark === '{') {
      this.#members(values, `${name}.`);
      return;
    }
    let cell: PlainCell;
    if (text !== undefined) cell = this.#textOf(text);
    else if (digits !== undefined) cell = new PlainText(withoutExponent(digits));
    else if (word !== undefined) cell = word === 'null' ? null : word === 'true';
    else {
      if (!this.#skip(']')) for (let more = true; more; more = this.#continues(']')) this.#value('', undefined);
      cell = this.#text.slice(start, this.#at).trimEnd();
    }
    if (values?.has(name)) throw new NoRow('the object has this member twice', name);
    values?.set(name, cell);
  }

  /** The members of an object after its brace. */
  #members(values: JsonMembers | undefined, prefix: string): void {
    if (this.#skip('}')) return;
    for (let more = true; more; more = this.#continues('}')) {
      const name = this.#match(namePattern);
      if (!name) throw this.#broken();
      this.#value(`${prefix}${this.#textOf(name[1] as string)}`, values);
    }
  }

  #object(): JsonMembers {
    if (!this.#skip('{')) throw new NoRow('it is no object');
    const values: JsonMembers = new Map();
    this.#members(values, '');
    return values;
  }

  #end(): void {
    if (this.#at < this.#text.length) throw this.#broken();
  }

  /** The object that the text is; undefined if it is blank. */
  object(): JsonMembers | undefined {
    this.#match(blanks);
    if (this.#at === this.#text.length) return undefined;
    const values = this.#object();
    this.#end();
    return values;
  }

  /** The objects of the list that the text is. */
  *list(): Generator<JsonMembers> {
    this.#match(blanks);
    if (!this.#skip('[')) throw new NoRow('it is no list of objects');
    if (!this.#skip(']')) for (let more = true; more; more = this.#continues(']')) yield this.#object();
    this.#end();
  }
}
