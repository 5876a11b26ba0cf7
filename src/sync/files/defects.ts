/** Errors in delivered data, with file, line and column. The first ones are shown, all are counted. */
import { OperatorError } from '../../errors.ts';
import { printable } from '../../printable.ts';

/** The maximum number of errors to show. */
export const defectsShown = 20;

/** The position in a file; `column` only if a single value is wrong. */
export interface Place {
  readonly file: string;
  /** Counted from 1, including the header; absent if unknown. */
  readonly line?: number | undefined;
  readonly column?: string | undefined;
}

const longestShown = 40;

/** A value in a message: quoted, shortened and safe on a terminal. */
export const shown = (text: string): string => {
  const short = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return `"${printable(short.replaceAll(/["\\]/g, '\\$&'))}"`;
};

const words = ({ file, line, column }: Place) =>
  printable(`${file}${line === undefined ? '' : `, line ${line}`}${column === undefined ? '' : `, column ${column}`}`);

export class Defects {
  readonly #lines: string[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(place: Place, what: string): void {
    if (this.#lines.length >= defectsShown) {
      this.#count++;
      return;
    }
    const line = `${words(place)}: ${printable(what)}`;
    if (this.#lines.includes(line)) return;
    this.#count++;
    this.#lines.push(line);
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
