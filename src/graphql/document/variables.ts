/**
 * Coerces the variables of a request as GraphQL does, at a cost proportional to their size (contract: document limits; GraphQL errors).
 * GraphQL's own function visits all fields of an input type for each object, and its messages contain complete values.
 */
import {
  GraphQLError,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import type { RequestContext } from '../../execute/connections.ts';
import { clipped } from '../../plan/validation-errors.ts';
import { runInSlices, spend } from '../../scheduling/time-slices.ts';
import { maxErrors } from '../errors.ts';
import { countValues, exceeds, limits } from './limits.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface CoercedVariables {
  readonly variables: Values;
  readonly errors: readonly GraphQLError[];
}

/** Variables with at most this many values are coerced without waiting. */
const fewValues = 200;
/** The maximum length of a name, a path or a value in a message. */
const longest = 50;

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The location of a value, as a list that is linked from the last step to the first. */
interface Path {
  readonly before: Path | undefined;
  readonly step: string | number;
}

const pathText = (path: Path): string =>
  (path.before ? pathText(path.before) : '') + (typeof path.step === 'number' ? `[${path.step}]` : `.${path.step}`);

const valueText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.length} values]`;
  if (isObject(value)) return '{…}';
  return typeof value === 'string' ? JSON.stringify(clipped(value, longest)) : String(value);
};

/** Ends the coercion after the maximum number of errors. */
const enough = Symbol('enough');

class VariableErrors {
  readonly list: GraphQLError[] = [];
  node: VariableDefinitionNode | undefined;

  add(message: string): void {
    const name = clipped(this.node?.variable.name.value ?? '', longest);
    this.list.push(new GraphQLError(`Variable "$${name}" ${message}`, { nodes: this.node ?? null }));
    if (this.list.length >= maxErrors) throw enough;
  }

  addValue(path: Path, value: unknown, reason: string): void {
    const place = path.before ? ` at "${clipped(pathText(path).slice(1), longest)}"` : '';
    this.add(`got invalid value ${valueText(value)}${place}; ${reason}`);
  }
}

interface InputFields {
  readonly byName: ReadonlyMap<string, GraphQLInputField>;
  readonly order: ReadonlyMap<string, number>;
  /** Fields that are required or have a default value. */
  readonly requiredOrDefault: readonly GraphQLInputField[];
}

const known = new WeakMap<GraphQLInputObjectType, InputFields>();

const fieldsOf = (type: GraphQLInputObjectType): InputFields => {
  const found = known.get(type);
  if (found) return found;
  const fields = Object.values(type.getFields());
  const made = {
    byName: new Map(fields.map((field) => [field.name, field])),
    order: new Map(fields.map(({ name }, index) => [name, index])),
    requiredOrDefault: fields.filter((field) => isRequiredInputField(field) || field.defaultValue !== undefined),
  };
  known.set(type, made);
  return made;
};

function* coerceObject(value: unknown, type: GraphQLInputObjectType, path: Path, errors: VariableErrors): Generator<void, unknown> {
  yield;
  if (!isObject(value)) return errors.addValue(path, value, `Expected type "${type.name}" to be an object.`);
  const { byName, order, requiredOrDefault } = fieldsOf(type);
  const coerced: Record<string, unknown> = {};
  const names = Object.keys(value);
  for (const name of names)
    if (!byName.has(name)) errors.addValue(path, value, `Field "${clipped(name, longest)}" is not defined by type "${type.name}".`);
  // The schema's order gives one statement for equal filters, even if clients sort the names differently.
  const defined = names.filter((name) => byName.has(name)).sort((one, other) => order.get(one)! - order.get(other)!);
  for (const name of defined) coerced[name] = yield* coerce(value[name], byName.get(name)!.type, { before: path, step: name }, errors);
  for (const { name, type: expected, defaultValue } of requiredOrDefault) {
    if (Object.hasOwn(value, name)) continue;
    if (defaultValue !== undefined) coerced[name] = defaultValue;
    else errors.addValue(path, value, `Field "${name}" of required type "${expected}" was not provided.`);
  }
  if (type.isOneOf && (names.length !== 1 || coerced[names[0]!] === null))
    errors.addValue(path, value, `Exactly one key must be specified for OneOf type "${type.name}".`);
  return coerced;
}

function* coerceList(values: readonly unknown[], type: GraphQLInputType, path: Path, errors: VariableErrors): Generator<void, unknown> {
  const coerced: unknown[] = [];
  for (const [step, value] of values.entries()) {
    if (step % fewValues === 0) yield;
    coerced.push(yield* coerce(value, type, { before: path, step }, errors));
  }
  return coerced;
}

function* coerce(value: unknown, type: GraphQLInputType, path: Path, errors: VariableErrors): Generator<void, unknown> {
  if (isNonNullType(type)) {
    if (value !== null) return yield* coerce(value, type.ofType, path, errors);
    return errors.addValue(path, value, `Expected non-nullable type "${type}" not to be null.`);
  }
  if (value === null) return null;
  if (isListType(type)) {
    if (Array.isArray(value)) return yield* coerceList(value, type.ofType, path, errors);
    // GraphQL accepts a single value for a list of one.
    return [yield* coerce(value, type.ofType, path, errors)];
  }
  if (isInputObjectType(type)) return yield* coerceObject(value, type, path, errors);
  if (typeof value === 'object') return errors.addValue(path, value, `Expected type "${type.name}".`);
  try {
    return isEnumType(type) ? type.parseValue(value, true) : type.parseValue(value);
  } catch (error) {
    return errors.addValue(path, value, (error as Error).message);
  }
}

function* coerceAll(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  values: Values,
  errors: VariableErrors,
): Generator<void, Values> {
  const variables: Record<string, unknown> = {};
  for (const node of definitions) {
    errors.node = node;
    const name = node.variable.name.value;
    const type = typeFromAST(schema, node.type) as GraphQLInputType;
    if (Object.hasOwn(values, name)) {
      if (values[name] === null && isNonNullType(type)) errors.add(`of non-null type "${type}" must not be null.`);
      else variables[name] = yield* coerce(values[name], type, { before: undefined, step: name }, errors);
    } else if (node.defaultValue) variables[name] = valueFromAST(node.defaultValue, type);
    else if (isNonNullType(type)) errors.add(`of required type "${type}" was not provided.`);
  }
  return variables;
}

const partsOf = (value: unknown): Iterable<unknown> =>
  Array.isArray(value) ? value : typeof value === 'object' && value !== null ? Object.values(value) : [];

/**
 * Coerces the variables of an operation when it is the customer's turn, and ends after the first few errors. Throws `limitExceeded` for too
 * many values.
 */
export const coerceVariables = async (
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: Values,
  { customerId, signal }: RequestContext,
): Promise<CoercedVariables> => {
  const count = spend(() => countValues<unknown>(values, partsOf));
  if (count > limits.inputs) throw exceeds('inputs', count);
  const errors = new VariableErrors();
  let variables: Values = {};
  const work = function* () {
    variables = yield* coerceAll(schema, variableDefinitions, values, errors);
  };
  try {
    if (count > fewValues) await runInSlices(customerId, work(), signal);
    else for (const _ of work());
  } catch (error) {
    if (error !== enough) throw error;
  }
  return { variables, errors: errors.list };
};
