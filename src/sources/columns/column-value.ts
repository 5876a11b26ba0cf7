/** The value of one column of a raw table, from a row of an export. */

import { Rejection } from '../../sync/files/rejections.ts';
import { keyText } from '../keys/key-text.ts';
import type { ColumnRule, Formats } from '../source-file.ts';
import type { SourceRow } from '../source-rows.ts';
import { computed } from './computed.ts';
import { type Applied, functionsOf } from './functions.ts';
import { partOf } from './parts.ts';
import type { RowColumns } from './row-columns.ts';
import { converter, isTyped, textReader } from './values.ts';

/** The text for the raw table; null if there is no value. Throws a `Rejection`. */
export type ColumnValue = (row: SourceRow) => string | null;

/** The rule of a column that is named only. */
export const ruleOf = (rule: string | ColumnRule): ColumnRule => (typeof rule === 'string' ? { from: rule } : rule);

/** The columns of the export that a rule reads. */
export const columnsOfRule = ({ from, join, sum, minus = [], percentOf }: ColumnRule): readonly string[] =>
  sum ? [...sum, ...minus, ...(percentOf === undefined ? [] : [percentOf])] : (join ?? (typeof from === 'string' ? [from] : (from ?? [])));

const none = () => undefined;

/** A value that is the same in each row. A `Rejection` is thrown in each row. */
const once = (value: ColumnValue): ColumnValue => {
  let known: { readonly text: string | null } | undefined;
  return (row) => {
    known ??= { text: value(row) };
    return known.text;
  };
};

/** Reads the value of the export, as text. */
const reading = (
  rule: ColumnRule,
  {
    columns,
    formats,
    isKey,
    isWhole,
  }: { readonly columns: RowColumns; readonly formats: Formats; readonly isKey: boolean; readonly isWhole: boolean },
): ((row: SourceRow) => Applied | undefined) => {
  const toText = textReader(formats);
  const cells = columnsOfRule(rule).map((name) => columns.find(name));
  if (rule.constant !== undefined) {
    const constant = { text: String(rule.constant), isPlain: true };
    return () => constant;
  }
  if (rule.sum) return computed(rule, columns, formats);
  if (rule.join) {
    const separator = rule.separator ?? ' ';
    return (row) => {
      const texts = cells.map((read) => toText(read(row)));
      // A key of several columns is whole or missing. Without a part, it could equal the key of another row.
      if (isWhole && texts.includes(null)) return undefined;
      const text = isKey && rule.references ? keyText(texts) : texts.filter((one) => one !== null).join(separator);
      return text === null || text === '' ? undefined : { text, isPlain: false };
    };
  }
  if (cells.length === 0) return none;
  return (row) => {
    for (const read of cells) {
      const cell = read(row);
      const text = toText(cell);
      if (text !== null) return { text, isPlain: isTyped(cell) };
    }
    return undefined;
  };
};

/** Translates codes. `missing` receives values that have none. */
const translating = ({ codes, unknownCodes = 'refuse' }: ColumnRule): ((text: string) => string | null) => {
  if (!codes) return (text) => text;
  const known = new Map(Object.entries(codes));
  return (text) => {
    const code = known.get(text);
    if (code !== undefined) return code;
    if (unknownCodes === 'keep') return text;
    if (unknownCodes === 'null') return null;
    if (unknownCodes === 'refuse') throw new Rejection('has no code: add it to codes, or state unknownCodes', text);
    return unknownCodes.code;
  };
};

/**
 * Compiles the rule of a column. `type` is the SQL type of the target; undefined for a key of the source, whose text is resolved later.
 * `isWhole`: joined values identify a row, so none may be missing.
 */
export const columnValue = (
  rule: ColumnRule,
  type: string | undefined,
  columns: RowColumns,
  inherited: Formats,
  isWhole = type === undefined,
): ColumnValue => {
  const formats = { ...inherited, ...rule.formats };
  const read = reading(rule, { columns, formats, isKey: type === undefined, isWhole });
  const apply = rule.apply && functionsOf(rule.apply, formats);
  const translate = translating(rule);
  const convert = type === undefined ? (text: string) => text : converter(type, formats);
  const missing = rule.default === undefined ? null : convert(String(rule.default), true);
  const { part } = rule;
  const value: ColumnValue = (row) => {
    const found = read(row);
    if (found === undefined) return missing;
    const piece = part === undefined ? found.text : partOf(part, found.text);
    if (piece === null) return missing;
    const { text, isPlain } =
      apply === undefined ? { text: piece, isPlain: found.isPlain } : apply({ text: piece, isPlain: found.isPlain });
    const code = text === '' ? null : translate(text);
    return code === null ? missing : convert(code, isPlain || rule.codes !== undefined);
  };
  return rule.constant === undefined ? value : once(value);
};
