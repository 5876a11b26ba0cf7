/** What a required column takes, for the author of a source. */

import { codesInWords, rawColumnFacts } from '../../catalogue/raw/columns.ts';
import type { RawTableName } from '../../catalogue/raw/index.ts';
import type { Text } from '../../catalogue/texts/presentation.ts';
import { codeLabels, meaningText } from '../../catalogue/texts/raw-labels.ts';
import { rawTableOf } from '../keys/key-type.ts';

/** The column with its meaning, and its codes if it has a list of codes: `status_key (status: active, terminated)`. In German, the labels of codes. */
export const neededValue = (table: string, column: string): Text => {
  if (!rawTableOf(table)) return { en: column, de: column };
  const { meaning, lookup } = rawColumnFacts(table as RawTableName, column);
  const codes = lookup === undefined ? '' : `: ${codesInWords(lookup)}`;
  const labels = [...codeLabels(table, column).values()].map(({ de }) => de);
  return {
    en: `${column} (${meaning}${codes})`,
    de: `${column} (${meaningText(meaning).de}${labels.length === 0 ? '' : `: ${labels.join(', ')}`})`,
  };
};
