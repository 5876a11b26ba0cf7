/**
 * Executes an operation: select, plan, wait for a place, read, write (see the files of these names).
 *
 * Rows go from the socket's bytes into the JSON of the answer; GraphQL's own execution answers what the service says of
 * itself. An answer is complete before its first byte is sent, so whatever fails on the way is still an error that says so.
 */
import {
  type ExecutionArgs,
  type ExecutionResult,
  execute as executeByGraphql,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  isNonNullType,
} from 'graphql';
import { lookupSource } from '../catalogue/lookups.ts';
import { ApiError } from '../errors.ts';
import { HeldJson, JsonOut } from '../read/json-out.ts';
import { literal } from '../read/json-values.ts';
import type { TableName } from '../read/kept.ts';
import { lookupValues } from '../read/lookup.ts';
import { Reader } from '../read/reader.ts';
import { inTurns } from '../read/turns.ts';
import { type Piece, pieceOf } from '../read/words.ts';
import type { RequestContext, WrittenData } from './context.ts';
import { asGraphqlError } from './errors.ts';
import { writeIntrospection } from './introspection.ts';
import { type ConnectionRows, readRoot } from './levels.ts';
import { limits } from './limits.ts';
import { checkVariables } from './parse.ts';
import { type OperationPlan, planOperation } from './plan.ts';
import type { OperationSelection, RootSelection } from './selection.ts';
import { keptSelection } from './selection-cache.ts';
import { type Operation, readServiceFields, type ServiceAnswer } from './service-answers.ts';
import { createSingleRows } from './single-rows.ts';
import { type Labels, type SingleRows, type Writing, writeRoot } from './write.ts';

/** What was read of each root field: rows, or the JSON of what the service says of itself. */
type Found = ConnectionRows | SingleRows | ServiceAnswer;

/** A table of the catalogue need not be there for every customer. */
const checkTables = async ({ services, caller }: RequestContext, { tables }: OperationPlan): Promise<void> => {
  if (tables.size === 0) return;
  const { categoryTables } = await services.directories.of(caller.customer);
  for (const table of tables) if (!categoryTables.has(table)) throw new ApiError('notFound');
};

const failure = (error: unknown, { report }: RequestContext, root: RootSelection): GraphQLError =>
  asGraphqlError(error, report, { nodes: [root.node], path: [root.key] });

/** The tables that an answer without errors follows from; undefined if the service says of itself what no version tells. */
const tablesOf = ({ roots, lookups }: OperationSelection, { tables }: OperationPlan): readonly TableName[] | undefined => {
  if (roots.some(({ is }) => is === 'service' || is === 'introspection')) return undefined;
  const read = [...tables].map((name) => ({ kind: 'category', name }) as const);
  return lookups.size > 0 ? [...read, { kind: 'raw', name: lookupSource }] : read;
};

const isOfRows = ({ roots }: OperationSelection) => roots.some(({ is }) => is === 'rows' || is === 'row' || is === 'nodes');

interface Read {
  readonly found: ReadonlyMap<RootSelection, Found>;
  readonly labels: Labels;
}

/** Reads all root fields: the service's own first, then rows on one connection. */
const read = async (operation: Operation): Promise<Read> => {
  const { selection, plan, context } = operation;
  const { services, caller, asker } = context;
  const { connections } = services.reading;
  const found = new Map<RootSelection, Found>(await readServiceFields(operation));
  if (!isOfRows(selection)) return { found, labels: new Map() };
  return connections.read(asker, async (lease) => {
    const { plans, places } = plan;
    const reading = { plans, places, reader: new Reader(services.reading, asker, { lease, onRows: context.onRows }) };
    const told = (root: RootSelection) => (error: unknown) => ({ error: failure(lease.told(error), context, root) });
    const readSingle = createSingleRows(reading);
    // Single rows are asked for together; whatever else there is goes one after the other over the document's connection.
    const singles = [...plan.singles].map(([root, asked]) => {
      const rows = asked.map(async (single) => single && { fields: single.row.fields, found: await readSingle(single) });
      return [root, Promise.all(rows).then((read) => ({ singles: read }), told(root))] as const;
    });
    for (const [root, rows] of singles) found.set(root, await rows);
    for (const root of selection.roots) if (root.is === 'rows') found.set(root, await readRoot(reading, root).catch(told(root)));
    const labels = new Map<string, ReadonlyMap<string, Piece>>();
    for (const name of selection.lookups) {
      const values = await lookupValues(lease.client, caller.customer, name);
      labels.set(name, new Map(values.map(({ value, label }) => [value, pieceOf(JSON.stringify(label))])));
    }
    return { found, labels: labels as Labels };
  });
};

/** Writes `data`; a root field that failed is null. */
function* writeData(operation: Operation, found: ReadonlyMap<RootSelection, Found>, writing: Writing): Generator<void, void> {
  const { out } = writing;
  const { roots, walk } = operation.selection;
  const introspection = { out, schema: operation.schema, walk: { ...walk, variables: operation.variables }, values: 0 };
  for (const [index, root] of roots.entries()) {
    out.byte(index === 0 ? 0x7b : 0x2c);
    out.put(root.name);
    const value = found.get(root);
    if (root.is === 'typename') out.json(JSON.stringify(root.type));
    else if (root.is === 'introspection') yield* writeIntrospection(introspection, root);
    else if (!value || 'error' in value) out.put(literal.null);
    else if ('json' in value) out.json(value.json);
    else if (root.is !== 'service') yield* writeRoot(writing, root, value);
  }
  out.byte(0x7d);
}

/** Answers that may become larger than this wait on disk for clients that read slowly, and are bounded in number. */
const heldValues = 20_000;

/** The JSON of `data`, complete: in memory, or in a spool that the answer's reading ends. */
const write = async (
  operation: Operation,
  isLarge: boolean,
  found: ReadonlyMap<RootSelection, Found>,
  labels: Labels,
): Promise<WrittenData> => {
  const { plan, context } = operation;
  const { cursors, largePages } = context.services.reading;
  const { customerId, signal } = context.asker;
  const writeTo = async (out: JsonOut) => {
    await inTurns(customerId, writeData(operation, found, { out, cursors, labels, plans: plan.plans, values: 0 }), signal);
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
  const held = new HeldJson();
  await writeTo(held.out);
  const { body, release } = held.end();
  return { chunks: body, release };
};

const hasIntrospection = ({ roots }: OperationSelection) => roots.some(({ is }) => is === 'introspection');

/** Reads and writes in the customer's turn; gives back the errors of root fields. */
const answer = async (operation: Operation): Promise<ExecutionResult> => {
  const { selection, plan, context } = operation;
  const { connections, largePages } = context.services.reading;
  const isLarge = plan.cost.values > heldValues || hasIntrospection(selection);
  const giveUp = isLarge ? await largePages.reserve(context.asker) : () => {};
  const leave = await connections.enter('documents', context.asker).catch((error) => {
    giveUp();
    throw error;
  });
  try {
    await checkTables(context, plan);
    const { found, labels } = await read(operation);
    const errors = [...found.values()].flatMap((each) => ('error' in each ? [each.error] : []));
    const isNull = [...found].some(([root, each]) => 'error' in each && isNonNullType(root.field.type));
    if (isNull) {
      giveUp();
      return { data: null, errors };
    }
    const { chunks, release, cancel } = await write(operation, isLarge, found, labels);
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

/** What fails before anything is executed has no `data`, and is a 400 to clients that know GraphQL's own media type. */
const refusedBefore = (errors: readonly GraphQLError[]): ExecutionResult => ({
  errors: errors.map(
    (error) =>
      new GraphQLError(error.message, {
        nodes: error.nodes ?? null,
        extensions: { code: 'INVALID_PARAMETER', ...error.extensions, http: { status: 400, spec: true } },
      }),
  ),
});

/** A refusal has no `data`; what is wrong with an argument is the failure of its field. */
const refused = (error: GraphQLError): ExecutionResult => ({
  errors: [error],
  ...(error.extensions.http === undefined && { data: null }),
});

export const execute = async (args: ExecutionArgs): Promise<ExecutionResult> => {
  const { schema, document, operationName, variableValues } = args;
  const context = args.contextValue as RequestContext;
  const definition = getOperationAST(document, operationName);
  if (!definition) return refusedBefore((await executeByGraphql(args)).errors ?? []);
  if (definition.operation !== 'query')
    return refusedBefore([new GraphQLError(`The service only reads: it has no ${definition.operation}s`, { nodes: definition })]);
  try {
    checkVariables(variableValues);
    const { coerced, errors } = getVariableValues(schema, definition.variableDefinitions ?? [], variableValues ?? {}, { maxErrors: 50 });
    if (errors) return refusedBefore(errors);
    const selection = keptSelection(schema, document, operationName, coerced);
    const { catalogue, reading } = context.services;
    const request = { catalogue, customer: context.caller.customer, cursors: reading.cursors, variables: coerced };
    const plan = planOperation(selection, request);
    const result = await answer({ schema, document, selection, plan, variables: coerced, context });
    if (!isOfRows(selection)) return result;
    const { nodes, values } = plan.cost;
    const cost = { nodes, limit: limits.nodes, values, valuesLimit: limits.values };
    const { size } = plan.unindexedOrders;
    result.extensions = { cost, unindexedOrders: size > 0 ? [...plan.unindexedOrders] : undefined };
    return result;
  } catch (error) {
    return refused(asGraphqlError(error, context.report));
  }
};
