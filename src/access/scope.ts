/** Data scopes as operators write them and as keys store them (contract: data scopes). */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type DataScope, dataScope, type PropertySet, partsOfSet, type ScopeDefinition } from '../catalogue/data-scope.ts';
import { personalClasses } from '../catalogue/personal.ts';
import { OperatorError } from '../errors.ts';

/** The maximum number of properties, companies or federal states of a scope. */
export const maxListed = 10_000;

const refuse = (words: string): never => {
  throw new OperatorError(`The scope is not valid: ${words}.`);
};

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item, 'must be a list');
const setOf = <Item extends z.ZodType>(item: Item) =>
  listOf(item).min(1, 'must not be empty').max(maxListed, `lists more than ${maxListed} values`).optional();

const storedText = z
  .string()
  .min(1)
  .max(100)
  .refine((value) => !value.includes('\0'));

const objectOf = <Members extends z.ZodRawShape>(members: Members) =>
  z.strictObject(members, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has the unknown name '${issue.keys[0]}'; it may have ${Object.keys(members).join(', ')}`
        : 'must be an object',
  });

const propertySet = objectOf({
  ids: setOf(z.int32().min(0)).describe('one of these properties'),
  companies: setOf(storedText).describe('properties of one of these companies'),
  federal_states: setOf(storedText).describe('properties in one of these federal states'),
})
  .refine((set) => partsOfSet(set as PropertySet).length > 0, 'must have ids, companies or federal_states')
  .meta({ title: 'PropertySet', description: 'the properties that a key may read; all lists that are given apply' });

/** A scope as operators write it and as `/me` shows it. */
export const scopeObject = objectOf({
  personal: listOf(z.enum(personalClasses)).optional().describe('classes of personal data that the key may read; all without a list'),
  properties: propertySet.optional().describe('properties that the key may read; all without a set'),
}).meta({ title: 'DataScope', description: 'the data scope of a key' });

/** What each list holds, for the refusal of one of its values. */
const listed: Readonly<Record<string, string>> = {
  personal: `classes of ${personalClasses.join(', ')}`,
  ids: 'property ids',
  companies: 'company numbers as text',
  federal_states: 'federal states as text',
};

const problemOf = ({ path, message }: z.core.$ZodIssue): string => {
  const names = path.filter((part) => typeof part === 'string');
  return `${names.join('.') || 'the scope'} ${names.length < path.length ? `must list ${listed[names.at(-1)!]}` : message}`;
};

/** The values once, in a fixed order, so that equal sets have equal definitions. */
const sorted = <T extends string | number>(values: readonly T[]): readonly T[] =>
  [...new Set(values)].sort((one, other) => (typeof one === 'number' ? one - Number(other) : one < other ? -1 : 1));

/** Validates a scope. Null for one that includes everything, like a key without a scope. Throws an `OperatorError` that names the problem. */
export const readScope = (value: unknown): ScopeDefinition | null => {
  if (value === undefined || value === null) return null;
  const { data, error } = scopeObject.safeParse(value);
  if (!data) return refuse(problemOf(error.issues[0]!));
  const { personal = personalClasses, properties } = data;
  const definition: ScopeDefinition = {
    ...(personalClasses.some((each) => !personal.includes(each)) && {
      personal: personalClasses.filter((each) => personal.includes(each)),
    }),
    ...(properties && {
      properties: Object.fromEntries(
        partsOfSet(properties as PropertySet).map((part) => [part, sorted<string | number>(properties[part]!)]),
      ),
    }),
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
