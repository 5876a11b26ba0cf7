/** The Pothos builder of a schema, and the types of the references between the parts of a schema. */
import PothosBuilder, {
  type EnumRef,
  type InputFieldBuilder,
  type InputObjectRef,
  type InterfaceRef as PothosInterfaceRef,
  type ObjectRef as PothosObjectRef,
} from '@pothos/core';
import type { GraphqlContext } from '../context.ts';
import { BigIntScalar, DateScalar, DateTimeScalar } from './scalars.ts';

interface SchemaTypes {
  Context: GraphqlContext;
  Scalars: {
    Date: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    BigInt: { Input: string; Output: number };
  };
}

/** The type of a row or connection for Pothos. No such value exists: rows are written as bytes. */
export type Shaped = Readonly<Record<string, unknown>>;

/** The resolver of rows and groups. It never runs, because `execute.ts` writes them. */
export const byWriter = (): never => {
  throw new Error('Rows are written, not resolved');
};

export const createBuilder = () => {
  const builder = new PothosBuilder<SchemaTypes>({});
  builder.addScalarType('Date', DateScalar);
  builder.addScalarType('DateTime', DateTimeScalar);
  builder.addScalarType('BigInt', BigIntScalar);
  return builder;
};

export type SchemaBuilder = ReturnType<typeof createBuilder>;
type Types = SchemaBuilder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;
/** Builds the fields of an input. */
export type InputFields = InputFieldBuilder<Types, 'InputObject'>;
// biome-ignore lint/suspicious/noExplicitAny: the catalogue decides at run time which fields an input has
export type InputRef = InputObjectRef<Types, any>;
// biome-ignore lint/suspicious/noExplicitAny: Pothos infers an enum's values only where it is made
export type InputEnum = EnumRef<any, any>;
export type InterfaceRef = PothosInterfaceRef<Types, Shaped, Shaped>;
export type ObjectRef = PothosObjectRef<Types, Shaped, Shaped>;
