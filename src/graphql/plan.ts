/**
 * From what a document asks for to what is asked of the database: arguments become a `Plan` for each level, and what
 * they may cost is counted, before anything is read (contract: GraphQL connections; document limits).
 */
import { getArgumentValues } from 'graphql';
import { ApiError } from '../errors.ts';
import type { Condition } from '../read/condition.ts';
import type { Cursors } from '../read/cursor.ts';
import { type CustomerSchema, categorySource } from '../read/directory.ts';
import { violations } from '../read/faults.ts';
import { keysetOf } from '../read/keyset.ts';
import { type AlongRow, joinsOf, type Plan, widthOf } from '../read/plan.ts';
import { asGraphqlError } from './errors.ts';
import { comparison, conditionOf, missingFilters } from './filters.ts';
import { exceeds, limits } from './limits.ts';
import { linkOf } from './link.ts';
import { camelCase } from './names.ts';
import { orderOf } from './order.ts';
import { bounds } from './schema.ts';
import type { Asked, ConnectionSelection, Level, OperationSelection, RootSelection, RowField } from './selection.ts';

export interface OperationPlan {
  readonly plans: ReadonlyMap<Level, Plan>;
  /** Where in its parent's row the row of a relation begins that is read along with it. */
  readonly places: ReadonlyMap<RowField, number>;
  readonly cost: Cost;
}

/** What a document can cost at most (see `limits`). */
export interface Cost {
  readonly nodes: number;
  readonly values: number;
  readonly terms: number;
}

/** What planning one request shares. */
interface Planning {
  readonly customer: CustomerSchema;
  readonly cursors: Cursors;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly plans: Map<Level, Plan>;
  readonly places: Map<RowField, number>;
  readonly cost: { -readonly [Name in keyof Cost]: Cost[Name] };
  /** Values in lists of filters so far. */
  listed: number;
  /** Response key of the root field that is being planned. */
  root: string;
}

type Arguments = Readonly<Record<string, unknown>>;

const argumentsOf = ({ field, node }: Asked, { variables }: Planning): Arguments => getArgumentValues(field, node, variables);

/** Adds to the cost. Throws `limitExceeded` with the limit's name. */
const add = ({ cost }: Planning, { nodes, values }: Pick<Cost, 'nodes' | 'values'>): void => {
  cost.nodes += nodes;
  cost.values += values;
  if (cost.nodes > limits.nodes)
    throw new ApiError('limitExceeded', `The document asks for more than ${limits.nodes} nodes, the limit of its cost`);
  if (cost.values > limits.values)
    throw new ApiError('limitExceeded', `The document asks for more than ${limits.values} values, the limit of its answer`);
};

/** Counts the terms of a filter and the values of its lists. Throws `limitExceeded` with the limit's name. */
const countTerms = (planning: Planning, condition: Condition | undefined, depth = 0): void => {
  if (!condition) return;
  if (depth > limits.nesting) throw exceeds('nesting', depth);
  if (condition.is === 'and' || condition.is === 'or') for (const part of condition.of) countTerms(planning, part, depth + 1);
  else if (condition.is === 'not') countTerms(planning, condition.of, depth + 1);
  else if (condition.is === 'among') planning.listed += condition.values.length;
  if (++planning.cost.terms > limits.terms) throw exceeds('terms', planning.cost.terms);
  if (planning.listed > limits.listed) throw exceeds('listed', planning.listed);
};

/** An integer argument within its bounds. */
const bounded = (values: Arguments, name: keyof typeof bounds): number => {
  const { standard, least, most } = bounds[name];
  const value = (values[name] as number | null | undefined) ?? standard;
  if (value < least) throw new ApiError('invalidParameter', `${name}: ${violations.below(least)}`);
  if (value > most) throw new ApiError('invalidParameter', `${name}: ${violations.above(most)}`);
  return value;
};

const wantsCursors = ({ fields }: ConnectionSelection): boolean =>
  fields.some(
    (field) =>
      (field.is === 'edges' && field.fields.some(({ is }) => is === 'cursor')) ||
      (field.is === 'pageInfo' && field.fields.some(({ is }) => is === 'startCursor' || is === 'endCursor')),
  );

/** The row fields of a connection, wherever in it they stand. */
export const rowFieldsOf = ({ fields }: ConnectionSelection): readonly RowField[] =>
  fields.flatMap((field) => {
    if (field.is === 'nodes') return field.fields;
    return field.is === 'edges' ? field.fields.flatMap((inner) => (inner.is === 'node' ? inner.fields : [])) : [];
  });

/** What a connection shows: each list of its rows once more. */
const shownBy = ({ fields }: ConnectionSelection, parents: number, rows: number): Pick<Cost, 'nodes' | 'values'> => {
  let [lists, values] = [0, parents * fields.length];
  for (const field of fields) {
    if (field.is === 'pageInfo') values += parents * field.fields.length;
    if (field.is !== 'nodes' && field.is !== 'edges') continue;
    lists++;
    const nodes = field.is === 'edges' ? field.fields.flatMap((inner) => (inner.is === 'node' ? [inner.fields] : [])) : [field.fields];
    const ofEach = nodes.reduce((sum, inner) => sum + inner.length, field.is === 'edges' ? field.fields.length : 0);
    values += rows * ofEach;
  }
  return { nodes: rows * Math.max(1, lists), values };
};

const planConnection = (planning: Planning, connection: ConnectionSelection, parents: number, isRoot: boolean): void => {
  const { level } = connection;
  const { table } = level;
  const values = argumentsOf(connection, planning);
  const where = conditionOf(table, values.filter);
  countTerms(planning, where);
  const missing = isRoot ? missingFilters(table, where) : [];
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
  const limit = bounded(values, 'first');
  const offset = bounded(values, 'offset');
  const source = categorySource(table, planning.customer);
  const order = orderOf(table, values.orderBy);
  const after = values.after ? keysetOf(planning.cursors, { source, where, order }).open(values.after as string) : undefined;
  if (values.after && !after) throw new ApiError('invalidParameter', 'after: The cursor is not valid for this table, filter and order');
  if (after && offset > 0) throw new ApiError('invalidParameter', 'after: A cursor cannot be combined with an offset greater than 0');
  const ordering = wantsCursors(connection) ? order.map(({ column }) => column) : [];
  const columns = [...new Set([...level.columns, ...ordering])];
  const fields = rowFieldsOf(connection);
  const rows = parents * limit;
  add(planning, shownBy(connection, parents, rows));
  planRelations(planning, fields, rows);
  const plan = { source, columns: columns.length > 0 ? columns : [table.key], where, order, after, offset, limit, along: [] };
  planning.plans.set(level, { ...plan, along: joinRelations(planning, plan, fields, rows) });
};

const oneRow = { where: undefined, order: [], after: undefined, offset: 0, limit: 1, along: [] } as const;

const planRow = (
  planning: Planning,
  { level, fields }: { level: Level; fields: readonly RowField[] },
  parents: number,
  plan: Partial<Plan> = {},
) => {
  const columns = level.columns.length > 0 ? level.columns : [level.table.key];
  add(planning, { nodes: parents, values: parents * fields.length });
  planRelations(planning, fields, parents);
  const own = { source: categorySource(level.table, planning.customer), columns, ...oneRow, ...plan };
  planning.plans.set(level, { ...own, along: joinRelations(planning, own, fields, parents) });
};

/** Beyond this many rows, what they lead to is read by itself: many of them lead to the same. */
const joinedRows = 500;
/** Beyond this many, the server takes longer to plan joins than to do them. */
const mostJoins = 8;

/** The to-one relations of a level that are read in its own statement; fields learn where in its rows theirs begin. */
const joinRelations = (planning: Planning, own: Plan, fields: readonly RowField[], rows: number): readonly AlongRow[] => {
  const joined: AlongRow[] = [];
  if (rows > joinedRows) return joined;
  for (const field of fields) {
    if (field.is !== 'one') continue;
    const plan = planning.plans.get(field.level)!;
    if (joinsOf({ ...own, along: joined }) + 1 + joinsOf(plan) > mostJoins) continue;
    planning.places.set(field, widthOf({ ...own, along: joined }));
    joined.push({ on: field.relation.column, link: linkOf(field.relation, field.level), plan });
  }
  return joined;
};

const planRelations = (planning: Planning, fields: readonly RowField[], parents: number): void => {
  for (const field of fields) {
    if (field.is === 'one') planRow(planning, field, parents);
    if (field.is === 'many') within(planning, field.connection, () => planConnection(planning, field.connection, parents, false));
  }
};

const planRoot = (planning: Planning, root: RootSelection): void => {
  if (root.is === 'rows') planConnection(planning, root.connection, 1, true);
  if (root.is !== 'row') return;
  const { table } = root.level;
  const kind = table.columns[table.key]!.kind;
  planRow(planning, root, 1, { where: comparison(table.key, kind, 'eq', argumentsOf(root, planning)[camelCase(table.key)]) });
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
  request: Pick<Planning, 'customer' | 'cursors' | 'variables'>,
): OperationPlan => {
  const cost = { nodes: 0, values: 0, terms: 0 };
  const planning: Planning = { ...request, plans: new Map(), places: new Map(), cost, listed: 0, root: '' };
  for (const root of selection.roots) {
    planning.root = root.key;
    within(planning, root, () => planRoot(planning, root));
  }
  return planning;
};
