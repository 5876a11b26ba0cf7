/**
 * The JSON body of a request. A large body takes milliseconds to parse, so it is parsed once and uses the time slice of the turn.
 *
 * Its property names are counted before the parser sees them (contract: document limits). The parser creates names outside of the young
 * generation of the heap, where garbage costs every request of the process. The valid names are those of the schema and of the request's
 * variables.
 */
import { spend } from '../../scheduling/time-slices.ts';
import { exceeds, limits } from './limits.ts';

/** A name takes at least five characters with its quotes, its colon and a value, so a shorter text is within the limits. */
const shortText = 5 * limits.names;

/** The position of the quote that ends a string; negative if there is none. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first > start && text[first - 1] === '\\') first--;
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
};

const isSpace = (letter: string | undefined): boolean => letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t';

const isBeforeColon = (text: string, end: number): boolean => {
  let next = end + 1;
  while (isSpace(text[next])) next++;
  return text[next] === ':';
};

/**
 * Throws `limitExceeded` for a text with too many different names, or with names that are too long together. Ends early for a text with more
 * names or string values than the variables may have, so that its cost is bounded.
 */
export const checkNames = (text: string): void => {
  if (text.length <= shortText) return;
  const different = new Set<string>();
  let [names, values, letters] = [0, 0, 0];
  for (let start = text.indexOf('"') + 1; start > 0; ) {
    const end = endOfString(text, start);
    // The parser refuses such a text.
    if (end < 0) return;
    if (!isBeforeColon(text, end)) values++;
    else {
      names++;
      if (end - start > limits.letters) throw exceeds('letters', end - start);
      const name = text.slice(start, end);
      if (!different.has(name)) {
        different.add(name);
        letters += name.length;
      }
    }
    if (different.size > limits.names) throw exceeds('names', different.size);
    if (letters > limits.letters) throw exceeds('letters', letters);
    if (Math.max(names, values) > limits.inputs) throw exceeds('inputs', Math.max(names, values));
    start = text.indexOf('"', end + 1) + 1;
  }
};

type Parsed = { readonly value: unknown } | { readonly error: unknown };

const parse = (text: string): Parsed => {
  try {
    checkNames(text);
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error };
  }
};

export class JsonBody {
  readonly text: string;
  #parsed: Parsed | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The value of the body. Throws a `SyntaxError` if the body is not JSON, and `limitExceeded` for too many property names. */
  parse(): unknown {
    this.#parsed ??= spend(() => parse(this.text));
    if ('error' in this.#parsed) throw this.#parsed.error;
    return this.#parsed.value;
  }
}
