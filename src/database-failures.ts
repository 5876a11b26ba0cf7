/** What a failed statement or connection means for a read: one table of SQLSTATEs, and the errors of the client (contract: waiting). */

/**
 * - `unavailable`: the server, the customer's schema or a right is missing for now. A later request may succeed.
 * - `timeout`: the statement reached a time limit.
 * - `locked`: the statement waited too long for a lock. The same read may succeed behind the customer's other requests.
 * - `lost`: the transaction lost against another one. The same read may succeed at once.
 * - `stale`: the session no longer has the statement as the client knows it. The read succeeds in another session.
 */
export type DatabaseFailure = 'unavailable' | 'timeout' | 'locked' | 'lost' | 'stale';

/** Failures by SQLSTATE, or by its class of two characters. An operator's actions and settings cause all of them. */
export const failures: Readonly<Record<string, DatabaseFailure>> = {
  // Connection exceptions, also between the nodes of a cluster.
  '08': 'unavailable',
  // Sessions that are behind a pooler, or that altered tables have outdated.
  '26000': 'stale', // invalid_sql_statement_name: `discard all`, or a pooler without named statements
  '42P05': 'stale', // duplicate_prepared_statement: another client of the pooler has the name
  // A read-only server: a replica, or a primary that was switched over.
  '25006': 'unavailable',
  '25P03': 'unavailable', // idle_in_transaction_session_timeout
  '25P04': 'timeout', // transaction_timeout
  // Passwords and rights of the role.
  '28': 'unavailable',
  '42501': 'unavailable', // insufficient_privilege
  // A database, schema or table that was dropped, for example to restore it.
  '3D000': 'unavailable',
  '3F000': 'unavailable',
  '42P01': 'unavailable', // undefined_table
  // Transactions that lost against others.
  '40001': 'lost', // serialization_failure
  '40P01': 'lost', // deadlock_detected
  '72000': 'lost', // snapshot_too_old
  // Disk, memory, connections.
  '53': 'unavailable',
  // Another session holds a lock or uses the object.
  '55006': 'unavailable', // object_in_use
  '55P03': 'locked', // lock_not_available, also by lock_timeout
  '57014': 'timeout', // query_canceled, also by statement_timeout
  // Shutdown, crash, startup, a dropped database, idle_session_timeout.
  '57P': 'unavailable',
  // Input and output, and configuration files.
  '58': 'unavailable',
  F0: 'unavailable',
};

/** Internal errors that have a cause outside of the server's code. PostgreSQL and Citus have no SQLSTATE for them, and never translate them. */
const internalErrors: readonly (readonly [pattern: RegExp, failure: DatabaseFailure])[] = [
  [/^could not find (?:any healthy placement|valid entry for shard placement)/, 'unavailable'],
  // A table was dropped between planning and execution.
  [/^(?:could not open relation with OID|cache lookup failed for)/, 'lost'],
];

/** Error codes of a failed connection. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
]);

/** Messages of `pg` errors without a code. */
const clientMessages =
  /^(?:Connection terminated|timeout e|Query read timeout|Client has encountered a connection error|Client was closed|The server does not support SSL)/;

interface DatabaseError extends Error {
  readonly code?: unknown;
  /** The function of the server that raised the error. */
  readonly routine?: string;
  readonly syscall?: string;
}

const failureOfState = ({ message, routine }: DatabaseError, state: string): DatabaseFailure | undefined => {
  if (state === 'XX000') return internalErrors.find(([pattern]) => pattern.test(message))?.[1];
  // Only the routine tells "cached plan must not change result type" from other features that are not supported.
  if (state === '0A000') return routine === 'RevalidateCachedQuery' ? 'stale' : undefined;
  return failures[state] ?? failures[state.slice(0, 3)] ?? failures[state.slice(0, 2)];
};

/**
 * Whether the client stopped waiting for a statement, because the server did not end it at its time limit. The statement took too long, and
 * its connection cannot be used again.
 */
export const isClientTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';

/** The meaning of an error of the database or its client; undefined if a fault of the service is the cause. */
export const failureOf = (error: unknown): DatabaseFailure | undefined => {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError) return error.errors.map(failureOf).find((failure) => failure !== undefined);
  const { code, syscall, message } = error as DatabaseError;
  if (typeof code !== 'string') return clientMessages.test(message) ? 'unavailable' : undefined;
  if (
    networkCodes.has(code) ||
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    /^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)
  )
    return 'unavailable';
  return /^[0-9A-Z]{5}$/.test(code) ? failureOfState(error as DatabaseError, code) : undefined;
};
