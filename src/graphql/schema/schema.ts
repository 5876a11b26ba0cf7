/**
 * The schema of a tier, built from the catalogue. It omits tables above the tier, and relations to them. Introspection, suggestions and
 * errors therefore cannot name them (contract: schema per tier). There is one schema per tier and shape of data scopes, not per customer.
 *
 * A plan reads and writes rows (see `execute.ts`). The fields of rows and connections therefore need no resolvers. Their meaning is in
 * `extensions`.
 */
import type { GraphQLSchema } from 'graphql';
import type { Column, Kind } from '../../catalogue/column.ts';
import { catalogueWithin, type DataScope } from '../../catalogue/data-scope.ts';
import type { Catalogue, ResolvedRelation } from '../../catalogue/index.ts';
import { kindNames, kinds } from '../../catalogue/kinds.ts';
import type { Table } from '../../catalogue/table.ts';
import type { Tier } from '../../catalogue/tiers.ts';
import { readableTables, relationsAmong } from '../../execute/visible.ts';
import { groupableTable } from '../../plan/groups/request.ts';
import { bounds } from '../document/limits.ts';
import {
  byWriter,
  createBuilder,
  type InputRef,
  type InterfaceRef,
  type ObjectRef,
  rowOf,
  type SchemaBuilder,
  type Shaped,
  writtenField,
} from './builder.ts';
import { createCodeTypes, describeCodes, labelArguments, languageEnum } from './codes.ts';
import { addTableFilters, filterRefs, kindFilter, type RowFilters } from './filters.ts';
import { idName } from './global-ids.ts';
import { addGroups, type GroupsTypes, groupsField } from './groups/groups.ts';
import { announceTypes, createGroups, type GroupsSchema } from './groups/shared.ts';
import { byIdName, camelCase, groupsName, labelName, rowTypeName, upperFirst } from './names.ts';
import { addTableOrder, directionEnum, orderRef } from './order.ts';
import { addServiceFields } from './service-fields.ts';

/** The types of one table. */
interface TableTypes {
  readonly table: Table;
  readonly row: ObjectRef;
  readonly connection: ObjectRef;
  readonly filters: RowFilters;
  readonly order: InputRef;
  readonly groups: GroupsTypes;
}

/** The schema for callers of a tier and a data scope. */
export const createSchema = (everything: Catalogue, tier: Tier, scope?: DataScope): GraphQLSchema => {
  const catalogue = catalogueWithin(everything, scope);
  const builder = createBuilder();
  const byKind = Object.fromEntries(kindNames.map((kind) => [kind, kindFilter(builder, kind)])) as Record<Kind, InputRef>;
  const direction = directionEnum(builder);
  const codesOf = createCodeTypes(builder);
  const pageInfo = addPageInfo(builder);
  const node = addNode(builder);
  const language = languageEnum(builder);
  const groups = createGroups(builder, { direction, language, pageInfo, filters: byKind });
  const shown = readableTables([...catalogue.tables.values()], tier);
  const relationsOf = relationsAmong(catalogue, shown);
  for (const table of shown) announceTypes(groups, table);
  const tables = new Map(
    shown.map((table): [string, TableTypes] => {
      const row: ObjectRef = builder.objectRef<Shaped>(rowTypeName(table.name));
      const connection = addConnection(builder, table, row, pageInfo);
      const filters = filterRefs(builder, table);
      const groupable = groupableTable(table, catalogue.tables, relationsOf);
      const own = addGroups(groups, { groupable, filter: filters.one });
      return [table.name, { table, row, connection, filters, order: orderRef(builder, table), groups: own }];
    }),
  );
  const filtersOf = (name: string) => tables.get(name)!.filters;
  const orderOf = (name: string) => tables.get(name)!.order;
  for (const types of tables.values()) {
    const relations = relationsOf(types.table.name);
    addRow(groups, types, tables, relations, node);
    const operand = groups.types.get(types.table.name)!.input;
    addTableFilters(builder, types.table, { byKind, relations, filtersOf, codesOf, operand });
    addTableOrder(builder, types.table, { direction, relations, orderOf });
  }
  builder.queryType({ description: 'The tables that the key may read.' });
  for (const types of tables.values()) addRootFields(groups, types);
  addServiceFields(builder, { hasRowCounts: !scope?.properties, language });
  return builder.toSchema({ sortSchema: false });
};

const addPageInfo = (builder: SchemaBuilder): ObjectRef =>
  builder.objectRef<Shaped>('PageInfo').implement({
    description: 'The position of a page in the matching rows.',
    fields: (t) => ({
      hasNextPage: t.boolean({
        nullable: false,
        description: 'Whether more rows follow. It is always true with `before`.',
        resolve: byWriter,
      }),
      hasPreviousPage: t.boolean({
        nullable: false,
        description: 'Whether rows precede the page. It is always true with `after` or an offset.',
        resolve: byWriter,
      }),
      startCursor: t.string({
        nullable: true,
        description: 'The cursor of the first row. Use it as `before` for the previous page.',
        resolve: byWriter,
      }),
      endCursor: t.string({
        nullable: true,
        description: 'The cursor of the last row. Use it as `after` for the next page.',
        resolve: byWriter,
      }),
    }),
  });

/** The interface of all rows. Its `id` is the key of a row in the cache of a client. */
const addNode = (builder: SchemaBuilder): InterfaceRef => {
  const node = builder.interfaceRef<Shaped>('Node').implement({
    description: 'A row of any table.',
    resolveType: byWriter,
    fields: (t) => ({
      [idName]: t.id({
        nullable: false,
        description: 'An opaque identifier of the row, unique across all tables of the key.',
        ...writtenField({ is: 'id' }),
      }),
    }),
  });
  builder.queryFields((t) => ({
    node: t.field({
      type: node,
      nullable: true,
      args: { id: t.arg.id({ required: true, description: 'The `id` of a row.' }) },
      description: 'The row with this id, or null.',
      ...writtenField({ is: 'nodes', isList: false }),
    }),
    nodes: t.field({
      type: [node],
      nullable: { list: false, items: true },
      args: { ids: t.arg.idList({ required: true, description: `The \`id\` of each row, up to ${bounds.first.max}.` }) },
      description: 'The rows with these ids, in the same order; null for an id without a row.',
      ...writtenField({ is: 'nodes', isList: true }),
    }),
  }));
  return node;
};

const addConnection = (builder: SchemaBuilder, table: Table, row: ObjectRef, pageInfo: ObjectRef): ObjectRef => {
  const edge = builder.objectRef<Shaped>(`${rowTypeName(table.name)}Edge`).implement({
    description: `One of ${table.name}, with its cursor.`,
    extensions: rowOf(table),
    fields: (t) => ({
      cursor: t.string({ nullable: false, description: 'For `after` and `before`.', resolve: byWriter }),
      node: t.field({ type: row, nullable: false, description: table.grain, resolve: byWriter }),
    }),
  });
  return builder.objectRef<Shaped>(`${rowTypeName(table.name)}Connection`).implement({
    description: `A page of ${table.name}.`,
    extensions: rowOf(table),
    fields: (t) => ({
      edges: t.field({ type: [edge], nullable: false, description: 'The rows with their cursors.', resolve: byWriter }),
      nodes: t.field({ type: [row], nullable: false, description: 'The rows.', resolve: byWriter }),
      pageInfo: t.field({ type: pageInfo, nullable: false, description: 'The position of the page.', resolve: byWriter }),
      totalCount: t.int({
        nullable: false,
        description: 'The number of matching rows on all pages. Counted only if the field is selected.',
        resolve: byWriter,
      }),
    }),
  });
};

const addRow = (
  schema: GroupsSchema,
  { table, row }: TableTypes,
  tables: ReadonlyMap<string, TableTypes>,
  relations: readonly ResolvedRelation[],
  node: InterfaceRef,
) => {
  const { builder, language } = schema;
  const columns = Object.entries(table.columns);
  const args = labelArguments(builder, language);
  builder.objectType(row, {
    description: `${table.purpose} One row is ${table.grain}.`,
    extensions: rowOf(table),
    interfaces: [node],
    fields: (t) => ({
      ...Object.fromEntries(
        columns.map(([name, column]) => [
          camelCase(name),
          t.field({
            type: kinds[column.kind].scalar,
            nullable: !column.required,
            description: describe(column, tables),
            ...writtenField({ is: 'column', column: name }),
          }),
        ]),
      ),
      ...Object.fromEntries(
        columns.flatMap(([name, { lookup }]) => {
          if (!lookup) return [];
          const description = `Label of \`${camelCase(name)}\`; null for a code that has none.`;
          return [
            [labelName(name), t.string({ nullable: true, description, args, ...writtenField({ is: 'label', column: name, lookup }) })],
          ];
        }),
      ),
      ...Object.fromEntries(
        relations.map((relation) => [relation.name, t.field(relationField(builder, table, relation, tables.get(relation.target)!))]),
      ),
      ...Object.fromEntries(
        relations
          .filter(({ kind }) => kind === 'to-many')
          .map((relation) => {
            const { groups, filters, table: target } = tables.get(relation.target)!;
            const description = `Groups of the ${target.name} of \`${relation.name}\`.`;
            return [
              groupsName(relation.name),
              t.field(groupsField(schema, groups, filters.one, { description, value: { is: 'relatedGroups', relation } })),
            ];
          }),
      ),
    }),
  });
};

/** The description of a column. It names only tables that are in the schema. */
const describe = ({ meaning: text, references, lookup, example }: Column, tables: ReadonlyMap<string, TableTypes>): string => {
  const target = references?.split('.', 1)[0];
  return [
    `${upperFirst(text)}.`,
    ...(target && tables.has(target) ? [`Refers to ${references}.`] : []),
    ...(lookup ? [describeCodes(lookup)] : []),
    ...(example === undefined ? [] : [`Example: ${example}.`]),
  ].join(' ');
};

const relationField = (builder: SchemaBuilder, table: Table, relation: ResolvedRelation, target: TableTypes) => {
  const { kind, column, targetColumn } = relation;
  const path = `${table.name}.${column} = ${target.table.name}.${targetColumn}`;
  const isMany = kind === 'to-many';
  return {
    type: isMany ? target.connection : target.row,
    args: isMany ? pageArguments(builder, target) : {},
    nullable: !isMany,
    description: isMany ? `The ${target.table.name} where ${path}.` : `${upperFirst(target.table.grain)} where ${path}.`,
    ...writtenField({ is: 'relation', relation }),
  } as const;
};

const pageArguments = (builder: SchemaBuilder, { filters, order }: TableTypes) => {
  const { defaultValue, min, max } = bounds.first;
  return builder.args((t) => ({
    filter: t.field({ type: filters.one, description: 'The rows to read. The default is all rows.' }),
    orderBy: t.field({ type: [order], description: 'The sort order. The default is by the sort key.' }),
    first: t.int({ description: `How many rows, ${min} to ${max}; ${defaultValue} by default.` }),
    after: t.string({ description: 'Returns rows after this cursor.' }),
    last: t.int({ description: `How many rows from the end, ${min} to ${max}, in the same order; not together with \`first\`.` }),
    before: t.string({ description: 'Returns rows before this cursor. It excludes `after`.' }),
  }));
};

const addRootFields = (schema: GroupsSchema, types: TableTypes) => {
  const { builder } = schema;
  const { table, row, connection, groups, filters } = types;
  const name = camelCase(table.name);
  const key = table.columns[table.key]!;
  const required = table.requiredFilters.map((column) => `\`${camelCase(column)}\``).join(' and ');
  const offset = builder.args((t) => ({
    offset: t.int({
      defaultValue: bounds.offset.defaultValue,
      description: `Rows to skip, up to ${bounds.offset.max}; not together with \`after\`, \`last\` and \`before\`.`,
    }),
  }));
  builder.queryFields((t) => ({
    [name]: t.field({
      type: connection,
      nullable: false,
      args: { ...pageArguments(builder, types), ...offset },
      description: `${table.purpose}${required ? ` The filter must name ${required}.` : ''}`,
      ...writtenField({ is: 'rows', table }),
    }),
    [groupsName(name)]: t.field(
      groupsField(schema, groups, filters.one, {
        description: `Groups of ${table.name}.`,
        value: { is: 'groups', table },
      }),
    ),
    [byIdName(table.name)]: t.field({
      type: row,
      nullable: true,
      args: { [camelCase(table.key)]: t.arg({ type: kinds[key.kind].scalar, required: true, description: key.meaning }) },
      description: `${upperFirst(table.grain)}, by its key; null if there is none.`,
      ...writtenField({ is: 'row', table }),
    }),
  }));
};
