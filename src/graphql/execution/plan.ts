/**
 * Translates the arguments of a document into one `Plan` for each level. It also counts the possible cost, before anything is read
 * (contract: GraphQL connections; document limits).
 */

import { type CustomerSchema, categorySource } from '../../cache/directory.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { ApiError } from '../../errors.ts';
import type { Condition } from '../../plan/condition.ts';
import type { Cursors } from '../../plan/cursor.ts';
import { countName, type Groups, totalName } from '../../plan/groups.ts';
import { keysetOf } from '../../plan/keyset.ts';
import type { Bounds } from '../../plan/parameters.ts';
import { type JoinedRow, joinCount, type Plan, referencedTables, valueCount } from '../../plan/plan.ts';
import { validationTexts } from '../../plan/validation-errors.ts';
import { exceeds, limits } from '../document/limits.ts';
import { asGraphqlError } from '../errors.ts';
import { bounds } from '../schema/bounds.ts';
import { conditionOf, missingFilters, textOf } from '../schema/filters.ts';
import { firstGroups } from '../schema/groups.ts';
import { linkOf } from '../schema/link.ts';
import { camelCase } from '../schema/names.ts';
import { type Order, orderOf } from '../schema/order.ts';
import type { Arguments } from '../selection/arguments.ts';
import type { ConnectionSelection, Level, OperationSelection, RootSelection, RowField, RowSelection } from '../selection/selection.ts';
import type { Asked } from '../selection/selection-sets.ts';
import { isKey, parseGlobalId } from './global-ids.ts';
import { groupsRequest } from './group-arguments.ts';

/** A row that is requested by its key. */
export interface SingleRow {
  readonly row: RowSelection;
  readonly key: string;
}

export interface OperationPlan {
  readonly plans: ReadonlyMap<Level, Plan>;
  /** For each relation that is read by its parent's statement: the index in the parent's row at which the related row begins. */
  readonly places: ReadonlyMap<RowField, number>;
  /** The rows that root fields request by key. Undefined for an id that cannot be a row. */
  readonly singles: ReadonlyMap<RootSelection, readonly (SingleRow | undefined)[]>;
  readonly cost: Cost;
  /** The tables that the response depends on. */
  readonly tables: ReadonlySet<string>;
  /** The orders without an index, with their names in the schema. */
  readonly unindexedOrders: ReadonlySet<string>;
}

/** The maximum cost of a document (see `limits`). */
export interface Cost {
  readonly nodes: number;
  readonly values: number;
  readonly terms: number;
}

/** The shared state for planning one request. */
interface Planning {
  readonly catalogue: Catalogue;
  readonly customer: CustomerSchema;
  readonly cursors: Cursors;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly plans: Map<Level, Plan>;
  readonly places: Map<RowField, number>;
  readonly singles: Map<RootSelection, readonly (SingleRow | undefined)[]>;
  readonly cost: { -readonly [Name in keyof Cost]: Cost[Name] };
  readonly tables: Set<string>;
  readonly unindexedOrders: Set<string>;
  /** The number of values in lists of filters so far. */
  listed: number;
  /** Response key of the current root field. */
  root: string;
}

/** Adds to the cost. Throws `limitExceeded` with the name of the limit. */
const add = ({ cost }: Planning, { nodes, values }: Pick<Cost, 'nodes' | 'values'>): void => {
  cost.nodes += nodes;
  cost.values += values;
  if (cost.nodes > limits.nodes)
    throw new ApiError('limitExceeded', `The document asks for more than ${limits.nodes} nodes, the limit of its cost`);
  if (cost.values > limits.values)
    throw new ApiError('limitExceeded', `The document asks for more than ${limits.values} values, the limit of its answer`);
};

/** The cost of one relation step in a filter or an order, in terms. PostgreSQL plans 25 such steps in half a second, but 100 in 20 s. */
const stepTerms = 40;

const countTerm = ({ cost }: Planning, terms = 1): void => {
  cost.terms += terms;
  if (cost.terms > limits.terms) throw exceeds('terms', cost.terms);
};

/** Counts the terms of a filter and the values of its lists. Throws `limitExceeded` with the name of the limit. */
const countTerms = (planning: Planning, condition: Condition | undefined, depth = 0): void => {
  if (!condition) return;
  if (depth > limits.nesting) throw exceeds('nesting', depth);
  if (condition.is === 'and' || condition.is === 'or') for (const part of condition.of) countTerms(planning, part, depth + 1);
  else if (condition.is === 'not' || condition.is === 'related') countTerms(planning, condition.of, depth + 1);
  else if (condition.is === 'among') planning.listed += condition.values.length;
  countTerm(planning, condition.is === 'related' ? stepTerms : 1);
  if (planning.listed > limits.listed) throw exceeds('listed', planning.listed);
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Whether the arguments request a page from the end. Throws `invalidParameter` if they request both directions. */
const isBackwardPage = ({ first, after, last, before, offset }: Arguments): boolean => {
  const isBackward = isGiven(last) || isGiven(before);
  if (!isBackward || !(isGiven(first) || isGiven(after) || offset)) return isBackward;
  const name = isGiven(last) ? 'last' : 'before';
  throw new ApiError('invalidParameter', `${name}: A page is asked for by first, after and offset, or by last and before, not by both`);
};

/** An integer argument. Throws `invalidParameter` outside its bounds. */
const bounded = (values: Arguments, name: keyof typeof bounds, { standard, min, max }: Bounds = bounds[name]): number => {
  const value = (values[name] as number | null | undefined) ?? standard;
  if (value < min) throw new ApiError('invalidParameter', `${name}: ${validationTexts.below(min)}`);
  if (value > max) throw new ApiError('invalidParameter', `${name}: ${validationTexts.above(max)}`);
  return value;
};

type Arrangement = Order & { readonly groups?: Groups };

const wantsCursors = ({ fields }: ConnectionSelection): boolean =>
  fields.some(
    (field) =>
      (field.is === 'edges' && field.fields.some(({ is }) => is === 'cursor')) ||
      (field.is === 'pageInfo' && field.fields.some(({ is }) => is === 'startCursor' || is === 'endCursor')),
  );

/** The number of values in a row. */
const valuesIn = (fields: readonly RowField[]): number =>
  fields.reduce((sum, field) => sum + 1 + (field.is === 'part' ? valuesIn(field.fields) : 0), 0);

/** The cost of a connection. Each list of its rows counts the rows again. */
const shownBy = ({ fields }: ConnectionSelection, parents: number, rows: number): Pick<Cost, 'nodes' | 'values'> => {
  let [lists, values] = [0, parents * fields.length];
  for (const field of fields) {
    if (field.is === 'pageInfo') values += parents * field.fields.length;
    if (field.is !== 'nodes' && field.is !== 'edges') continue;
    lists++;
    const nodes = field.is === 'edges' ? field.fields.flatMap((inner) => (inner.is === 'node' ? [inner.fields] : [])) : [field.fields];
    const ofEach = nodes.reduce((sum, inner) => sum + valuesIn(inner), field.is === 'edges' ? field.fields.length : 0);
    values += rows * ofEach;
  }
  return { nodes: rows * Math.max(1, lists), values };
};

/** The order of a connection's rows, or its groups and their order. */
const arrangement = ({ catalogue, variables }: Planning, connection: ConnectionSelection, values: Arguments): Arrangement => {
  const { groups } = connection;
  if (groups) return { relatedColumns: [], unindexed: [], ...groupsRequest({ ...connection, groups }, values, variables) };
  return orderOf(catalogue, connection.level.table, values.orderBy);
};

const planConnection = (planning: Planning, connection: ConnectionSelection, parents: number, isRoot: boolean): void => {
  const { level, rowFields } = connection;
  const { table } = level;
  const values = connection.argumentsOf(planning.variables);
  const where = conditionOf(planning.catalogue, table, values.filter);
  countTerms(planning, where);
  const missing = isRoot ? missingFilters(table, where) : [];
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
  const isBackward = isBackwardPage(values);
  const { groups, order, relatedColumns, unindexed } = arrangement(planning, connection, values);
  for (const name of unindexed) planning.unindexedOrders.add(name);
  countTerm(planning, relatedColumns.reduce((steps, { via }) => steps + via.length, 0) * stepTerms);
  countTerms(planning, groups?.having);
  const limit = bounded(values, isBackward ? 'last' : 'first', groups && firstGroups);
  const offset = bounded(values, 'offset');
  const source = categorySource(table, planning.customer);
  const asked = { source, where, order, relatedColumns: relatedColumns.length > 0 ? relatedColumns : undefined, groups };
  for (const name of [table.name, ...referencedTables(asked)]) planning.tables.add(name);
  const position = isBackward ? 'before' : 'after';
  const after = values[position] ? keysetOf(planning.cursors, asked).open(values[position] as string) : undefined;
  if (values[position] && !after)
    throw new ApiError('invalidParameter', `${position}: The cursor is not valid for this table, filter and order`);
  if (after && offset > 0) throw new ApiError('invalidParameter', 'after: A cursor cannot be combined with an offset greater than 0');
  const ordering = wantsCursors(connection) ? order.map(({ column }) => column) : [];
  const columns = [...new Set([...level.columns, ...ordering, ...(groups?.isCounted ? [totalName] : [])])];
  // Without keys, all rows form one group.
  const rows = parents * (groups?.keys.length === 0 ? 1 : limit);
  add(planning, shownBy(connection, parents, rows));
  planRelations(planning, rowFields, rows);
  const shown = columns.length > 0 ? columns : [groups ? countName : table.key];
  const plan = { columns: shown, after, isBackward: isBackward || undefined, offset, limit, joinedRows: [], ...asked };
  joinRelations(planning, plan, rowFields, rows);
  planning.plans.set(level, plan);
};

const oneRow = { where: undefined, order: [], after: undefined, offset: 0, limit: 1 } as const;

const planRow = (planning: Planning, { level, fields }: RowSelection, parents: number) => {
  const columns = level.columns.length > 0 ? level.columns : [level.table.key];
  add(planning, { nodes: parents, values: parents * fields.length });
  planning.tables.add(level.table.name);
  planRelations(planning, fields, parents);
  const plan = { source: categorySource(level.table, planning.customer), columns, joinedRows: [], ...oneRow };
  joinRelations(planning, plan, fields, parents);
  planning.plans.set(level, plan);
};

/** With more rows than this, a separate statement reads their relations, because many rows share the same related row. */
const joinedRows = 500;
/** With more joins than this, the database server takes longer to plan than to execute them. */
const maxJoins = 8;

interface Growing extends Plan {
  readonly joinedRows: JoinedRow[];
}

/** Adds the to-one relations that the level's own statement reads. Notes for each relation field where its row begins. */
const joinRelations = (planning: Planning, plan: Growing, fields: readonly RowField[], rows: number): void => {
  if (rows > joinedRows) return;
  for (const field of fields) {
    if (field.is !== 'one') continue;
    const other = planning.plans.get(field.level)!;
    if (joinCount(plan) + 1 + joinCount(other) > maxJoins) continue;
    planning.places.set(field, valueCount(plan));
    plan.joinedRows.push({ on: field.relation.column, link: linkOf(field.relation, field.level), plan: other });
  }
};

const planRelations = (planning: Planning, fields: readonly RowField[], parents: number): void => {
  for (const field of fields) {
    if (field.is === 'one') planRow(planning, field, parents);
    if (field.is === 'many') within(planning, field.connection, () => planConnection(planning, field.connection, parents, false));
  }
};

/** Plans rows by their global ids. An id without a row in a table of the caller results in null. */
const planNodes = (planning: Planning, root: Extract<RootSelection, { is: 'nodes' }>): void => {
  const { id, ids = [id] } = root.argumentsOf(planning.variables) as { readonly id?: string; readonly ids?: readonly string[] };
  const { max } = bounds.first;
  if (ids.length > max) throw new ApiError('invalidParameter', `ids: There are ${ids.length}, at most ${max} can be asked for at once`);
  const rows = new Map<RowSelection, number>();
  const singles = ids.map((each): SingleRow | undefined => {
    const { table = '', key = '' } = parseGlobalId(each ?? '') ?? {};
    const row = root.rows.get(table);
    if (!row || !isKey(row.level.table, key)) return undefined;
    rows.set(row, (rows.get(row) ?? 0) + 1);
    return { row, key };
  });
  for (const [row, count] of rows) planRow(planning, row, count);
  add(planning, { nodes: 0, values: ids.length });
  planning.singles.set(root, singles);
};

const planRoot = (planning: Planning, root: RootSelection): void => {
  if (root.is === 'rows') planConnection(planning, root.connection, 1, true);
  if (root.is === 'nodes') planNodes(planning, root);
  if (root.is !== 'row') return;
  const { table } = root.level;
  const key = textOf(table.columns[table.key]!.kind, root.argumentsOf(planning.variables)[camelCase(table.key)]);
  planRow(planning, root, 1);
  planning.singles.set(root, [key === undefined ? undefined : { row: root, key }]);
};

/** Runs a step of planning. Adds the field's node and the response key of the root field to an error. */
const within = ({ root }: Planning, { node }: Asked, plan: () => void): void => {
  try {
    plan();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw asGraphqlError(error, () => {}, { nodes: [node], path: [root] });
  }
};

/** Plans an operation. Throws a `GraphQLError` for invalid arguments and for a cost above a limit. */
export const planOperation = (
  selection: OperationSelection,
  { catalogue, customer, cursors, variables }: Pick<Planning, 'catalogue' | 'customer' | 'cursors' | 'variables'>,
): OperationPlan => {
  const planning: Planning = {
    plans: new Map(),
    places: new Map(),
    singles: new Map(),
    cost: { nodes: 0, values: 0, terms: 0 },
    tables: new Set(selection.tables),
    unindexedOrders: new Set(),
    listed: 0,
    root: '',
    catalogue,
    customer,
    cursors,
    variables,
  };
  for (const root of selection.roots) {
    planning.root = root.key;
    within(planning, root, () => planRoot(planning, root));
  }
  return planning;
};
