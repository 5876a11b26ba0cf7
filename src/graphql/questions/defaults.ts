/** What a saved question takes from a request besides its document: values of variables become defaults, a description the title. */
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
} from 'graphql';
import { exceeds, limits } from '../document/limits.ts';
import { isVariableObject, type VariableValues } from '../document/variables.ts';
import { documentTitle, variablesOf } from './document.ts';

const isName = (text: unknown): text is string => typeof text === 'string' && /^[_A-Za-z]\w*$/.test(text);

/** A JSON value as a GraphQL literal. A value that does not fit its type gives a document that is not valid. */
const literal = (value: unknown, type: GraphQLInputType | undefined, depth = 0): string => {
  if (depth > limits.nesting) throw exceeds('nesting', depth);
  if (type && isNonNullType(type)) return literal(value, type.ofType, depth);
  if (type && isListType(type)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return `[${items.map((each) => literal(each, type.ofType, depth + 1)).join(', ')}]`;
  }
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, undefined, depth + 1)).join(', ')}]`;
  if (!isVariableObject(value)) return isEnumType(type) && isName(value) ? value : JSON.stringify(value);
  const fields = isInputObjectType(type) ? type.getFields() : {};
  const members = Object.entries(value).filter(([name]) => isName(name));
  return `{${members.map(([name, each]) => `${name}: ${literal(each, fields[name]?.type, depth + 1)}`).join(', ')}}`;
};

/** A place in a text, and what stands there from now on. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The text of a valid document, with values as the defaults of its variables. Null is no default. */
export const withDefaults = (schema: GraphQLSchema, document: DocumentNode, text: string, values: VariableValues): string => {
  const changes = variablesOf(document).flatMap(({ variable, type, defaultValue }): Change[] => {
    const value = values[variable.name.value];
    if (value === undefined || value === null || !type.loc) return [];
    const declared = typeFromAST(schema, type);
    const to = defaultValue?.loc?.end ?? type.loc.end;
    return [{ from: type.loc.end, to, text: ` = ${literal(value, isInputType(declared) ? declared : undefined)}` }];
  });
  return changes.reduceRight((before, { from, to, text: given }) => before.slice(0, from) + given + before.slice(to), text);
};

/** The text of a document with another first comment. */
export const withTitle = (text: string, title: string): string =>
  `# ${title}\n${documentTitle(text) === '' ? text : text.replace(/^\s*#.*\n?/, '')}`;
