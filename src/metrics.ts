/**
 * All metrics in one list. Each process has one, and the metrics of an instance are the sum over its processes. Labels are bounded: routes
 * are patterns, classes are tiers, and only operators create customers.
 */
import { Counter, Gauge, Histogram } from 'prom-client';

const seconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export const responses = {
  count: new Counter({
    name: 'estate_http_requests_total',
    help: 'Requests with a response, by route, status and the tier of the key (none without one)',
    labelNames: ['route', 'status', 'class'],
  }),
  seconds: new Histogram({
    name: 'estate_http_request_duration_seconds',
    help: 'From the head of a request to the last byte of its response',
    labelNames: ['route'],
    buckets: seconds,
  }),
  rows: new Counter({ name: 'estate_http_rows_total', help: 'Rows sent', labelNames: ['route'] }),
  bytes: new Counter({ name: 'estate_http_bytes_total', help: 'Bytes of responses, heads included', labelNames: ['route'] }),
  incomplete: new Counter({
    name: 'estate_http_incomplete_responses_total',
    help: 'Responses that did not reach the client completely',
    labelNames: ['route'],
  }),
  inFlight: new Gauge({ name: 'estate_http_requests_in_flight', help: 'Requests without a complete response' }),
};

export const queueWaits = new Histogram({
  name: 'estate_queue_wait_seconds',
  help: 'How long work waited in the queue, 0 included',
  labelNames: ['queue'],
  buckets: seconds,
});
export const queueRefusals = new Counter({
  name: 'estate_queue_refusals_total',
  help: 'Work that was refused: the queue was full (full), or the wait was too long (late)',
  labelNames: ['queue', 'reason'],
});

/**
 * What is held for responses in flight, as plain numbers: requests with a valid key, those of them that wait for changes (not counted with the
 * others), bytes of bodies in memory, open files of spools.
 */
export const held = { requests: 0, waiting: 0, bytes: 0, spoolFiles: 0 };

// Counters on the request path are plain numbers, because an increment must cost almost nothing.

/** Reads with a connection, by server. */
export const reads = { primary: 0, replica: 0, node: 0 };
export const cacheLookups = { keys: { hit: 0, miss: 0 }, versions: { hit: 0, miss: 0 }, responses: { hit: 0, miss: 0 } };

export const databaseErrors = new Counter({
  name: 'estate_database_errors_total',
  help: 'Failed statements of requests, by class of SQLSTATE; none if the connection was lost',
  labelNames: ['class'],
});

export const versionFeed = {
  isListening: new Gauge({
    name: 'estate_version_feed_listening',
    help: 'Processes that receive notifications of new data; the others poll',
  }),
  ageSeconds: new Gauge({
    name: 'estate_version_feed_age_seconds',
    help: 'Time since the database last confirmed the cached versions; above 0.5, each request reads them',
    aggregator: 'max',
  }),
};

export const sharedCounts = {
  isReached: new Gauge({
    name: 'estate_redis_up',
    help: 'Processes that count requests in Redis; the others count them in memory',
    // Without Redis the metric has no value.
    labelNames: ['use'],
  }),
  failures: new Counter({ name: 'estate_redis_failures_total', help: 'Requests that could not be counted in Redis' }),
};

export const fileBuilds = {
  count: new Counter({
    name: 'estate_file_builds_total',
    help: 'Builds of files, by reason (request, command) and result: built, present (it was there already), failed',
    labelNames: ['reason', 'result'],
  }),
  seconds: new Histogram({
    name: 'estate_file_build_duration_seconds',
    help: 'From the first row of a table to its visible file, by format',
    labelNames: ['format'],
    buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600],
  }),
};

export const webhookAttempts = new Counter({
  name: 'estate_webhook_attempts_total',
  help: 'Attempts to deliver events to webhooks, by result: delivered, failed',
  labelNames: ['result'],
});

interface Pool {
  readonly options: { readonly max: number };
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}
interface Queue {
  readonly slots: number;
  readonly state: { readonly inUse: number; readonly waiting: number };
}

const pools = new Map<string, Pool>();
const queues = new Map<string, Queue>();

/** Adds a connection pool to the metrics. */
export const watchPool = (name: string, pool: Pool): void => void pools.set(name, pool);
/** Adds a queue to the metrics. */
export const watchQueue = (name: string, queue: Queue): void => void queues.set(name, queue);

/** Collected on each scrape, because they change with every request. */
export const states = [
  new Counter({
    name: 'estate_cache_lookups_total',
    help: 'Lookups in the caches of keys, versions and responses: found (hit) or not (miss)',
    labelNames: ['cache', 'result'],
    collect() {
      this.reset();
      for (const [cache, results] of Object.entries(cacheLookups))
        for (const [result, count] of Object.entries(results)) this.inc({ cache, result }, count);
    },
  }),
  new Counter({
    name: 'estate_reads_total',
    help: 'Work with a database connection, by server: the primary if replicas are behind, or replicas and nodes are not reachable',
    labelNames: ['server'],
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(reads)) if (count > 0) this.inc({ server }, count);
    },
  }),
  new Gauge({
    name: 'estate_held',
    help: 'Held for responses in flight: requests with a valid key, requests that wait for changes (waiting), bytes of bodies in memory, open files of spools; 0 without requests',
    labelNames: ['kind'],
    collect() {
      for (const [kind, count] of Object.entries(held)) this.set({ kind }, count);
    },
  }),
  new Gauge({
    name: 'estate_pool_connections',
    help: 'Database connections, by pool and state; waiting is work without a connection.',
    labelNames: ['pool', 'state'],
    collect() {
      for (const [pool, { options, totalCount, idleCount, waitingCount }] of pools) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'max' }, options.max);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  }),
  new Gauge({
    name: 'estate_queue_work',
    help: 'Work by queue and state: running, waiting, max (running at once)',
    labelNames: ['queue', 'state'],
    collect() {
      for (const [queue, { slots, state: work }] of queues) {
        this.set({ queue, state: 'waiting' }, work.waiting);
        this.set({ queue, state: 'running' }, work.inUse);
        this.set({ queue, state: 'max' }, slots);
      }
    },
  }),
];
