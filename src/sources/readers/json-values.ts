/**
 * A strict reader of JSON objects as rows. Nested objects become columns such as `address.city`, and lists stay JSON.
 *
 * `JSON.parse` keeps the last of two members with one name, and 53 bits of a number. This reader refuses the former and keeps all digits.
 */
import { withoutExponent } from '../columns/numbers.ts';
import { type Cell, PlainText } from '../source-rows.ts';

export type Values = Map<string, Cell>;

const string = '"([^"\\\\\\u0000-\\u001f]*(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\\\\u0000-\\u001f]*)*)"';
const number = '(-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)';
const token = new RegExp(`[ \\t\\r\\n]*(?:${string}|${number}|(true|false|null)|([{}[\\],:]))`, 'y');
const blanks = /[ \t\r\n]*/y;

interface Token {
  readonly text?: string;
  readonly number?: string;
  readonly word?: string;
  readonly mark?: string;
}

const textOf = (raw: string): string => {
  const text = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
  if (/\p{Surrogate}/u.test(text)) throw new SyntaxError('a text has half of a surrogate pair');
  return text;
};

/** Reads values from the start of a text on. Throws a `SyntaxError` without the text of the file. */
export class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #next(): Token {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text);
    if (!found) throw new SyntaxError(`position ${this.#at + 1} is not as JSON requires`);
    this.#at = token.lastIndex;
    const [, text, digits, word, mark] = found;
    if (text !== undefined) return { text: textOf(text) };
    if (digits !== undefined) return { number: digits };
    return word === undefined ? { mark: mark as string } : { word };
  }

  #expect(mark: string): void {
    if (this.#next().mark !== mark) throw new SyntaxError(`position ${this.#at} is not as JSON requires: there must be ${mark}`);
  }

  /** Whether the next token is this mark; then it is read. */
  #skip(mark: string): boolean {
    const before = this.#at;
    if (this.#next().mark === mark) return true;
    this.#at = before;
    return false;
  }

  /** Elements until the closing mark, separated by commas. */
  #elements(close: string, read: () => void): void {
    if (this.#skip(close)) return;
    for (;;) {
      read();
      if (this.#skip(close)) return;
      this.#expect(',');
    }
  }

  #value(name: string, values: Values | undefined): void {
    const { text, number: digits, word, mark } = this.#next();
    const set = (cell: Cell) => {
      if (values?.has(name)) throw new SyntaxError(`the member ${JSON.stringify(name)} is there twice`);
      values?.set(name, cell);
    };
    if (text !== undefined) set(text);
    else if (digits !== undefined) set(new PlainText(withoutExponent(digits)));
    else if (word !== undefined) set(word === 'null' ? null : word === 'true');
    else if (mark === '{') this.#members(values, `${name}.`);
    else if (mark === '[') {
      const start = this.#at - 1;
      this.#elements(']', () => this.#value('', undefined));
      set(this.#text.slice(start, this.#at));
    } else throw new SyntaxError(`position ${this.#at} is not as JSON requires: there must be a value`);
  }

  #members(values: Values | undefined, prefix: string): void {
    this.#elements('}', () => {
      const { text } = this.#next();
      if (text === undefined) throw new SyntaxError(`position ${this.#at} is not as JSON requires: there must be the name of a member`);
      this.#expect(':');
      this.#value(`${prefix}${text}`, values);
    });
  }

  #object(): Values {
    if (!this.#skip('{')) throw new SyntaxError('it is no object');
    const values: Values = new Map();
    this.#members(values, '');
    return values;
  }

  #end(): void {
    blanks.lastIndex = this.#at;
    blanks.exec(this.#text);
    if (blanks.lastIndex < this.#text.length) throw new SyntaxError(`position ${blanks.lastIndex + 1} is not as JSON requires`);
  }

  /** The object that the text is. */
  object(): Values {
    const values = this.#object();
    this.#end();
    return values;
  }

  /** The objects of the list that the text is. */
  *list(): Generator<Values> {
    if (!this.#skip('[')) throw new SyntaxError('it is no list of objects');
    if (!this.#skip(']'))
      for (;;) {
        yield this.#object();
        if (this.#skip(']')) break;
        this.#expect(',');
      }
    this.#end();
  }
}
