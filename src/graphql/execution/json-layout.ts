/**
 * The layout of objects and rows in the JSON. A layout is made once for each list of fields, and it lives as long as the parsed document.
 *
 * The braces belong to the object and not to a field, so an object whose fields are all excluded is `{}` (contract: conditional fields).
 * Successive columns of a row form a run: its space is reserved once and its loop is short. Other fields are written one by one.
 */
import type { JsonOut } from '../../wire/json-out.ts';
import { literal, mostBytesPerByte, type Wire, writeValue } from '../../wire/json-values.ts';
import { type ByteLiteral, byteLiteral, putLiteral, wordPadding } from '../../wire/words.ts';
import type { Keyed, RowField } from '../selection/selection.ts';
import type { LevelRows } from './levels.ts';

/** The text of an object around its values. */
interface Frame {
  /** The text before the value of each field. */
  readonly before: readonly ByteLiteral[];
  /** The text after the last value. */
  readonly end: ByteLiteral;
}

const frames = new WeakMap<readonly Keyed[], Frame>();

/** The text around the values of these fields. */
const frameOf = (fields: readonly Keyed[]): Frame => {
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
  writeValue: (field: Field, index: number) => Steps | undefined,
): Steps {
  const { before, end } = frameOf(fields);
  for (let index = 0; index < fields.length; index++) {
    out.put(before[index]!);
    const steps = writeValue(fields[index]!, index);
    if (steps) yield* steps;
  }
  out.put(end);
}

/** Successive columns of a row. No column occurs twice, so their values are never longer than the row. */
export interface Run {
  readonly is: 'run';
  /** The text before each value. */
  readonly names: ByteLiteral[];
  /** The index of each value in the level's columns, and the format of its bytes. */
  readonly columns: number[];
  readonly wires: Wire[];
  /** The text after the last value. It closes the object if the run is its last part. */
  end: ByteLiteral;
  /** The maximum number of bytes in addition to the values. */
  length: number;
}

type OtherField = Exclude<RowField, { is: 'column' }>;
/** A field whose value is computed from a column. */
export type MadeField = Exclude<OtherField, { is: 'one' | 'many' | 'part' }>;
export type RowPart =
  | Run
  | { readonly is: 'field'; readonly name: ByteLiteral; readonly field: OtherField }
  | { readonly is: 'end'; readonly text: ByteLiteral };

export interface RowLayout {
  /** The last part closes the object. */
  readonly parts: readonly RowPart[];
  /** Whether a row has no list, so that one call writes it. */
  readonly isFlat: boolean;
}

/** Space for a literal, a sign or quotes around a value. */
const margin = 32;

const nothing = byteLiteral('');

const newRun = (): Run => ({ is: 'run', names: [], columns: [], wires: [], end: nothing, length: wordPadding });

const layOutRow = (fields: readonly RowField[]): RowLayout => {
  const { before, end } = frameOf(fields);
  const parts: RowPart[] = [];
  for (const [index, field] of fields.entries()) {
    const name = before[index]!;
    if (field.is !== 'column') {
      parts.push({ is: 'field', name, field });
      continue;
    }
    const last = parts.at(-1);
    const run = last?.is === 'run' && !last.columns.includes(field.at) ? last : newRun();
    if (run !== last) parts.push(run);
    run.names.push(name);
    run.columns.push(field.at);
    run.wires.push(field.wire);
    run.length += name.length + margin;
  }
  const last = parts.at(-1);
  if (last?.is === 'run') {
    last.end = end;
    last.length += end.length;
  } else parts.push({ is: 'end', text: end });
  const isFlat = fields.every((field) => field.is !== 'many' && (field.is !== 'one' || layoutOf(field.fields).isFlat));
  return { parts, isFlat };
};

const layouts = new WeakMap<readonly RowField[], RowLayout>();

export const layoutOf = (fields: readonly RowField[]): RowLayout => {
  const known = layouts.get(fields);
  if (known) return known;
  const layout = layOutRow(fields);
  layouts.set(fields, layout);
  return layout;
};

/** Writes the columns of a run with their names and separators. */
export const writeRun = (out: JsonOut, { names, columns, wires, end, length }: Run, { rows, base }: LevelRows, row: number): void => {
  rows.find(row);
  out.reserve(rows.length * mostBytesPerByte + length);
  const { begins, ends, view: bytes } = rows;
  const { view } = out;
  let to = out.at;
  for (let index = 0; index < names.length; index++) {
    to = putLiteral(view, to, names[index]!);
    const column = base + columns[index]!;
    const from = begins[column]!;
    to = from < 0 ? putLiteral(view, to, literal.null) : writeValue(view, to, wires[index]!, bytes, from, ends[column]!);
  }
  out.at = putLiteral(view, to, end);
};
