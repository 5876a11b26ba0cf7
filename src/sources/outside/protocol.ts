/**
 * The messages between the service and the process that reads files. Each is one line of JSON. The service sends one request after the
 * other. The answer is any number of parts, then one end.
 */

import type { KeptCell } from '../../database/control/quarantine.ts';
import type { ErrorText } from '../../errors.ts';
import type { CopyResult, Row } from '../../sync/files/rows.ts';
import type { Mode, SourceFile, Unloaded } from '../../sync/files/source-files.ts';
import type { Target, TargetColumn } from '../../sync/target.ts';
import type { Answer } from '../draft/answers.ts';
import type { SeenList } from '../draft/doubt.ts';
import type { DraftedList } from '../draft/drafted-list.ts';
import type { Understood } from '../draft/understand.ts';
import type { MappedRow, Mapping, OpenedList, Reference, RejectedRow, RowCounts } from '../mapped-rows.ts';
import type { Source } from '../source-file.ts';
import type { TargetTable } from '../target-table.ts';
import type { Unread } from '../unread.ts';

/** A target whose columns are a list, because JSON has no maps. */
type Sent<T extends Target | TargetTable> = Omit<T, 'columns'> & { readonly columns: readonly (readonly [string, TargetColumn])[] };

export interface SentMapping extends Pick<Mapping, 'rule' | 'columns' | 'labels'> {
  readonly target: Sent<TargetTable>;
  readonly references: readonly (readonly [string, Reference])[];
}

export type Request =
  /** Reads a source file. The following requests use it. */
  | { readonly do: 'source'; readonly text: string; readonly name: string }
  /** Maps the rows of one table of the source. */
  | { readonly do: 'rows'; readonly mapping: SentMapping; readonly since?: string }
  /** Names the files and sheets that no table of the source reads. */
  | { readonly do: 'unread' }
  /** Proposes a source for the files, or says what a source means for them. The parts name what is read. */
  | { readonly do: 'draft'; readonly text?: string }
  /** Changes the text of a draft, and says what it means for the lists. */
  | { readonly do: 'understand'; readonly text: string; readonly lists: readonly SeenList[]; readonly change?: DraftChange }
  /** Finds the files of raw tables, without a source. */
  | { readonly do: 'files' }
  | { readonly do: 'columns'; readonly file: SourceFile }
  | {
      readonly do: 'header';
      readonly file: SourceFile;
      readonly columns: readonly string[];
      readonly target: Sent<Target>;
      readonly mode: Mode;
    }
  /** Checks the rows of a file. The parts are the input of COPY. */
  | {
      readonly do: 'copy';
      readonly file: SourceFile;
      readonly columns: readonly string[];
      readonly target: Sent<Target>;
      readonly timeZone?: string;
    }
  /** Reads the rows of a file again, for messages. */
  | { readonly do: 'batches'; readonly file: SourceFile };

/** A row without its list, which is that of the message before it. */
export type SentRow = (SentMapped | Omit<RejectedRow, 'cells' | 'columns' | 'facts'>) & {
  readonly cells: readonly KeptCell[];
};

interface SentMapped extends Omit<MappedRow, 'cells' | 'source' | 'list' | 'fields'> {
  /** The fields of COPY as text. */
  readonly fields: string;
}

/** A list that was opened, with the columns that nothing reads, or rows of it. */
export type RowsPart =
  | { readonly list: OpenedList; readonly unused: readonly string[]; readonly table: string }
  | { readonly rows: readonly SentRow[] };

/** A list that a draft has recognised. */
export interface RecognisedList extends SeenList {
  /** The place of the list, and how it is read: path, format, encoding, dialect. */
  readonly origin: DraftedList['origin'];
  /** The rows that were looked at. */
  readonly rows: number;
  /** The raw tables that it fills, by the draft. */
  readonly tables: readonly string[];
}

/** What a person says about a draft. */
export type DraftChange = { readonly answer: Answer } | { readonly name: string };

/** What a draft knows: the text of the source file is the whole of it. */
export interface DraftedSource {
  readonly text: string;
  /** What a person must answer before a load. */
  readonly questions: readonly string[];
  readonly lists: readonly RecognisedList[];
  /** Files that are not read, with the reason. */
  readonly unread: readonly string[];
  /** What the text says about the lists. */
  readonly understood: Understood;
}

/** The parts and the end of each answer. */
export interface Answers {
  readonly source: { readonly part: never; readonly end: Source };
  readonly rows: { readonly part: RowsPart; readonly end: RowCounts };
  readonly unread: { readonly part: never; readonly end: readonly Unread[] };
  readonly draft: { readonly part: { readonly reads: string }; readonly end: DraftedSource };
  readonly understand: { readonly part: never; readonly end: Pick<DraftedSource, 'text' | 'understood'> };
  readonly files: { readonly part: never; readonly end: { readonly files: readonly SourceFile[]; readonly unloaded: readonly Unloaded[] } };
  readonly columns: { readonly part: never; readonly end: readonly string[] };
  readonly header: { readonly part: never; readonly end: null };
  readonly copy: { readonly part: { readonly text: string; readonly rows: number }; readonly end: CopyResult };
  readonly batches: { readonly part: readonly Row[]; readonly end: null };
}

export type Reply =
  | { readonly part: unknown }
  | { readonly end: unknown }
  /** The files are refused; the text is for people. */
  | { readonly refused: ErrorText }
  /** An unexpected error, by the name of its class. */
  | { readonly failed: string };

export const sentTarget = <T extends { readonly columns: ReadonlyMap<string, V> }, V>(
  target: T & { readonly columns: ReadonlyMap<string, V> },
): Omit<T, 'columns'> & { readonly columns: readonly (readonly [string, V])[] } => ({ ...target, columns: [...target.columns] });

export const receivedTarget = <T extends { readonly columns: readonly (readonly [string, V])[] }, V>(
  target: T & { readonly columns: readonly (readonly [string, V])[] },
): Omit<T, 'columns'> & { readonly columns: ReadonlyMap<string, V> } => ({ ...target, columns: new Map(target.columns) });

export const sentMapping = ({ rule, columns, labels, target, references }: Mapping): SentMapping => ({
  rule,
  columns,
  labels,
  target: sentTarget(target),
  references: [...references],
});

export const receivedMapping = ({ rule, columns, labels, target, references }: SentMapping): Mapping => ({
  rule,
  columns,
  labels,
  target: receivedTarget(target),
  references: new Map(references),
});
