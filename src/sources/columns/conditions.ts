/** Conditions on rows of an export: those to keep and those to skip. */

import type { Condition, Formats, TableRule } from '../source-file.ts';
import type { SourceRow } from '../source-rows.ts';
import type { RowColumns } from './row-columns.ts';
import { textReader } from './values.ts';

const compile = (condition: Condition, columns: RowColumns, formats: Formats): ((row: SourceRow) => boolean) => {
  const read = columns.find(condition.column);
  const toText = textReader(formats);
  const { startsWith, empty } = condition;
  const within = condition.in && new Set(condition.in);
  return (row) => {
    const text = toText(read(row));
    if (empty !== undefined && (text === null) !== empty) return false;
    if (within && (text === null || !within.has(text))) return false;
    return startsWith === undefined || text?.startsWith(startsWith) === true;
  };
};

/** Whether a row is loaded. */
export const rowFilter = (
  { keep = [], skip = [] }: Pick<TableRule, 'keep' | 'skip'>,
  columns: RowColumns,
  formats: Formats,
): ((row: SourceRow) => boolean) => {
  if (keep.length === 0 && skip.length === 0) return () => true;
  const all = keep.map((condition) => compile(condition, columns, formats));
  const none = skip.map((condition) => compile(condition, columns, formats));
  return (row) => all.every((holds) => holds(row)) && !none.some((holds) => holds(row));
};
