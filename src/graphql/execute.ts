/**
 * Executes an operation: select, plan, read (see the files of these names).
 *
 * Rows are read in the shape of the response, so completing them as GraphQL's own execution does would change nothing; an
 * operation of nothing but rows skips it. Anything else, introspection included, goes there, and finds its rows through
 * `context.readRoot`.
 */
import {
  type ExecutionArgs,
  type ExecutionResult,
  execute as executeByGraphql,
  type GraphQLError,
  getOperationAST,
  getVariableValues,
  isNonNullType,
} from 'graphql';
import { ApiError } from '../errors.ts';
import { lookupValues } from '../read/lookup.ts';
import { RowReader } from '../read/row-reader.ts';
import type { RequestContext } from './context.ts';
import { asGraphqlError } from './errors.ts';
import { limitCode, limits } from './limits.ts';
import { planOperation } from './plan.ts';
import { type Reading, readRoot } from './rows.ts';
import type { OperationSelection, RootSelection } from './selection.ts';
import { keptSelection } from './selection-cache.ts';

type Arguments = Pick<ExecutionArgs, 'schema' | 'document' | 'variableValues' | 'operationName'> & {
  readonly contextValue: RequestContext;
};

/** The labels of all coded columns that the operation shows. */
const readLabels = async ({ services, caller }: RequestContext, { lookups }: OperationSelection): Promise<Reading['labels']> => {
  const lists = [...lookups].map(async (lookup) => {
    const values = await lookupValues(services.database, caller.customer, lookup);
    return [lookup, new Map(values.map(({ value, label }) => [value, label]))] as const;
  });
  return new Map(await Promise.all(lists));
};

/** A table of the catalogue need not be there for every customer. */
const checkTables = async ({ services, caller }: RequestContext, { tables }: OperationSelection): Promise<void> => {
  if (tables.size === 0) return;
  const { categoryTables } = await services.directories.of(caller.customer);
  for (const table of tables) if (!categoryTables.has(table)) throw new ApiError('notFound');
};

/** Selects and plans; `read` gives the value of a root field of rows. */
const prepare = async (args: Arguments, variables: Readonly<Record<string, unknown>>) => {
  const { schema, document, operationName, contextValue: context } = args;
  const { services, caller } = context;
  const selection = keptSelection(schema, document, operationName, variables);
  const reader = new RowReader(services.database, caller.customer, context.onRows);
  const { plans, places, nodes } = planOperation(selection, { reader, cursors: services.cursors, variables });
  await checkTables(context, selection);
  const labels = await readLabels(context, selection);
  const reading: Reading = { reader, cursors: services.cursors, plans, places, labels };
  const read = (root: RootSelection) =>
    readRoot(reading, root).catch((error: unknown) => {
      throw asGraphqlError(error, context.report, { nodes: [root.node], path: [root.key] });
    });
  return { selection, nodes, read };
};

/** Reads all root fields; one that may not be null takes the whole answer along when it fails. */
const readAll = async ({ roots }: OperationSelection, read: (root: RootSelection) => Promise<unknown>): Promise<ExecutionResult> => {
  const settled = await Promise.allSettled(roots.map(read));
  const data: Record<string, unknown> = {};
  const errors: GraphQLError[] = [];
  let isNull = false;
  for (const [index, { key, field }] of roots.entries()) {
    const outcome = settled[index]!;
    data[key] = outcome.status === 'fulfilled' ? outcome.value : null;
    if (outcome.status === 'fulfilled') continue;
    errors.push(outcome.reason);
    isNull ||= isNonNullType(field.type);
  }
  return { data: isNull ? null : data, ...(errors.length > 0 && { errors }) };
};

/** A refusal before execution has no `data`; what is wrong with an argument is the failure of its field. */
const refused = (error: GraphQLError): ExecutionResult => ({
  errors: [error],
  ...(error.extensions.code !== limitCode && { data: null }),
});

export const execute = async (args: Arguments): Promise<ExecutionResult> => {
  const { schema, document, operationName, contextValue: context } = args;
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'query') return executeByGraphql(args);
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], args.variableValues ?? {}, { maxErrors: 50 });
  if (errors) return { errors };
  let prepared: Awaited<ReturnType<typeof prepare>>;
  try {
    prepared = await prepare(args, coerced);
  } catch (error) {
    return refused(asGraphqlError(error, context.report));
  }
  const { selection, nodes, read } = prepared;
  context.readRoot = (key) => read(selection.roots.find((root) => root.key === key)!);
  const isRows = selection.roots.every(({ is }) => is !== 'other');
  const result = isRows ? await readAll(selection, read) : await executeByGraphql(args);
  return nodes > 0 ? { ...result, extensions: { ...result.extensions, cost: { nodes, limit: limits.nodes } } } : result;
};
