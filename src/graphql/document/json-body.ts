/** The JSON body of a request. A large body takes milliseconds to parse, so it is parsed once and uses the time slice of the turn. */
import { spend } from '../../scheduling/time-slices.ts';
import { checkNames } from './json-names.ts';

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
