/**
 * Where the time of a request goes: into waiting for a place, into the database, and in all. `Server-Timing` says so to the caller;
 * traces, where they are on, say of each stretch what it was.
 */

/** What a stretch was spent on. Of a question to the database its shape: never a value that somebody asked for, never a key. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A request in a trace. */
export interface Trace {
  /** Tells of a stretch that is over. */
  add(name: string, since: number, attributes: Attributes, failure?: unknown): void;
  end(attributes: Attributes, hasFailed: boolean): void;
}

/** Where traces are sent. */
export interface Tracer {
  /** `parent` is the caller's `traceparent`, if it is to be followed. */
  begin(name: string, since: number, parent: string | undefined): Trace;
  /** Sends what is left. */
  close(): Promise<void>;
}

export class Timing {
  readonly startedAt = performance.now();
  /** Undefined where traces are off. */
  trace: Trace | undefined;
  #queueMs = 0;
  #databaseMs = 0;
  #connections = 0;
  #connectedAt = 0;

  /** Waiting for a place in a queue is over; it may have been refused. */
  waited(queue: string, since: number): void {
    this.#queueMs += performance.now() - since;
    this.trace?.add(`wait for ${queue}`, since, { 'estate.queue': queue });
  }

  /** The request has a connection from now on, until it calls what this gives. */
  connected(): () => void {
    if (this.#connections++ === 0) this.#connectedAt = performance.now();
    return () => {
      if (--this.#connections === 0) this.#databaseMs += performance.now() - this.#connectedAt;
    };
  }

  /** Up to now, as the value of `Server-Timing`. */
  get header(): string {
    const now = performance.now();
    const database = this.#databaseMs + (this.#connections > 0 ? now - this.#connectedAt : 0);
    return `queue;dur=${this.#queueMs.toFixed(1)}, database;dur=${database.toFixed(1)}, total;dur=${(now - this.startedAt).toFixed(1)}`;
  }
}
