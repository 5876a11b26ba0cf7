/**
 * The timing of a request: waiting for a slot, database, and total. `Server-Timing` shows it to the caller, and a trace shows each span.
 */

/** Attributes of a span. For a query they describe its shape, and never contain a value of the request or a key. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** The trace of a request. */
export interface Trace {
  /** Adds a completed span. */
  add(name: string, since: number, attributes: Attributes, failure?: unknown): void;
  end(attributes: Attributes, hasFailed: boolean): void;
}

/** The exporter of traces. */
export interface Tracer {
  /** `parent` is the caller's `traceparent`, if it is trusted. */
  begin(name: string, since: number, parent: string | undefined): Trace;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

export class Timing {
  readonly startedAt = performance.now();
  /** Undefined if tracing is off. */
  trace: Trace | undefined;
  #queueMs = 0;
  #databaseMs = 0;
  #connections = 0;
  #connectedAt = 0;

  /** Records the wait for a slot, admitted or refused. */
  waited(queue: string, since: number): void {
    this.#queueMs += performance.now() - since;
    this.trace?.add(`wait for ${queue}`, since, { 'estate.queue': queue });
  }

  /** Starts to measure a connection; the result stops it. */
  connected(): () => void {
    if (this.#connections++ === 0) this.#connectedAt = performance.now();
    return () => {
      if (--this.#connections === 0) this.#databaseMs += performance.now() - this.#connectedAt;
    };
  }

  /** The value of the `Server-Timing` header. */
  get header(): string {
    const now = performance.now();
    const database = this.#databaseMs + (this.#connections > 0 ? now - this.#connectedAt : 0);
    return `queue;dur=${this.#queueMs.toFixed(1)}, database;dur=${database.toFixed(1)}, total;dur=${(now - this.startedAt).toFixed(1)}`;
  }
}
