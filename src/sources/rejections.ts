/** Rows and values of an export that cannot be loaded, with their place and the remedy. All are counted, the first are shown. */
import { OperatorError } from '../errors.ts';
import { printable } from '../printable.ts';

const longest = 60;

/** Text of a file as it may be shown: short, and without characters that a terminal obeys. */
export const shown = (text: string, length = 300): string => printable(text.length > length ? `${text.slice(0, length)}…` : text);

/** A value of a file, in quotes. */
export const quoted = (text: string): string => `"${shown(text, longest)}"`;

/** A value or a row that cannot be loaded. `reason` is the same for all of its kind; `value` is the text of the file. */
export class Rejection extends Error {
  readonly reason: string;
  readonly value: string | undefined;

  constructor(reason: string, value?: string) {
    super(reason);
    this.reason = reason;
    this.value = value;
  }
}

/** The position in an export. */
export interface Place {
  /** The name of the file, or of the query. */
  readonly file: string;
  /** The line of the file or the number of the row, counted from 1. */
  readonly line?: number;
  readonly column?: string;
}

/** Equal rejections of one column. */
export interface RejectionCount {
  readonly file: string;
  readonly column: string | undefined;
  readonly reason: string;
  count: number;
  readonly examples: { readonly line: number | undefined; readonly value: string | undefined }[];
}

const examplesKept = 3;
const kindsKept = 500;

const words = ({ file, line, column }: Place): string =>
  [shown(file), ...(line === undefined ? [] : [`line ${line}`]), ...(column === undefined ? [] : [`column ${shown(column)}`])].join(', ');

/** Collects rejections. They are grouped, so that their number does not matter. */
export class Rejections {
  readonly #kinds = new Map<string, RejectionCount>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The kinds, the most frequent first. */
  get kinds(): readonly RejectionCount[] {
    return [...this.#kinds.values()].sort((a, b) => b.count - a.count);
  }

  add({ file, line, column }: Place, { reason, value }: Pick<Rejection, 'reason' | 'value'>): void {
    this.#count++;
    const kind = `${file}\0${column ?? ''}\0${reason}`;
    let known = this.#kinds.get(kind);
    if (!known) {
      if (this.#kinds.size >= kindsKept) return;
      known = { file, column, reason, count: 0, examples: [] };
      this.#kinds.set(kind, known);
    }
    known.count++;
    if (known.examples.length < examplesKept) known.examples.push({ line, value });
  }

  /** One line for each kind, with its first place and its number. */
  lines(max = 20): string[] {
    const kinds = this.kinds;
    const lines = kinds.slice(0, max).map(({ file, column, reason, count, examples: [first] }) => {
      const place = words({ file, ...(first?.line !== undefined && { line: first.line }), ...(column !== undefined && { column }) });
      const value = first?.value === undefined ? '' : `${quoted(first.value)} `;
      return `${place}: ${value}${reason}${count > 1 ? ` (${count.toLocaleString('en')} such values)` : ''}`;
    });
    return kinds.length > max ? [...lines, `… and ${kinds.length - max} more kinds of errors`] : lines;
  }

  /** Throws an `OperatorError` if there is one. */
  throwIfAny(): void {
    if (this.#count === 0) return;
    throw new OperatorError([...this.lines(), `${this.#count.toLocaleString('en')} errors; nothing was changed.`].join('\n'));
  }
}
