/** The schemas of answers, printed as JSON Schema from the objects of `answers/`. */
import { z } from 'zod';
import { namedAnswers } from '../../answers/values.ts';
import { pathOfTable } from '../../catalogue/table.ts';
import type { ReferenceObject, Schema } from './document.ts';
import { ref } from './document.ts';
import type { DescribedScope } from './scope.ts';

type Examples = Readonly<Record<string, string>>;

/** The bounds of zod's kinds of integers. They are no limits of the service. */
const bounds: ReadonlySet<unknown> = new Set([2 ** 31 - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Changes a part of what zod prints to the form of the document: null is a type, and examples are those of a table. */
const adapted = (printed: unknown, exampleOf: Examples): unknown => {
  if (Array.isArray(printed)) return printed.map((item) => adapted(item, exampleOf));
  if (typeof printed !== 'object' || printed === null) return printed;
  const { $schema: _, $id: __, anyOf, example, ...own } = printed as Record<string, unknown>;
  const [value, none] = (anyOf ?? []) as readonly Schema[];
  const parts = Object.entries({
    ...value,
    ...own,
    ...(none?.type === 'null' && { type: [value?.type, 'null'] }),
    ...(typeof example === 'string' && { examples: exampleOf[example] === undefined ? [] : [exampleOf[example]] }),
  });
  // What a program reads is strict for its own input only: an answer may get members.
  const isStrict = (name: string, part: unknown) => name === 'additionalProperties' && part === false;
  const kept = parts.filter(([name, part]) => !bounds.has(part) && !isStrict(name, part) && !(name === 'properties' && isEmpty(part)));
  return Object.fromEntries(
    kept.map(([name, part]) => [name, name === 'additionalProperties' && isEmpty(part) ? true : adapted(part, exampleOf)]),
  );
};

const printing = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema instanceof z.ZodDate) Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  },
} satisfies z.core.ToJSONSchemaParams;

/** All named schemas, with the examples of the first table of the scope. */
export const answerSchemas = ({ tables: [first] }: Pick<DescribedScope, 'tables'>): Record<string, Schema> => {
  const exampleOf: Examples = first ? { category: first.category, table: first.name, path: pathOfTable(first) } : {};
  const { schemas } = z.toJSONSchema(namedAnswers, { ...printing, uri: (id) => ref('schemas', id).$ref });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, adapted(schema, exampleOf) as Schema]));
};

/** A schema that is written where it is used. */
export const inlineSchema = (schema: z.ZodType): Schema => adapted(z.toJSONSchema(schema, printing), {}) as Schema;

/** A reference to a named schema. */
export const answerRef = (schema: z.ZodType): ReferenceObject => {
  const { id } = namedAnswers.get(schema as never) ?? {};
  if (id === undefined) throw new Error('The schema has no name');
  return ref('schemas', id);
};
