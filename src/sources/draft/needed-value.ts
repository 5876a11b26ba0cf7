/** What a required column takes, for the author of a source. */

import { codesInWords, rawColumnFacts } from '../../catalogue/raw/columns.ts';
import type { RawTableName } from '../../catalogue/raw/index.ts';
import { rawTableOf } from '../keys/key-type.ts';

/** The column with its meaning, and its codes if it has a list of codes: `status_key (status: active, terminated)`. */
export const neededValue = (table: string, column: string): string => {
  if (!rawTableOf(table)) return column;
  const { meaning, lookup } = rawColumnFacts(table as RawTableName, column);
  const codes = lookup === undefined ? '' : `: ${codesInWords(lookup)}`;
  return `${column} (${meaning}${codes})`;
};
