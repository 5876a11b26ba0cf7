/** Writes a plan as a GraphQL document (contract: prints). */
import { parse, print } from 'graphql';
import type { Table } from '../../catalogue/table.ts';
import type { Groups } from '../../plan/groups/groups.ts';
import type { Plan } from '../../plan/plan.ts';
import type { NamedPlan } from '../../query/lists.ts';
import type { RelationsOf } from '../../query/relation-names.ts';
import { camelCase, groupsName, upperFirst } from '../schema/names.ts';
import { printedGroups } from './groups.ts';
import { rowsField } from './rows.ts';

export interface WrittenDocument {
  readonly document: string;
  /** What its answer lacks in comparison with that of the address, a sentence each. */
  readonly notes: readonly string[];
}

const hasGroups = (plan: Plan): plan is Plan & { readonly groups: Groups } => plan.groups !== undefined;

/** The name of the operation for a table: its list or its groups. */
const operationOf = ({ groups }: Plan, { name }: Table): string => {
  const list = camelCase(name);
  return upperFirst(groups ? groupsName(list) : list);
};

/** The document that asks for the rows or groups of a plan. Throws `Unwritable` if GraphQL cannot say a part of the plan. */
export const writtenDocument = (
  { plan, names }: NamedPlan,
  table: Table,
  relationsOf: RelationsOf,
  operation = operationOf(plan, table),
): WrittenDocument => {
  const nameOf = (name: string) => names[plan.columns.indexOf(name)] ?? name;
  const { field, notes } = hasGroups(plan) ? printedGroups(plan, table, relationsOf, nameOf) : rowsField(plan, table, relationsOf, nameOf);
  return { document: `${print(parse(`query ${operation} { ${field} }`))}\n`, notes };
};
