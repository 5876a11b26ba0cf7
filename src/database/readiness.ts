/** Checks that the database answers in time and has its control schema. */
import { setTimeout as pause } from 'node:timers/promises';
import { citusOf } from './cluster/citus.ts';
import { type NodeShare, shareOf } from './cluster/node-health.ts';
import type { Database } from './connections/connection.ts';
import { controlProblem } from './control/control.ts';

const answersWithinMs = 2_000;
/** All callers within this time share one query. */
const cachedMs = 500;

/** Creates a function that returns the reasons why the database cannot be used. The reasons contain no address. */
export const createDatabaseProblems = (database: Database): (() => Promise<readonly string[]>) => {
  let answer: Promise<readonly string[]> | undefined;
  const ask = async (): Promise<readonly string[]> => {
    const waiting = new AbortController();
    const late = pause(answersWithinMs, 'the database did not answer in time', waiting).catch(() => undefined);
    // The only connection of the embedded database must survive a late answer.
    const found = controlProblem(database.pool, database.embedded ? undefined : answersWithinMs).catch(
      () => 'the database does not answer',
    );
    const problem = await Promise.race([found, late]);
    waiting.abort();
    return problem ? [problem] : [];
  };
  const forget = () => {
    answer = undefined;
  };
  return () => {
    answer ??= ask().finally(() => setTimeout(forget, cachedMs).unref());
    return answer;
  };
};

/** Creates a function that returns how much of the cluster answers; undefined without Citus, or if the coordinator does not answer. */
export const createNodeShare = (database: Database): (() => Promise<NodeShare | undefined>) => {
  const health = citusOf(database).health;
  let last: Promise<NodeShare | undefined> | undefined;
  const ask = async () => {
    const nodes = await health.read().catch(() => undefined);
    return nodes && shareOf(nodes);
  };
  const forget = () => {
    last = undefined;
  };
  return () => {
    last ??= ask().finally(() => setTimeout(forget, cachedMs).unref());
    return last;
  };
};
