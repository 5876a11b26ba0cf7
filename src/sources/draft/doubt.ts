/** A doubt about a source: where it is, and what answers it. */
import { type Document, isMap, type YAMLMap } from 'yaml';
import { rawLookups } from '../../catalogue/raw/codes.ts';
import type { RawTableName } from '../../catalogue/raw/index.ts';
import type { Text } from '../../catalogue/texts/presentation.ts';
import { codeLabels } from '../../catalogue/texts/raw-labels.ts';
import { globOf } from '../files/glob.ts';
import { rawTableOf } from '../keys/key-type.ts';
import type { Origin, Source, TableRule } from '../source-file.ts';
import { factsOfColumn } from './words/fit.ts';

/** A list of the delivery with some of its values as they are. */
export interface SeenList {
  readonly name: string;
  readonly origin: Pick<Origin, 'path' | 'dialect'>;
  readonly columns: readonly SeenColumn[];
}

export interface SeenColumn {
  readonly name: string;
  /** All different values if `isWhole`, otherwise some. */
  readonly values: readonly string[];
  readonly isWhole: boolean;
}

/** A change of the source file: the value at a path, or nothing there. */
export interface Edit {
  readonly at: readonly (string | number)[];
  readonly value?: unknown;
}

/** What a person can state instead of a choice. */
export interface DoubtInput {
  /** A constant. With `codes`, it is one of them. */
  readonly constant?: { readonly codes: readonly string[] };
  /** A column of the list. */
  readonly columns?: readonly string[];
  /** A code for each of these values. */
  readonly values?: { readonly values: readonly string[]; readonly codes: readonly string[] };
}

/** A doubt as pages show it. */
export interface Doubt {
  readonly id: string;
  /** The list with the raw columns or tables, such as `units.csv → floor_area.area_sqm`. */
  readonly place: string;
  readonly text: string;
  /** Values of the column as they are. */
  readonly values: readonly string[];
  readonly choices: readonly string[];
  readonly input: DoubtInput;
  /** The same in German. A draft of an earlier version has none. */
  readonly german?: GermanDoubt;
}

/** The words of a doubt in German. An answer names the English choice and the code. */
interface GermanDoubt {
  readonly text: string;
  readonly choices: readonly string[];
  /** Labels of the codes that its input takes. */
  readonly codes: Readonly<Record<string, string>>;
}

export interface Place {
  readonly index: number;
  /** Absent for the table as a whole. */
  readonly column?: string;
}

/** A doubt with what its answers change. */
export interface OpenDoubt extends Omit<Doubt, 'text' | 'choices' | 'german'> {
  readonly text: Text;
  /** German labels of the codes that its input takes. */
  readonly germanCodes?: Readonly<Record<string, string>>;
  readonly places: readonly Place[];
  readonly choices: readonly { readonly label: Text; readonly edits: readonly Edit[] }[];
  /** What a column of the list changes, if it is not the rule of the places. */
  readonly columnEdits?: (column: string) => readonly Edit[];
}

/** The list that a table of the source reads; of several, the first. */
export const listOf = (source: Source, { path = '', dialect }: TableRule, lists: readonly SeenList[]): SeenList | undefined => {
  const isNamed = globOf(path);
  const { sheetName } = { ...source.dialect, ...dialect };
  return lists.find(
    ({ origin }) =>
      (origin.path === path || (origin.path !== undefined && isNamed(origin.path))) && origin.dialect?.sheetName === sheetName,
  );
};

/** The columns that a table states itself. Those of an anchor belong to the table with the anchor. */
export const ownColumns = (document: Document, index: number): YAMLMap | undefined => {
  const columns = document.getIn(['tables', index, 'columns']);
  return isMap(columns) ? columns : undefined;
};

export const quote = (text: string): string => `“${text}”`;
export const germanQuote = (text: string): string => `„${text}“`;

export const placeOf = (tables: readonly TableRule[], list: SeenList | undefined, places: readonly Place[]): string => {
  const names = places.map(({ index, column }) => `${tables[index]!.table}${column === undefined ? '' : `.${column}`}`);
  return `${list === undefined ? '' : `${list.name} → `}${[...new Set(names)].join(', ')}`;
};

/** The codes of a column; none if it has no code list. */
export const codesOf = (table: string, column: string): readonly string[] => {
  const lookup = rawTableOf(table) && factsOfColumn(table as RawTableName, column).lookup;
  return lookup ? rawLookups[lookup].map(([code]) => code) : [];
};

/** The codes of a column with their German labels. */
export const germanCodesOf = (table: string, column: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...codeLabels(table, column)].map(([code, { de }]) => [code, de]));

/** Whether a doubt is about a list that has other columns than the source knows. */
export const isOfChangedColumns = ({ id }: Pick<Doubt, 'id'>): boolean => /^(?:gone|new)\//.test(id);
