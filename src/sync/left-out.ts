/** What a load with a source leaves out without a refusal. */

/** Rows of an export that are not loaded, and do not refuse the load. */
export interface LeftOut {
  readonly table: string;
  readonly action: 'skip' | 'quarantine';
  readonly rows: number;
  /** The reasons with their first place, the most frequent first. */
  readonly reasons: readonly string[];
}

/** The rows that are not loaded, with their reasons. */
export const leftOutInWords = (leftOut: readonly LeftOut[]): readonly string[] =>
  leftOut.flatMap(({ table, action, rows, reasons }) => [
    `${table}: ${rows.toLocaleString('en')} ${rows === 1 ? 'row is' : 'rows are'} ${action === 'skip' ? 'left out' : 'in quarantine'}`,
    ...reasons.map((reason) => `  ${reason}`),
  ]);
