/**
 * The response cache: bodies as they were sent, each stored with the versions of its tables.
 *
 * Only loads change data, and each load creates new versions. A version lease (`versions.ts`) guarantees that the known versions are
 * current. An entry is used only while its versions are the current ones; otherwise the response is read again.
 */
import { LRUCache } from 'lru-cache';
import { type CompressedForms, type Encoding, lengthOf, RefCountedBuffer, type RetainedBytes } from '../body.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import { cacheLookups } from '../metrics.ts';
import type { States } from './states.ts';
import type { Versions } from './versions.ts';

/** A table of the customer that a response depends on. */
export interface TableKey {
  readonly kind: DatasetKind;
  readonly name: string;
}

/** A table with the version that the response shows. */
export interface TableVersion extends TableKey {
  readonly version: number;
}

/** A response. `About` holds the values of its headers. */
export interface CacheableResponse<About> {
  readonly chunks: readonly Buffer[];
  readonly about: About;
  /** Rows that count towards usage when it is sent. */
  readonly rows: number;
}

/** A cached response with its buffers retained, and the states that confirmed it. */
export interface CacheHit<About> extends CacheableResponse<About>, RetainedBytes {
  readonly forms: CompressedForms;
  readonly states: States;
}

/** Larger responses are not cached, and neither are larger compressed bodies. */
const largestResponse = 2 ** 20;
/** Approximate bytes of an entry besides its body. */
const overhead = 1_024;
/** Characters of recently used cache keys, for all customers together. */
const maxRecentKeys = 2 * 2 ** 20;

/** A stored response. It retains its buffers until `release`. */
interface Entry extends Pick<RetainedBytes, 'release'> {
  readonly bytes: RefCountedBuffer;
  readonly about: unknown;
  readonly rows: number;
  readonly madeOf: readonly TableVersion[];
  readonly forms: CompressedForms;
}

type Store = LRUCache<string, Entry>;

/** Two bytes per character, for text beyond Latin-1. */
const sizeOfText = ({ length }: string): number => 2 * length;

const sizeOf = ({ bytes, forms }: Entry, cacheKey: string): number =>
  overhead + sizeOfText(cacheKey) + bytes.size + (forms.get('br')?.length ?? 0) + (forms.get('gzip')?.length ?? 0);

/** Copies a slice of a larger buffer, so that an entry holds no more memory than its length. */
const own = (bytes: Buffer): Buffer => {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
};

/** The compressed forms of a response that is not stored: none. */
const noForms: CompressedForms = { get: () => undefined, set: () => {} };

/** The states of a response that depends on no table. */
const nothing: States = { get: () => undefined };

const versionIn = (states: States, { kind, name }: TableKey): number => states.get(kind, name)?.version ?? 0;

/** A set of recently added texts in bounded memory. It has two generations, and drops the older one as a whole. */
export class RecentSet {
  readonly #maxOfHalf: number;
  #newer = new Set<string>();
  #older = new Set<string>();
  /** Characters in the newer generation. */
  #characters = 0;

  /** Holds up to this many characters in all. */
  constructor(maxCharacters: number) {
    this.#maxOfHalf = maxCharacters / 2;
  }

  /** Adds a text and returns whether it was in the set. */
  add(text: string): boolean {
    if (this.#newer.has(text)) return true;
    if (this.#characters + text.length > this.#maxOfHalf) {
      this.#older = this.#newer;
      this.#newer = new Set();
      this.#characters = 0;
    }
    this.#newer.add(text);
    this.#characters += text.length;
    return this.#older.has(text);
  }
}

export class ResponseCache {
  readonly #versions: Versions;
  readonly #maxBytes: number;
  /** Entries by customer; the least recently used is evicted first. */
  readonly #stores = new Map<number, Store>();
  /** Recently used cache keys, stored or not. */
  readonly #recentKeys = new RecentSet(maxRecentKeys);
  #bytes = 0;

  /** Stores up to `maxBytes` for all customers together; 0 disables the cache. */
  constructor(versions: Versions, maxBytes: number) {
    this.#versions = versions;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Finds a current response. The key must contain everything that the response depends on, except the data. `states` are the states that
   * the caller already knows.
   */
  async find<About>(customerId: number, cacheKey: string, states?: States): Promise<CacheHit<About> | undefined> {
    const first = this.#stores.get(customerId)?.get(cacheKey);
    const current = first && (first.madeOf.length === 0 ? nothing : (states ?? (await this.states(customerId))));
    // The entry may have been evicted during the wait.
    const entry = current && this.#stores.get(customerId)?.peek(cacheKey);
    const isCurrent = entry?.madeOf.every((table) => versionIn(current!, table) === table.version) ?? false;
    cacheLookups.responses[isCurrent ? 'hit' : 'miss']++;
    if (!entry) return undefined;
    if (isCurrent) {
      const { about, rows, forms } = entry;
      const { chunks, release } = entry.bytes.retain();
      return { chunks, release, about: about as About, rows, forms, states: current! };
    }
    this.#change(customerId, (store) => store.delete(cacheKey));
    return undefined;
  }

  /**
   * Whether to store a response of this size. When the cache is full, the customer with the largest share evicts entries of its own. Then a
   * first-time request is not stored, because a nightly copy requests each page once.
   */
  shouldStore(customerId: number, cacheKey: string, length: number): boolean {
    if (length > largestResponse || this.#maxBytes === 0) return false;
    const isAgain = this.#recentKeys.add(`${customerId} ${cacheKey}`);
    const isFull = this.#bytes + overhead + sizeOfText(cacheKey) + length > this.#maxBytes;
    return isAgain || !isFull || this.#largestOwner() !== customerId;
  }

  /** Stores a copy of a response with the versions of its snapshot. Returns the place for its compressed bodies. */
  store<About>(
    customerId: number,
    cacheKey: string,
    { chunks, about, rows }: CacheableResponse<About>,
    madeOf: readonly TableVersion[],
  ): CompressedForms {
    if (lengthOf(chunks) > largestResponse || this.#maxBytes === 0) return noForms;
    const bytes = new RefCountedBuffer(chunks);
    const made = new Map<Encoding, Buffer>();
    const forms: CompressedForms = {
      get: (coding) => made.get(coding),
      set: (coding, form) => {
        if (this.#stores.get(customerId)?.peek(cacheKey)?.bytes !== bytes) return;
        made.set(coding, own(form));
        this.#store(customerId, cacheKey, entry);
      },
    };
    const entry = { bytes, about, rows, madeOf, forms };
    this.#store(customerId, cacheKey, entry);
    return forms;
  }

  /**
   * The versions of a response that was read in several snapshots; undefined if a table changed since `before`. Versions only increase, so
   * equal versions are equal data.
   */
  async unchangedSince(
    before: States | undefined,
    customerId: number,
    tables: readonly TableKey[],
  ): Promise<readonly TableVersion[] | undefined> {
    const after = before && (await this.states(customerId));
    if (!after || tables.some((table) => versionIn(before, table) !== versionIn(after, table))) return undefined;
    return tables.map((table) => ({ ...table, version: versionIn(after, table) }));
  }

  /** The states of the customer's tables if a lease covers them; undefined if the cache is disabled. */
  async states(customerId: number): Promise<States | undefined> {
    return this.#maxBytes > 0 ? this.#versions.leased(customerId) : undefined;
  }

  /** Replaces the entry, so that lru-cache recomputes its size. */
  #store(customerId: number, cacheKey: string, entry: Omit<Entry, 'release'>): void {
    const store =
      this.#stores.get(customerId) ??
      new LRUCache<string, Entry>({ maxSize: this.#maxBytes, sizeCalculation: sizeOf, dispose: ({ release }) => release() });
    this.#stores.set(customerId, store);
    const { release } = entry.bytes.retain();
    this.#change(customerId, (store) => store.set(cacheKey, { release, ...entry }));
    while (this.#bytes > this.#maxBytes) this.#change(this.#largestOwner(), (store) => store.pop());
  }

  /** The customer with the largest share, whose entries are evicted first. So no customer can evict those of all others. */
  #largestOwner(): number {
    let [owner, max] = [0, 0];
    for (const [customerId, { calculatedSize }] of this.#stores) if (calculatedSize > max) [owner, max] = [customerId, calculatedSize];
    return owner;
  }

  #change(customerId: number, change: (store: Store) => void): void {
    const store = this.#stores.get(customerId);
    if (!store) return;
    const before = store.calculatedSize;
    change(store);
    this.#bytes += store.calculatedSize - before;
    if (store.size === 0) this.#stores.delete(customerId);
  }
}
