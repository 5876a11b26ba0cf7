/**
 * The JSON body of a request. A large body takes milliseconds to parse, so it is parsed once and uses the time slice of the turn.
 *
 * Its strings, property names, objects and values are counted before the parser sees them (contract: document limits). The parser creates
 * names and long strings outside of the young generation of the heap, where garbage costs every request of the process. The valid names are
 * those of the schema and of the request's variables.
 */
import { spend } from '../../scheduling/time-slices.ts';
import { exceeds, type Limit, limits } from './limits.ts';

/** A name takes at least five characters with its quotes, colon and value, and an object three. A shorter text is within the limits. */
const shortText = Math.min(5 * limits.names, 3 * limits.objects);
/** The values of a body besides those of its variables: the body, its members and their content. */
const ownValues = 10;

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

class Counts {
  readonly #names = new Set<string>();
  #occurrences = 0;
  #letters = 0;
  #objects = 0;
  #values = 0;

  addName(name: string): void {
    // In JSON, each name has a value. Other texts are refused here or by the parser.
    this.#check('inputs', ++this.#occurrences - ownValues);
    // A long name is not hashed.
    this.#check('letters', name.length);
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.#letters += name.length;
    this.#check('names', this.#names.size);
    this.#check('letters', this.#letters);
  }

  addValue(): void {
    this.#check('inputs', ++this.#values - ownValues);
  }

  addObject(): void {
    this.#check('objects', ++this.#objects);
    this.addValue();
  }

  /** Counts the lists, objects, numbers and words between two strings. */
  addBetween(text: string, start: number, end: number): void {
    let isInWord = false;
    for (let at = start; at < end; at++) {
      const letter = text[at];
      if (letter === '{') this.addObject();
      else if (letter === '[') this.addValue();
      else if (letter !== ',' && letter !== ':' && letter !== ']' && letter !== '}' && !isSpace(letter)) {
        if (!isInWord) this.addValue();
        isInWord = true;
        continue;
      }
      isInWord = false;
    }
  }

  #check(limit: Limit, count: number): void {
    if (count > limits[limit]) throw exceeds(limit, count);
  }
}

/**
 * Throws `limitExceeded` for a text that exceeds the limits of a body. Ends at the first limit, so that the cost of the check is bounded. A
 * text that is not JSON is left to the parser.
 */
export const checkBody = (text: string): void => {
  if (text.length <= shortText) return;
  const counts = new Counts();
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    counts.addBetween(text, at, quote < 0 ? text.length : quote);
    if (quote < 0) return;
    const end = endOfString(text, quote + 1);
    const length = (end < 0 ? text.length : end) - quote - 1;
    if (length > limits.text) throw exceeds('text', length);
    if (end < 0) return;
    if (isBeforeColon(text, end)) counts.addName(text.slice(quote + 1, end));
    else counts.addValue();
    at = end + 1;
  }
};

type Parsed = { readonly value: unknown } | { readonly error: unknown };

const parse = (text: string): Parsed => {
  try {
    checkBody(text);
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

  /** The value of the body. Throws a `SyntaxError` if the body is not JSON, and `limitExceeded` if it exceeds a limit. */
  parse(): unknown {
    this.#parsed ??= spend(() => parse(this.text));
    if ('error' in this.#parsed) throw this.#parsed.error;
    return this.#parsed.value;
  }
}
