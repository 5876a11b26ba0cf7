/**
 * Executes an operation in five steps: select, plan, wait for a slot, read, write. The files of these names have the details.
 *
 * Row bytes go from the socket into the JSON of the response without objects. GraphQL's own execution answers the service fields.
 * A response is complete before its first byte is sent, so every failure on the way is still reported as an error.
 */
import { type DocumentNode, GraphQLError, type GraphQLSchema, getOperationAST, isNonNullType } from 'graphql';
import type pg from 'pg';
import { categorySource } from '../../cache/directory.ts';
import type { TableKey } from '../../cache/response-cache.ts';
import { catalogueWithin } from '../../catalogue/data-scope.ts';
import { type LookupName, lookupSource } from '../../catalogue/lookups.ts';
import { ApiError } from '../../errors.ts';
import { type Code, readCodes } from '../../execute/lookup.ts';
import { Reader } from '../../execute/reader.ts';
import { unknownValues } from '../../execute/unknown-values.ts';
import type { UnlistedValue } from '../../plan/unlisted-values.ts';
import { clipped } from '../../plan/validation-errors.ts';
import { runInSlices, spend } from '../../scheduling/time-slices.ts';
import { BufferedJson, JsonOut } from '../../wire/json-out.ts';
import { literal } from '../../wire/json-values.ts';
import type { GraphqlContext, Result, WrittenData } from '../context.ts';
import { limits } from '../document/limits.ts';
import { coerceVariables, type VariableValues } from '../document/variables.ts';
import { asGraphqlError, refusedBefore } from '../errors.ts';
import { selectOperation } from '../selection/select.ts';
import type { OperationSelection, RootSelection } from '../selection/selection.ts';
import { writeIntrospection } from './introspection.ts';
import { type Steps, writeObject } from './json-layout.ts';
import { CodeLabels } from './labels.ts';
import { type ConnectionRows, readConnection } from './levels.ts';
import { type OperationPlan, planOperation } from './plan.ts';
import { restRequests } from './rest-requests.ts';
import { type RunningOperation, readServiceFields, type ServiceAnswer } from './service-answers.ts';
import { readSingleRows, type SingleRows } from './single-rows.ts';
import { type Writing, writeRoot } from './write.ts';

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
const tablesOf = (
  { roots, lookups }: OperationSelection,
  { tables, isOfToday, unlisted }: OperationPlan,
): readonly TableKey[] | undefined => {
  if (isOfToday || roots.some(({ is }) => is === 'service' || is === 'introspection')) return undefined;
  const read = [...tables].map((name) => ({ kind: 'category', name }) as const);
  return lookups.size > 0 || unlisted.length > 0 ? [...read, { kind: 'raw', name: lookupSource }] : read;
};

const longestValue = 80;

const isOfRows = ({ roots }: OperationPlan) => roots.some((root) => root !== undefined);

interface Read {
  /** The results of the root fields in their order. Undefined for fields that need no data. */
  readonly found: readonly (Found | undefined)[];
  readonly labels: CodeLabels;
  /** Values of filters that are no codes and that no row has. Undefined if the look for them took too long. */
  readonly unknown: readonly UnlistedValue[] | undefined;
}

/** The labels of the coded values that the document shows. */
const readLabels = async (client: pg.ClientBase, { selection, variables, context }: RunningOperation): Promise<CodeLabels> => {
  const codes = new Map<LookupName, readonly Code[]>();
  for (const name of selection.lookups) codes.set(name, await readCodes(client, context.caller.customer, name));
  return new CodeLabels(codes, variables);
};

/** Reads all root fields: service fields first, then rows on one connection. */
const read = async (operation: RunningOperation): Promise<Read> => {
  const { selection, plan, context } = operation;
  const { services, requestContext } = context;
  const { connections } = services.reading;
  const hasServiceFields = selection.roots.some(({ is }) => is === 'service');
  const found: (Found | undefined)[] = hasServiceFields ? await readServiceFields(operation) : selection.roots.map(() => undefined);
  if (!isOfRows(plan)) return { found, labels: new CodeLabels(new Map(), {}), unknown: [] };
  const onRows = (count: number) => {
    context.rows += count;
  };
  return connections.read(requestContext, async (lease) => {
    const reading = {
      reader: new Reader(services.reading, requestContext, { lease, onRows }),
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
    const { customer, scope } = context.caller;
    const [first] = plan.unlisted;
    const table = first && services.catalogue.tables.get(first.table);
    const source = table && categorySource(table, customer, scope);
    const check = { reader: reading.reader, run: <T>(work: (client: pg.ClientBase) => Promise<T>) => work(lease.client) };
    const labels = await readLabels(lease.client, operation);
    // The last statement, because the time limit of the document can end it without ending the answer.
    const unknown = source ? await unknownValues(plan.unlisted, { ...check, source }) : [];
    return { found, labels, unknown };
  });
};

/** Writes `data`. A root field that failed is null. */
export const writeData = (
  operation: Pick<RunningOperation, 'schema' | 'selection' | 'variables'>,
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

/** A warning such as `status=opne`. */
const warningOf = ({ table, column, value }: UnlistedValue): string =>
  `${column}=${clipped(value, longestValue)}: no code of ${table}.${column}, and no row has it`;

/** The complete JSON of `data`, in memory or in a spool. */
const write = async (operation: RunningOperation, isLarge: boolean, { found, labels }: Read): Promise<WrittenData> => {
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
const readAndWrite = async (operation: RunningOperation): Promise<Result> => {
  const { selection, plan, context } = operation;
  const { connections, largePages } = context.services.reading;
  const isLarge = plan.cost.values > heldValues || hasIntrospection(selection);
  const leaveLarge = isLarge ? await largePages.reserve(context.requestContext) : () => {};
  const leave = await connections.enter('documents', context.requestContext).catch((error) => {
    leaveLarge();
    throw error;
  });
  try {
    await checkTables(context, plan);
    const result = await read(operation);
    const errors = result.found.flatMap((each) => (each && 'error' in each ? [each.error] : []));
    const isNull = result.found.some((each, index) => each && 'error' in each && isNonNullType(selection.roots[index]!.field.type));
    if (isNull) {
      leaveLarge();
      return { data: null, errors };
    }
    const { chunks, release, cancel } = await write(operation, isLarge, result);
    const { unknown } = result;
    // An answer without its warnings is not stored.
    const tables = errors.length === 0 && unknown ? tablesOf(selection, plan) : undefined;
    const endLarge = () => {
      cancel?.();
      leaveLarge();
    };
    const data = { chunks, release, tables, cancel: isLarge ? endLarge : undefined };
    return {
      data,
      ...(errors.length > 0 && { errors }),
      ...(unknown?.length && { extensions: { warnings: unknown.map(warningOf) } }),
    };
  } catch (error) {
    leaveLarge();
    throw error;
  } finally {
    leave();
  }
};

/** A refusal has no `data`. An invalid argument is an error of its field, so `data` is null. */
const refused = (error: GraphQLError): Result => ({
  errors: [error],
  ...((error.extensions.http as { status?: number } | undefined)?.status === undefined && { data: null }),
});

/** A valid document of a request, and its parameters. */
export interface Executable {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly parameters: { readonly operationName?: string | undefined; readonly variables?: VariableValues | undefined };
}

const refusedParameters = (errors: readonly GraphQLError[]): Result => ({ errors: refusedBefore(errors, 'INVALID_PARAMETER') });

/** An operation of a request with its variables and plan, or the result that refuses it. Throws a `GraphQLError` for invalid arguments. */
const planned = (
  { schema, document, parameters }: Executable,
  { caller, services }: GraphqlContext,
): Pick<RunningOperation, 'schema' | 'document' | 'selection' | 'plan' | 'variables' | 'given'> | { readonly refusal: Result } => {
  const { operationName, variables: given = {} } = parameters;
  // Yoga refuses a request for an operation that does not exist, and a question has exactly one.
  const definition = getOperationAST(document, operationName)!;
  if (definition.operation !== 'query')
    return {
      refusal: refusedParameters([new GraphQLError(`The service only reads: it has no ${definition.operation}s`, { nodes: definition })]),
    };
  const { variables, errors } = spend(() => coerceVariables(schema, definition, given));
  if (errors.length > 0) return { refusal: refusedParameters(errors) };
  const selection = selectOperation(schema, document, operationName, variables);
  const { customer, scope } = caller;
  const catalogue = catalogueWithin(services.catalogue, scope);
  const plan = planOperation(selection, { catalogue, customer, scope, cursors: services.reading.cursors, variables });
  return { schema, document, selection, plan, variables, given };
};

/** The REST requests for an operation, in `data.requests` (contract: REST requests of a document). */
export const writeRestRequests = async (executable: Executable, context: GraphqlContext): Promise<Result> => {
  try {
    const operation = planned(executable, context);
    if ('refusal' in operation) return operation.refusal;
    const written = restRequests(operation, catalogueWithin(context.services.catalogue, context.caller.scope));
    const requests = written.map((each) => (each.path === undefined ? each : { ...each, path: context.publicPath(each.path) }));
    return { data: { chunks: [Buffer.from(JSON.stringify({ requests }))] } };
  } catch (error) {
    return refused(asGraphqlError(error, context.report));
  }
};

export const execute = async (executable: Executable, context: GraphqlContext): Promise<Result> => {
  try {
    const operation = planned(executable, context);
    if ('refusal' in operation) return operation.refusal;
    const { plan } = operation;
    const result = await readAndWrite({ ...operation, context });
    if (!isOfRows(plan)) return result;
    const { nodes, values } = plan.cost;
    const cost = { nodes, limit: limits.nodes, values, valuesLimit: limits.values };
    const { size } = plan.unindexedOrders;
    return { ...result, extensions: { cost, unindexedOrders: size > 0 ? [...plan.unindexedOrders] : undefined, ...result.extensions } };
  } catch (error) {
    return refused(asGraphqlError(error, context.report));
  }
};
