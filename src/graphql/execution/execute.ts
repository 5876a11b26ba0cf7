/**
 * Executes an operation in five steps: select, plan, wait for a slot, read, write. The files of these names have the details.
 *
 * Row bytes go from the socket into the JSON of the response without objects. GraphQL's own execution answers the service fields.
 * A response is complete before its first byte is sent, so every failure on the way is still reported as an error.
 */
import {
  type ExecutionArgs,
  type ExecutionResult,
  execute as executeByGraphql,
  GraphQLError,
  getOperationAST,
  isNonNullType,
} from 'graphql';
import type pg from 'pg';
import type { TableName } from '../../cache/response-cache.ts';
import { catalogueWithin } from '../../catalogue/data-scope.ts';
import { type LookupName, lookupSource } from '../../catalogue/lookups.ts';
import { ApiError } from '../../errors.ts';
import { lookupValues } from '../../execute/lookup.ts';
import { Reader } from '../../execute/reader.ts';
import { runInSlices } from '../../scheduling/time-slices.ts';
import { BufferedJson, JsonOut } from '../../wire/json-out.ts';
import { literal } from '../../wire/json-values.ts';
import { type ByteLiteral, byteLiteral } from '../../wire/words.ts';
import type { GraphqlContext, WrittenData } from '../context.ts';
import { limits } from '../document/limits.ts';
import { coerceVariables } from '../document/variables.ts';
import { asGraphqlError } from '../errors.ts';
import { selectOperation } from '../selection/select.ts';
import type { OperationSelection, RootSelection } from '../selection/selection.ts';
import { writeIntrospection } from './introspection.ts';
import { type Steps, writeObject } from './json-layout.ts';
import { type ConnectionRows, readConnection } from './levels.ts';
import { type OperationPlan, planOperation } from './plan.ts';
import { type Operation, readServiceFields, type ServiceAnswer } from './service-answers.ts';
import { readSingleRows, type SingleRows } from './single-rows.ts';
import { type Labels, type Writing, writeRoot } from './write.ts';

/** The result of one root field: rows, or JSON about the service itself. */
type Found = ConnectionRows | SingleRows | ServiceAnswer;

/** A customer may lack a table of the catalogue. */
const checkTables = async ({ services, caller }: GraphqlContext, { tables }: OperationPlan): Promise<void> => {
  if (tables.size === 0) return;
  const { categoryTables } = await services.directories.of(caller.customer);
  for (const table of tables) if (!categoryTables.has(table)) throw new ApiError('notFound');
};

const failure = (error: unknown, { report }: GraphqlContext, root: RootSelection): GraphQLError =>
  asGraphqlError(error, report, { nodes: [root.node], path: [root.key] });

/**
 * The tables that a response without errors depends on. Undefined if the response has service fields or depends on the present day, because
 * no data version covers them.
 */
const tablesOf = ({ roots, lookups }: OperationSelection, { tables, isOfToday }: OperationPlan): readonly TableName[] | undefined => {
  if (isOfToday || roots.some(({ is }) => is === 'service' || is === 'introspection')) return undefined;
  const read = [...tables].map((name) => ({ kind: 'category', name }) as const);
  return lookups.size > 0 ? [...read, { kind: 'raw', name: lookupSource }] : read;
};

const isOfRows = ({ roots }: OperationPlan) => roots.some((root) => root !== undefined);

interface Read {
  /** The results of the root fields in their order. Undefined for fields that need no data. */
  readonly found: readonly (Found | undefined)[];
  readonly labels: Labels;
}

/** The labels of the coded values that the document shows. */
const readLabels = async (client: pg.ClientBase, { selection, context }: Operation): Promise<Labels> => {
  const labels = new Map<LookupName, ReadonlyMap<string, ByteLiteral>>();
  for (const name of selection.lookups) {
    const values = await lookupValues(client, context.caller.customer, name);
    labels.set(name, new Map(values.map(({ value, label }) => [value, byteLiteral(JSON.stringify(label))])));
  }
  return labels;
};

/** Reads all root fields: service fields first, then rows on one connection. */
const read = async (operation: Operation): Promise<Read> => {
  const { selection, plan, context } = operation;
  const { services, requestContext } = context;
  const { connections } = services.reading;
  const hasServiceFields = selection.roots.some(({ is }) => is === 'service');
  const found: (Found | undefined)[] = hasServiceFields ? await readServiceFields(operation) : selection.roots.map(() => undefined);
  if (!isOfRows(plan)) return { found, labels: new Map() };
  return connections.read(requestContext, async (lease) => {
    const reading = {
      reader: new Reader(services.reading, requestContext, { lease, onRows: context.onRows }),
      inSlices: (work: Iterator<unknown>) => runInSlices(requestContext.customerId, work, requestContext.signal),
    };
    const failed = (index: number) => (error: unknown) => ({
      error: failure(lease.translateError(error), context, selection.roots[index]!),
    });
    // Single rows are requested together. All other fields follow one after the other on the document's connection.
    const singles = plan.roots.some((root) => root?.is === 'rows') ? readSingleRows(reading, plan.roots) : [];
    const settled = singles.map((rows, index) => rows?.catch(failed(index)));
    for (const [index, rows] of settled.entries()) if (rows) found[index] = await rows;
    for (const [index, root] of plan.roots.entries())
      if (root?.is === 'connection') found[index] = await readConnection(reading, root.selection, root.levelPlan).catch(failed(index));
    return { found, labels: await readLabels(lease.client, operation) };
  });
};

/** Writes `data`. A root field that failed is null. */
export const writeData = (
  operation: Pick<Operation, 'schema' | 'selection' | 'variables'>,
  found: readonly (Found | undefined)[],
  writing: Writing,
): Steps => {
  const { out } = writing;
  const { roots, walk } = operation.selection;
  const introspection = { out, schema: operation.schema, walk: { ...walk, variables: operation.variables }, values: 0 };
  return writeObject(out, roots, function* (root, index) {
    const value = found[index];
    if (root.is === 'typename') out.json(JSON.stringify(root.type));
    else if (root.is === 'introspection') yield* writeIntrospection(introspection, root);
    else if (!value || 'error' in value) out.put(literal.null);
    else if ('json' in value) out.json(value.json);
    else if (root.is !== 'service') yield* writeRoot(writing, root, value);
    // A document can have many root fields without a list.
    yield;
  });
};

/** A response that may have more values than this can go to a spool. The number of spools is limited. */
const heldValues = 20_000;

/** The complete JSON of `data`, in memory or in a spool. */
const write = async (operation: Operation, isLarge: boolean, { found, labels }: Read): Promise<WrittenData> => {
  const { context } = operation;
  const { cursors, largePages } = context.services.reading;
  const { customerId, signal } = context.requestContext;
  const writeTo = async (out: JsonOut) => {
    await runInSlices(customerId, writeData(operation, found, { out, cursors, labels, values: 0 }), signal);
    out.flush();
  };
  if (isLarge) {
    const { spool, buffers } = largePages.spool();
    try {
      await writeTo(new JsonOut(buffers, (chunk) => spool.push(chunk)));
      spool.end();
    } catch (error) {
      spool.fail(error as Error);
      throw error;
    }
    return { chunks: spool, cancel: () => spool.fail(new Error('The client went away')) };
  }
  const held = new BufferedJson();
  await writeTo(held.out);
  const { body, release } = held.end();
  return { chunks: body, release };
};

const hasIntrospection = ({ roots }: OperationSelection) => roots.some(({ is }) => is === 'introspection');

/** Reads and writes when it is the customer's turn. Returns the errors of root fields. */
const respond = async (operation: Operation): Promise<ExecutionResult> => {
  const { selection, plan, context } = operation;
  const { connections, largePages } = context.services.reading;
  const isLarge = plan.cost.values > heldValues || hasIntrospection(selection);
  const giveUp = isLarge ? await largePages.reserve(context.requestContext) : () => {};
  const leave = await connections.enter('documents', context.requestContext).catch((error) => {
    giveUp();
    throw error;
  });
  try {
    await checkTables(context, plan);
    const result = await read(operation);
    const errors = result.found.flatMap((each) => (each && 'error' in each ? [each.error] : []));
    const isNull = result.found.some((each, index) => each && 'error' in each && isNonNullType(selection.roots[index]!.field.type));
    if (isNull) {
      giveUp();
      return { data: null, errors };
    }
    const { chunks, release, cancel } = await write(operation, isLarge, result);
    const tables = errors.length === 0 ? tablesOf(selection, plan) : undefined;
    const endLarge = () => {
      cancel?.();
      giveUp();
    };
    context.onData({ chunks, release, tables, cancel: isLarge ? endLarge : undefined });
    return errors.length > 0 ? { data: {}, errors } : { data: {} };
  } catch (error) {
    giveUp();
    throw error;
  } finally {
    leave();
  }
};

/** An error before execution has no `data`. Clients that know GraphQL's own media type get a 400. */
const refusedBefore = (errors: readonly GraphQLError[]): ExecutionResult => ({
  errors: errors.map(
    (error) =>
      new GraphQLError(error.message, {
        nodes: error.nodes ?? null,
        extensions: { code: 'INVALID_PARAMETER', ...error.extensions, http: { status: 400, spec: true } },
      }),
  ),
});

/** A refusal has no `data`. An invalid argument is an error of its field, so `data` is null. */
const refused = (error: GraphQLError): ExecutionResult => ({
  errors: [error],
  ...((error.extensions.http as { status?: number } | undefined)?.status === undefined && { data: null }),
});

export const execute = async (args: ExecutionArgs): Promise<ExecutionResult> => {
  const { schema, document, operationName, variableValues } = args;
  const context = args.contextValue as GraphqlContext;
  const definition = getOperationAST(document, operationName);
  if (!definition) return refusedBefore((await executeByGraphql(args)).errors ?? []);
  if (definition.operation !== 'query')
    return refusedBefore([new GraphQLError(`The service only reads: it has no ${definition.operation}s`, { nodes: definition })]);
  try {
    const { variables, errors } = await coerceVariables(schema, definition, variableValues ?? {}, context.requestContext);
    if (errors.length > 0) return refusedBefore(errors);
    const selection = selectOperation(schema, document, operationName, variables);
    const { customer, scope } = context.caller;
    const catalogue = catalogueWithin(context.services.catalogue, scope);
    const request = { catalogue, customer, scope, cursors: context.services.reading.cursors, variables };
    const plan = planOperation(selection, request);
    const result = await respond({ schema, document, selection, plan, variables, context });
    if (!isOfRows(plan)) return result;
    const { nodes, values } = plan.cost;
    const cost = { nodes, limit: limits.nodes, values, valuesLimit: limits.values };
    const { size } = plan.unindexedOrders;
    result.extensions = { cost, unindexedOrders: size > 0 ? [...plan.unindexedOrders] : undefined };
    return result;
  } catch (error) {
    return refused(asGraphqlError(error, context.report));
  }
};
