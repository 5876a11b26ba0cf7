/** Writes the index clause of a tenancy with the values that its next adjustment is measured by. */
import type { Customer } from '../customer.ts';
import type { Property } from '../portfolio/property.ts';
import { addMonths, date, dateOrNull, firstOf, monthOf } from '../source/calendar.ts';
import { decimal, euro, percent } from '../source/money.ts';
import type { Columns } from '../writer/batches.ts';
import type { IndexClause, Tenancy } from './tenancy.ts';

export const writeClause = (customer: Customer, property: Property, tenancy: Tenancy, clause: IndexClause): void => {
  const waiting = clause.waitingMonths;
  const status = tenancy.status === 'former' ? 'ended' : clause.isDue ? 'adjustment_due' : 'active';
  customer.batches.put(
    'index_agreement',
    {
      index_agreement_id: clause.id,
      property_id: property.id,
      account_id: tenancy.account,
      floor_area_id: tenancy.unit.id,
      ...indexColumns(clause),
      base_rent_net: euro(clause.baseRent),
      threshold_type_key: clause.thresholdType,
      threshold_value: decimal(clause.threshold * 100, 2),
      adjustment_percent: percent(clause.adjustmentPercent),
      adjustment_rule_key: tenancy.unit.isCommercial && clause.id % 3 === 0 ? 'automatic' : 'on_notice',
      waiting_period_months: waiting,
      first_adjustment_date: date(addMonths(tenancy.start, waiting)),
      last_adjustment_date: dateOrNull(clause.lastAdjusted),
      next_check_date: tenancy.status === 'former' ? null : date(firstOf(monthOf(customer.asOf) + 1)),
      current_rent_net: euro(clause.currentRent),
      max_increase_percent: clause.id % 6 === 0 ? '8.00' : null,
      allows_decrease: tenancy.unit.isCommercial,
      valid_from: date(tenancy.start),
      valid_to: dateOrNull(tenancy.end),
      status_key: status,
    },
    tenancy.signed,
    clause.lastAdjusted ?? tenancy.signed,
  );
};

const indexColumns = (clause: IndexClause) =>
  ({
    index_name: clause.indexName,
    base_year: clause.baseYear,
    index_base_month: date(firstOf(clause.baseMonth)),
    base_index_value: decimal(clause.baseValue * 10, 2),
    reference_index_month: date(firstOf(clause.referenceMonth)),
    reference_index_value: decimal(clause.referenceValue * 10, 2),
    current_index_month: date(firstOf(clause.currentMonth)),
    current_index_value: decimal(clause.currentValue * 10, 2),
  }) satisfies Columns<'index_agreement'>;
