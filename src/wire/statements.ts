/** Runs and traces statements. A trace has the kind of query, the table, and the shape of the plan, without its values. */
import type pg from 'pg';
import { touchStatement } from '../database/connections/prepared.ts';
import { translatedFor } from '../database/connections/table-names.ts';
import { shapeOfCondition } from '../plan/condition.ts';
import type { PlanQuery } from '../plan/plan-query.ts';
import { statementFor } from '../sql/statement.ts';
import type { Attributes, Trace } from '../timing.ts';

/** The current trace of each connection. */
const traces = new WeakMap<pg.ClientBase, Trace>();

/** Sets the trace of a connection, or removes it. */
export const traceStatements = (client: pg.ClientBase, trace: Trace | undefined): void => {
  if (trace) traces.set(client, trace);
  else traces.delete(client);
};

/** Limits the shape of a filter with a thousand terms. */
const longestShape = 1_000;

const attributesOf = ({ queryKind, plan, limit, parents }: PlanQuery): Attributes => ({
  'db.system.name': 'postgresql',
  'db.operation.name': queryKind,
  'db.collection.name': plan.source.name,
  'estate.columns': plan.columns.length,
  'estate.limit': limit,
  'estate.order': plan.order.map(({ column, isDescending }) => (isDescending ? `${column} desc` : column)).join(', '),
  'estate.position': plan.after ? 'cursor' : plan.offset > 0 ? 'offset' : 'first',
  ...(plan.where && { 'estate.filter': JSON.stringify(shapeOfCondition(plan.where)).slice(0, longestShape) }),
  ...(plan.joinedRows.length > 0 && { 'estate.along': plan.joinedRows.map((joinedRows) => joinedRows.plan.source.name).join(', ') }),
  ...(parents && { 'estate.parents': parents.link.column }),
});

/** Runs a statement and records it in the connection's trace, if there is one. */
export const traceStatement = async <T>(client: pg.ClientBase, planQuery: PlanQuery | undefined, run: () => Promise<T>): Promise<T> => {
  const trace = traces.get(client);
  if (!trace || !planQuery) return run();
  const since = performance.now();
  const record = (failure?: unknown) =>
    trace.add(`${planQuery.queryKind} ${planQuery.plan.source.name}`, since, attributesOf(planQuery), failure);
  try {
    const result = await run();
    record();
    return result;
  } catch (error) {
    record(error);
    throw error;
  }
};

/** Runs a statement that returns few rows, which the client decodes. Pages and documents use bytes (`read-rows.ts`). */
export const runStatement = async <Row extends object>(client: pg.ClientBase, planQuery: PlanQuery): Promise<Row[]> => {
  const { text, name, values } = translatedFor(client, statementFor(planQuery));
  await touchStatement(client, name);
  const { rows } = await traceStatement(client, planQuery, () => client.query<Row>({ text, name, values: [...values] }));
  return rows;
};
