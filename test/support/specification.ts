/** Categories, tables and tiers as in the contract. They are repeated on purpose. */
import type { TestService } from './service.ts';

/** Categories and tables, with index_rent under contracts (contract: categories and tables). */
export const specified: Readonly<Record<string, readonly string[]>> = {
  accounting: ['accounts', 'booking_header', 'booking_positions', 'budgets', 'kontenmapping_ranges'],
  contracts: ['contract_debit_diffs', 'contract_debits', 'contract_ends', 'index_rent', 'service_contracts'],
  depreciation: ['assets', 'depreciation'],
  operations: ['notifications', 'offers', 'orders', 'projects'],
  property: ['properties', 'property_creditor_services', 'property_structure', 'technical_objects'],
  stakeholder: ['creditor', 'employees', 'owner', 'tenants'],
};

/** `[category, table]` of all tables. */
export const specifiedTables = Object.entries(specified).flatMap(([category, tables]) => tables.map((table) => [category, table] as const));

/** The categories of each tier (contract: access tiers). */
export const tierCategories = {
  basic: ['property'],
  professional: ['contracts', 'operations', 'property', 'stakeholder'],
  enterprise: ['accounting', 'contracts', 'depreciation', 'operations', 'property', 'stakeholder'],
} as const;

/** Tables without a versioned path (contract: versioned paths). */
export const unversionedTables: readonly string[] = ['kontenmapping_ranges', 'offers', 'orders'];

/** Required filters (contract: required filters), with values of the demo customers. */
export const requiredFilters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  booking_header: { fiscal_year: '2026' },
  booking_positions: { property_id: '1001', fiscal_year: '2026' },
};

/** The query string with a table's required filters and more. */
export const queryFor = (table: string, more: Readonly<Record<string, string>> = {}): string =>
  `?${new URLSearchParams({ ...requiredFilters[table], ...more })}`;

/** Runs SQL on the database of a service. */
export const sqlOn =
  ({ database }: Pick<TestService, 'database'>) =>
  // biome-ignore lint/suspicious/noExplicitAny: rows have any shape
  async (text: string, values: readonly unknown[] = []): Promise<any[]> =>
    (await database.pool.query(text, [...values])).rows;
