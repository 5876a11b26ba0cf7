/** Tells traces of statements: which question about which table, by the shape of its plan; nothing of a plan's values stands there. */
import type pg from 'pg';
import type { Attributes, Trace } from '../timing.ts';
import type { Asked } from './asked.ts';
import { shapeOfCondition } from './condition.ts';

/** The traces of those who have these connections now. */
const traces = new WeakMap<pg.ClientBase, Trace>();

/** Has what a connection is asked told to a trace from now on; to none without one. */
export const traceStatements = (client: pg.ClientBase, trace: Trace | undefined): void => {
  if (trace) traces.set(client, trace);
  else traces.delete(client);
};

/** Of a filter with a thousand terms. */
const longestShape = 1_000;

const attributesOf = ({ question, plan, limit, parents }: Asked): Attributes => ({
  'db.system.name': 'postgresql',
  'db.operation.name': question,
  'db.collection.name': plan.source.name,
  'estate.columns': plan.columns.length,
  'estate.limit': limit,
  'estate.order': plan.order.map(({ column, isDescending }) => (isDescending ? `${column} desc` : column)).join(', '),
  'estate.position': plan.after ? 'cursor' : plan.offset > 0 ? 'offset' : 'first',
  ...(plan.where && { 'estate.filter': JSON.stringify(shapeOfCondition(plan.where)).slice(0, longestShape) }),
  ...(plan.along.length > 0 && { 'estate.along': plan.along.map((along) => along.plan.source.name).join(', ') }),
  ...(parents && { 'estate.parents': parents.link.column }),
});

/** Runs a statement, and tells the connection's trace of it, if there is one. */
export const traced = async <T>(client: pg.ClientBase, asked: Asked | undefined, run: () => Promise<T>): Promise<T> => {
  const trace = traces.get(client);
  if (!trace || !asked) return run();
  const since = performance.now();
  const tell = (failure?: unknown) => trace.add(`${asked.question} ${asked.plan.source.name}`, since, attributesOf(asked), failure);
  try {
    const result = await run();
    tell();
    return result;
  } catch (error) {
    tell(error);
    throw error;
  }
};
