/** Reads addresses of rows and groups: a path with its query string, such as `/operations/orders/groups?by=trade` (contract: prints). */
import type { Cursors } from '../plan/cursor.ts';
import { parseGroups } from './groups.ts';
import type { NamedPlan, TableWithRelations } from './lists.ts';
import { parsePage } from './rows.ts';

export interface Address {
  readonly path: string;
  readonly category: string;
  /** The name of the table. */
  readonly name: string;
  readonly hasGroups: boolean;
  readonly query: URLSearchParams;
}

/** The parts of an address. Undefined for one that is not of rows or groups. */
export const readAddress = (text: string): Address | undefined => {
  const found = /^((?:\/v1)?\/([a-z]+)\/([a-z][a-z0-9_]*)(\/groups)?)(?:\?(.*))?$/s.exec(text);
  if (!found) return undefined;
  const [, path = '', category = '', name = '', groups, query] = found;
  return { path, category, name, hasGroups: groups !== undefined, query: new URLSearchParams(query) };
};

/** The plan of an address of the table. Throws the errors of `parseGroups` or `parsePage`. */
export const planOfAddress = ({ hasGroups, query }: Address, cursors: Cursors, within: TableWithRelations): NamedPlan =>
  (hasGroups ? parseGroups : parsePage)(query, cursors, within);
