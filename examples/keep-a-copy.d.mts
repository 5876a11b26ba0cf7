/** A copy of a table. The initial value is `{}`. */
export interface Copy {
  rows?: Map<unknown, Readonly<Record<string, unknown>>>;
  version?: number | string;
}
/** Updates the copy: downloads the table the first time, then follows its deltas. */
export function refresh(copy: Copy, table: string, id: string | undefined, key: string, limit?: number): Promise<void>;
/** Updates the copies of all category tables that the key may read, by their paths. The initial value is `{}`. */
export function refreshAll(copies: Record<string, Copy>, address: string, key: string): Promise<void>;
/** Keeps these copies up to date until `signal` aborts. `refreshed` is called after each refresh. */
export function keepUp(
  copies: Record<string, Copy>,
  address: string,
  key: string,
  options?: { signal?: AbortSignal; refreshed?: () => void },
): Promise<void>;
