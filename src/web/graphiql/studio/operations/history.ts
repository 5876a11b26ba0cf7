/** The operations that were run in this browser, newest first, with variables but without keys. */
import type { Operation } from './operation.ts';

export interface PastOperation extends Operation {
  /** The time of the last run, in ISO 8601. */
  readonly at: string;
}

/** Local storage, which survives the tab. */
interface Store {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

const slot = 'estate-history';
const most = 50;
/** In characters. Longer operations would fill the storage. */
const longest = 20_000;

const isPast = (value: unknown): value is PastOperation => {
  const { query, variables, at } = (value ?? {}) as Record<string, unknown>;
  return typeof query === 'string' && typeof variables === 'string' && typeof at === 'string';
};

/** Invalid content of the storage is ignored. */
export const pastOperations = (store: Store): readonly PastOperation[] => {
  try {
    const kept: unknown = JSON.parse(store.getItem(slot) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isPast) : [];
  } catch {
    return [];
  }
};

/** An operation that runs again moves to the front. */
export const remember = (store: Store, { query, variables, operationName }: Operation, at: Date): void => {
  if (query.length + variables.length > longest) return;
  const others = pastOperations(store).filter(
    (past) => past.query !== query || past.variables !== variables || past.operationName !== operationName,
  );
  const kept = [{ query, variables, operationName, at: at.toISOString() }, ...others].slice(0, most);
  try {
    store.setItem(slot, JSON.stringify(kept));
  } catch {
    // A full or disabled storage keeps no history. Queries still run.
  }
};

export const forget = (store: Store): void => store.removeItem(slot);
