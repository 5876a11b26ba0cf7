/**
 * Answers that are kept as the bytes that were sent, for as long as the tables that they were made of stand at the same versions.
 *
 * Data changes only by loads, which make new versions, and a lease (`versions.ts`) makes it sure which versions are current. So
 * an answer is kept under the versions of the very data that it shows, and given again only while those are known to stand;
 * otherwise the question is answered as if it had never been asked.
 */
import { LRUCache } from 'lru-cache';
import type { DatasetKind } from '../database/control.ts';
import { remembered } from '../metrics.ts';
import { lengthOf } from './buffer-pool.ts';
import { KeptBytes, type Lent } from './kept-bytes.ts';
import { SeenLately } from './seen-lately.ts';
import type { States, Versions } from './versions.ts';

/** A table of the customer that an answer was made of. */
export interface TableName {
  readonly kind: DatasetKind;
  readonly name: string;
}

/** Such a table at the version that the answer shows. */
export interface TableVersion extends TableName {
  readonly version: number;
}

/** An answer; `About` is what its headers are made of. */
export interface Answer<About> {
  readonly chunks: readonly Buffer[];
  readonly about: About;
  /** Rows that are counted when it is sent. */
  readonly rows: number;
}

/** Compressed forms of a body by coding, made when they are first asked for. */
export interface Forms {
  get(coding: string): Buffer | undefined;
  set(coding: string, bytes: Buffer): void;
}

/** A kept answer, lent, and the states of the customer's tables at which it was found to be current. */
export interface Found<About> extends Answer<About>, Lent {
  readonly forms: Forms;
  readonly states: States;
}

/** Larger answers are not kept, nor are their compressed forms. */
const largestAnswer = 2 ** 20;
/** What an answer takes beside its bytes, about. */
const overhead = 1_024;
/** For the questions that were answered lately, of all customers together, in characters. */
const mostRemembered = 2 * 2 ** 20;

/** An answer in its store, which holds its bytes until `release`. */
interface Entry extends Pick<Lent, 'release'> {
  readonly bytes: KeptBytes;
  readonly about: unknown;
  readonly rows: number;
  readonly madeOf: readonly TableVersion[];
  readonly forms: Forms;
}

type Store = LRUCache<string, Entry>;

/** Two bytes a character, if it has others than Latin ones. */
const sizeOfText = ({ length }: string): number => 2 * length;

const sizeOf = ({ bytes, forms }: Entry, question: string): number =>
  overhead + sizeOfText(question) + bytes.size + (forms.get('br')?.length ?? 0) + (forms.get('gzip')?.length ?? 0);

/** Bytes that hold no more memory than their length: small buffers are slices of larger ones. */
const own = (bytes: Buffer): Buffer => {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
};

/** Of an answer that is not kept. */
const noForms: Forms = { get: () => undefined, set: () => {} };

/** All that an answer without tables asks of the data. */
const nothing: States = { get: () => undefined };

const versionIn = (states: States, { kind, name }: TableName): number => states.get(kind, name)?.version ?? 0;

export class KeptAnswers {
  readonly #versions: Versions;
  readonly #maxBytes: number;
  /** The answers of each customer, the one used longest ago first to go. */
  readonly #stores = new Map<number, Store>();
  /** Questions that were answered lately, whether or not the answer was kept. */
  readonly #answered = new SeenLately(mostRemembered);
  #bytes = 0;

  /** Keeps up to `maxBytes` for all customers together; none at all if that is 0. */
  constructor(versions: Versions, maxBytes: number) {
    this.#versions = versions;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The answer to a customer's question, if it is kept and shows the present data. A question names all that its answer follows
   * from, but for the data; `states` are those that the caller knows by now.
   */
  async find<About>(customerId: number, question: string, states?: States): Promise<Found<About> | undefined> {
    const first = this.#stores.get(customerId)?.get(question);
    const current = first && (first.madeOf.length === 0 ? nothing : (states ?? (await this.states(customerId))));
    // It may have gone while the states were asked for.
    const entry = current && this.#stores.get(customerId)?.peek(question);
    const isCurrent = entry?.madeOf.every((table) => versionIn(current!, table) === table.version) ?? false;
    remembered.answers[isCurrent ? 'hit' : 'miss']++;
    if (!entry) return undefined;
    if (isCurrent) {
      const { about, rows, forms } = entry;
      const { chunks, release } = entry.bytes.lend();
      return { chunks, release, about: about as About, rows, forms, states: current! };
    }
    this.#change(customerId, (answers) => answers.delete(question));
    return undefined;
  }

  /**
   * Whether to keep the answer to a question, of so many bytes. Once memory is full, the customer who holds the most makes room from
   * their own answers, and what is asked for the first time, which a nightly copy of a table asks page by page, is not worth one.
   */
  isWorthKeeping(customerId: number, question: string, length: number): boolean {
    if (length > largestAnswer || this.#maxBytes === 0) return false;
    const isAgain = this.#answered.see(`${customerId} ${question}`);
    const isFull = this.#bytes + overhead + sizeOfText(question) + length > this.#maxBytes;
    return isAgain || !isFull || this.#richest() !== customerId;
  }

  /** Keeps a copy of an answer that shows these versions, which its own snapshot told; gives back where its compressed forms go. */
  keep<About>(customerId: number, question: string, { chunks, about, rows }: Answer<About>, madeOf: readonly TableVersion[]): Forms {
    if (lengthOf(chunks) > largestAnswer || this.#maxBytes === 0) return noForms;
    const bytes = new KeptBytes(chunks);
    const made = new Map<string, Buffer>();
    const forms: Forms = {
      get: (coding) => made.get(coding),
      set: (coding, form) => {
        if (this.#stores.get(customerId)?.peek(question)?.bytes !== bytes) return;
        made.set(coding, own(form));
        this.#store(customerId, question, entry);
      },
    };
    const entry = { bytes, about, rows, madeOf, forms };
    this.#store(customerId, question, entry);
    return forms;
  }

  /**
   * Keeps an answer that was read in more than one snapshot, if its tables stand at the versions at which they stood `before`
   * anything was read; then they did all the while, since versions only grow.
   */
  async keepUnchanged<About>(
    customerId: number,
    question: string,
    answer: Answer<About>,
    { tables, before }: { readonly tables: readonly TableName[]; readonly before: States | undefined },
  ): Promise<void> {
    if (!before || !this.isWorthKeeping(customerId, question, lengthOf(answer.chunks))) return;
    const after = await this.states(customerId);
    if (!after || tables.some((table) => versionIn(before, table) !== versionIn(after, table))) return;
    const madeOf = tables.map((table) => ({ ...table, version: versionIn(after, table) }));
    this.keep(customerId, question, answer, madeOf);
  }

  /** The states of the customer's tables as far as they are sure now; undefined if nothing is kept at all. */
  async states(customerId: number): Promise<States | undefined> {
    return this.#maxBytes > 0 ? this.#versions.leased(customerId) : undefined;
  }

  /** Anew, if it is there already: only what is set anew is measured anew. */
  #store(customerId: number, question: string, entry: Omit<Entry, 'release'>): void {
    const store =
      this.#stores.get(customerId) ??
      new LRUCache<string, Entry>({ maxSize: this.#maxBytes, sizeCalculation: sizeOf, dispose: ({ release }) => release() });
    this.#stores.set(customerId, store);
    const { release } = entry.bytes.lend();
    this.#change(customerId, (answers) => answers.set(question, { release, ...entry }));
    while (this.#bytes > this.#maxBytes) this.#change(this.#richest(), (answers) => answers.pop());
  }

  /** The customer whose answers take the most, so that nobody's can drive out all others'. */
  #richest(): number {
    let [richest, most] = [0, 0];
    for (const [customerId, { calculatedSize }] of this.#stores) if (calculatedSize > most) [richest, most] = [customerId, calculatedSize];
    return richest;
  }

  #change(customerId: number, change: (answers: Store) => void): void {
    const answers = this.#stores.get(customerId);
    if (!answers) return;
    const before = answers.calculatedSize;
    change(answers);
    this.#bytes += answers.calculatedSize - before;
    if (answers.size === 0) this.#stores.delete(customerId);
  }
}
