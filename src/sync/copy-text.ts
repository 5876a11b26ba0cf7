/** Rows in the text format of Postgres' COPY: tabs between values, `\N` for null, backslashes before what would break a line. */

import type { RawTableName } from '../catalogue/raw/index.ts';

export type Value = string | number | boolean | null;

/** Rows of one raw table, their values in the order of the catalogue's columns. */
export interface Batch {
  readonly table: RawTableName;
  readonly rows: readonly (readonly Value[])[];
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const encode = (value: Value): string => {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  return special.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? character) : value;
};

/** One chunk of COPY text for many rows. */
export const copyText = (rows: readonly (readonly Value[])[]): string => {
  let text = '';
  for (const row of rows) {
    for (let column = 0; column < row.length; column++) text += column === 0 ? encode(row[0]!) : `\t${encode(row[column]!)}`;
    text += '\n';
  }
  return text;
};
