/**
 * Root fields that are not tables: the catalogue, changes, lookup values, the caller's key and its quota. They return the same data as the
 * auxiliary endpoints of REST (contract: visibility; quota headers; me; changes; lookup values).
 */
import { catalogueWithin, type PropertySet, type ScopeDefinition } from '../../catalogue/data-scope.ts';
import type { VisibleCheck } from '../../checks/visible.ts';
import { ApiError } from '../../errors.ts';
import { changedSince, freshnessOf, readStatesOf } from '../../execute/freshness.ts';
import { lookupValues } from '../../execute/lookup.ts';
import { groupByCategory, type ListedTable, listReadable } from '../../execute/visible.ts';
import type { GraphqlContext } from '../context.ts';
import { surfacing } from '../errors.ts';
import type { InputEnum, SchemaBuilder } from './builder.ts';
import { labelArguments } from './codes.ts';
import { camelCase } from './names.ts';

/** The tables that the caller may read, as in REST. */
const tablesOf = async ({ services, caller }: GraphqlContext): Promise<ListedTable[]> =>
  listReadable(services.catalogue, await services.directories.of(caller.customer), caller);

const addCatalog = (builder: SchemaBuilder) => {
  const category = builder.objectRef<{ category: string; tables: string[] }>('Category').implement({
    description: 'A category and its tables, with their REST names.',
    fields: (t) => ({
      category: t.exposeString('category', { nullable: false, description: 'Name of the category.' }),
      tables: t.exposeStringList('tables', { nullable: false, description: 'Names of its tables.' }),
    }),
  });
  builder.queryField('catalog', (t) =>
    t.field({
      type: [category],
      nullable: false,
      description: 'The categories and tables that the key may read.',
      resolve: surfacing(async (_root, _args, context) => groupByCategory(await tablesOf(context))),
    }),
  );
};

const rowCountWords = 'Rows of the table; null for a key that reads some properties only.';

const addChanges = (builder: SchemaBuilder, hasRowCounts: boolean) => {
  const change = builder.objectRef<ReturnType<typeof changedSince>[number]>('Change').implement({
    description: 'The state of a table whose data changed.',
    fields: (t) => ({
      category: t.exposeString('category', { nullable: false, description: 'Category of the table.' }),
      table: t.exposeString('table', { nullable: false, description: 'Name of the table.' }),
      endpointUrl: t.string({
        nullable: false,
        description: 'Path of the table in REST.',
        resolve: ({ endpoint_url }, _args, { publicPath }) => publicPath(endpoint_url),
      }),
      syncedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'End of the last sync.',
        resolve: (row) => row.synced_at?.toISOString(),
      }),
      changedAt: t.field({
        type: 'DateTime',
        nullable: false,
        description: 'End of the last sync that changed rows.',
        resolve: (row) => row.changed_at.toISOString(),
      }),
      rowCount: t.field({ type: 'BigInt', nullable: !hasRowCounts, description: rowCountWords, resolve: (row) => row.row_count }),
      version: t.field({
        type: 'BigInt',
        nullable: false,
        description: 'The data version. It only increases.',
        resolve: (row) => row.version,
      }),
    }),
  });
  builder.queryField('changes', (t) =>
    t.field({
      type: [change],
      nullable: false,
      args: { since: t.arg({ type: 'DateTime', required: true, description: 'The start of the period.' }) },
      description: 'Tables whose data changed at or after a point in time.',
      resolve: surfacing(async (_root, { since }, context) => {
        const tables = await tablesOf(context);
        return changedSince(tables, await readStatesOf(tables, context.reads!.states), new Date(since), context.caller.scope);
      }),
    }),
  );
};

const addLookupValues = (builder: SchemaBuilder, language: InputEnum) => {
  const entry = builder.objectRef<{ value: string; label: string }>('LookupValue').implement({
    description: 'A code and its label.',
    fields: (t) => ({
      value: t.exposeString('value', { nullable: false, description: 'The code in the rows.' }),
      label: t.exposeString('label', { nullable: false, description: 'The meaning of the code.' }),
    }),
  });
  builder.queryField('lookupValues', (t) =>
    t.field({
      type: [entry],
      nullable: false,
      args: {
        table: t.arg.string({ required: true, description: 'The name of a table in REST or in the schema.' }),
        column: t.arg.string({ required: true, description: 'The name of a coded column in REST or in the schema.' }),
        ...labelArguments(builder, language),
      },
      description: 'The codes of a column with their labels.',
      resolve: surfacing(async (_root, { table, column, language: shown }, context) => {
        const isNamed = (given: string) => (name: string) => given === name || given === camelCase(name);
        const found = (await tablesOf(context)).find(({ kind, name }) => kind === 'category' && isNamed(table)(name));
        const { columns = {} } = (found && catalogueWithin(context.services.catalogue, context.caller.scope).tables.get(found.name)) ?? {};
        const lookup = columns[Object.keys(columns).find(isNamed(column)) ?? '']?.lookup;
        const codes = lookup ? await context.reads!.lookup(lookup) : [];
        if (codes.length === 0) throw new ApiError('noLookupValues', `${table}.${column}`);
        return [...lookupValues(codes, shown ?? undefined)];
      }),
    }),
  );
};

/** The quota of the caller's key. It is a root field, and also a field of `me`. */
const addQuota = (builder: SchemaBuilder) => {
  const quota = builder.objectRef<NonNullable<GraphqlContext['quota']>>('RateLimit').implement({
    description: "The key's quota in the present hour; this request is counted in it, once.",
    fields: (t) => ({
      limit: t.exposeInt('limit', { nullable: false, description: 'Requests an hour.' }),
      remaining: t.exposeInt('remaining', { nullable: false, description: 'Requests left in this hour.' }),
      resetsAt: t.field({
        type: 'DateTime',
        nullable: false,
        description: 'End of the hour.',
        resolve: ({ resetSeconds }) => new Date(Date.now() + resetSeconds * 1_000).toISOString(),
      }),
    }),
  });
  builder.queryField('rateLimit', (t) =>
    t.field({
      type: quota,
      nullable: true,
      description: 'The quota; null if rate limiting is off.',
      resolve: (_root, _args, context) => context.quota,
    }),
  );
  return quota;
};

/** The data scope of the caller's key. */
const addScope = (builder: SchemaBuilder) => {
  const properties = builder.objectRef<PropertySet>('PropertySet').implement({
    description: 'The properties that a key may read. All conditions that are not null apply.',
    fields: (t) => ({
      ids: t.intList({ nullable: true, description: 'One of these properties.', resolve: ({ ids }) => ids && [...ids] }),
      companies: t.stringList({
        nullable: true,
        description: 'Properties of one of these companies.',
        resolve: ({ companies }) => companies && [...companies],
      }),
      federalStates: t.stringList({
        nullable: true,
        description: 'Properties in one of these federal states.',
        resolve: ({ federal_states }) => federal_states && [...federal_states],
      }),
    }),
  });
  return builder.objectRef<ScopeDefinition>('DataScope').implement({
    description: 'The data scope of a key.',
    fields: (t) => ({
      personal: t.stringList({
        nullable: true,
        description: 'The classes of personal data that the key may read; null for all.',
        resolve: ({ personal }) => personal && [...personal],
      }),
      properties: t.field({
        type: properties,
        nullable: true,
        description: 'The properties that the key may read; null for all.',
        resolve: (scope) => scope.properties,
      }),
    }),
  });
};

type FreshTable = ReturnType<typeof freshnessOf>[number];

const addFailedCheck = (builder: SchemaBuilder) =>
  builder.objectRef<VisibleCheck>('FailedCheck').implement({
    description: 'A check of the data that failed after the last load.',
    fields: (t) => ({
      name: t.exposeString('name', { nullable: false, description: 'Name of the check.' }),
      severity: t.exposeString('severity', { nullable: false, description: 'What a violation does: `warn` or `refuse`.' }),
      count: t.exposeInt('count', { nullable: false, description: 'Number of violations.' }),
      keys: t.stringList({
        nullable: false,
        description: 'Up to five keys of rows, or names of columns, as examples.',
        resolve: ({ keys }) => [...keys],
      }),
      en: t.exposeString('en', { nullable: false, description: 'What the rows are.' }),
      de: t.exposeString('de', { nullable: false, description: 'The same in German.' }),
    }),
  });

const addMe = (builder: SchemaBuilder, hasRowCounts: boolean) => {
  const scope = addScope(builder);
  const quota = addQuota(builder);
  const failedCheck = addFailedCheck(builder);
  const freshness = builder.objectRef<FreshTable>('TableFreshness').implement({
    description: 'The age of a table’s data.',
    fields: (t) => ({
      category: t.exposeString('category', { nullable: false, description: 'Category of the table.' }),
      table: t.exposeString('table', { nullable: false, description: 'Name of the table.' }),
      endpointUrl: t.string({
        nullable: false,
        description: 'Path of the table in REST.',
        resolve: ({ endpoint_url }, _args, { publicPath }) => publicPath(endpoint_url),
      }),
      version: t.field({
        type: 'BigInt',
        nullable: false,
        description: 'The data version. It only increases.',
        resolve: (row) => row.version,
      }),
      rowCount: t.field({ type: 'BigInt', nullable: !hasRowCounts, description: rowCountWords, resolve: (row) => row.row_count }),
      syncedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'End of the last sync; null before the first.',
        resolve: (row) => row.synced_at?.toISOString(),
      }),
      changedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'End of the last sync that changed rows.',
        resolve: (row) => row.changed_at?.toISOString(),
      }),
      ageSeconds: t.field({
        type: 'BigInt',
        nullable: true,
        description: 'Seconds since the last sync.',
        resolve: (row) => row.age_seconds,
      }),
      failedChecks: t.field({
        type: [failedCheck],
        nullable: false,
        description: 'The checks of the data that failed after the last load. Counts and keys are those of rows that the key may read.',
        resolve: surfacing(async (row, _args, context) => {
          const failed = await context.reads!.failedChecks(await tablesOf(context));
          return [...(failed.get((row as FreshTable).table) ?? [])];
        }),
      }),
    }),
  });
  const me = builder.objectRef<GraphqlContext>('Me').implement({
    description: 'The key of this request, and the age of its data.',
    fields: (t) => ({
      tier: t.string({ nullable: false, description: 'The highest tier that the key may read.', resolve: ({ caller }) => caller.tier }),
      groups: t.stringList({
        nullable: false,
        description: 'The endpoint groups that the key may use.',
        resolve: ({ caller }) => [...caller.groups],
      }),
      expiresAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When the key expires; null if it does not expire.',
        resolve: ({ caller }) => caller.expiresAt?.toISOString(),
      }),
      scope: t.field({
        type: scope,
        nullable: true,
        description: 'The data scope of the key; null for everything.',
        resolve: ({ caller }) => caller.scope?.definition,
      }),
      quota: t.field({ type: quota, nullable: true, description: 'Same as rateLimit.', resolve: (context) => context.quota }),
      tables: t.field({
        type: [freshness],
        nullable: false,
        description: 'The tables that the key may read.',
        resolve: surfacing(async (_me, _args, context) => {
          const tables = await tablesOf(context);
          return freshnessOf(tables, await readStatesOf(tables, context.reads!.states), context.caller.scope);
        }),
      }),
    }),
  });
  builder.queryField('me', (t) =>
    t.field({
      type: me,
      nullable: false,
      description: 'The key: its permissions, expiry and quota, and the age of its tables’ data.',
      resolve: (_root, _args, context) => context,
    }),
  );
};

interface ServiceTypes {
  /** If false, the number of rows of a table may be null. */
  readonly hasRowCounts: boolean;
  readonly language: InputEnum;
}

export const addServiceFields = (builder: SchemaBuilder, { hasRowCounts, language }: ServiceTypes): void => {
  addCatalog(builder);
  addChanges(builder, hasRowCounts);
  addLookupValues(builder, language);
  addMe(builder, hasRowCounts);
};
