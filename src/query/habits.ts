/**
 * Conditions in the habit of SQL or of a programming language. Without this, they would be valid comparisons with odd values, and their answer
 * no rows (contract: conditions on groups). A value in double quotes is always literal.
 */
import { connectiveNames } from '../plan/vocabulary/operators.ts';
import type { Item } from './grammar.ts';

const conditionAfter = (words: string) => new RegExp(`\\s(?:${words})\\s+[\\w.]+\\s*(?:[=<>]|!=|:\\s*\\w)`, 'i');
const conjunction = conditionAfter('and|&&');
const alternative = conditionAfter('or|\\|\\|');

const literal = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Why an unquoted value is a mistake, with the right form; undefined if it is none. `of` writes a condition with a value. */
const mistakeIn = (value: string, of: (sign: string, value: string) => string): string | undefined => {
  const literally = `; for this very text, quote it: ${of('=', literal(value))}`;
  const [, sign = '', rest = ''] = /^(>|=+|~)\s*(.*)$/s.exec(value) ?? [];
  if (sign === '>') return `for "not equal" write ${of('!=', rest)}, for "at least" ${of('>=', rest)}${literally}`;
  if (sign === '~') return `for a text within write name:contains(${rest})${literally}`;
  if (sign !== '') return `write ${of('=', rest.replace(/^(['`])(.*)\1$/s, '$2'))}${literally}`;
  if (/^(['`]).*\1$/s.test(value)) return `values have no such quotes: write ${of('=', value.slice(1, -1))}${literally}`;
  if (/^(null|none|nil|undefined)$/i.test(value)) return `for no value write name:is_null, for any value name:is_not_null${literally}`;
  if (conjunction.test(value)) return `conditions are separated by a comma${literally}`;
  if (alternative.test(value)) return `alternatives are written ${connectiveNames[0]}(…,…)${literally}`;
  return undefined;
};

/** Why a comparison can only be a mistake of form, with the right form. */
export const mistakeOf = ({ name, value, isQuoted }: Extract<Item, { is: 'compared' }>, sign: string): string | undefined => {
  if (isQuoted) return undefined;
  return mistakeIn(value, (written, right) => `${name}${written === '=' ? sign : written}${right}`);
};

/** Why a value of a call such as `in` can only be a mistake of form. */
export const mistakeInCall = ({ text }: Item): string | undefined =>
  /^(['`]).*\1$/s.test(text)
    ? `values have no such quotes: write ${text.slice(1, -1)}; for this very text, quote it: ${literal(text)}`
    : undefined;
