/**
 * Global ids: which row of which table, as one text that clients take as it is. An id says nothing of a customer; its row is
 * looked for among the caller's own (contract: global ids).
 */
import { kinds } from '../catalogue/kinds.ts';
import type { Table } from '../catalogue/table.ts';

/** The field of rows that shows it; no column and no relation has this name. */
export const idName = 'id';

export const globalId = (table: Table, key: string): string => Buffer.from(`${table.name}:${key}`).toString('base64url');

/** The table and key that an id names, as far as it may be one: there is one spelling for each row. */
export const parseGlobalId = (id: string): { readonly table: string; readonly key: string } | undefined => {
  const text = Buffer.from(id, 'base64url').toString();
  const colon = text.indexOf(':');
  if (colon < 0 || Buffer.from(text).toString('base64url') !== id) return undefined;
  return { table: text.slice(0, colon), key: text.slice(colon + 1) };
};

/** Whether a text is a key of the table as its rows show it. */
export const isKey = (table: Table, key: string): boolean => kinds[table.columns[table.key]!.kind].parse(key) === key;
