/** Runs a statement that returns few rows, which the client decodes. Pages and documents use bytes (`read-rows.ts`). */
import type pg from 'pg';
import { touchStatement } from '../database/connections/prepared.ts';
import type { PlanQuery } from '../plan/plan-query.ts';
import { statementFor } from '../sql/statement.ts';
import { traceStatement } from './trace-statements.ts';

export const runStatement = async <Row extends object>(client: pg.ClientBase, planQuery: PlanQuery): Promise<Row[]> => {
  const { text, name, values } = statementFor(planQuery);
  await touchStatement(client, name);
  const { rows } = await traceStatement(client, planQuery, () => client.query<Row>({ text, name, values: [...values] }));
  return rows;
};
