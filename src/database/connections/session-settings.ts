/** Settings of each database session, and the type parsers of its clients. */
import pg from 'pg';

const int8 = pg.types.builtins.INT8;

/** Settings that the row writer needs: ISO text in UTC, and floats with all digits. */
export const rowSettings = { timezone: 'UTC', datestyle: 'ISO, YMD', intervalstyle: 'iso_8601', extra_float_digits: '1' } as const;
/** Statements of callers use one core of the server, so that other cores stay free. */
export const callerSettings = { ...rowSettings, max_parallel_workers_per_gather: '0' } as const;

/**
 * Statements of callers have many small expressions, and compiling them takes longer than running them. A statement that is being compiled
 * does not end at its time limit.
 */
export const compileSettings = { jit: 'off' } as const;

/**
 * Reads wait for a lock this long, for example while an operator alters the table, and are repeated twice. Longer waits would take every
 * connection, so that the customer's other tables could not be read.
 */
export const lockSettings = { lock_timeout: '500ms' } as const;

/** The server ends the statements of a process that has died. It would otherwise run them until their timeout. */
export const lostClientSettings = { client_connection_check_interval: '2s' } as const;

/** A statement that sets the settings: for the session, or only for the transaction. */
export const setting = (settings: Readonly<Record<string, string>>, scope: 'session' | 'local' = 'session'): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${scope} ${name} = '${value}'`)
    .join('; ');
export const sessionSettings = setting(rowSettings);

/** Parses `int8` as a number. Versions and counts stay below 2^53. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') => (oid === int8 ? Number : pg.types.getTypeParser(oid, format))) as never,
};
