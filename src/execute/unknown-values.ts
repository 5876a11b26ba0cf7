/** Values in conditions that are no codes of their columns and that no row has, or that no row can have: probably misspelt (contract: unknown values). */
import type pg from 'pg';
import { failureOf } from '../database-failures.ts';
import { ApiError } from '../errors.ts';
import type { Plan } from '../plan/plan.ts';
import type { UnlistedValue } from '../plan/unlisted-values.ts';
import { readCodes } from './lookup.ts';
import type { Reader } from './reader.ts';

/** At most this many values are looked for. */
const maxChecked = 5;

interface Check {
  readonly reader: Reader;
  /** A plan of the request. Its customer and data scope hold for the look-up. */
  readonly source: Plan['source'];
  /** Runs work on a connection. */
  readonly run: <T>(work: (client: pg.ClientBase) => Promise<T>) => Promise<T>;
}

/** Whether the database, or the wait for it, took too long. */
const isTooSlow = (error: unknown): boolean => {
  if (error instanceof ApiError) return error.kind === 'timeout' || error.kind === 'busy';
  const failure = failureOf(error);
  return failure === 'timeout' || failure === 'locked';
};

const withoutRows = async (values: readonly UnlistedValue[], { reader, source, run }: Check): Promise<readonly UnlistedValue[]> => {
  const unknown: UnlistedValue[] = [];
  for (const each of values.slice(0, maxChecked)) {
    const { table, column, value, code } = each;
    if (!code) {
      unknown.push(each);
      continue;
    }
    const { kind, lookup } = code;
    const own = await run((client) => readCodes(client, source, lookup));
    if (own.some((known) => known.value === value)) continue;
    const rows = { ...source, name: table, sort: [], cursor: undefined };
    const where = { is: 'compared', column, kind, by: 'eq', value } as const;
    const page = { columns: [column], order: [], after: undefined, offset: 0, limit: 1, joinedRows: [] };
    if ((await reader.count({ source: rows, where, isUnindexed: true, ...page })) === 0) unknown.push(each);
  }
  return unknown;
};

/**
 * Those of the values that are not in the customer's own list either, and that no row within the data scope has. Undefined if the check takes
 * too long: it is only a hint, so it does not fail its request.
 */
export const unknownValues = async (values: readonly UnlistedValue[], check: Check): Promise<readonly UnlistedValue[] | undefined> => {
  try {
    return await withoutRows(values, check);
  } catch (error) {
    if (isTooSlow(error)) return undefined;
    throw error;
  }
};
