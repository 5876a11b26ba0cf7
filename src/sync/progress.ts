/** What a load is doing, for people who wait for it. */

export type Phase =
  /** Another load of the customer is under way. */
  | 'wait'
  /** Rows go from a file, or from a generator, to the database. */
  | 'read'
  | 'load'
  | 'check'
  | 'compare'
  | 'apply'
  | 'publish';

/** `subject` is a file or a table; `rows` counts those since the last call. */
export type Progress = (phase: Phase, subject: string, rows?: number) => void;
