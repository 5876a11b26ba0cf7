/** Options of a source file whose form its schema cannot say: formats of dates, zones, encodings, and conditions that say nothing. */
import { isDateFormat } from './columns/dates.ts';

interface FormatOptions {
  readonly dateFormats?: readonly string[] | undefined;
  readonly timezone?: string | undefined;
  readonly decimalChar?: string | undefined;
  readonly groupChar?: string | undefined;
}

interface ConditionOptions {
  readonly column: string;
  readonly in?: readonly string[] | undefined;
  readonly startsWith?: string | undefined;
  readonly empty?: boolean | undefined;
}

const isZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
};

const isEncoding = (encoding: string): boolean => {
  try {
    new TextDecoder(encoding);
    return true;
  } catch {
    return false;
  }
};

/** What is wrong with formats. `place` is their place in the source file. */
export const formatProblems = (place: string, { dateFormats = [], timezone, decimalChar, groupChar }: FormatOptions = {}): string[] => [
  ...dateFormats
    .filter((one) => !isDateFormat(one))
    .map((one) => `${place}.dateFormats: '${one}' has a directive that is unknown or repeated`),
  ...(timezone === undefined || isZone(timezone) ? [] : [`${place}.timezone: '${timezone}' is no time zone such as Europe/Berlin`]),
  ...(groupChar === undefined || groupChar !== (decimalChar ?? '.') ? [] : [`${place}.groupChar: '${groupChar}' is the decimalChar, too`]),
];

export const encodingProblems = (place: string, encoding: string | undefined): string[] =>
  encoding === undefined || isEncoding(encoding)
    ? []
    : [`${place}.encoding: '${encoding}' is unknown; there are utf-8, windows-1252, utf-16le and others`];

/** A condition without a test would hold for each row. */
export const conditionProblems = (place: string, conditions: readonly ConditionOptions[] = []): string[] =>
  conditions.flatMap(({ column, in: within, startsWith, empty }, index) =>
    within === undefined && startsWith === undefined && empty === undefined
      ? [`${place}.${index}: the condition on '${column}' needs in, startsWith or empty`]
      : [],
  );
