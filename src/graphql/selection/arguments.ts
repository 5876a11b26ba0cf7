/**
 * The arguments of a field. GraphQL reads them from the document once, with blanks in place of variables. Each request fills in the blanks.
 */
import { type FieldNode, type GraphQLField, getArgumentValues, Kind, visit } from 'graphql';

export type Arguments = Readonly<Record<string, unknown>>;

/** A placeholder for the value of a variable. */
class Blank {
  readonly variable: string;
  constructor(variable: string) {
    this.variable = variable;
  }
}

/** Copies a value and fills in its blanks. */
type Fill = (variables: Arguments) => unknown;

/** Undefined for a value without blanks. */
const fillOf = (value: unknown): Fill | undefined => {
  if (value instanceof Blank) return (variables) => variables[value.variable];
  if (typeof value !== 'object' || value === null) return undefined;
  const parts = Object.entries(value).map(([name, part]) => [name, part, fillOf(part)] as const);
  if (parts.every(([, , fill]) => !fill)) return undefined;
  return (variables) => {
    const filled = (Array.isArray(value) ? [] : {}) as Record<string, unknown>;
    for (const [name, part, fill] of parts) filled[name] = fill ? fill(variables) : part;
    return filled;
  };
};

const variablesOf = (node: FieldNode): readonly string[] => {
  const names = new Set<string>();
  for (const argument of node.arguments ?? []) visit(argument, { [Kind.VARIABLE]: ({ name }) => void names.add(name.value) });
  return [...names];
};

/**
 * Gives the arguments of a field for the coerced variables of a request. Throws a `GraphQLError` as GraphQL does. Requests share the
 * result, so do not change it.
 */
export type ArgumentsOf = (variables: Arguments) => Arguments;

export const createArguments = (field: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentsOf => {
  let names: readonly string[] | undefined;
  let fill: Fill | undefined;
  return (variables) => {
    names ??= variablesOf(node);
    // The meaning of null or of an absent variable depends on its position, so GraphQL reads these arguments itself.
    if (names.some((name) => (variables[name] ?? null) === null)) return getArgumentValues(field, node, variables);
    if (!fill) {
      const values = getArgumentValues(field, node, Object.fromEntries(names.map((name) => [name, new Blank(name)])));
      fill = fillOf(values) ?? (() => values);
    }
    return fill(variables) as Arguments;
  };
};
