/** Errors in delivered files, with file, line and column. The first ones are shown, all are counted. */
import { OperatorError } from '../../errors.ts';

/** The maximum number of errors to show. */
export const defectsShown = 20;

/** The position in a file; `column` only if a single value is wrong. */
export interface Place {
  readonly file: string;
  /** Counted from 1, including the header; absent if unknown. */
  readonly line?: number;
  readonly column?: string;
}

const words = ({ file, line, column }: Place) =>
  `${file}${line === undefined ? '' : `, line ${line}`}${column === undefined ? '' : `, column ${column}`}`;

export class Defects {
  readonly #lines: string[] = [];
  #count = 0;

  add(place: Place, what: string): void {
    const line = `${words(place)}: ${what}`;
    if (this.#lines.includes(line)) return;
    this.#count++;
    if (this.#lines.length < defectsShown) this.#lines.push(line);
  }

  /** Adds errors that were only counted. */
  addUnseen(count: number): void {
    this.#count += count;
  }

  /** Throws an `OperatorError` with the first errors and the number of the rest, if there are any. */
  throwIfAny(): void {
    if (this.#count === 0) return;
    const rest = this.#count - this.#lines.length;
    throw new OperatorError([...this.#lines, ...(rest > 0 ? [`… and ${rest.toLocaleString('en')} more errors`] : [])].join('\n'));
  }
}
