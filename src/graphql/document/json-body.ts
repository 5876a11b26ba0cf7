/** The JSON body of a request. A large body takes milliseconds to parse, so it is parsed once and uses the time slice of the turn. */
import { spend } from '../../scheduling/time-slices.ts';

export class JsonBody {
  readonly text: string;
  #parsed: { readonly value: unknown } | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The value of the body. Throws a `SyntaxError` if the body is not JSON. */
  parse(): unknown {
    this.#parsed ??= { value: spend(() => JSON.parse(this.text)) };
    return this.#parsed.value;
  }
}
