/** The formats of a list: what its columns have in common, and what single columns state beside it. */
import type { Formats } from '../../source-file.ts';
import type { ListProfile } from '../lists/profile.ts';
import type { ColumnProposal } from '../proposals/proposal.ts';
import type { Reading } from './settle.ts';

const mostFrequent = <T>(values: readonly T[]): T | undefined => {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
};

/** Formats of days that contradict each other: the same text would be another day. */
const turned = (format: string): string => format.replaceAll(/%[dm]/g, (part) => (part === '%d' ? '%m' : '%d'));

/** Whether the numbers of a column say how they are written. Whole numbers say nothing. */
const hasOpinion = ({ profile: { numbers } }: ColumnProposal): boolean => numbers !== undefined && !numbers.isWhole;

/** Zeros are no day. In other columns of the list, 0 is a number. */
const isZero = (word: string): boolean => /^0+$/.test(word);

export const commonFormats = ({ columns }: ListProfile, readings: ReadonlyMap<ColumnProposal, Reading>): Formats => {
  const all = [...readings].filter(([, { question }]) => question === undefined);
  const numbers = all.filter(([column]) => hasOpinion(column)).map(([, { formats }]) => formats);
  const decimalChar = mostFrequent(numbers.map((formats) => formats.decimalChar ?? '.'));
  const groupChar = mostFrequent(
    numbers.filter((formats) => (formats.decimalChar ?? '.') === decimalChar).flatMap((formats) => formats.groupChar ?? []),
  );
  const dateFormats = [...new Set(all.flatMap(([, { formats }]) => formats.dateFormats ?? []))];
  const isClear = dateFormats.every((format) => turned(format) === format || !dateFormats.includes(turned(format)));
  const missing = [...new Set(columns.flatMap((column) => column.missing))].filter((word) => !isZero(word));
  const any = (key: 'trailingMinus' | 'parentheses') => all.some(([, { formats }]) => formats[key]);
  return {
    ...(decimalChar === ',' && { decimalChar }),
    ...(groupChar !== undefined && { groupChar }),
    ...(all.some(([, { formats }]) => formats.bareNumber === false) && { bareNumber: false }),
    ...(any('trailingMinus') && { trailingMinus: true }),
    ...(any('parentheses') && { parentheses: true }),
    ...(dateFormats.length > 0 && isClear && { dateFormats }),
    ...(missing.length > 0 && { missingValues: ['', ...missing] }),
  };
};

/** What a column states because it differs from the list. */
export const ownFormats = (column: ColumnProposal, { formats, question }: Reading, common: Formats): Formats => {
  const own: { -readonly [K in keyof Formats]: Formats[K] } = {};
  if (question !== undefined) return own;
  if (hasOpinion(column)) {
    const decimalChar = formats.decimalChar ?? '.';
    if (decimalChar !== (common.decimalChar ?? '.')) {
      own.decimalChar = decimalChar;
      own.groupChar = formats.groupChar ?? (decimalChar === '.' ? ',' : '.');
    } else if (
      formats.groupChar !== undefined &&
      formats.groupChar !== common.groupChar &&
      (column.profile.numbers?.groups.size ?? 0) + (column.profile.numbers?.open.size ?? 0) > 0
    )
      own.groupChar = formats.groupChar;
  }
  if (formats.dateFormats && common.dateFormats === undefined) own.dateFormats = formats.dateFormats;
  if (column.profile.missing.some(isZero)) own.missingValues = ['', ...column.profile.missing];
  if (formats.trueValues) own.trueValues = formats.trueValues;
  if (formats.falseValues) own.falseValues = formats.falseValues;
  return own;
};
