/**
 * What Prometheus reads, in one list; whoever knows a figure counts it here. A process has one such list, and the processes of an
 * instance are summed. Labels are bounded: routes are patterns, classes are tiers, and only the operator makes customers.
 */
import { Counter, Gauge, Histogram } from 'prom-client';

const seconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export const answers = {
  count: new Counter({
    name: 'estate_http_requests_total',
    help: 'Requests that were answered, by route, status and the tier of the key (none without one)',
    labelNames: ['route', 'status', 'class'],
  }),
  seconds: new Histogram({
    name: 'estate_http_request_duration_seconds',
    help: 'From the head of a request to the last byte of its answer',
    labelNames: ['route'],
    buckets: seconds,
  }),
  rows: new Counter({ name: 'estate_http_rows_total', help: 'Rows sent', labelNames: ['route'] }),
  bytes: new Counter({ name: 'estate_http_bytes_total', help: 'Bytes of answers, heads included', labelNames: ['route'] }),
  brokenOff: new Counter({
    name: 'estate_http_broken_off_total',
    help: 'Answers that did not reach their client whole',
    labelNames: ['route'],
  }),
  underWay: new Gauge({ name: 'estate_http_requests_under_way', help: 'Requests that are being answered' }),
};

export const queueWaits = new Histogram({
  name: 'estate_queue_wait_seconds',
  help: 'How long work waited for its place, 0 included',
  labelNames: ['queue'],
  buckets: seconds,
});
export const queueRefusals = new Counter({
  name: 'estate_queue_refusals_total',
  help: 'Work that got no place: too much waited already (full), or none came free in time (late)',
  labelNames: ['queue', 'reason'],
});

// What each request counts is a plain number, so that counting it is no more than that.

/** Work that was given a connection, by server. */
export const reads = { primary: 0, replica: 0 };
/** What was asked for before an answer, from memory or not. */
export const remembered = { keys: { hit: 0, miss: 0 }, versions: { hit: 0, miss: 0 }, answers: { hit: 0, miss: 0 } };

export const databaseErrors = new Counter({
  name: 'estate_database_errors_total',
  help: 'Statements of callers that failed, by class of SQLSTATE; those without one lost their connection',
  labelNames: ['class'],
});

export const versionFeed = {
  isListening: new Gauge({
    name: 'estate_version_feed_listening',
    help: 'Processes that hear notifications of new data; the others poll',
  }),
  ageSeconds: new Gauge({
    name: 'estate_version_feed_age_seconds',
    help: 'Since the database last confirmed what is answered from memory; beyond 0.5 it is asked each time',
    aggregator: 'max',
  }),
};

export const sharedCounts = {
  isReached: new Gauge({
    name: 'estate_redis_up',
    help: 'Processes that count in Redis, where there is one; the others count by themselves',
    // Without a value nothing is shown, as where there is no Redis.
    labelNames: ['use'],
  }),
  failures: new Counter({ name: 'estate_redis_failures_total', help: 'Counts that Redis did not take' }),
};

interface Pool {
  readonly options: { readonly max: number };
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}
interface Queue {
  readonly places: number;
  readonly state: { readonly inUse: number; readonly waiting: number };
}

const pools = new Map<string, Pool>();
const queues = new Map<string, Queue>();

/** Shows the state of a pool of connections from now on. */
export const watchPool = (name: string, pool: Pool): void => void pools.set(name, pool);
/** The same of a queue. */
export const watchQueue = (name: string, queue: Queue): void => void queues.set(name, queue);

/** Read when they are asked for, since they change too often to be told. */
export const states = [
  new Counter({
    name: 'estate_remembered_total',
    help: 'What was asked for before each answer: keys, versions and kept answers, from memory (hit) or not (miss)',
    labelNames: ['what', 'result'],
    collect() {
      this.reset();
      for (const [what, results] of Object.entries(remembered))
        for (const [result, count] of Object.entries(results)) this.inc({ what, result }, count);
    },
  }),
  new Counter({
    name: 'estate_reads_total',
    help: 'Work that was given a connection, by server: to the primary while replicas are behind or away',
    labelNames: ['server'],
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(reads)) if (count > 0) this.inc({ server }, count);
    },
  }),
  new Gauge({
    name: 'estate_pool_connections',
    help: 'Database connections, by pool and state',
    labelNames: ['pool', 'state'],
    collect() {
      for (const [pool, { options, totalCount, idleCount, waitingCount }] of pools) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'most' }, options.max);
        this.set({ pool, state: 'awaited' }, waitingCount);
      }
    },
  }),
  new Gauge({
    name: 'estate_queue_work',
    help: 'Work by queue and state: under way, waiting, and how much may be under way',
    labelNames: ['queue', 'state'],
    collect() {
      for (const [queue, { places, state }] of queues) {
        this.set({ queue, state: 'under way' }, state.inUse);
        this.set({ queue, state: 'waiting' }, state.waiting);
        this.set({ queue, state: 'most' }, places);
      }
    },
  }),
];
