/** The raw tables of every customer. A customer may have more, which the loader registers. */
import type { RawRowOf } from '../raw-table.ts';
import { inNameOrder } from '../tables/order.ts';
import * as contract from './contract.ts';
import * as ledger from './ledger.ts';
import * as maintenance from './maintenance.ts';
import * as master from './master.ts';

export const rawTables = { ...inNameOrder(contract), ...inNameOrder(ledger), ...inNameOrder(maintenance), ...inNameOrder(master) };
export type RawTableName = keyof typeof rawTables;
/** A column of any raw table. A list of columns that are written elsewhere has this type, so that a wrong name does not compile. */
export type RawColumnName = { [T in RawTableName]: keyof (typeof rawTables)[T]['columns'] }[RawTableName];
export type RawRow<T extends RawTableName> = RawRowOf<(typeof rawTables)[T]>;
