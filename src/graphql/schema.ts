/**
 * The schema of a tier, built from the catalogue: tables above the tier, and relations that lead there, are not in it, so
 * that neither introspection nor suggestions nor errors can name them (contract: schema per tier). One schema per tier, never per
 * customer.
 *
 * Rows are read and written by plan (see `execute.ts`), so the fields of rows and connections have no resolvers that do
 * anything; what a field stands for is in its `extensions`.
 */
import type { GraphQLSchema } from 'graphql';
import type { Column, Kind } from '../catalogue/column.ts';
import type { Catalogue, ResolvedRelation } from '../catalogue/index.ts';
import { kindNames, kinds } from '../catalogue/kinds.ts';
import type { Table } from '../catalogue/table.ts';
import type { Tier } from '../catalogue/tiers.ts';
import { readableTables } from '../read/directory.ts';
import { limits } from '../read/parameters.ts';
import { createBuilder, type InputRef, type ObjectRef, type SchemaBuilder, type Shaped } from './builder.ts';
import { type FieldMeaning, meaning, rowOf } from './field-meaning.ts';
import { kindFilter, tableFilter } from './filters.ts';
import { byIdName, camelCase, labelName, typeName, upperFirst } from './names.ts';
import { directionEnum, tableOrder } from './order.ts';
import { addServiceFields } from './service-fields.ts';

/** The bounds of `first`, and of `offset`, which are REST's (contract: GraphQL connections). */
export const bounds = { first: { standard: 100, least: 1, most: 1_000 }, offset: limits.offset } as const;

/** The types that stand for one table. */
interface TableTypes {
  readonly table: Table;
  readonly row: ObjectRef;
  readonly connection: ObjectRef;
  readonly filter: InputRef;
  readonly order: InputRef;
}

/** Rows never come through GraphQL's own execution (see `execute.ts`). */
const byWriter = (): never => {
  throw new Error('Rows are written, not resolved');
};

const isShown = (tables: ReadonlyMap<string, TableTypes>, { target }: ResolvedRelation) => tables.has(target);

/** The schema that callers of a tier see. */
export const createSchema = (catalogue: Catalogue, tier: Tier): GraphQLSchema => {
  const builder = createBuilder();
  const filters = Object.fromEntries(kindNames.map((kind) => [kind, kindFilter(builder, kind)])) as Record<Kind, InputRef>;
  const direction = directionEnum(builder);
  const pageInfo = addPageInfo(builder);
  const shown = readableTables([...catalogue.tables.values()], tier);
  const tables = new Map(
    shown.map((table): [string, TableTypes] => {
      const row: ObjectRef = builder.objectRef<Shaped>(typeName(table.name));
      const connection = addConnection(builder, table, row, pageInfo);
      const filter = tableFilter(builder, table, filters);
      return [table.name, { table, row, connection, filter, order: tableOrder(builder, table, direction) }];
    }),
  );
  for (const types of tables.values()) addRow(builder, types, tables, catalogue.relations.get(types.table.name) ?? []);
  builder.queryType({ description: 'What the key may read.' });
  for (const types of tables.values()) addRootFields(builder, types);
  addServiceFields(builder);
  return builder.toSchema({ sortSchema: false });
};

const addPageInfo = (builder: SchemaBuilder): ObjectRef =>
  builder.objectRef<Shaped>('PageInfo').implement({
    description: 'Where a page stands among the rows that match.',
    fields: (t) => ({
      hasNextPage: t.boolean({ nullable: false, description: 'Whether rows follow.', resolve: byWriter }),
      hasPreviousPage: t.boolean({
        nullable: false,
        description: 'Whether the page begins behind a cursor or an offset.',
        resolve: byWriter,
      }),
      startCursor: t.string({ nullable: true, description: 'Cursor of the first row.', resolve: byWriter }),
      endCursor: t.string({ nullable: true, description: 'Cursor of the last row; the next page is `after` it.', resolve: byWriter }),
    }),
  });

const addConnection = (builder: SchemaBuilder, table: Table, row: ObjectRef, pageInfo: ObjectRef): ObjectRef => {
  const edge = builder.objectRef<Shaped>(`${typeName(table.name)}Edge`).implement({
    description: `One of ${table.name}, with its cursor.`,
    extensions: rowOf(table),
    fields: (t) => ({
      cursor: t.string({ nullable: false, description: 'For `after`.', resolve: byWriter }),
      node: t.field({ type: row, nullable: false, description: table.grain, resolve: byWriter }),
    }),
  });
  return builder.objectRef<Shaped>(`${typeName(table.name)}Connection`).implement({
    description: `A page of ${table.name}.`,
    extensions: rowOf(table),
    fields: (t) => ({
      edges: t.field({ type: [edge], nullable: false, description: 'The rows with their cursors.', resolve: byWriter }),
      nodes: t.field({ type: [row], nullable: false, description: 'The rows.', resolve: byWriter }),
      pageInfo: t.field({ type: pageInfo, nullable: false, description: 'Where the page stands.', resolve: byWriter }),
      totalCount: t.int({
        nullable: false,
        description: 'How many rows match, on all pages; counted only when asked for.',
        resolve: byWriter,
      }),
    }),
  });
};

const addRow = (
  builder: SchemaBuilder,
  { table, row }: TableTypes,
  tables: ReadonlyMap<string, TableTypes>,
  relations: readonly ResolvedRelation[],
) => {
  const columns = Object.entries(table.columns);
  builder.objectType(row, {
    description: `${table.purpose} One row is ${table.grain}.`,
    extensions: rowOf(table),
    fields: (t) => ({
      ...Object.fromEntries(
        columns.map(([name, column]) => [
          camelCase(name),
          t.field({
            type: kinds[column.kind].scalar,
            nullable: !column.required,
            description: describe(column, tables),
            extensions: meaning({ is: 'column', column: name }),
            resolve: byWriter,
          }),
        ]),
      ),
      ...Object.fromEntries(
        columns.flatMap(([name, { lookup }]) => {
          if (!lookup) return [];
          const description = `Label of \`${camelCase(name)}\`; null for a code that has none.`;
          const extensions = meaning({ is: 'label', column: name, lookup });
          return [[labelName(name), t.string({ nullable: true, description, extensions, resolve: byWriter })]];
        }),
      ),
      ...Object.fromEntries(
        relations
          .filter((relation) => isShown(tables, relation))
          .map((relation) => [relation.name, t.field(relationField(builder, table, relation, tables.get(relation.target)!))]),
      ),
    }),
  });
};

/** What a column means; it names no table that the schema does not show. */
const describe = ({ meaning: text, references, example }: Column, tables: ReadonlyMap<string, TableTypes>): string => {
  const target = references?.split('.', 1)[0];
  return [
    `${upperFirst(text)}.`,
    ...(target && tables.has(target) ? [`Refers to ${references}.`] : []),
    ...(example === undefined ? [] : [`Example: ${example}.`]),
  ].join(' ');
};

const relationField = (builder: SchemaBuilder, table: Table, relation: ResolvedRelation, target: TableTypes) => {
  const { kind, column, targetColumn } = relation;
  const path = `${table.name}.${column} = ${target.table.name}.${targetColumn}`;
  const extensions = meaning({ is: 'relation', relation });
  const isMany = kind === 'to-many';
  return {
    type: isMany ? target.connection : target.row,
    args: isMany ? pageArguments(builder, target) : {},
    nullable: !isMany,
    description: isMany ? `The ${target.table.name} where ${path}.` : `${upperFirst(target.table.grain)} where ${path}.`,
    extensions,
    resolve: byWriter,
  } as const;
};

const pageArguments = (builder: SchemaBuilder, { filter, order }: TableTypes) => {
  const { standard, least, most } = bounds.first;
  return builder.args((t) => ({
    filter: t.field({ type: filter, description: 'Which rows; all by default.' }),
    orderBy: t.field({ type: [order], description: 'In which order; by the sort key by default.' }),
    first: t.int({ defaultValue: standard, description: `How many rows, ${least} to ${most}.` }),
    after: t.string({ description: 'The cursor behind which to begin.' }),
  }));
};

const addRootFields = (builder: SchemaBuilder, types: TableTypes) => {
  const { table, row, connection } = types;
  const name = camelCase(table.name);
  const key = table.columns[table.key]!;
  const required = table.requiredFilters.map((column) => `\`${camelCase(column)}\``).join(' and ');
  const root = (value: FieldMeaning) => ({ extensions: meaning(value), resolve: byWriter });
  const offset = builder.args((t) => ({
    offset: t.int({
      defaultValue: bounds.offset.standard,
      description: `Rows to skip, up to ${bounds.offset.most}; not together with \`after\`.`,
    }),
  }));
  builder.queryFields((t) => ({
    [name]: t.field({
      type: connection,
      nullable: false,
      args: { ...pageArguments(builder, types), ...offset },
      description: `${table.purpose}${required ? ` The filter must name ${required}.` : ''}`,
      ...root({ is: 'rows', table }),
    }),
    [byIdName(table.name)]: t.field({
      type: row,
      nullable: true,
      args: { [camelCase(table.key)]: t.arg({ type: kinds[key.kind].scalar, required: true, description: key.meaning }) },
      description: `${upperFirst(table.grain)}, by its key; null if there is none.`,
      ...root({ is: 'row', table }),
    }),
  }));
};
