/**
 * From what a document asks for to what is asked of the database: arguments become a `Plan` for each level, and what
 * they may cost is counted, before anything is read (contract: GraphQL connections; document limits).
 */
import type { Catalogue } from '../catalogue/index.ts';
import { ApiError } from '../errors.ts';
import type { Condition } from '../read/condition.ts';
import type { Cursors } from '../read/cursor.ts';
import { type CustomerSchema, categorySource } from '../read/directory.ts';
import { violations } from '../read/faults.ts';
import { countName, type Groups, totalName } from '../read/groups.ts';
import { keysetOf } from '../read/keyset.ts';
import type { Bounds } from '../read/parameters.ts';
import { type AlongRow, joinsOf, type Plan, tablesReached, widthOf } from '../read/plan.ts';
import type { Arguments } from './arguments.ts';
import { bounds } from './bounds.ts';
import { asGraphqlError } from './errors.ts';
import { conditionOf, missingFilters, textOf } from './filters.ts';
import { isKey, parseGlobalId } from './global-ids.ts';
import { groupsAsked } from './group-arguments.ts';
import { firstGroups } from './groups.ts';
import { exceeds, limits } from './limits.ts';
import { linkOf } from './link.ts';
import { camelCase } from './names.ts';
import { type Order, orderOf } from './order.ts';
import type { ConnectionSelection, Level, OperationSelection, RootSelection, RowField, RowSelection } from './selection.ts';
import type { Asked } from './selection-sets.ts';

/** A row that is asked for by its key. */
export interface SingleRow {
  readonly row: RowSelection;
  readonly key: string;
}

export interface OperationPlan {
  readonly plans: ReadonlyMap<Level, Plan>;
  /** Where in its parent's row the row of a relation begins that is read along with it. */
  readonly places: ReadonlyMap<RowField, number>;
  /** The rows that root fields ask for by key; undefined for what can be none. */
  readonly singles: ReadonlyMap<RootSelection, readonly (SingleRow | undefined)[]>;
  readonly cost: Cost;
  /** The tables that the answer follows from. */
  readonly tables: ReadonlySet<string>;
  /** What rows are ordered by without an index, as the schema names it. */
  readonly unindexedOrders: ReadonlySet<string>;
}

/** What a document can cost at most (see `limits`). */
export interface Cost {
  readonly nodes: number;
  readonly values: number;
  readonly terms: number;
}

/** What planning one request shares. */
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
  /** Values in lists of filters so far. */
  listed: number;
  /** Response key of the root field that is being planned. */
  root: string;
}

/** Adds to the cost. Throws `limitExceeded` with the limit's name. */
const add = ({ cost }: Planning, { nodes, values }: Pick<Cost, 'nodes' | 'values'>): void => {
  cost.nodes += nodes;
  cost.values += values;
  if (cost.nodes > limits.nodes)
    throw new ApiError('limitExceeded', `The document asks for more than ${limits.nodes} nodes, the limit of its cost`);
  if (cost.values > limits.values)
    throw new ApiError('limitExceeded', `The document asks for more than ${limits.values} values, the limit of its answer`);
};

/** What a step along a relation counts in a filter or an order: a server plans 25 of them in half a second, 100 in 20 s. */
const stepTerms = 40;

const countTerm = ({ cost }: Planning, terms = 1): void => {
  cost.terms += terms;
  if (cost.terms > limits.terms) throw exceeds('terms', cost.terms);
};

/** Counts the terms of a filter and the values of its lists. Throws `limitExceeded` with the limit's name. */
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

/** Whether a page is asked for from the end. Throws `invalidParameter` where it is asked for from both. */
const isBackwardPage = ({ first, after, last, before, offset }: Arguments): boolean => {
  const isBackward = isGiven(last) || isGiven(before);
  if (!isBackward || !(isGiven(first) || isGiven(after) || offset)) return isBackward;
  const name = isGiven(last) ? 'last' : 'before';
  throw new ApiError('invalidParameter', `${name}: A page is asked for by first, after and offset, or by last and before, not by both`);
};

/** An integer argument within its bounds. */
const bounded = (values: Arguments, name: keyof typeof bounds, { standard, least, most }: Bounds = bounds[name]): number => {
  const value = (values[name] as number | null | undefined) ?? standard;
  if (value < least) throw new ApiError('invalidParameter', `${name}: ${violations.below(least)}`);
  if (value > most) throw new ApiError('invalidParameter', `${name}: ${violations.above(most)}`);
  return value;
};

type Arrangement = Order & { readonly groups?: Groups };

const wantsCursors = ({ fields }: ConnectionSelection): boolean =>
  fields.some(
    (field) =>
      (field.is === 'edges' && field.fields.some(({ is }) => is === 'cursor')) ||
      (field.is === 'pageInfo' && field.fields.some(({ is }) => is === 'startCursor' || is === 'endCursor')),
  );

/** How many values a row shows. */
const valuesIn = (fields: readonly RowField[]): number =>
  fields.reduce((sum, field) => sum + 1 + (field.is === 'part' ? valuesIn(field.fields) : 0), 0);

/** What a connection shows: each list of its rows once more. */
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

/** The order of a connection's rows, or its groups and theirs. */
const arrangement = ({ catalogue, variables }: Planning, connection: ConnectionSelection, values: Arguments): Arrangement => {
  const { groups } = connection;
  if (groups) return { far: [], unindexed: [], ...groupsAsked({ ...connection, groups }, values, variables) };
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
  const { groups, order, far, unindexed } = arrangement(planning, connection, values);
  for (const name of unindexed) planning.unindexedOrders.add(name);
  countTerm(planning, far.reduce((steps, { via }) => steps + via.length, 0) * stepTerms);
  countTerms(planning, groups?.having);
  const limit = bounded(values, isBackward ? 'last' : 'first', groups && firstGroups);
  const offset = bounded(values, 'offset');
  const source = categorySource(table, planning.customer);
  const asked = { source, where, order, far: far.length > 0 ? far : undefined, groups };
  for (const name of [table.name, ...tablesReached(asked)]) planning.tables.add(name);
  const position = isBackward ? 'before' : 'after';
  const after = values[position] ? keysetOf(planning.cursors, asked).open(values[position] as string) : undefined;
  if (values[position] && !after)
    throw new ApiError('invalidParameter', `${position}: The cursor is not valid for this table, filter and order`);
  if (after && offset > 0) throw new ApiError('invalidParameter', 'after: A cursor cannot be combined with an offset greater than 0');
  const ordering = wantsCursors(connection) ? order.map(({ column }) => column) : [];
  const columns = [...new Set([...level.columns, ...ordering, ...(groups?.isCounted ? [totalName] : [])])];
  // Without keys there is one group.
  const rows = parents * (groups?.keys.length === 0 ? 1 : limit);
  add(planning, shownBy(connection, parents, rows));
  planRelations(planning, rowFields, rows);
  const shown = columns.length > 0 ? columns : [groups ? countName : table.key];
  const plan = { columns: shown, after, isBackward: isBackward || undefined, offset, limit, along: [], ...asked };
  joinRelations(planning, plan, rowFields, rows);
  planning.plans.set(level, plan);
};

const oneRow = { where: undefined, order: [], after: undefined, offset: 0, limit: 1 } as const;

const planRow = (planning: Planning, { level, fields }: RowSelection, parents: number) => {
  const columns = level.columns.length > 0 ? level.columns : [level.table.key];
  add(planning, { nodes: parents, values: parents * fields.length });
  planning.tables.add(level.table.name);
  planRelations(planning, fields, parents);
  const plan = { source: categorySource(level.table, planning.customer), columns, along: [], ...oneRow };
  joinRelations(planning, plan, fields, parents);
  planning.plans.set(level, plan);
};

/** Beyond this many rows, what they lead to is read by itself: many of them lead to the same. */
const joinedRows = 500;
/** Beyond this many, the server takes longer to plan joins than to do them. */
const mostJoins = 8;

interface Growing extends Plan {
  readonly along: AlongRow[];
}

/** Adds the to-one relations of a level that are read in its own statement; fields learn where in its rows theirs begin. */
const joinRelations = (planning: Planning, plan: Growing, fields: readonly RowField[], rows: number): void => {
  if (rows > joinedRows) return;
  for (const field of fields) {
    if (field.is !== 'one') continue;
    const other = planning.plans.get(field.level)!;
    if (joinsOf(plan) + 1 + joinsOf(other) > mostJoins) continue;
    planning.places.set(field, widthOf(plan));
    plan.along.push({ on: field.relation.column, link: linkOf(field.relation, field.level), plan: other });
  }
};

const planRelations = (planning: Planning, fields: readonly RowField[], parents: number): void => {
  for (const field of fields) {
    if (field.is === 'one') planRow(planning, field, parents);
    if (field.is === 'many') within(planning, field.connection, () => planConnection(planning, field.connection, parents, false));
  }
};

/** Plans rows by their global ids; one that names no row of a table that the caller sees leads to none. */
const planNodes = (planning: Planning, root: Extract<RootSelection, { is: 'nodes' }>): void => {
  const { id, ids = [id] } = root.argumentsOf(planning.variables) as { readonly id?: string; readonly ids?: readonly string[] };
  const { most } = bounds.first;
  if (ids.length > most) throw new ApiError('invalidParameter', `ids: There are ${ids.length}, at most ${most} can be asked for at once`);
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

/** Runs a step of planning; its failure points to the field that caused it. */
const within = ({ root }: Planning, { node }: Asked, plan: () => void): void => {
  try {
    plan();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw asGraphqlError(error, () => {}, { nodes: [node], path: [root] });
  }
};

/** Plans an operation. Throws a `GraphQLError` for arguments that cannot be met and for a cost above a limit. */
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
