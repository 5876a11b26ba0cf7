/**
 * A global id identifies a table and a row in one opaque text. It contains no customer: the service looks for the row in the caller's own
 * data (contract: global ids).
 */
import { kinds } from '../../catalogue/kinds.ts';
import type { Table } from '../../catalogue/table.ts';

/** The field with the global id. No column or relation has this name. */
export const idName = 'id';

export const globalId = (table: Table, key: string): string => Buffer.from(`${table.name}:${key}`).toString('base64url');

/**
 * The table and key of an id; undefined for a text that is not canonical, so each row has only one id. Whether the table exists is not
 * checked.
 */
export const parseGlobalId = (id: string): { readonly table: string; readonly key: string } | undefined => {
  const text = Buffer.from(id, 'base64url').toString();
  const colon = text.indexOf(':');
  if (colon < 0 || Buffer.from(text).toString('base64url') !== id) return undefined;
  return { table: text.slice(0, colon), key: text.slice(colon + 1) };
};

/** Whether a text is a key of the table in its canonical spelling. */
export const isKey = (table: Table, key: string): boolean => kinds[table.columns[table.key]!.kind].parse(key) === key;
