/** The change log of a debit line: every condition is the new side of one change, and the contract end closes the last one. */
import type { Customer } from '../customer.ts';
import type { Property } from '../portfolio/property.ts';
import { type Day, date } from '../source/calendar.ts';
import { euro } from '../source/money.ts';
import type { ChangeReason, Condition, DebitLine, Tenancy } from './tenancy.ts';

/** How long before it takes effect a change is announced, in days. */
const announcement: Readonly<Record<ChangeReason, number | null>> = {
  new_letting: null,
  index_adjustment: 45,
  comparative_rent: 90,
  modernisation: 95,
  graduated_rent: null,
  advance_adjustment: 30,
  amendment: 30,
  rent_reduction: null,
};

export const writeChanges = (customer: Customer, property: Property, tenancy: Tenancy, line: DebitLine): void => {
  let previous: Condition | null = null;
  for (const condition of line.conditions) {
    const days = announcement[condition.reason];
    writeChange(customer, property, tenancy, line, {
      previous,
      next: condition,
      effective: condition.from,
      reason: condition.reason,
      announced: days === null ? null : condition.from - days,
      recorded: condition.reason === 'new_letting' ? tenancy.signed : condition.from - (days ?? 20),
    });
    previous = condition;
  }
  if (tenancy.end === null) return;
  const effective = tenancy.end + 1;
  writeChange(customer, property, tenancy, line, {
    previous,
    next: null,
    effective,
    reason: 'contract_end',
    announced: null,
    recorded: effective - 80,
  });
};

interface Change {
  readonly previous: Condition | null;
  readonly next: Condition | null;
  readonly effective: Day;
  readonly reason: ChangeReason | 'contract_end';
  readonly announced: Day | null;
  readonly recorded: Day;
}

const writeChange = (customer: Customer, property: Property, tenancy: Tenancy, line: DebitLine, change: Change): void => {
  const { previous, next } = change;
  customer.batches.put(
    'debit_change',
    {
      debit_change_id: customer.ids.next('debit_change'),
      property_id: property.id,
      account_id: tenancy.account,
      floor_area_id: line.unit.id,
      debit_type_key: line.type,
      effective_date: date(change.effective),
      previous_condition_id: previous?.id ?? null,
      new_condition_id: next?.id ?? null,
      previous_net: euro(previous?.net ?? 0),
      new_net: euro(next?.net ?? 0),
      previous_gross: euro(grossOf(previous)),
      new_gross: euro(grossOf(next)),
      change_type_key: changeType(previous, next),
      change_reason_key: change.reason,
      index_agreement_id: change.reason === 'index_adjustment' ? tenancy.clause!.id : null,
      announcement_date: change.announced === null ? null : date(change.announced),
      approved_by_employee_id: property.manager,
    },
    change.recorded,
  );
};

const grossOf = (condition: Condition | null): number => (condition ? condition.net + condition.vat : 0);

const changeType = (previous: Condition | null, next: Condition | null): string => {
  if (!previous) return 'new';
  if (!next) return 'ended';
  if (next.net === previous.net) return 'unchanged';
  return next.net > previous.net ? 'increase' : 'decrease';
};
