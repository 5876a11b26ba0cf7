/**
 * What can be wrong with a parameter, in words, and how it is told (contract: wrong parameters; repeated and unknown parameters;
 * problem documents).
 */
import { ApiError } from '../errors.ts';

export const violations = {
  missing: 'Field required',
  noInteger: 'Input should be a valid integer, unable to parse string as an integer',
  noInstant: 'Input should be a valid ISO 8601 date or date and time',
  below: (least: number) => `Input should be greater than or equal to ${least}`,
  above: (most: number) => `Input should be less than or equal to ${most}`,
} as const;

/** The sentence about one parameter of a query string. */
export const faultOf = (parameter: string, violation: string): string => `query -> ${parameter}: ${violation}`;

/** Collects what is wrong with a query string, so that one answer names every wrong parameter. */
export class ParameterFaults {
  readonly #messages: string[] = [];

  add(parameter: string, violation: string): void {
    this.#messages.push(faultOf(parameter, violation));
  }

  /** Throws a 422 that names every fault, if there is one. */
  throwIfAny(): void {
    if (this.#messages.length > 0) throw new ApiError('invalidParameter', this.#messages.join('; '));
  }
}
