/** The addresses of the page, planned with the rights of its reader. */
import type { Caller } from '../../access/caller.ts';
import { catalogueWithin } from '../../catalogue/data-scope.ts';
import type { Table } from '../../catalogue/table.ts';
import { ApiError } from '../../errors.ts';
import { presentTables, readableCategoryTable, readableTables, relationsAmong } from '../../execute/visible.ts';
import { otherTablesOf } from '../../plan/plan.ts';
import { planOfAddress, readAddress } from '../../query/address.ts';
import type { NamedPlan } from '../../query/lists.ts';
import type { RestContext } from '../../rest/context.ts';
import type { JsonResponse } from '../../rest/respond.ts';

type Directory = Parameters<typeof presentTables>[1];
type Tables = JsonResponse['tables'];

/** The category tables that a caller reads over REST. */
export const tablesOverRest = ({ catalogue }: RestContext, { tier, groups, scope }: Caller, directory: Directory): readonly Table[] =>
  groups.has('rest') ? readableTables(presentTables(catalogueWithin(catalogue, scope), directory), tier) : [];

/** The plan of an address of rows or groups. Undefined if the caller may not send it. */
export type PlanAddress = (text: string) => NamedPlan | undefined;

export const addressPlanner = (context: RestContext, caller: Caller, directory: Directory): PlanAddress => {
  const catalogue = catalogueWithin(context.catalogue, caller.scope);
  const relationsOf = relationsAmong(catalogue, tablesOverRest(context, caller, directory));
  return (text) => {
    const address = readAddress(text);
    if (!address) return undefined;
    try {
      const { source, table } = readableCategoryTable(context.catalogue, directory, caller, { name: address.name, group: 'rest' });
      return planOfAddress(address, context.reading.cursors, { source, table, tables: catalogue.tables, relationsOf });
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  };
};

/** The tables of a plan, that of its rows first. */
export const tablesOfPlan = ({ plan }: NamedPlan): Tables =>
  [plan.source.name, ...otherTablesOf(plan)].map((name) => ({ kind: 'category', name }));
