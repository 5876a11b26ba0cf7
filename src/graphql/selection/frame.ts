/**
 * The text of a JSON object around its values. The braces belong to the object and not to a field, so an object whose fields are all
 * excluded is `{}` (contract: conditional fields).
 */
import type { JsonOut } from '../../wire/json-out.ts';
import { type ByteLiteral, byteLiteral } from '../../wire/words.ts';

/** A field of the response, with its response key. */
export interface Keyed {
  readonly key: string;
}

export interface Frame {
  /** The text before the value of each field. */
  readonly before: readonly ByteLiteral[];
  /** The text after the last value. */
  readonly end: ByteLiteral;
}

const frames = new WeakMap<readonly Keyed[], Frame>();

/** The frame of an object with these fields. Each list of fields has one frame, made on first use. */
export const frameOf = (fields: readonly Keyed[]): Frame => {
  const known = frames.get(fields);
  if (known) return known;
  const before = fields.map(({ key }, index) => byteLiteral(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`));
  const frame = { before, end: byteLiteral(fields.length === 0 ? '{}' : '}') };
  frames.set(fields, frame);
  return frame;
};

/** The steps that write a large value. Other requests can run between them. */
export type Steps = Generator<void, void>;

/** Writes an object. `writeValue` writes the value of a field, or returns the steps that write it. */
export function* writeObject<Field extends Keyed>(
  out: JsonOut,
  fields: readonly Field[],
  writeValue: (field: Field) => Steps | undefined,
): Steps {
  const { before, end } = frameOf(fields);
  for (let index = 0; index < fields.length; index++) {
    out.put(before[index]!);
    const steps = writeValue(fields[index]!);
    if (steps) yield* steps;
  }
  out.put(end);
}
