/** Rows and values of a delivery that cannot be loaded, with their place and the remedy. All are counted, the first are shown. */
import { type ErrorText, OperatorError, onEachSurface, type Surface, textFor } from '../../errors.ts';
import { printable } from '../../printable.ts';

const longest = 60;

/** How many lines a message has at most. */
export const rejectionsShown = 20;

/** Text of a file as it may be shown: short, and without characters that a terminal obeys. */
export const shown = (text: string, length = 300): string => printable(text.length > length ? `${text.slice(0, length)}…` : text);

/** A value of a file, in quotes. */
export const quoted = (text: string): string => `"${shown(text, longest).replaceAll('"', '\\"')}"`;

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

/** Why a row cannot be loaded, as plain data. */
export interface Reason {
  readonly column?: string | undefined;
  readonly reason: string;
  readonly value?: string | undefined;
  /** What the message says in place of the reason. It may differ within a kind. */
  readonly words?: string | undefined;
}

/** The position in a delivery. */
export interface DeliveryPlace {
  /** The name of the file, or of the query. */
  readonly file: string;
  /** The line of the file or the number of the row, counted from 1. */
  readonly line?: number | undefined;
  readonly column?: string | undefined;
}

/** Equal rejections of one column. */
export interface RejectionCount {
  readonly file: string;
  readonly column: string | undefined;
  readonly reason: ErrorText;
  /** The error of a whole table, in words of its own. */
  readonly isOfTable: boolean;
  count: number;
  /** Rows that are not loaded because they refer to these rows. */
  dependants: number;
  readonly examples: { readonly line: number | undefined; readonly value: string | undefined; readonly words: string | undefined }[];
}

const examplesKept = 3;
const kindsKept = 500;

const number = (value: number): string => value.toLocaleString('en');

/** A place in words: `objekte.csv, line 4, column Ort → city`. */
export const placeInWords = ({ file, line, column }: DeliveryPlace): string =>
  [shown(file), ...(line === undefined ? [] : [`line ${line}`]), ...(column === undefined ? [] : [`column ${shown(column)}`])].join(', ');

/** A reason in words: `"12x" is no number`. */
export const reasonInWords = ({ reason, value, words }: Omit<Reason, 'column'>): string =>
  `${value === undefined ? '' : `${quoted(value)} `}${printable(words ?? reason)}`;

const dependantsInWords = ({ count, dependants }: RejectionCount): string => {
  if (dependants === 0) return '';
  const they = count === 1 ? 'it' : 'them';
  return `; ${number(dependants)} ${dependants === 1 ? `row refers to ${they}` : `rows refer to ${they}`}`;
};

const lineOf = (kind: RejectionCount, surface: Surface): string => {
  const { file, column, count, examples } = kind;
  const reason = textFor(surface, kind.reason);
  if (kind.isOfTable) return `${reason}${dependantsInWords(kind)}`;
  const [first] = examples;
  const such = count > 1 ? ` (${number(count)} such values)` : '';
  return `${placeInWords({ file, line: first?.line, column })}: ${reasonInWords({ reason, value: first?.value, words: first?.words })}${such}${dependantsInWords(kind)}`;
};

/**
 * Collects rejections. Those of a source are grouped by kind, because a rule of the source is their cause. Those of a plain file are shown
 * each, because a person corrects the file.
 */
export class Rejections {
  readonly #isGrouped: boolean;
  readonly #kinds = new Map<string, RejectionCount>();
  /** Rejections of rows, and errors of whole tables. */
  #count = 0;
  #tables = 0;

  constructor(shownAs: 'kinds' | 'each' = 'kinds') {
    this.#isGrouped = shownAs === 'kinds';
  }

  get count(): number {
    return this.#count + this.#tables;
  }

  /** The kinds: those that other rows depend on first, then the most frequent. */
  get kinds(): readonly RejectionCount[] {
    return [...this.#kinds.values()].sort((a, b) => b.dependants - a.dependants || b.count - a.count);
  }

  /** Adds a rejection, and gives its kind; undefined if there are too many kinds. */
  add(
    { file, line, column }: DeliveryPlace,
    { reason, value, words }: Pick<Reason, 'value' | 'words'> & Pick<RejectionCount, 'reason'>,
  ): RejectionCount | undefined {
    const name = `${file}\0${column ?? ''}\0${textFor('commandLine', reason)}${this.#isGrouped ? '' : `\0${line}\0${value}`}`;
    let known = this.#kinds.get(name);
    // The same error of one place is one.
    if (known && !this.#isGrouped) return known;
    this.#count++;
    if (!known) {
      if (this.#kinds.size >= (this.#isGrouped ? kindsKept : rejectionsShown)) return undefined;
      known = { file, column, reason, isOfTable: false, count: 0, dependants: 0, examples: [] };
      this.#kinds.set(name, known);
    }
    known.count++;
    if (known.examples.length < examplesKept) known.examples.push({ line, value, words });
    return known;
  }

  /** Adds rejections that were only counted. */
  addUnseen(count: number): void {
    this.#count += count;
  }

  /** Adds the error of a whole table, which names its place itself. */
  addTable(table: string, reason: ErrorText): RejectionCount {
    const kind = { file: table, column: undefined, reason, isOfTable: true, count: 1, dependants: 0, examples: [] };
    this.#kinds.set(`${table}\0`, kind);
    this.#tables++;
    return kind;
  }

  /** Takes over the rejections of another collection. */
  take(other: Rejections): void {
    for (const [name, kind] of other.#kinds) this.#kinds.set(name, kind);
    this.#count += other.#count;
  }

  /** One line for each kind, with its first place and its number. */
  lines(max = rejectionsShown, surface: Surface = 'commandLine'): string[] {
    const kinds = this.kinds;
    const lines = kinds.slice(0, max).map((kind) => lineOf(kind, surface));
    const rest = (this.#isGrouped ? kinds.length : this.#count) - lines.length;
    return rest > 0 ? [...lines, `… and ${number(rest)} more ${this.#isGrouped ? 'kinds of errors' : 'errors'}`] : lines;
  }

  /** Throws an `OperatorError` if there is one. */
  throwIfAny(): void {
    if (this.count === 0) return;
    const errors = this.count === 1 ? '1 error' : `${number(this.count)} errors`;
    const summary = this.#count === 0 || !this.#isGrouped ? [] : [`${errors}; nothing was changed.`];
    throw new OperatorError(onEachSurface((surface) => [...this.lines(rejectionsShown, surface), ...summary].join('\n')));
  }
}
