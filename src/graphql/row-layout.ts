/**
 * How the fields of a row are written: columns that follow one another as one run, whose room is made at once and whose loop is short;
 * whatever else there is, field by field. It is made once for each list of fields, and those are kept per document.
 */
import type { JsonOut } from '../read/json-out.ts';
import { literal, type Wire, widest, writeValue } from '../read/json-values.ts';
import { type Piece, pieceOf, putPiece, slack } from '../read/words.ts';
import type { LevelRows } from './levels.ts';
import type { RowField } from './selection.ts';

/** Columns that follow one another in the answer, none twice, so that their values are no longer than the row that they are of. */
export interface Run {
  readonly is: 'run';
  /** What precedes each value: the brace or comma before its name, and the name. */
  readonly names: Piece[];
  /** Where in the level's columns each value stands, and what its bytes are. */
  readonly places: number[];
  readonly wires: Wire[];
  /** The most bytes that it takes beside those of its values. */
  length: number;
}

type OtherField = Exclude<RowField, { is: 'column' }>;
/** A field whose value is made of a column's. */
export type MadeField = Exclude<OtherField, { is: 'one' | 'many' | 'part' }>;
export type RowPart = Run | { readonly is: 'field'; readonly name: Piece; readonly field: OtherField };

export interface RowLayout {
  readonly parts: readonly RowPart[];
  /** Whether a row is written in one go: it holds no list. */
  readonly isFlat: boolean;
}

/** Room for any literal, number sign or pair of quotes beside a value's own bytes. */
const margin = 32;

const newRun = (): Run => ({ is: 'run', names: [], places: [], wires: [], length: slack });

const layOut = (fields: readonly RowField[]): RowLayout => {
  const parts: RowPart[] = [];
  for (const [index, field] of fields.entries()) {
    const name = pieceOf(`${index === 0 ? '{' : ','}${JSON.stringify(field.key)}:`);
    if (field.is !== 'column') {
      parts.push({ is: 'field', name, field });
      continue;
    }
    const last = parts.at(-1);
    const run = last?.is === 'run' && !last.places.includes(field.at) ? last : newRun();
    if (run !== last) parts.push(run);
    run.names.push(name);
    run.places.push(field.at);
    run.wires.push(field.wire);
    run.length += name.length + margin;
  }
  const isFlat = fields.every((field) => field.is !== 'many' && (field.is !== 'one' || layoutOf(field.fields).isFlat));
  return { parts, isFlat };
};

const layouts = new WeakMap<readonly RowField[], RowLayout>();

export const layoutOf = (fields: readonly RowField[]): RowLayout => {
  const known = layouts.get(fields);
  if (known) return known;
  const layout = layOut(fields);
  layouts.set(fields, layout);
  return layout;
};

/** Writes the columns of a run, with what separates them from what was before. */
export const writeRun = (out: JsonOut, { names, places, wires, length }: Run, { rows, base }: LevelRows, row: number): void => {
  rows.find(row);
  out.reserve(rows.length * widest + length);
  const { begins, ends, view: bytes } = rows;
  const { view } = out;
  let to = out.at;
  for (let index = 0; index < names.length; index++) {
    to = putPiece(view, to, names[index]!);
    const place = base + places[index]!;
    const from = begins[place]!;
    to = from < 0 ? putPiece(view, to, literal.null) : writeValue(view, to, wires[index]!, bytes, from, ends[place]!);
  }
  out.at = to;
};
