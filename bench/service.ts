/** The built service as a process on a free port, and quantiles of measurements. */
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Server, type ServerOptions, startServer } from '../scripts/support/server.ts';

/** Long limits, so that a busy machine refuses no request. */
const patience = { QUEUE_WAIT_MS: '300000', DOCUMENT_TIMEOUT_MS: '300000', STATEMENT_TIMEOUT_MS: '300000' };

interface ServiceOptions extends ServerOptions {
  /** Options of Node. */
  readonly flags?: readonly string[];
}

/** The options of Node in the first line of `bin/estate.js`. */
const programFlags =
  readFileSync(new URL('../bin/estate.js', import.meta.url), 'utf8')
    .split('\n', 1)[0]
    ?.match(/--\S+/g) ?? [];

/** The built service without a rate limit, of this checkout or of the given folder. */
export const startService = ({ environment, flags = [], ...options }: ServiceOptions = {}): Promise<Server> =>
  startServer('this service', [...programFlags, ...flags, 'dist/main.js', 'serve'], {
    ...options,
    environment: {
      MALLOC_ARENA_MAX: '2',
      PORT: '0',
      RATE_LIMIT: '0',
      REQUESTS_PER_KEY: '0',
      LOG_LEVEL: 'error',
      ...patience,
      ...environment,
    },
  });

const inEarnest = { NODE_ENV: 'production', RATE_LIMIT: '1000000000', LOG_LEVEL: 'info' };

/** The built service with quota and log, as in production. The log is removed when the process ends. */
export const startProductionService = ({ environment, ...options }: Omit<ServiceOptions, 'log'> = {}): Promise<Server> => {
  const path = join(mkdtempSync(join(tmpdir(), 'estate-bench-')), 'log');
  const log = openSync(path, 'w');
  rmSync(dirname(path), { recursive: true });
  return startService({ ...options, log, environment: { ...inEarnest, ...environment } });
};

/** The quantile of the values. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

export const median = (values: readonly number[]): number => quantile(values, 0.5);
