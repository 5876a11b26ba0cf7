/** Bound values and columns in Kysely expressions. A bound value is a function of the query, so one SQL text serves every plan of its shape. */
import { type RawBuilder, sql } from 'kysely';
import type { PlanQuery } from '../plan/plan-query.ts';

// biome-ignore lint/suspicious/noExplicitAny: tables are known when the program runs
export type Any = any;

/** Finds a bound value in a query on a plan. */
export type BoundValue = (planQuery: PlanQuery) => unknown;

export class Binding {
  readonly value: BoundValue;
  constructor(value: BoundValue) {
    this.value = value;
  }
}

export const binding = <T>(value: BoundValue, type: string) => sql<T>`${new Binding(value)}::${sql.raw(type)}`;
export const column = (name: string, table = 't') => sql.id(table, name) as RawBuilder<Any>;
