/** Contract ends: notices, handovers and deposit settlements of ended tenancies, and a few notices that were withdrawn. */
import type { Customer } from '../customer.ts';
import type { Property } from '../portfolio/property.ts';
import { type Site, siteOf } from '../portfolio/site.ts';
import { addMonths, type Day, date, dateOrNull, dayOf, lastOf, monthOf, yearOf } from '../source/calendar.ts';
import { euroOrNull, share } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import type { Columns } from '../writer/batches.ts';
import { movedOut } from './contracts.ts';
import type { Tenancy } from './tenancy.ts';

const withdrawnShare = 0.012;
const remarks = ['Schlüssel vollständig', 'Schönheitsreparaturen vereinbart', 'Küche vom Nachmieter übernommen', 'Zählerstände abgelesen'];

const reasons: readonly (readonly [readonly [by: string, reason: string], number])[] = [
  [['tenant', 'ordinary_notice'], 78],
  [['mutual', 'cancellation_agreement'], 7],
  [['tenant', 'internal_move'], 5],
  [['tenant', 'death'], 4],
  [['landlord', 'extraordinary_notice'], 3],
  [['expiry', 'fixed_term_expiry'], 2],
  [['landlord', 'eviction'], 1],
];

/** `refurbishments` says which order prepares the unit of a tenancy for the next tenant. */
export const writeContractEnds = (
  customer: Customer,
  property: Property,
  tenancies: readonly Tenancy[],
  refurbishments: ReadonlyMap<Tenancy, number>,
): void => {
  const site = siteOf(customer, property, 'ends');
  const { random } = site;
  for (const tenancy of tenancies) {
    if (tenancy.end !== null) writeEnd(site, tenancy, tenancy.end, refurbishments.get(tenancy) ?? null);
    else if (tenancy.status === 'active' && !tenancy.unit.ownership && random.chance(withdrawnShare)) writeWithdrawn(site, tenancy);
  }
};

const writeEnd = ({ customer, property, random }: Site, tenancy: Tenancy, end: Day, refurbishment: number | null): void => {
  const received = Math.min(end - random.int(90, 110), customer.asOf - 1);
  const [by, reason] = random.weighted(reasons);
  const status = statusOf(customer.asOf, end, received);
  customer.batches.put(
    'contract_end',
    {
      contract_end_id: customer.ids.next('contract_end'),
      property_id: property.id,
      account_id: tenancy.account,
      floor_area_id: tenancy.unit.id,
      terminated_by_key: by,
      end_reason_key: reason,
      status_key: status,
      ...noticeColumns(random, received),
      contract_end_date: date(end),
      is_early_release: reason === 'cancellation_agreement',
      ...handoverColumns(customer.asOf, tenancy, end),
      refurbishment_required: refurbishment !== null || random.chance(0.2),
      refurbishment_order_id: refurbishment,
      follow_up_account_id: tenancy.next?.account ?? null,
      ...settlementColumns(customer.asOf, random, tenancy, end, status),
      responsible_employee_id: property.manager,
      comment: random.chance(0.25) ? random.pick(remarks) : null,
    },
    received,
    status === 'settled' ? settledOn(end) : end < customer.asOf ? end : received,
  );
};

/** Three months after the end everybody knows what is owed and the deposit goes back. */
const settledOn = (end: Day): Day => end + 95;

const statusOf = (asOf: Day, end: Day, received: Day): string => {
  if (end >= asOf) return received > asOf - 14 ? 'announced' : 'confirmed';
  return settledOn(end) < asOf ? 'settled' : 'handed_over';
};

const noticeColumns = (random: Random, received: Day) =>
  ({
    notice_date: date(received - random.int(1, 4)),
    notice_received_date: date(received),
    notice_period_months: 3,
  }) satisfies Columns<'contract_end'>;

const handoverColumns = (asOf: Day, tenancy: Tenancy, end: Day) =>
  ({
    move_out_date: end < asOf ? date(movedOut(tenancy)) : null,
    handover_date: end < asOf ? date(end) : null,
  }) satisfies Columns<'contract_end'>;

const settlementColumns = (asOf: Day, random: Random, { deposit }: Tenancy, end: Day, status: string) => {
  const isSettled = status === 'settled';
  const finalSettlement = dayOf(yearOf(end) + 1, 6, 15);
  return {
    deposit_amount: deposit > 0 ? euroOrNull(deposit) : null,
    deposit_deductions: isSettled && deposit > 0 ? euroOrNull(random.chance(0.6) ? 0 : share(deposit, random.int(3, 60), 100)) : null,
    deposit_settled_date: isSettled ? date(settledOn(end)) : null,
    final_settlement_date: dateOrNull(finalSettlement < asOf ? finalSettlement : null),
  } satisfies Columns<'contract_end'>;
};

/** A notice for a date to come that the tenant took back. */
const writeWithdrawn = ({ customer, property, random }: Site, tenancy: Tenancy): void => {
  const received = Math.max(tenancy.start, customer.asOf - random.int(30, 300));
  customer.batches.put(
    'contract_end',
    {
      contract_end_id: customer.ids.next('contract_end'),
      property_id: property.id,
      account_id: tenancy.account,
      floor_area_id: tenancy.unit.id,
      terminated_by_key: 'tenant',
      end_reason_key: 'ordinary_notice',
      status_key: 'withdrawn',
      ...noticeColumns(random, received),
      contract_end_date: date(lastOf(monthOf(addMonths(received, 3)))),
      is_early_release: false,
      refurbishment_required: false,
      responsible_employee_id: property.manager,
      comment: 'Kündigung einvernehmlich zurückgenommen',
    },
    received,
    received + 20,
  );
};
