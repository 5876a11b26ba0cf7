/**
 * Translates the arguments of a document into a tree of plans. The tree has the shape of the selection: one plan for each level, with the
 * plans of its relations below it (contract: GraphQL connections).
 */
import { type CustomerSchema, categorySource } from '../../cache/directory.ts';
import { type DataScope, tablesOfScope } from '../../catalogue/data-scope.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { ApiError } from '../../errors.ts';
import { type Condition, needsDay } from '../../plan/condition.ts';
import { costOfCondition, costOfGroups } from '../../plan/cost.ts';
import { type Cursors, keysetOf } from '../../plan/cursor.ts';
import { countName, type Groups, totalName } from '../../plan/groups/groups.ts';
import { type JoinedRow, joinCount, type Link, type Plan, referencedTables, valueCount } from '../../plan/plan.ts';
import { refuseHidden } from '../../plan/references.ts';
import { type UnlistedValue, unlistedValues } from '../../plan/unlisted-values.ts';
import { validationTexts } from '../../plan/validation-errors.ts';
import type { Bounds } from '../../query/parameters.ts';
import { bounds } from '../document/limits.ts';
import { asGraphqlError } from '../errors.ts';
import { filterConditionOf, filterTextOf, missingFilters } from '../schema/filter-conditions.ts';
import { isKey, parseGlobalId } from '../schema/global-ids.ts';
import { firstGroups } from '../schema/groups/groups.ts';
import { camelCase } from '../schema/names.ts';
import { type OrderInput, orderOfArgument } from '../schema/order.ts';
import type { Arguments, SelectedField } from '../selection/fields.ts';
import type { ConnectionSelection, OperationSelection, RelationField, RootSelection, RowSelection } from '../selection/selection.ts';
import { type Cost, CostCounter, costOfConnection } from './cost.ts';
import { groupsOf } from './groups-request.ts';

/** The plan of one level, and the plans of the level's relations in the same order. */
export interface LevelPlan {
  readonly plan: Plan;
  readonly relations: readonly RelationPlan[];
}

/** The plan of a relation's rows. */
export interface RelationPlan extends LevelPlan {
  readonly link: Link;
  /** If the parent's statement reads the related row: the position in the parent's row at which it begins. Otherwise undefined. */
  readonly position: number | undefined;
}

/** A row that is requested by its key. */
export interface SingleRow {
  readonly selection: RowSelection;
  readonly levelPlan: LevelPlan;
  readonly key: string;
}

/** The plan of a root field: a connection, or rows by key. A row is undefined if its id cannot be a row. */
export type RootPlan =
  | { readonly is: 'connection'; readonly selection: ConnectionSelection; readonly levelPlan: LevelPlan }
  | { readonly is: 'rows'; readonly rows: readonly (SingleRow | undefined)[] };

export interface OperationPlan {
  /** The plans of the root fields in their order. Undefined for root fields without rows. */
  readonly roots: readonly (RootPlan | undefined)[];
  readonly cost: Cost;
  /** The tables that the response depends on. */
  readonly tables: ReadonlySet<string>;
  /** The orders without an index, with their names in the schema. */
  readonly unindexedOrders: ReadonlySet<string>;
  /** Whether the response depends on the present day. */
  readonly isOfToday: boolean;
  /** Values of filters that are not in the code lists of the catalogue. */
  readonly unlisted: readonly UnlistedValue[];
}

/** The caller's request. */
export interface PlanRequest {
  readonly catalogue: Catalogue;
  readonly customer: CustomerSchema;
  readonly scope: DataScope | undefined;
  readonly cursors: Cursors;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The shared state for planning one request. */
interface Planning extends PlanRequest {
  readonly cost: CostCounter;
  readonly tables: Set<string>;
  readonly unindexedOrders: Set<string>;
  readonly unlisted: UnlistedValue[];
  /** Response key of the current root field. */
  root: string;
  isOfToday: boolean;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Whether the arguments request a page from the end. Throws `invalidParameter` if they request both directions. */
const isBackwardPage = ({ first, after, last, before, offset }: Arguments): boolean => {
  const isBackward = isGiven(last) || isGiven(before);
  if (!isBackward || !(isGiven(first) || isGiven(after) || offset)) return isBackward;
  const name = isGiven(last) ? 'last' : 'before';
  throw new ApiError('invalidParameter', `${name}: Use first, after and offset, or last and before, but not both`);
};

/** An integer argument. Throws `invalidParameter` outside its bounds. */
const bounded = (values: Arguments, name: keyof typeof bounds, { defaultValue, min, max }: Bounds = bounds[name]): number => {
  const value = (values[name] as number | null | undefined) ?? defaultValue;
  if (value < min) throw new ApiError('invalidParameter', `${name}: ${validationTexts.below(min)}`);
  if (value > max) throw new ApiError('invalidParameter', `${name}: ${validationTexts.above(max)}`);
  return value;
};

type Arrangement = OrderInput & { readonly groups?: Groups };

const wantsCursors = ({ fields }: ConnectionSelection): boolean =>
  fields.some(
    (field) =>
      (field.is === 'edges' && field.fields.some(({ is }) => is === 'cursor')) ||
      (field.is === 'pageInfo' && field.fields.some(({ is }) => is === 'startCursor' || is === 'endCursor')),
  );

interface Rows {
  readonly where: Condition | undefined;
  readonly linkedBy: string | undefined;
}

/** The order of a connection's rows, or its groups and their order. */
const arrangement = (
  { catalogue, variables }: Planning,
  connection: ConnectionSelection,
  values: Arguments,
  { where, linkedBy }: Rows,
): Arrangement => {
  const { groups } = connection;
  if (groups)
    return { relatedColumns: [], unindexed: [], ...groupsOf(catalogue, { ...connection, groups }, values, { variables, where, linkedBy }) };
  if (needsDay(where)) throw new ApiError('invalidParameter', 'filter: someValid and noneValid need groups with asOf');
  return orderOfArgument(catalogue, connection.level.table, values.orderBy);
};

/** `linkedBy` is the column that links rows to their parents. At the root there is none. */
const planConnection = (planning: Planning, connection: ConnectionSelection, parents: number, linkedBy?: string): LevelPlan => {
  const { level } = connection;
  const { table } = level;
  const values = connection.argumentsOf(planning.variables);
  const where = filterConditionOf(planning.catalogue, table, values.filter);
  planning.cost.addConditions(costOfCondition(where));
  const source = categorySource(table, planning.customer, planning.scope);
  planning.unlisted.push(...unlistedValues({ source, where }, planning.catalogue.tables));
  const missing = linkedBy === undefined && !connection.groups ? missingFilters(table, where) : [];
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
  const isBackward = isBackwardPage(values);
  const { groups, order, relatedColumns, unindexed } = arrangement(planning, connection, values, { where, linkedBy });
  for (const name of unindexed) planning.unindexedOrders.add(name);
  planning.cost.addSteps(relatedColumns.reduce((steps, { via }) => steps + via.length, 0));
  if (groups) planning.cost.addConditions(costOfGroups(groups, where));
  if (groups?.isOfToday) planning.isOfToday = true;
  const limit = bounded(values, isBackward ? 'last' : 'first', groups && firstGroups);
  const offset = bounded(values, 'offset');
  const ordered = { source, where, order, relatedColumns: relatedColumns.length > 0 ? relatedColumns : undefined, groups };
  for (const name of [table.name, ...referencedTables(ordered)]) planning.tables.add(name);
  refuseHidden(ordered, planning.catalogue.tables, (column, violation) => `${camelCase(column)}: ${violation}`);
  const position = isBackward ? 'before' : 'after';
  const after = values[position] ? keysetOf(planning.cursors, ordered).open(values[position] as string) : undefined;
  if (values[position] && !after)
    throw new ApiError('invalidParameter', `${position}: The cursor is not valid for this table, filter and order`);
  if (after && offset > 0) throw new ApiError('invalidParameter', 'after: A cursor cannot be combined with an offset greater than 0');
  const ordering = wantsCursors(connection) ? order.map(({ column }) => column) : [];
  const columns = [...new Set([...level.columns, ...ordering, ...(groups?.isCounted ? [totalName] : [])])];
  // Without keys, all rows form one group.
  const rows = parents * (groups?.keys.length === 0 ? 1 : limit);
  planning.cost.add(costOfConnection(connection, parents, rows));
  const shown = columns.length > 0 ? columns : [groups ? countName : table.key];
  const plan = { columns: shown, after, isBackward: isBackward || undefined, offset, limit, joinedRows: [], ...ordered };
  return { plan, relations: planRelations(planning, plan, level.relations, rows) };
};

const oneRow = { where: undefined, order: [], after: undefined, offset: 0, limit: 1 } as const;

const planRow = (planning: Planning, { level, fields }: RowSelection, parents: number): LevelPlan => {
  const { table } = level;
  const columns = level.columns.length > 0 ? level.columns : [table.key];
  planning.cost.add({ nodes: parents, values: parents * fields.length });
  planning.tables.add(table.name);
  const plan = { source: categorySource(table, planning.customer, planning.scope), columns, joinedRows: [], ...oneRow };
  return { plan, relations: planRelations(planning, plan, level.relations, parents) };
};

/** With more rows than this, a separate statement reads their relations, because many rows share the same related row. */
const joinedRows = 500;
/** With more joins than this, the database server takes longer to plan than to execute them. */
const maxJoins = 8;

interface Growing extends Plan {
  readonly joinedRows: JoinedRow[];
}

/** Plans the relations of a level with so many rows. Adds the related rows that the level's own statement reads to its plan. */
const planRelations = (planning: Planning, plan: Growing, fields: readonly RelationField[], rows: number): readonly RelationPlan[] => {
  const planned = fields.map((field) => planRelation(planning, field, rows));
  if (rows > joinedRows) return planned;
  return planned.map((relation, index) => {
    const field = fields[index]!;
    if (field.is !== 'one' || joinCount(plan) + 1 + joinCount(relation.plan) > maxJoins) return relation;
    const position = valueCount(plan);
    plan.joinedRows.push({ on: field.relation.column, link: relation.link, plan: relation.plan });
    return { ...relation, position };
  });
};

const planRelation = (planning: Planning, field: RelationField, parents: number): RelationPlan => {
  const { relation } = field;
  const { level } = field.is === 'one' ? field : field.connection;
  const { kind } = level.table.columns[relation.targetColumn]!;
  const link: Link = { column: relation.targetColumn, kind, isUnique: relation.kind === 'to-one' };
  const { plan, relations } =
    field.is === 'one'
      ? planRow(planning, field, parents)
      : within(planning, field.connection, () => planConnection(planning, field.connection, parents, link.column));
  return { plan, relations, link, position: undefined };
};

/** Plans rows by their global ids. An id without a row in a table of the caller results in null. */
const planNodes = (planning: Planning, root: Extract<RootSelection, { is: 'nodes' }>): RootPlan => {
  const { id, ids = [id] } = root.argumentsOf(planning.variables) as { readonly id?: string; readonly ids?: readonly string[] };
  const { max } = bounds.first;
  if (ids.length > max) throw new ApiError('invalidParameter', `ids: There are ${ids.length}, the maximum is ${max}`);
  const requested = ids.map((each) => {
    const { table = '', key = '' } = parseGlobalId(each ?? '') ?? {};
    const selection = root.rows.get(table);
    return selection && isKey(selection.level.table, key) ? { selection, key } : undefined;
  });
  const counts = new Map<RowSelection, number>();
  for (const row of requested) if (row) counts.set(row.selection, (counts.get(row.selection) ?? 0) + 1);
  const plans = new Map([...counts].map(([selection, count]) => [selection, planRow(planning, selection, count)]));
  planning.cost.add({ nodes: 0, values: ids.length });
  return { is: 'rows', rows: requested.map((row) => row && { ...row, levelPlan: plans.get(row.selection)! }) };
};

const planById = (planning: Planning, root: Extract<RootSelection, { is: 'row' }>): RootPlan => {
  const { table } = root.level;
  const key = filterTextOf(table.columns[table.key]!.kind, root.argumentsOf(planning.variables)[camelCase(table.key)]);
  const levelPlan = planRow(planning, root, 1);
  return { is: 'rows', rows: [key === undefined ? undefined : { selection: root, levelPlan, key }] };
};

const planRoot = (planning: Planning, root: RootSelection): RootPlan | undefined => {
  if (root.is === 'nodes') return planNodes(planning, root);
  if (root.is === 'row') return planById(planning, root);
  if (root.is !== 'rows') return undefined;
  const { connection } = root;
  return { is: 'connection', selection: connection, levelPlan: planConnection(planning, connection, 1) };
};

/** Runs a step of planning. Adds the field's node and the response key of the root field to an error. */
const within = <Result>({ root }: Planning, { node }: SelectedField, plan: () => Result): Result => {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw asGraphqlError(error, () => {}, { nodes: [node], path: [root] });
  }
};

/** Plans an operation. Throws a `GraphQLError` for invalid arguments and for a cost above a limit. */
export const planOperation = (selection: OperationSelection, request: PlanRequest): OperationPlan => {
  const cost = new CostCounter();
  const tables = new Set(selection.tables);
  const unindexedOrders = new Set<string>();
  const planning: Planning = { ...request, cost, tables, unindexedOrders, unlisted: [], root: '', isOfToday: false };
  const roots = selection.roots.map((root) => {
    planning.root = root.key;
    return within(planning, root, () => planRoot(planning, root));
  });
  for (const name of tablesOfScope(request.scope, 'category', [...tables])) tables.add(name);
  return { roots, cost, tables, unindexedOrders, isOfToday: planning.isOfToday, unlisted: planning.unlisted };
};
