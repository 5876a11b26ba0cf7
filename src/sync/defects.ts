/** What is wrong with delivered files: every defect with file, line and column; a few are shown, all are counted. */
import { OperatorError } from '../errors.ts';

/** How many are shown. */
export const defectsShown = 20;

/** Where in which file; `column` only where one value is at fault. */
export interface Place {
  readonly file: string;
  /** Counted from 1, the header included; absent where it is not known. */
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

  /** Counts defects that nobody looked at one by one. */
  addUnseen(count: number): void {
    this.#count += count;
  }

  /** Throws an `OperatorError` that shows the first ones and counts the rest, if there are any. */
  throwIfAny(): void {
    if (this.#count === 0) return;
    const rest = this.#count - this.#lines.length;
    throw new OperatorError([...this.#lines, ...(rest > 0 ? [`… and ${rest.toLocaleString('en')} more faults`] : [])].join('\n'));
  }
}
