/**
 * Writes tenancies with their tenant accounts and dependent rows, and their ends: notices, handovers, deposit settlements, and some
 * withdrawn notices.
 */
import type { Company } from '../company/company.ts';
import { collectiveAccounts } from '../data/accounts.ts';
import { drawBankDetails, drawName } from '../people.ts';
import { type Property, type Site, siteOf } from '../portfolio/property.ts';
import type { Random } from '../random.ts';
import { addMonths, type Day, date, dateOrNull, dayOf, euro, euroOrNull, lastOf, monthOf, share, yearOf } from '../values.ts';
import { writeChanges, writeConditions } from './debits.ts';
import { writeClause } from './index-clause.ts';
import type { Tenancy } from './tenancy.ts';

export const writeTenancies = (customer: Company, property: Property, tenancies: readonly Tenancy[]): void => {
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

const writeTenantAccount = ({ batches, chart }: Company, property: Property, tenancy: Tenancy): void =>
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

const writeTenancy = ({ customer: { asOf, batches }, property, random }: Site, tenancy: Tenancy): void => {
  const { unit, account, status, start, end, deposit, balance } = tenancy;
  const coTenant = unit.isCommercial || unit.isParking || random.chance(0.65) ? null : drawName(random);
  const isDepositOpen = deposit > 0 && (status === 'future' || (status === 'active' && random.chance(0.02)));
  const depositType = drawDepositType(random, tenancy);
  const isCollected = random.chance(0.7);
  batches.put(
    'tenancy_hdr',
    {
      tenancy_hdr_id: tenancy.id,
      account_id: account,
      contract_number: tenancy.contractNumber,
      person_id: tenancy.person.id,
      property_id: property.id,
      floor_area_id: unit.id,
      co_tenant_name: coTenant && `${coTenant.first} ${coTenant.last}`,
      tenant_type_key: tenancy.kind,
      status_key: status,
      contract_date: date(tenancy.signed),
      contract_start_date: date(start),
      contract_end_date: dateOrNull(end),
      move_in_date: status === 'future' ? null : date(start),
      move_out_date: status === 'former' ? date(movedOut(tenancy)) : null,
      fixed_term_end_date: unit.isCommercial && end === null ? date(fixedTermEnd(asOf, start)) : null,
      notice_period_months: unit.isCommercial ? 6 : 3,
      deposit_type_key: depositType,
      deposit_amount: euro(deposit),
      deposit_paid_amount: euro(isDepositOpen ? 0 : deposit),
      payment_method_key: isCollected ? 'sepa_direct_debit' : 'bank_transfer',
      mandate_reference: isCollected ? `MND-${account}` : null,
      iban: isCollected || random.chance(0.4) ? drawBankDetails(random).iban : null,
      dunning_level: dunningLevel(tenancy),
      dunning_blocked: balance > 0 && random.chance(0.15),
      is_vat_liable: unit.vatOption,
      balance: euro(balance),
    },
    tenancy.signed,
    end !== null && end < asOf ? end + 10 : Math.max(tenancy.signed, asOf - random.int(1, 400)),
  );
};

/** Keys are handed over at the end at the latest, usually a few days before. */
const movedOut = ({ id, start, end }: Tenancy): Day => Math.max(start, end! - (id % 5));

/** Five years, extended by five years as often as needed. */
const fixedTermEnd = (asOf: Day, start: Day): Day => {
  let end = addMonths(start, 60) - 1;
  while (end <= asOf) end = addMonths(end + 1, 60) - 1;
  return end;
};

const drawDepositType = (random: Random, { deposit, kind }: Tenancy): string => {
  if (deposit === 0) return 'none';
  return kind === 'commercial' ? 'guarantee' : random.weighted({ cash: 70, guarantee: 8, savings_book: 14, insurance: 8 });
};

/** The level is the number of open months of rent. */
const dunningLevel = ({ balance, deposit }: Tenancy): number => {
  if (balance <= 0) return 0;
  const months = deposit > 0 ? Math.ceil((balance * 3) / deposit / 1.6) : 1;
  return Math.min(3, Math.max(1, months));
};

const withdrawnShare = 0.012;
const remarks = ['Schlüssel vollständig', 'Schönheitsreparaturen vereinbart', 'Küche vom Nachmieter übernommen', 'Zählerstände abgelesen'];

const endReasons = {
  ordinary_notice: 78,
  cancellation_agreement: 7,
  internal_move: 5,
  death: 4,
  extraordinary_notice: 3,
  fixed_term_expiry: 2,
  eviction: 1,
};

/** The party that ends a contract for a reason, if not the tenant. */
const endedBy: Readonly<Partial<Record<keyof typeof endReasons, string>>> = {
  cancellation_agreement: 'mutual',
  extraordinary_notice: 'landlord',
  fixed_term_expiry: 'expiry',
  eviction: 'landlord',
};

/** `refurbishments` contains the order that prepares the unit of a tenancy for the next tenant. */
export const writeContractEnds = (
  customer: Company,
  property: Property,
  tenancies: readonly Tenancy[],
  refurbishments: ReadonlyMap<Tenancy, number>,
): void => {
  const site = siteOf(customer, property, 'ends');
  for (const tenancy of tenancies) {
    if (tenancy.end !== null) writeEnd(site, tenancy, tenancy.end, refurbishments.get(tenancy) ?? null);
    else if (tenancy.status === 'active' && !tenancy.unit.ownership && site.random.chance(withdrawnShare)) writeWithdrawn(site, tenancy);
  }
};

/** Three months after the end the deposit is settled. */
const settledOn = (end: Day): Day => end + 95;

const endStatus = (asOf: Day, end: Day, received: Day): string => {
  if (end >= asOf) return received > asOf - 14 ? 'announced' : 'confirmed';
  return settledOn(end) < asOf ? 'settled' : 'handed_over';
};

const writeEnd = ({ customer, property, random }: Site, tenancy: Tenancy, end: Day, refurbishment: number | null): void => {
  const { asOf, batches, ids } = customer;
  const { deposit } = tenancy;
  const received = Math.min(end - random.int(90, 110), asOf - 1);
  const reason = random.weighted(endReasons);
  const status = endStatus(asOf, end, received);
  const isOver = end < asOf;
  const isSettled = status === 'settled';
  const finalSettlement = dayOf(yearOf(end) + 1, 6, 15);
  batches.put(
    'contract_end',
    {
      contract_end_id: ids.next('contract_end'),
      property_id: property.id,
      account_id: tenancy.account,
      floor_area_id: tenancy.unit.id,
      terminated_by_key: endedBy[reason] ?? 'tenant',
      end_reason_key: reason,
      status_key: status,
      notice_date: date(received - random.int(1, 4)),
      notice_received_date: date(received),
      notice_period_months: 3,
      contract_end_date: date(end),
      is_early_release: reason === 'cancellation_agreement',
      move_out_date: isOver ? date(movedOut(tenancy)) : null,
      handover_date: isOver ? date(end) : null,
      refurbishment_required: refurbishment !== null || random.chance(0.2),
      refurbishment_order_id: refurbishment,
      follow_up_account_id: tenancy.next?.account ?? null,
      deposit_amount: deposit > 0 ? euro(deposit) : null,
      deposit_deductions: euroOrNull(isSettled && deposit > 0 ? drawDeductions(random, deposit) : null),
      deposit_settled_date: isSettled ? date(settledOn(end)) : null,
      final_settlement_date: finalSettlement < asOf ? date(finalSettlement) : null,
      responsible_employee_id: property.manager,
      comment: random.chance(0.25) ? random.pick(remarks) : null,
    },
    received,
    isSettled ? settledOn(end) : isOver ? end : received,
  );
};

const drawDeductions = (random: Random, deposit: number): number => (random.chance(0.6) ? 0 : share(deposit, random.int(3, 60), 100));

/** A notice for a future date that the tenant withdrew. */
const writeWithdrawn = ({ customer: { asOf, batches, ids }, property, random }: Site, tenancy: Tenancy): void => {
  const received = Math.max(tenancy.start, asOf - random.int(30, 300));
  batches.put(
    'contract_end',
    {
      contract_end_id: ids.next('contract_end'),
      property_id: property.id,
      account_id: tenancy.account,
      floor_area_id: tenancy.unit.id,
      terminated_by_key: 'tenant',
      end_reason_key: 'ordinary_notice',
      status_key: 'withdrawn',
      notice_date: date(received - random.int(1, 4)),
      notice_received_date: date(received),
      notice_period_months: 3,
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
