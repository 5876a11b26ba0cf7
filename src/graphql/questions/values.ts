/** The variables of a saved question from the parameters of a link (contract: saved questions). */
import { type DocumentNode, Kind, type TypeNode } from 'graphql';
import { firstNames, listOfNames, ParameterErrors } from '../../plan/validation-errors.ts';
import { parseValues } from '../../query/grammar.ts';
import { formatName, variablesOf } from './document.ts';

/** A value for the coercion of GraphQL, which reports values that do not fit. Undefined for a list with a quote that does not end. */
const variableValue = (type: TypeNode, text: string): unknown => {
  if (type.kind === Kind.NON_NULL_TYPE) return variableValue(type.type, text);
  if (type.kind === Kind.LIST_TYPE) return parseValues(text)?.map((part) => variableValue(type.type, part));
  switch (type.name.value) {
    case 'Int':
    case 'Float':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'Boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    default:
      return text;
  }
};

const isList = (type: TypeNode): boolean => (type.kind === Kind.NON_NULL_TYPE ? isList(type.type) : type.kind === Kind.LIST_TYPE);

/**
 * Throws a 422 for a parameter that is no variable, because an answer without it would be misleading. An empty value is no value. A list
 * that is repeated is continued; of another repeated parameter, the last one counts.
 */
export const parseVariables = (document: DocumentNode, query: URLSearchParams): Readonly<Record<string, unknown>> => {
  const types = new Map(variablesOf(document).map(({ variable, type }) => [variable.name.value, type]));
  const unknown = [...new Set(query.keys())].filter((name) => name !== formatName && !types.has(name));
  const errors = new ParameterErrors();
  if (unknown.length > 0) errors.add(firstNames(unknown), `Input should be one of ${listOfNames([...types.keys(), formatName])}`);
  const values: Record<string, unknown> = {};
  for (const [name, type] of types) {
    const given = query.getAll(name);
    const text = isList(type) ? given.filter((each) => each !== '').join() : given.at(-1);
    if (!text) continue;
    values[name] = variableValue(type, text);
    if (values[name] === undefined) errors.add(name, 'A quote does not end its value; double a quote inside of one');
  }
  errors.throwIfAny();
  return values;
};
