/** The raw table of a key and the type of its integers. */
import { rawTables } from '../../catalogue/raw/index.ts';
import type { RawTable } from '../../catalogue/raw-table.ts';
import type { KeyType } from './key-text.ts';

/** The raw table of the catalogue; undefined for a table of this customer alone. */
export const rawTableOf = (name: string): RawTable | undefined =>
  Object.hasOwn(rawTables, name) ? rawTables[name as keyof typeof rawTables] : undefined;

/** The type of the key of a raw table. Tables of a customer alone have keys of 64 bits. */
export const keyTypeOf = (table: string): KeyType => {
  const known = rawTableOf(table);
  return known?.columns[known.key]?.startsWith('integer') ? 'integer' : 'bigint';
};
