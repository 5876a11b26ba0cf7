/**
 * From what a document asks for to what is asked of the database: arguments become a `RowsPlan` for each level, and the
 * nodes that they may give are counted, before anything is read (semantics 29, 31).
 */
import { getArgumentValues } from 'graphql';
import { ApiError } from '../errors.ts';
import type { Cursors } from '../read/cursor.ts';
import { violations } from '../read/faults.ts';
import { keysetOf } from '../read/keyset.ts';
import type { RowReader } from '../read/row-reader.ts';
import { type JoinedRow, joinsOf, type RowsPlan, widthOf } from '../read/rows-plan.ts';
import { asGraphqlError } from './errors.ts';
import { conditionOf, missingFilters } from './filters.ts';
import { limits } from './limits.ts';
import { linkOf } from './link.ts';
import { camelCase } from './names.ts';
import { orderOf } from './order.ts';
import { bounds } from './schema.ts';
import type { Asked, ConnectionSelection, Level, OperationSelection, RootSelection, RowField } from './selection.ts';

export interface OperationPlan {
  readonly plans: ReadonlyMap<Level, RowsPlan>;
  /** Where in its parent's row the row of a relation begins that is read along with it. */
  readonly places: ReadonlyMap<RowField, number>;
  /** How many nodes the document can give at most. */
  readonly nodes: number;
}

/** What planning one request shares. */
interface Planning {
  readonly reader: RowReader;
  readonly cursors: Cursors;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly plans: Map<Level, RowsPlan>;
  readonly places: Map<RowField, number>;
  nodes: number;
  /** Response key of the root field that is being planned. */
  root: string;
}

type Arguments = Readonly<Record<string, unknown>>;

const argumentsOf = ({ field, node }: Asked, { variables }: Planning): Arguments => getArgumentValues(field, node, variables);

const count = (planning: Planning, nodes: number): number => {
  planning.nodes += nodes;
  if (planning.nodes > limits.nodes)
    throw new ApiError('limitExceeded', `The document asks for more than ${limits.nodes} nodes, the limit of its cost`);
  return nodes;
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

const planConnection = (planning: Planning, connection: ConnectionSelection, parents: number, isRoot: boolean): void => {
  const { level } = connection;
  const { table } = level;
  const values = argumentsOf(connection, planning);
  const where = conditionOf(table, values.filter);
  const missing = isRoot ? missingFilters(table, where) : [];
  if (missing.length > 0) throw new ApiError('missingFilters', missing.join(', '));
  const limit = bounded(values, 'first');
  const offset = bounded(values, 'offset');
  const source = planning.reader.source(table);
  const order = orderOf(table, values.orderBy);
  const after = values.after ? keysetOf(planning.cursors, { source, where, order }).open(values.after as string) : undefined;
  if (values.after && !after) throw new ApiError('invalidParameter', 'after: The cursor is not valid for this table, filter and order');
  if (after && offset > 0) throw new ApiError('invalidParameter', 'after: A cursor cannot be combined with an offset greater than 0');
  const ordering = wantsCursors(connection) ? order.map(({ column }) => column) : [];
  const columns = [...new Set([...level.columns, ...ordering])];
  const fields = rowFieldsOf(connection);
  const nodes = count(planning, parents * limit);
  planRelations(planning, fields, nodes);
  const plan = { source, columns: columns.length > 0 ? columns : [table.key], where, order, after, offset, limit, joined: [] };
  planning.plans.set(level, { ...plan, joined: joinRelations(planning, plan, fields, nodes) });
};

const oneRow = { where: undefined, order: [], after: undefined, offset: 0, limit: 1, joined: [] } as const;

const planRow = (
  planning: Planning,
  { level, fields }: { level: Level; fields: readonly RowField[] },
  parents: number,
  plan: Partial<RowsPlan> = {},
) => {
  const columns = level.columns.length > 0 ? level.columns : [level.table.key];
  const nodes = count(planning, parents);
  planRelations(planning, fields, nodes);
  const own = { source: planning.reader.source(level.table), columns, ...oneRow, ...plan };
  planning.plans.set(level, { ...own, joined: joinRelations(planning, own, fields, nodes) });
};

/** Beyond this many rows, what they lead to is read by itself: many of them lead to the same. */
const joinedNodes = 500;
/** Beyond this many, the server takes longer to plan joins than to do them. */
const mostJoins = 8;

/** The to-one relations of a level that are read in its own statement; fields learn where in its rows theirs begin. */
const joinRelations = (planning: Planning, own: RowsPlan, fields: readonly RowField[], nodes: number): readonly JoinedRow[] => {
  const joined: JoinedRow[] = [];
  if (nodes > joinedNodes) return joined;
  for (const field of fields) {
    if (field.is !== 'one') continue;
    const plan = planning.plans.get(field.level)!;
    if (joinsOf({ ...own, joined }) + 1 + joinsOf(plan) > mostJoins) continue;
    planning.places.set(field, widthOf({ ...own, joined }));
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
  const value = String(argumentsOf(root, planning)[camelCase(table.key)]);
  const kind = table.columns[table.key]!.kind;
  const isPossible = !value.includes('\0');
  planRow(planning, root, 1, { where: isPossible ? { is: 'compared', column: table.key, kind, by: 'eq', value } : { is: 'unknown' } });
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

/** Plans an operation. Throws a `GraphQLError` for arguments that cannot be met and for a cost above the limit. */
export const planOperation = (
  selection: OperationSelection,
  request: { readonly reader: RowReader; readonly cursors: Cursors; readonly variables: Arguments },
): OperationPlan => {
  const planning: Planning = { ...request, plans: new Map(), places: new Map(), nodes: 0, root: '' };
  for (const root of selection.roots) {
    planning.root = root.key;
    within(planning, root, () => planRoot(planning, root));
  }
  return planning;
};
