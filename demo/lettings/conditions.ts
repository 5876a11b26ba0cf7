/** Writes the conditions of a debit line, one row for each amount and the time it applied. */
import type { Customer } from '../customer.ts';
import type { Property } from '../portfolio/property.ts';
import { date, dateOrNull } from '../source/calendar.ts';
import { decimal, euro, percent } from '../source/money.ts';
import type { DebitLine, Tenancy } from './tenancy.ts';

export const writeConditions = ({ batches, chart }: Customer, property: Property, tenancy: Tenancy, line: DebitLine): void => {
  for (const condition of line.conditions) {
    batches.put(
      'contract_condition',
      {
        condition_id: condition.id,
        property_id: property.id,
        account_id: tenancy.account,
        floor_area_id: line.unit.id,
        debit_type_key: line.type,
        debit_number: line.number,
        description: line.description,
        valid_from: date(condition.from),
        valid_to: dateOrNull(condition.to),
        net_amount: euro(condition.net),
        vat_rate: percent(line.vatRate),
        vat_amount: euro(condition.vat),
        gross_amount: euro(condition.net + condition.vat),
        area_sqm: line.unit.isParking ? null : decimal(line.unit.area, 2),
        payment_interval_key: 'monthly',
        due_day: 3,
        revenue_account_id: chart.id(line.revenueAccount),
        index_agreement_id: line.isIndexed ? tenancy.clause!.id : null,
        is_advance_payment: line.isAdvance,
      },
      condition.reason === 'new_letting' ? tenancy.signed : condition.from - 70,
      condition.to ?? condition.from,
    );
  }
};
