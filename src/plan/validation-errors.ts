/** Messages about invalid parameters (contract: wrong parameters; repeated and unknown parameters; problem documents). */
import { ApiError } from '../errors.ts';

export const validationTexts = {
  missing: 'Field required',
  noInteger: 'Input should be a valid integer, unable to parse string as an integer',
  noInstant: 'Input should be a valid ISO 8601 date or date and time',
  noneOf: (values: readonly string[]) => `Input should be ${values.map((value) => `'${value}'`).join(' or ')}`,
  below: (min: number) => `Input should be greater than or equal to ${min}`,
  above: (max: number) => `Input should be less than or equal to ${max}`,
} as const;

/**
 * Limits of one response: errors, unknown names per error, and characters of a name, of the list of valid names, and of an error. `all`
 * limits the bytes of all errors.
 */
const max = { errors: 5, names: 3, name: 80, list: 1_500, error: 2_000, all: 14_000 } as const;

/** Truncates a text that is too long. */
export const clipped = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Quotes a part of the client's text, truncated. */
export const quotedValue = (text: string): string => `'${clipped(text, max.name)}'`;

/** The first names from the client's text, and the number of further names. */
export const firstNames = (names: readonly string[]): string => {
  const more = names.length - max.names;
  return names.slice(0, max.names).map(quotedValue).join(', ') + (more > 0 ? ` and ${more} more` : '');
};

/** The list of valid names, truncated. */
export const listOfNames = (names: readonly string[]): string => (names.length > 0 ? clipped(names.join(', '), max.list) : 'none');

/** The sentence about one parameter of a query string. */
export const validationMessage = (parameter: string, violation: string): string =>
  clipped(`query -> ${parameter}: ${violation}`, max.error);

/**
 * Collects the errors of a query string, so that one response names several invalid parameters. Errors beyond the limits are only counted.
 */
export class ParameterErrors {
  readonly #messages: string[] = [];
  #length = 0;
  #more = 0;

  add(parameter: string, violation: string): void {
    const message = validationMessage(parameter, violation);
    // Counts the bytes in the JSON of the response, where a control character takes six bytes.
    this.#length += Buffer.byteLength(JSON.stringify(message));
    const isShown = this.#messages.length < max.errors && this.#length <= max.all;
    if (isShown) this.#messages.push(message);
    else this.#more++;
  }

  /** All errors as one text; empty if there are none. */
  get detail(): string {
    const more = this.#more > 0 ? [`and ${this.#more} more`] : [];
    return [...this.#messages, ...more].join('; ');
  }

  /** Throws a 422 with all errors, if there are any. */
  throwIfAny(): void {
    if (this.#messages.length > 0) throw new ApiError('invalidParameter', this.detail);
  }
}
