/** A list of an answer: rows of cells under named columns. Tables and charts show it. */
import { Figure } from './exact.ts';

export type Cell = null | boolean | string | Figure;

export interface List {
  /** The path in the response: `properties.floorAreas`. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** `totalCount`, if it was selected. */
  readonly total?: string;
}

/** A value as text; empty for null. */
export const textOf = (cell: Cell): string => (cell instanceof Figure ? cell.text : String(cell ?? ''));
