/** GraphQL types of answers about the service, made from the objects of `answers/`. Fields have the names of REST in camel case. */
import { z } from 'zod';
import type { GraphqlContext } from '../context.ts';
import { surfacing } from '../errors.ts';
import type { ObjectRef, SchemaBuilder, Shaped } from './builder.ts';
import { camelCase, upperFirst } from './names.ts';

/** A member of an answer that is read only if a document asks for it. */
type Later = (context: GraphqlContext) => Promise<unknown>;

type ScalarName = 'String' | 'Int' | 'BigInt' | 'DateTime';

const scalarOf = (schema: z.ZodType): ScalarName => {
  if (schema instanceof z.ZodDate) return 'DateTime';
  if (schema instanceof z.ZodNumber) return schema.format === 'int32' ? 'Int' : 'BigInt';
  return 'String';
};

const sentence = (schema: z.ZodType): string => `${upperFirst(schema.description ?? '')}.`;

/** The value of a field: a date as text, and what is read later now. */
const fieldValue = async (member: unknown, context: GraphqlContext): Promise<unknown> => {
  const value = typeof member === 'function' ? await (member as Later)(context) : member;
  return value instanceof Date ? value.toISOString() : value;
};

/** Makes types of a schema. `present` are members that may be null in REST, and never are in this schema. */
export const answerTypes = (builder: SchemaBuilder, present: ReadonlySet<z.ZodType>) => {
  const made = new Map<z.ZodType, ObjectRef>();

  const typeOf = (schema: z.ZodType): ScalarName | ObjectRef | [ScalarName | ObjectRef] => {
    if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return typeOf(schema.unwrap() as z.ZodType);
    if (schema instanceof z.ZodArray) return [typeOf(schema.element as z.ZodType) as ScalarName | ObjectRef];
    return schema instanceof z.ZodObject ? objectOf(schema) : scalarOf(schema);
  };

  /** The type of an object. It is made once. */
  const objectOf = (schema: z.ZodObject): ObjectRef => {
    const found = made.get(schema);
    if (found) return found;
    const type = builder.objectRef<Shaped>(schema.meta()?.title ?? '');
    made.set(schema, type);
    const members = Object.entries<z.ZodType>(schema.shape);
    return type.implement({
      description: sentence(schema),
      fields: (t) =>
        Object.fromEntries(
          members.map(([name, member]) => [
            camelCase(name),
            t.field({
              type: typeOf(member),
              nullable: member.isOptional() || (member.isNullable() && !present.has(member)),
              description: sentence(member),
              resolve: surfacing(async (row, _args, context) => fieldValue((row as Shaped)[name], context)) as never,
            }),
          ]),
        ),
    });
  };
  return objectOf;
};
