/** Data scopes as operators write them and as keys store them (contract: data scopes). */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type DataScope, dataScope, type PropertySet, partsOfSet, type ScopeDefinition } from '../catalogue/data-scope.ts';
import { type PersonalClass, personalClasses } from '../catalogue/personal.ts';
import { OperatorError } from '../errors.ts';

/** The maximum number of properties, companies or federal states of a scope. */
export const maxListed = 10_000;
const longestText = 100;
const maxId = 2 ** 31 - 1;

const refuse = (words: string): never => {
  throw new OperatorError(`The scope is not valid: ${words}.`);
};

const objectOf = (value: unknown, name: string, known: readonly string[]): Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(`${name} must be an object`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) refuse(`${name} has the unknown name '${unknown}'; it may have ${known.join(', ')}`);
  return value as Record<string, unknown>;
};

/** A list without duplicates, in a fixed order, so that equal sets have equal definitions. */
const listOf = <T extends string | number>(
  value: unknown,
  name: string,
  isItem: (item: unknown) => item is T,
  what: string,
): readonly T[] => {
  if (!Array.isArray(value)) return refuse(`${name} must be a list`);
  if (value.length > maxListed) return refuse(`${name} lists more than ${maxListed} values`);
  if (!value.every(isItem)) return refuse(`${name} must list ${what}`);
  return [...new Set(value)].sort((one, other) => (typeof one === 'number' ? one - Number(other) : one < other ? -1 : 1));
};

const isClass = (item: unknown): item is PersonalClass => personalClasses.some((each) => each === item);
const isId = (item: unknown): item is number => Number.isInteger(item) && (item as number) >= 0 && (item as number) <= maxId;
const isText = (item: unknown): item is string =>
  typeof item === 'string' && item !== '' && item.length <= longestText && !item.includes('\0');

const setOf = (value: unknown): PropertySet => {
  const given = objectOf(value, 'properties', ['ids', 'companies', 'federal_states']);
  const set: PropertySet = {
    ...(given.ids !== undefined && { ids: listOf(given.ids, 'properties.ids', isId, 'property ids') }),
    ...(given.companies !== undefined && { companies: listOf(given.companies, 'properties.companies', isText, 'company numbers as text') }),
    ...(given.federal_states !== undefined && {
      federal_states: listOf(given.federal_states, 'properties.federal_states', isText, 'federal states as text'),
    }),
  };
  const parts = partsOfSet(set);
  if (parts.length === 0) refuse('properties must have ids, companies or federal_states');
  const empty = parts.find((part) => set[part]!.length === 0);
  if (empty) refuse(`properties.${empty} must not be empty`);
  return set;
};

/** Validates a scope. Null for one that includes everything, like a key without a scope. Throws an `OperatorError` that names the problem. */
export const readScope = (value: unknown): ScopeDefinition | null => {
  if (value === undefined || value === null) return null;
  const { personal, properties } = objectOf(value, 'the scope', ['personal', 'properties']);
  const classes =
    personal === undefined ? personalClasses : listOf(personal, 'personal', isClass, `classes of ${personalClasses.join(', ')}`);
  const definition: ScopeDefinition = {
    ...(classes.length < personalClasses.length && { personal: personalClasses.filter((each) => classes.includes(each)) }),
    ...(properties !== undefined && { properties: setOf(properties) }),
  };
  return Object.keys(definition).length > 0 ? definition : null;
};

/** A scope in JSON. Throws an `OperatorError` as `readScope` does, or if the text is not JSON. */
export const parseScope = (text: string): ScopeDefinition | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('it is not JSON');
  }
  return readScope(value);
};

const known = new LRUCache<string, DataScope>({ max: 10_000, maxSize: 16 * 2 ** 20, sizeCalculation: (_scope, text) => 1 + text.length });

/** The scope of a stored definition; undefined if there is none. Fails for a definition that this program does not understand. */
export const scopeOf = (stored: ScopeDefinition | null): DataScope | undefined => {
  if (stored === null) return undefined;
  const text = JSON.stringify(stored);
  const found = known.get(text);
  if (found) return found;
  const definition = readScope(stored);
  if (!definition) return undefined;
  const key = createHash('sha256').update(JSON.stringify(definition)).digest('base64url').slice(0, 22);
  const scope = dataScope(definition, key);
  known.set(text, scope);
  return scope;
};

const shown = 5;

const listInWords = (values: readonly (string | number)[]): string =>
  values.slice(0, shown).join(', ') + (values.length > shown ? ` and ${values.length - shown} more` : '');

/** A scope in words, for lists and the audit log. */
export const scopeInWords = (definition: ScopeDefinition | null): string => {
  if (!definition) return 'all data';
  const { personal, properties } = definition;
  const hidden = personal && personalClasses.filter((each) => !personal.includes(each));
  const nouns = { ids: 'properties', companies: 'companies', federal_states: 'federal states' } as const;
  return [
    ...(hidden ? [`without personal data: ${hidden.join(', ')}`] : []),
    ...(properties ? partsOfSet(properties).map((part) => `${nouns[part]} ${listInWords(properties[part]!)}`) : []),
  ].join('; ');
};
