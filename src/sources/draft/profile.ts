/** What the values of a column look like: their type and format, whether they are unique, and the few different ones. */

import type { Formats } from '../source-file.ts';
import type { Cell, SourceList } from '../source-rows.ts';

export type Look = 'empty' | 'integer' | 'number' | 'date' | 'boolean' | 'text';

export interface ColumnProfile {
  readonly name: string;
  readonly look: Look;
  /** The formats that the values need. */
  readonly formats: Formats;
  readonly filled: number;
  readonly rows: number;
  readonly isUnique: boolean;
  /** The different values, if there are few. */
  readonly values: readonly string[];
  readonly sample: ReadonlySet<string>;
}

export interface ListProfile {
  readonly rows: number;
  readonly columns: readonly ColumnProfile[];
  /** Whether the last row is a sum: it lacks most values. */
  readonly hasFooter: boolean;
  /** Whether the values of these columns identify each row. */
  readonly identifies: (names: readonly string[]) => boolean;
}

const sampledRows = 20_000;
const sampledValues = 5_000;
const fewValues = 30;

const looks: readonly (readonly [look: Look, pattern: RegExp, formats: Formats])[] = [
  ['integer', /^[+-]?\d+$/, {}],
  ['number', /^[+-]?\d+\.\d+$/, {}],
  ['number', /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$/, { decimalChar: ',', groupChar: '.' }],
  ['number', /^(?:\d{1,3}(?:\.\d{3})+|\d+),\d+-$/, { decimalChar: ',', groupChar: '.', trailingMinus: true }],
  ['number', /^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/, { groupChar: ',' }],
  ['date', /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/, {}],
  ['date', /^\d{1,2}\.\d{1,2}\.\d{4}$/, { dateFormats: ['%d.%m.%Y'] }],
  ['date', /^\d{1,2}\.\d{1,2}\.\d{2}$/, { dateFormats: ['%d.%m.%y'] }],
  ['date', /^\d{1,2}\.\d{1,2}\.\d{4} \d{1,2}:\d{2}$/, { dateFormats: ['%d.%m.%Y %H:%M'] }],
  ['boolean', /^(?:true|false)$/i, {}],
  ['boolean', /^(?:ja|nein|j|n)$/i, { trueValues: ['ja', 'j'], falseValues: ['nein', 'n'] }],
  ['boolean', /^(?:yes|no|y)$/i, { trueValues: ['yes', 'y'], falseValues: ['no', 'n'] }],
];

const textOf = (cell: Cell | undefined): string =>
  cell === null || cell === undefined ? '' : cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell).trim();

/** The look of values. Numbers may mix integers and decimals. */
const lookOf = (values: readonly string[]): { look: Look; formats: Formats } => {
  if (values.length === 0) return { look: 'empty', formats: {} };
  const formats: Formats[] = [];
  const found = new Set<Look>();
  for (const value of values) {
    const match = looks.find(([, pattern]) => pattern.test(value));
    if (!match) return { look: 'text', formats: {} };
    found.add(match[0]);
    formats.push(match[2]);
  }
  const merged = Object.assign({}, ...formats) as Formats;
  if (found.size === 1) return { look: [...found][0]!, formats: merged };
  const isNumber = [...found].every((look) => look === 'integer' || look === 'number');
  return isNumber ? { look: 'number', formats: merged } : { look: 'text', formats: {} };
};

/** Looks at the first rows of a list. */
export const profile = async (list: SourceList): Promise<ListProfile> => {
  const sets = list.columns.map(() => new Set<string>());
  const filled = list.columns.map(() => 0);
  const repeats = list.columns.map(() => false);
  let rows = 0;
  let width = 0;
  let last: readonly Cell[] = [];
  let isCut = false;
  const kept: (readonly string[])[] = [];
  for await (const { cells } of list.rows) {
    if (rows >= sampledRows) {
      isCut = true;
      break;
    }
    if (rows > 0) width = Math.max(width, last.filter((cell) => textOf(cell) !== '').length);
    rows++;
    last = cells;
    if (kept.length < sampledValues) kept.push(cells.map(textOf));
    list.columns.forEach((_, index) => {
      const text = textOf(cells[index]);
      if (text === '') return;
      filled[index]!++;
      if (sets[index]!.has(text)) repeats[index] = true;
      else if (sets[index]!.size < sampledValues) sets[index]!.add(text);
    });
  }
  const lastFilled = last.filter((cell) => textOf(cell) !== '').length;
  const isSum = last.some((cell) => /^(?:summe|gesamt|total|sum)\b/i.test(textOf(cell)));
  const hasFooter = !isCut && rows > 2 && (isSum || lastFilled * 3 < width);
  if (hasFooter)
    last.forEach((cell, index) => {
      const text = textOf(cell);
      if (text === '' || !sets[index]) return;
      filled[index]!--;
      if (filled[index]! < sets[index].size) sets[index].delete(text);
    });
  const columns = list.columns.map((name, index) => {
    const values = [...sets[index]!];
    return {
      name,
      ...lookOf(values),
      filled: filled[index]!,
      rows: rows - Number(hasFooter),
      isUnique: !repeats[index] && filled[index] === rows - Number(hasFooter) && rows > 0,
      values: values.length <= fewValues ? values : [],
      sample: sets[index]!,
    };
  });
  const body = hasFooter && kept.length === rows ? kept.slice(0, -1) : kept;
  const identifies = (names: readonly string[]): boolean => {
    const at = names.map((name) => list.columns.indexOf(name));
    return body.length > 0 && new Set(body.map((row) => JSON.stringify(at.map((index) => row[index])))).size === body.length;
  };
  return { rows: rows - Number(hasFooter), columns, hasFooter, identifies };
};
