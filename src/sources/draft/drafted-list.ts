import type { Formats, Origin } from '../source-file.ts';
import type { Reading } from './forms/settle.ts';
import type { ListProfile } from './lists/profile.ts';
import type { ColumnProposal, TableProposal } from './proposals/proposal.ts';

/** Another list whose columns are added to the rows of a table by a key. */
export interface JoinedList {
  /** How its columns are called: `as.column`. */
  readonly as: string;
  readonly list: DraftedList;
  /** What its rows are. */
  readonly rows: TableProposal;
  /** The equal columns: of the rows, and of the list. */
  readonly on: readonly [own: string, other: string];
}

/** A list of the export with its origin, its profile and what is proposed for it. */
export interface DraftedList {
  readonly name: string;
  readonly origin: Pick<Origin, 'path' | 'format' | 'encoding' | 'dialect' | 'database' | 'dbtable'>;
  readonly profile: ListProfile;
  /** The formats that its columns have in common. */
  readonly formats: Formats;
  /** How each proposed column is read. */
  readonly readings: ReadonlyMap<ColumnProposal, Reading>;
  /** What a person should know of the list, as sentences. */
  readonly notes: readonly string[];
  /** The raw tables that the list fills, in their order. Empty if none is known. */
  readonly proposals: readonly TableProposal[];
  /** What a proposal reads from another list. */
  readonly joins: ReadonlyMap<TableProposal, JoinedList>;
}
