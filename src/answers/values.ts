/**
 * What the values of answers are made of. A zod object describes each answer about the service itself once: the interface description, the
 * GraphQL types and the types of the code follow from it (decision 132).
 *
 * A description has no capital and no full stop, like the meaning of a column. `example` names a part of the first table that a key reads.
 * `title` is the name of a GraphQL type.
 */
import { z } from 'zod';

/** Schemas with a name in the interface description. Objects without a name are written where they are used. */
export const namedAnswers = z.registry<{ readonly id: string }>();

declare module 'zod' {
  interface GlobalMeta {
    /** The part of the first table that is the example of a value. */
    example?: 'category' | 'table' | 'path';
  }
}

/** The value that a schema describes, before it becomes text: times are dates. */
export type AnswerBody<Schema extends z.ZodType> = Unchanged<z.input<Schema>>;
type Unchanged<T> = T extends Date
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Unchanged<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Unchanged<T[Key]> }
      : T;

export const text = z.string();
export const instant = z.date();
/** An integer of 32 bits that is not negative. */
export const count = z.int32().min(0);
/** A longer integer that is not negative. */
export const longCount = z.int().min(0);

export const category = text.meta({ description: 'category of the table', example: 'category' });
export const tableName = text.meta({ description: 'name of the table', example: 'table' });
export const endpointUrl = text.meta({ description: 'unversioned path of the table in REST', example: 'path' });
export const version = longCount.describe('data version of the table, as X-Data-Version; it only increases');
/** Null only for a key with a property set. */
export const rowCount = longCount.nullable().describe('rows in the table; null if the key may read only a part of them');
