/**
 * Who waits for new data of which customer (contract: waiting for changes). A watch is a function in memory: it holds no connection.
 *
 * Watches hear of a load from what tells an instance about new versions: the notification, and the statement that renews leases
 * (`versions.ts`). After such a sign the states are read once for all watches of the customer.
 */
import type { States } from './states.ts';

/** The states of a customer's tables, with a time before which no change is dated that they lack. */
export interface CurrentStates {
  readonly present: Date;
  readonly states: States;
}

/** `lost`: the database did not answer. `stopped`: the service stops. Nothing more is heard after them. */
export type News = CurrentStates | 'lost' | 'stopped';
type Heard = (news: News) => void;

/** Identifies what was published: epoch and revision. Undefined if it is not known. */
type Publication = string | undefined;

interface Watch {
  readonly heard: Set<Heard>;
  /** What the watches have heard of. */
  published: Publication;
  isReading: boolean;
  /** Whether a sign arrived during the read. */
  isOutdated: boolean;
}

type ReadCurrent = (customerId: number) => Promise<CurrentStates & { readonly published: Publication }>;

export class Watches {
  readonly #read: ReadCurrent;
  readonly #watches = new Map<number, Watch>();
  #isStopped = false;

  constructor(read: ReadCurrent) {
    this.#read = read;
  }

  /** The customers that are watched. */
  get customerIds(): Iterable<number> {
    return this.#watches.keys();
  }

  /** Reports news until the returned function is called. The states may be older than those that the caller has read. */
  add(customerId: number, heard: Heard): () => void {
    const watch = this.#watches.get(customerId) ?? { heard: new Set(), published: undefined, isReading: false, isOutdated: false };
    this.#watches.set(customerId, watch);
    watch.heard.add(heard);
    // The caller may have read its states before the last sign. So the next poll counts as one.
    watch.published = undefined;
    if (this.#isStopped) heard('stopped');
    return () => {
      watch.heard.delete(heard);
      if (watch.heard.size === 0 && this.#watches.get(customerId) === watch) this.#watches.delete(customerId);
    };
  }

  /** What a poll found for a customer; undefined if its state must be read in any case. */
  polled(customerId: number, published: Publication): void {
    const watch = this.#watches.get(customerId);
    if (watch && (published === undefined || published !== watch.published)) void this.#tell(customerId, watch);
  }

  /** A sign that a customer may have new data. */
  notified(customerId: number): void {
    const watch = this.#watches.get(customerId);
    if (watch) void this.#tell(customerId, watch);
  }

  /** The database does not answer. */
  lost(): void {
    for (const watch of this.#watches.values()) report(watch, 'lost');
  }

  /** Ends all watches, and those that are added later. */
  stop(): void {
    this.#isStopped = true;
    for (const watch of this.#watches.values()) report(watch, 'stopped');
  }

  async #tell(customerId: number, watch: Watch): Promise<void> {
    watch.isOutdated = true;
    if (watch.isReading) return;
    watch.isReading = true;
    try {
      while (watch.isOutdated && watch.heard.size > 0) {
        watch.isOutdated = false;
        const { published, ...current } = await this.#read(customerId);
        if (!watch.isOutdated) watch.published = published;
        report(watch, current);
      }
    } catch {
      report(watch, 'lost');
    } finally {
      watch.isReading = false;
    }
  }
}

const report = ({ heard }: Watch, news: News): void => {
  for (const each of [...heard]) each(news);
};
