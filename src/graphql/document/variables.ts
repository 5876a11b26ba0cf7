/**
 * Coerces the variables of a request as GraphQL does, at a cost proportional to their size (contract: document limits; GraphQL errors).
 * GraphQL's own function visits all fields of an input type for each object: 16 µs for each object of a filter.
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
import { clipped } from '../../plan/validation-errors.ts';
import { maxErrors } from '../errors.ts';
import { exceeds, limits } from './limits.ts';

export type VariableValues = Readonly<Record<string, unknown>>;

export interface CoercedVariables {
  readonly variables: VariableValues;
  readonly errors: readonly GraphQLError[];
}

/** The maximum length of a name, a path or a value in a message. */
const longest = 50;
/** The maximum depth of variables. Coercion is recursive. */
const deepest = 3 * limits.nesting;

export const isVariableObject = (value: unknown): value is VariableValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws `limitExceeded` for too many values, and for values that are nested too deeply. */
const countValues = (values: VariableValues): void => {
  let count = 0;
  let level: object[] = [values];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw exceeds('nesting', depth);
    const inner: object[] = [];
    for (const each of level)
      for (const value of Object.values(each)) {
        if (++count > limits.inputs) throw exceeds('inputs', count);
        if (typeof value === 'object' && value !== null) inner.push(value);
      }
    level = inner;
  }
};

/** The location of a value, as a list that is linked from the last step to the first. */
interface Path {
  readonly before: Path | undefined;
  readonly step: string | number;
}

const pathText = ({ before, step }: Path): string =>
  (before ? pathText(before) : '') + (typeof step === 'number' ? `[${step}]` : `${before ? '.' : ''}${step}`);

const valueText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.length} values]`;
  if (isVariableObject(value)) return '{…}';
  return typeof value === 'string' ? JSON.stringify(clipped(value, longest)) : String(value);
};

/** Ends the coercion after the maximum number of errors. */
const enough = Symbol('enough');

/** The names of fields by their order in the schema, and the fields that are required or have a default value. */
interface InputFields {
  readonly byName: Readonly<Record<string, GraphQLInputField>>;
  readonly order: ReadonlyMap<string, number>;
  readonly requiredOrDefault: readonly GraphQLInputField[];
}

const known = new WeakMap<GraphQLInputObjectType, InputFields>();

const fieldsOf = (type: GraphQLInputObjectType): InputFields => {
  const found = known.get(type);
  if (found) return found;
  const byName = type.getFields();
  const fields = Object.values(byName);
  const made = {
    byName,
    order: new Map(fields.map(({ name }, index) => [name, index])),
    requiredOrDefault: fields.filter((field) => isRequiredInputField(field) || field.defaultValue !== undefined),
  };
  known.set(type, made);
  return made;
};

/** Coerces the value of one variable. */
class Coercion {
  readonly #node: VariableDefinitionNode;
  readonly #errors: GraphQLError[];

  constructor(node: VariableDefinitionNode, errors: GraphQLError[]) {
    this.#node = node;
    this.#errors = errors;
  }

  refuse(message: string): void {
    const name = clipped(this.#node.variable.name.value, longest);
    this.#errors.push(new GraphQLError(`Variable "$${name}" ${message}`, { nodes: this.#node }));
    if (this.#errors.length >= maxErrors) throw enough;
  }

  coerce(value: unknown, type: GraphQLInputType, path: Path): unknown {
    if (isNonNullType(type)) {
      if (value !== null) return this.coerce(value, type.ofType, path);
      return this.#refuseValue(path, value, `Expected non-nullable type "${type}" not to be null.`);
    }
    if (value === null) return null;
    if (isListType(type)) {
      // GraphQL accepts a single value for a list of one.
      if (!Array.isArray(value)) return [this.coerce(value, type.ofType, path)];
      return value.map((each, step) => this.coerce(each, type.ofType, { before: path, step }));
    }
    if (isInputObjectType(type)) return this.#coerceObject(value, type, path);
    if (typeof value === 'object') return this.#refuseValue(path, value, `Expected type "${type.name}".`);
    try {
      return isEnumType(type) ? type.parseValue(value, true) : type.parseValue(value);
    } catch (error) {
      return this.#refuseValue(path, value, (error as Error).message);
    }
  }

  #coerceObject(value: unknown, type: GraphQLInputObjectType, path: Path): unknown {
    if (!isVariableObject(value)) return this.#refuseValue(path, value, `Expected type "${type.name}" to be an object.`);
    const { byName, order, requiredOrDefault } = fieldsOf(type);
    const names = Object.keys(value);
    for (const name of names)
      if (!order.has(name)) this.#refuseValue(path, value, `Field "${clipped(name, longest)}" is not defined by type "${type.name}".`);
    const coerced: Record<string, unknown> = {};
    // The schema's order gives one statement for equal filters, even if clients sort the names differently.
    const defined = names.length === 1 ? names : names.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
    for (const name of defined)
      if (order.has(name)) coerced[name] = this.coerce(value[name], byName[name]!.type, { before: path, step: name });
    for (const { name, type: expected, defaultValue } of requiredOrDefault) {
      if (Object.hasOwn(value, name)) continue;
      if (defaultValue !== undefined) coerced[name] = defaultValue;
      else this.#refuseValue(path, value, `Field "${name}" of required type "${expected}" was not provided.`);
    }
    if (type.isOneOf && (names.length !== 1 || coerced[names[0]!] === null))
      this.#refuseValue(path, value, `Exactly one key must be specified for OneOf type "${type.name}".`);
    return coerced;
  }

  #refuseValue(path: Path, value: unknown, reason: string): undefined {
    const place = path.before ? ` at "${clipped(pathText(path), longest)}"` : '';
    this.refuse(`got invalid value ${valueText(value)}${place}; ${reason}`);
  }
}

/** Coerces the variables of an operation. Ends after the first few errors. Throws `limitExceeded` for too many values. */
export const coerceVariables = (
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: VariableValues,
): CoercedVariables => {
  countValues(values);
  const variables: Record<string, unknown> = {};
  const errors: GraphQLError[] = [];
  try {
    for (const node of variableDefinitions) {
      const coercion = new Coercion(node, errors);
      const name = node.variable.name.value;
      const type = typeFromAST(schema, node.type) as GraphQLInputType;
      if (Object.hasOwn(values, name)) {
        if (values[name] === null && isNonNullType(type)) coercion.refuse(`of non-null type "${type}" must not be null.`);
        else variables[name] = coercion.coerce(values[name], type, { before: undefined, step: name });
      } else if (node.defaultValue) variables[name] = valueFromAST(node.defaultValue, type);
      else if (isNonNullType(type)) coercion.refuse(`of required type "${type}" was not provided.`);
    }
  } catch (error) {
    if (error !== enough) throw error;
  }
  return { variables, errors };
};
