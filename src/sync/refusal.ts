/**
 * Describes database errors without any value of a row. PostgreSQL puts rows into `detail` and `where`, and values after the colon of a
 * message.
 */

/** The fields of an error that are read. A thrown value may have none of them. */
interface Refusal {
  readonly code?: string;
  readonly message?: string;
  readonly detail?: string;
  readonly where?: string;
}

const sqlState = /^[0-9A-Z]{5}$/;

/** Descriptions of errors that the data did not cause, by SQLSTATE or its class. */
const reasons: Readonly<Record<string, string>> = {
  '53100': "the database's disk is full",
  '53200': 'the database has no memory left',
  '53300': 'the database has no connection left',
  '57014': 'the statement was cancelled or took too long',
  '08': 'the connection to the database was lost',
  '53': 'the database has too little of a resource',
  '57': 'the database ended the connection',
  '58': 'the database could not read or write its files',
  XX: 'the database found its own data damaged',
};

export const uniqueViolation = '23505';
export const notNullViolation = '23502';

/** The messages of constraints. Citus passes the message of a COPY at a node on, without its SQLSTATE. */
const violations = [
  [/ violates not-null constraint$/, notNullViolation],
  [/ violates unique constraint "/, uniqueViolation],
] as const;
const withoutState = 'XX000';

/** The SQLSTATE of an error from the database. */
export const stateOf = (error: unknown): string | undefined => {
  const { code, message = '' } = error as Refusal;
  if (code === undefined || !sqlState.test(code)) return undefined;
  return (code === withoutState && violations.find(([pattern]) => pattern.test(message))?.[1]) || code;
};

/** Whether the data caused the error: values (22), constraints (23), or text that COPY cannot parse. */
export const blamesData = (error: unknown): boolean => /^2[23]/.test(stateOf(error) ?? '');

/** One line that describes an error, without data. */
export const refusalWords = (error: unknown): string => {
  const { message = String(error) } = error as Refusal;
  const state = stateOf(error);
  if (state === undefined) return message;
  const reason = reasons[state] ?? reasons[state.slice(0, 2)] ?? message.replace(/: ".*$/s, '');
  return `${reason} (SQLSTATE ${state})`;
};

/** The line and column of a refused COPY. */
export const refusedPosition = (error: unknown): { readonly line?: number; readonly column?: string } => {
  const [, line, column] = /, line (\d+)(?:, column ([^:\n]+))?/.exec((error as Refusal).where ?? '') ?? [];
  return { ...(line && { line: Number(line) }), ...(column && { column }) };
};

/** The key columns of a violated constraint. */
export const brokenKey = (error: unknown): readonly string[] => {
  const [, names = ''] = /^Key \((.*?)\)=/.exec((error as Refusal).detail ?? '') ?? [];
  return names === '' ? [] : names.split(', ');
};
