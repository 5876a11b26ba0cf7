/**
 * Why the database refused something, in words that hold nothing of a row: PostgreSQL puts whole rows into `detail` and `where`,
 * and values behind the colon of a message.
 */

/** What is read of an error; anything that is thrown has some of it or nothing. */
interface Refusal {
  readonly code?: string;
  readonly message?: string;
  readonly detail?: string;
  readonly where?: string;
}

const sqlState = /^[0-9A-Z]{5}$/;

/** By SQLSTATE or by its class: what has nothing to do with the data. */
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

/** The SQLSTATE of an error that the database sent. */
export const stateOf = (error: unknown): string | undefined => {
  const { code } = error as Refusal;
  return code !== undefined && sqlState.test(code) ? code : undefined;
};

/** Whether what was sent is to blame: values (22), constraints (23), and what COPY cannot read. */
export const blamesData = (error: unknown): boolean => /^2[23]/.test(stateOf(error) ?? '');

/** One line for an error, without anything of the data. */
export const refusalWords = (error: unknown): string => {
  const { message = String(error) } = error as Refusal;
  const state = stateOf(error);
  if (state === undefined) return message;
  const reason = reasons[state] ?? reasons[state.slice(0, 2)] ?? message.replace(/: ".*$/s, '');
  return `${reason} (SQLSTATE ${state})`;
};

/** Line and column of a COPY that was refused. */
export const refusedPlace = (error: unknown): { readonly line?: number; readonly column?: string } => {
  const [, line, column] = /, line (\d+)(?:, column ([^:\n]+))?/.exec((error as Refusal).where ?? '') ?? [];
  return { ...(line && { line: Number(line) }), ...(column && { column }) };
};

/** The columns of the key that a constraint found broken. */
export const brokenKey = (error: unknown): readonly string[] => {
  const [, names = ''] = /^Key \((.*?)\)=/.exec((error as Refusal).detail ?? '') ?? [];
  return names === '' ? [] : names.split(', ');
};
