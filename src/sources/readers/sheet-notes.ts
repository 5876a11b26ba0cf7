/** What a person should know of a sheet: hidden parts, merged cells and several tables. Draft and check show it. */
import { utils } from '@e965/xlsx';

/** A cell of the library. */
export interface BookCell {
  readonly t: string;
  readonly v?: unknown;
  /** The number format. */
  readonly z?: string | number;
  /** The formula. */
  readonly f?: string;
  readonly w?: string;
}

/** A sheet of the library; its rows have holes. */
export interface BookSheet {
  readonly '!data'?: readonly (readonly (BookCell | undefined)[] | undefined)[];
  readonly '!merges'?: readonly { readonly s: { readonly r: number; readonly c: number } }[];
  readonly '!rows'?: readonly ({ readonly hidden?: boolean } | undefined)[];
  readonly '!cols'?: readonly ({ readonly hidden?: boolean } | undefined)[];
}

const shownPlaces = 5;

const listed = (places: readonly string[]): string =>
  places.length > shownPlaces ? `${places.slice(0, shownPlaces).join(', ')} and ${places.length - shownPlaces} more` : places.join(', ');

const isFilled = (cell: BookCell | undefined): boolean => cell?.v !== undefined && cell.v !== null && cell.v !== '';
const isText = (cell: BookCell | undefined): boolean => typeof cell?.v === 'string' && cell.v.trim() !== '';

/** Rows that follow an empty row and have text only, like a header: another table begins there. */
const headersWithin = (data: NonNullable<BookSheet['!data']>): string[] => {
  const widthOf = (row: number) => (data[row] ?? []).filter(isFilled).length;
  const found: string[] = [];
  let hasHeader = false;
  for (let row = 0; row < data.length; row++) {
    const cells = (data[row] ?? []).filter(isFilled);
    const isHeader =
      cells.length > 1 && cells.every(isText) && widthOf(row + 1) > 1 && !(data[row + 1] ?? []).filter(isFilled).every(isText);
    if (isHeader && hasHeader && widthOf(row - 1) === 0) found.push(String(row + 1));
    hasHeader ||= isHeader;
  }
  return found;
};

/** The notes of a sheet, as sentences. */
export const notesOf = (sheet: BookSheet, isHidden: boolean): readonly string[] => {
  const { '!data': data = [], '!merges': merges = [], '!rows': rows = [], '!cols': columns = [] } = sheet;
  const hiddenRows = Array.from(rows, (row, index) => (row?.hidden ? [String(index + 1)] : [])).flat();
  const hiddenColumns = Array.from(columns, (column, index) => (column?.hidden ? [utils.encode_col(index)] : [])).flat();
  const merged = merges.map(({ s }) => utils.encode_cell(s));
  const tables = headersWithin(data);
  return [
    ...(isHidden ? ['the sheet is hidden, and it is read'] : []),
    ...(hiddenRows.length > 0 ? [`hidden rows are read: ${listed(hiddenRows)}`] : []),
    ...(hiddenColumns.length > 0 ? [`hidden columns are read: ${listed(hiddenColumns)}`] : []),
    ...(merged.length > 0 ? [`merged cells have their value in the first cell only: ${listed(merged)}`] : []),
    ...(tables.length > 0 ? [`another table seems to begin in row ${listed(tables)}`] : []),
  ];
};
