/**
 * Root fields that are not tables: the catalogue, changes, lookup values, the caller's key and its quota. They return the same data as the
 * auxiliary endpoints of REST (contract: visibility; quota headers; me; changes; lookup values).
 */
import { catalogCategory, lookupValue } from '../../answers/catalog.ts';
import { change } from '../../answers/changes.ts';
import { keyAnswer, me, quotaAnswer, rateLimit } from '../../answers/me.ts';
import { rowCount } from '../../answers/values.ts';
import { catalogueWithin } from '../../catalogue/data-scope.ts';
import { ApiError } from '../../errors.ts';
import { changedSince, freshnessOf, readStatesOf } from '../../execute/freshness.ts';
import { lookupValues } from '../../execute/lookup.ts';
import { groupByCategory, type ListedTable, listReadable } from '../../execute/visible.ts';
import type { GraphqlContext } from '../context.ts';
import { surfacing } from '../errors.ts';
import { answerTypes } from './answer-types.ts';
import type { InputEnum, SchemaBuilder } from './builder.ts';
import { labelArguments } from './codes.ts';
import { camelCase } from './names.ts';

/** The tables that the caller may read, as in REST. */
const tablesOf = async ({ services, caller }: GraphqlContext): Promise<ListedTable[]> =>
  listReadable(services.catalogue, await services.directories.of(caller.customer), caller);

/** Tables with their paths as clients see them. */
const withPublicPaths = <T extends { readonly endpoint_url: string }>(tables: readonly T[], { publicPath }: GraphqlContext) =>
  tables.map((table) => ({ ...table, endpoint_url: publicPath(table.endpoint_url) }));

/** The codes of a column. A table and a column are named as in REST or as in the schema. */
const codesOf = async (context: GraphqlContext, table: string, column: string) => {
  const isNamed = (given: string) => (name: string) => given === name || given === camelCase(name);
  const listed = (await tablesOf(context)).find(({ kind, name }) => kind === 'category' && isNamed(table)(name));
  const { columns = {} } = (listed && catalogueWithin(context.services.catalogue, context.caller.scope).tables.get(listed.name)) ?? {};
  const lookup = columns[Object.keys(columns).find(isNamed(column)) ?? '']?.lookup;
  const codes = lookup ? await context.reads!.lookup(lookup) : [];
  if (codes.length === 0) throw new ApiError('noLookupValues', `${table}.${column}`);
  return codes;
};

/** The freshness of the caller's tables. Their failed checks are read if a document asks for them. */
const freshTables = async (context: GraphqlContext) => {
  const tables = await tablesOf(context);
  const fresh = freshnessOf(tables, await readStatesOf(tables, context.reads!.states), context.caller.scope);
  return withPublicPaths(fresh, context).map((table) => ({
    ...table,
    failed_checks: async () => (await context.reads!.failedChecks(tables)).get(table.table) ?? [],
  }));
};

interface ServiceTypes {
  /** If false, the number of rows of a table may be null. */
  readonly hasRowCounts: boolean;
  readonly language: InputEnum;
}

export const addServiceFields = (builder: SchemaBuilder, { hasRowCounts, language }: ServiceTypes): void => {
  const typeOf = answerTypes(builder, new Set(hasRowCounts ? [rowCount] : []));
  builder.queryFields((t) => ({
    catalog: t.field({
      type: [typeOf(catalogCategory)],
      nullable: false,
      description: 'The categories and tables that the key may read.',
      resolve: surfacing(async (_root, _args, context) => groupByCategory(await tablesOf(context))),
    }),
    changes: t.field({
      type: [typeOf(change)],
      nullable: false,
      args: { since: t.arg({ type: 'DateTime', required: true, description: 'The start of the period.' }) },
      description: 'Tables whose data changed at or after a point in time.',
      resolve: surfacing(async (_root, { since }, context) => {
        const tables = await tablesOf(context);
        const stateOf = await readStatesOf(tables, context.reads!.states);
        return withPublicPaths(changedSince(tables, stateOf, new Date(since), context.caller.scope), context);
      }),
    }),
    lookupValues: t.field({
      type: [typeOf(lookupValue)],
      nullable: false,
      args: {
        table: t.arg.string({ required: true, description: 'The name of a table in REST or in the schema.' }),
        column: t.arg.string({ required: true, description: 'The name of a coded column in REST or in the schema.' }),
        ...labelArguments(builder, language),
      },
      description: 'The codes of a column with their labels.',
      resolve: surfacing(async (_root, { table, column, language: shown }, context) =>
        lookupValues(await codesOf(context, table, column), shown ?? undefined).map((value) => ({ ...value })),
      ),
    }),
    me: t.field({
      type: typeOf(me),
      nullable: false,
      description: 'The key: its permissions, expiry and quota, and the age of its tables’ data.',
      resolve: (_root, _args, context) => ({ ...keyAnswer(context.caller, context.quota), tables: freshTables }),
    }),
    rateLimit: t.field({
      type: typeOf(rateLimit),
      nullable: true,
      description: 'The quota; null if rate limiting is off.',
      resolve: (_root, _args, context) => quotaAnswer(context.quota),
    }),
  }));
};
