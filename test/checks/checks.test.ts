/** Each kind of check, and each declared check, finds a violation with its key. The demo data has none (contract: checks of the data). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checksIn } from '../../src/catalogue/checks.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { CheckResult } from '../../src/checks/results.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { type Customer, findCustomer } from '../../src/database/control/customers.ts';
import { checkAgain } from '../../src/sync/data-checks.ts';
import { openTestDatabase } from '../support/database.ts';

let database: Database;
let customer: Customer;
beforeAll(async () => {
  database = await openTestDatabase();
  customer = await findCustomer(database, 'nord');
});
afterAll(() => database.close());

const failed = (results: readonly CheckResult[]) => results.filter(({ count }) => count > 0);
const first = (table: string, key: string, condition = 'true', offset = 0) =>
  `(select ${key} from customer_nord.${table} where ${condition} order by ${key} limit 1 offset ${offset})`;
/** Changes one row, and returns its key. */
const change = (table: string, key: string, set: string, condition = 'true', offset = 0) =>
  `update customer_nord.${table} set ${set} where ${key} = ${first(table, key, condition, offset)} returning ${key}::text as key`;

/** By check: a statement that violates it once and returns the key of the row. */
const violations: Readonly<Record<string, string>> = {
  'orders.creditor_number.reference': change('orders', 'order_id', 'creditor_number = 1', 'creditor_number is not null'),
  'employees.person_id.reference': change('employees', 'employee_id', 'person_id = 1'),
  'orders.status.code': change('orders', 'order_id', "status = 'unheard'", 'true', 1),
  'contract_debits.valid_to.period': change('contract_debits', 'contract_debit_id', "valid_to = valid_from - 1, debit_number = '999'"),
  'depreciation.period_to.period': change('depreciation', 'depreciation_id', 'period_to = period_from - 1'),
  'orders.order_date.future': change('orders', 'order_id', "order_date = '2999-12-31'", 'true', 2),
  'orders.gross': change('orders', 'order_id', 'total_net = total_net + 1', 'total_net is not null', 3),
  'orders.invoiced_gross': change('orders', 'order_id', 'invoiced_vat = invoiced_vat + 1', 'invoice_count > 0'),
  'orders.invoices': change(
    'orders',
    'order_id',
    'invoiced_net = invoiced_net + 1, invoiced_gross = invoiced_gross + 1',
    'invoice_count > 0',
    1,
  ),
  'orders.invoice_count': change('orders', 'order_id', 'invoice_count = invoice_count + 1', 'invoice_count > 0', 2),
  'orders.execution': change('orders', 'order_id', 'execution_end_date = execution_start_date - 1', 'execution_end_date is not null'),
  'projects.budget': change('projects', 'project_hdr_id', 'budget_net = budget_net + 1', 'budget_net is not null'),
  'projects.duration': change('projects', 'project_hdr_id', 'actual_end_date = actual_begin_date - 1', 'actual_begin_date is not null'),
  'contract_debits.gross': change('contract_debits', 'contract_debit_id', 'vat_amount = vat_amount + 1', 'true', 1),
  'contract_debits.overlap': `insert into customer_nord.contract_debits select (jsonb_populate_record(null::customer_nord.contract_debits,
    to_jsonb(c) || '{"contract_debit_id": 999999999}')).* from customer_nord.contract_debits c
    where contract_debit_id = ${first('contract_debits', 'contract_debit_id', 'true', 2)} returning contract_debit_id::text as key`,
  'contract_debit_diffs.net_difference': change('contract_debit_diffs', 'contract_debit_diff_id', 'diff_net = diff_net + 1'),
  'contract_debit_diffs.gross_difference': change(
    'contract_debit_diffs',
    'contract_debit_diff_id',
    'diff_gross = diff_gross + 1',
    'true',
    1,
  ),
  'service_contracts.gross': change('service_contracts', 'service_contract_id', 'annual_vat = annual_vat + 1'),
  'service_contracts.duration': change('service_contracts', 'service_contract_id', 'end_date = start_date - 1', 'true', 1),
  'contract_ends.payout': change('contract_ends', 'contract_end_id', 'deposit_payout = deposit_payout + 1', 'deposit_payout is not null'),
  'booking_positions.negative': change('booking_positions', 'booking_position_id', 'amount = -amount', "debit_credit = 'credit'"),
  'booking_header.positions': change('booking_header', 'booking_header_id', 'position_count = position_count + 1', 'true', 5),
  'booking_header.debit_total': change('booking_header', 'booking_header_id', 'total_amount = total_amount + 1', 'true', 6),
  'booking_header.balance': `update customer_nord.booking_positions set signed_amount = signed_amount + 1
    where booking_position_id = ${first('booking_positions', 'booking_position_id', 'true', 20)} returning booking_header_id::text as key`,
  'depreciation.closing': change('depreciation', 'depreciation_id', 'closing_book_value = closing_book_value + 1', 'true', 1),
  'properties.area_of_units': change(
    'properties',
    'property_id',
    'lettable_area_sqm = lettable_area_sqm + 1, residential_area_sqm = residential_area_sqm + 1',
  ),
  'properties.units': change('properties', 'property_id', 'unit_count = unit_count + 1', 'true', 1),
  'properties.areas': change('properties', 'property_id', 'residential_area_sqm = residential_area_sqm + 1', 'true', 2),
  'property_structure.vacant_and_let': change(
    'property_structure',
    'floor_area_id',
    "occupancy_status = 'vacant'",
    'current_account_id is not null',
  ),
  'tenants.overlap': `with pair as (select a.contract_start_date as start, b.tenant_id from customer_nord.tenants a
      join customer_nord.tenants b using (floor_area_id)
      where a.tenant_id < b.tenant_id and a.contract_start_date < b.contract_start_date order by a.tenant_id, b.tenant_id limit 1)
    update customer_nord.tenants t set contract_start_date = start from pair where t.tenant_id = pair.tenant_id returning t.tenant_id::text as key`,
  'employees.employment': change('employees', 'employee_id', 'exit_date = entry_date - 1', 'entry_date is not null', 1),
};

test('every declared check is tried', () => {
  const declared = checksIn(catalogue).flatMap(({ name }) =>
    name.split('.').length === 2 && !/\.(rows|nulls|sums)$/.test(name) ? [name] : [],
  );
  expect(Object.keys(violations)).toEqual(expect.arrayContaining(declared));
});

test('demo data has no violation', async () => {
  const results = await checkAgain(database, catalogue, customer);
  expect(failed(results).map(({ name, count }) => [name, count])).toEqual([]);
  expect(results).toHaveLength(checksIn(catalogue).length);
});

test('each violation is found with its key and property', async () => {
  const keys = new Map<string, string>();
  for (const [check, text] of Object.entries(violations)) {
    const { rows } = await database.pool.query<{ key: string }>(text);
    keys.set(check, rows[0]?.key ?? 'no row was changed');
  }
  const results = new Map((await checkAgain(database, catalogue, customer)).map((result) => [result.name, result]));
  const found = [...keys.keys()].map((check) => [check, results.get(check)?.findings.flatMap((finding) => finding.keys)]);
  expect(found).toEqual([...keys].map(([check, key]) => [check, [key]]));
});

test('rows, nulls and sums are compared with the last load', async () => {
  await database.pool.query('delete from customer_nord.offers where offer_hdr_id % 4 > 0');
  await database.pool.query('update customer_nord.owner set iban = null, bic = null');
  await database.pool.query('update customer_nord.budgets set amount = amount * 3');
  const results = failed(await checkAgain(database, catalogue, customer)).filter(({ name }) => /\.(rows|nulls|sums)$/.test(name));
  expect(results.map(({ name, count, findings }) => [name, count, findings[0]?.keys])).toEqual([
    ['budgets.sums', 1, ['amount']],
    ['offers.rows', 1, []],
    ['offers.sums', 1, ['offer_value']],
    ['owner.nulls', 2, ['iban', 'bic']],
  ]);
});
