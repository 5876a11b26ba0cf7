/** The columns in which each question of analysts needs values, from the plan of its address. */
import { type ColumnReference, columnsNeeded } from '../../plan/references.ts';
import { cataloguePlan } from '../../prints/catalogue-plan.ts';
import { exampleAddress, questionEntries } from './questions.ts';

export const questionColumns = (): Readonly<Record<string, readonly ColumnReference[]>> =>
  Object.fromEntries(questionEntries.map(([name, question]) => [name, columnsNeeded(cataloguePlan(exampleAddress(question)).named.plan)]));
