/** Writes tenancies, each with its tenant account, then what hangs on them: index clause, debits and changes of debits. */
import { collectiveAccounts } from '../company/chart.ts';
import type { Customer } from '../customer.ts';
import type { Property } from '../portfolio/property.ts';
import { type Site, siteOf } from '../portfolio/site.ts';
import { drawBankDetails } from '../source/banking.ts';
import { addMonths, type Day, date, dateOrNull } from '../source/calendar.ts';
import { euro } from '../source/money.ts';
import { drawName } from '../source/names.ts';
import type { Random } from '../source/random.ts';
import type { Columns } from '../writer/batches.ts';
import { writeChanges } from './changes.ts';
import { writeConditions } from './conditions.ts';
import { writeClause } from './index-agreements.ts';
import type { Tenancy } from './tenancy.ts';

export const writeTenancies = (customer: Customer, property: Property, tenancies: readonly Tenancy[]): void => {
  const site = siteOf(customer, property, 'contracts');
  for (const tenancy of tenancies) {
    writeTenantAccount(customer, property, tenancy);
    writeTenancy(site, tenancy);
    if (tenancy.clause) writeClause(customer, property, tenancy, tenancy.clause);
    for (const line of tenancy.debits) {
      writeConditions(customer, property, tenancy, line);
      writeChanges(customer, property, tenancy, line);
    }
  }
};

const writeTenantAccount = ({ batches, chart }: Customer, property: Property, tenancy: Tenancy): void =>
  batches.put(
    'account',
    {
      account_id: tenancy.account,
      account_number: `${collectiveAccounts.tenants}.${tenancy.account}`,
      account_name: tenancy.person.name,
      account_type_key: 'debtor',
      account_class: 2,
      account_group: '200',
      account_group_name: 'Forderungen aus Vermietung',
      balance_type_key: 'asset',
      normal_side_key: 'debit',
      property_id: property.id,
      collective_account_id: chart.id(collectiveAccounts.tenants),
      is_allocable: false,
      is_collective_account: false,
      is_posting_allowed: true,
      valid_from: date(tenancy.signed),
      is_active: tenancy.status !== 'former' || tenancy.balance !== 0,
    },
    tenancy.signed,
  );

const writeTenancy = ({ customer, property, random }: Site, tenancy: Tenancy): void => {
  const { unit, status, start, end } = tenancy;
  customer.batches.put(
    'tenancy_hdr',
    {
      tenancy_hdr_id: tenancy.id,
      account_id: tenancy.account,
      contract_number: tenancy.contractNumber,
      person_id: tenancy.person.id,
      property_id: property.id,
      floor_area_id: unit.id,
      co_tenant_name: unit.isCommercial || unit.isParking || random.chance(0.65) ? null : coTenant(random),
      tenant_type_key: tenancy.kind,
      status_key: status,
      contract_date: date(tenancy.signed),
      contract_start_date: date(start),
      contract_end_date: dateOrNull(end),
      move_in_date: status === 'future' ? null : date(start),
      move_out_date: status === 'former' ? date(movedOut(tenancy)) : null,
      fixed_term_end_date: unit.isCommercial && end === null ? date(fixedTermEnd(customer.asOf, start)) : null,
      notice_period_months: unit.isCommercial ? 6 : 3,
      ...depositColumns(random, tenancy),
      ...paymentColumns(random, tenancy),
      is_vat_liable: unit.vatOption,
      balance: euro(tenancy.balance),
    },
    tenancy.signed,
    end !== null && end < customer.asOf ? end + 10 : Math.max(tenancy.signed, customer.asOf - random.int(1, 400)),
  );
};

const coTenant = (random: Random): string => {
  const { first, last } = drawName(random);
  return `${first} ${last}`;
};

/** Keys are handed over at the end at the latest, most people leave a few days before. */
export const movedOut = ({ id, start, end }: Tenancy): Day => Math.max(start, end! - (id % 5));

/** Five years, then five more as often as it takes. */
const fixedTermEnd = (asOf: Day, start: Day): Day => {
  let end = addMonths(start, 60) - 1;
  while (end <= asOf) end = addMonths(end + 1, 60) - 1;
  return end;
};

const depositColumns = (random: Random, { deposit, kind, status }: Tenancy) => {
  if (deposit === 0)
    return { deposit_type_key: 'none', deposit_amount: '0.00', deposit_paid_amount: '0.00' } satisfies Columns<'tenancy_hdr'>;
  const isOpen = status === 'future' || (status === 'active' && random.chance(0.02));
  return {
    deposit_type_key:
      kind === 'commercial'
        ? 'guarantee'
        : random.weighted([
            ['cash', 70],
            ['guarantee', 8],
            ['savings_book', 14],
            ['insurance', 8],
          ]),
    deposit_amount: euro(deposit),
    deposit_paid_amount: euro(isOpen ? 0 : deposit),
  } satisfies Columns<'tenancy_hdr'>;
};

/** Dunning goes with what is owed: the level counts the months of rent that are open. */
const paymentColumns = (random: Random, { account, balance, deposit }: Tenancy) => {
  const isCollected = random.chance(0.7);
  const months = deposit > 0 ? Math.ceil((balance * 3) / deposit / 1.6) : 1;
  return {
    payment_method_key: isCollected ? 'sepa_direct_debit' : 'bank_transfer',
    mandate_reference: isCollected ? `MND-${account}` : null,
    iban: isCollected || random.chance(0.4) ? drawBankDetails(random).iban : null,
    dunning_level: balance > 0 ? Math.min(3, Math.max(1, months)) : 0,
    dunning_blocked: balance > 0 && random.chance(0.15),
  } satisfies Columns<'tenancy_hdr'>;
};
