/** Whether the database can be worked with: it answers in time, and its control schema is there. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './connection.ts';
import { controlFault } from './control.ts';

const answersWithinMs = 2_000;
/** However many ask, the database is asked once in this time. */
const rememberedMs = 500;

/** Gives what asks for reasons why the database cannot be worked with; they tell nothing of where it is. */
export const createDatabaseFaults = (database: Database): (() => Promise<readonly string[]>) => {
  let answer: Promise<readonly string[]> | undefined;
  const ask = async (): Promise<readonly string[]> => {
    const waiting = new AbortController();
    const late = pause(answersWithinMs, 'the database did not answer in time', waiting).catch(() => undefined);
    // The embedded database's only connection must not be dropped for being late.
    const found = controlFault(database.pool, database.embedded ? undefined : answersWithinMs).catch(() => 'the database does not answer');
    const fault = await Promise.race([found, late]);
    waiting.abort();
    return fault ? [fault] : [];
  };
  const forget = () => {
    answer = undefined;
  };
  return () => {
    answer ??= ask().finally(() => setTimeout(forget, rememberedMs).unref());
    return answer;
  };
};
