/** A copy of a table: begins as `{}`. */
export interface Copy {
  rows?: Map<unknown, Readonly<Record<string, unknown>>>;
  version?: number | string;
}
/** Brings the copy up to date: downloads the table the first time, then follows its deltas. */
export function refresh(copy: Copy, table: string, id: string, key: string): Promise<void>;
