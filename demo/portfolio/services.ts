/** What is done regularly at a property, by whom and for how much a year; and whom to call for everything else. */
import type { Customer } from '../company/company.ts';
import type { Creditor, Trade } from '../company/partners.ts';
import { type Template, templates } from '../data/works.ts';
import type { Random } from '../random.ts';
import type { Columns } from '../setting.ts';
import { addMonths, type Cents, type Day, date, dateOrNull, dayOf, decimal, euro, vatOn, yearOf } from '../values.ts';
import { type Property, type Site, siteOf } from './property.ts';

export interface ServiceContract {
  readonly id: number;
  readonly number: string;
  readonly creditor: Creditor;
  readonly trade: Trade;
  readonly service: string;
  readonly description: string;
  readonly costAccount: string;
  readonly annualNet: Cents;
  readonly vatRate: number;
  readonly start: Day;
  readonly end: Day | null;
  readonly isBilled: boolean;
}

export const writeServices = (customer: Customer, property: Property): ServiceContract[] => {
  const site = siteOf(customer, property, 'services');
  const contracts = templates.slice(0, customer.volume.serviceContractsPerProperty).map((one, i) => writeContract(site, one, i));
  writeAssignments(site, contracts);
  return contracts;
};

type Status = 'active' | 'draft' | 'terminated' | 'expired';

const statusOf = (index: number): Status => {
  if (index % 11 === 9) return 'terminated';
  if (index % 23 === 20) return 'expired';
  return index % 40 === 27 ? 'draft' : 'active';
};

const endOf = (asOf: Day, random: Random, status: Status): Day | null => {
  if (status === 'terminated') return addMonths(asOf, random.int(1, 6));
  // Every property has been managed for a year, so no contract ends before it starts.
  return status === 'expired' ? addMonths(asOf, -random.int(2, 10)) : null;
};

const writeContract = (site: Site, one: Template, index: number): ServiceContract => {
  const { customer, property, random } = site;
  const id = customer.ids.next('service_contract_hdr');
  const status = statusOf(id);
  const start = status === 'draft' ? addMonths(customer.asOf, 2) : Math.max(property.since, addMonths(customer.asOf, -random.int(30, 130)));
  const contract: ServiceContract = {
    id,
    number: `SV-${property.id}-${String(index + 1).padStart(2, '0')}`,
    creditor: customer.creditors.pick(one.trade, random),
    trade: one.trade,
    service: one.service,
    description: one.description,
    costAccount: one.costAccount,
    annualNet: random.int(one.annual[0], one.annual[1]) * 100,
    vatRate: one.type === 'insurance' ? 0 : 19,
    start,
    end: endOf(customer.asOf, random, status),
    isBilled: status !== 'draft',
  };
  writeContractRow(site, one, contract, status);
  return contract;
};

const writeContractRow = (
  { customer, property, random }: Site,
  { type, intervalMonths }: Template,
  contract: ServiceContract,
  status: Status,
): void =>
  customer.batches.put(
    'service_contract_hdr',
    {
      service_contract_hdr_id: contract.id,
      contract_number: contract.number,
      property_id: property.id,
      creditor_id: contract.creditor.id,
      contract_type_key: type,
      trade_key: contract.trade,
      description: contract.description,
      status_key: status,
      ...termColumns(customer.asOf, random, contract, status),
      ...priceColumns(contract),
      payment_interval_key: 'semi_annual',
      cost_account_id: customer.chart.id(contract.costAccount),
      cost_center_id: property.operatingCostCenter,
      allocable_percent: type === 'maintenance' ? '80.00' : '100.00',
      response_time_hours: type === 'full_service' || type === 'maintenance' ? random.pick([4, 8, 24]) : null,
      ...visitColumns(customer.asOf, random, intervalMonths, status),
      responsible_employee_id: property.technician,
    },
    Math.min(contract.start - 30, customer.asOf - 40),
    status === 'active' ? contract.start : customer.asOf - 30,
  );

const termColumns = (asOf: Day, random: Random, { start, end }: ServiceContract, status: Status) =>
  ({
    start_date: date(start),
    end_date: dateOrNull(end),
    notice_period_months: 3,
    renewal_months: 12,
    next_termination_date: status === 'active' ? date(dayOf(yearOf(asOf), 12, 31)) : null,
    termination_date: status === 'terminated' ? date(asOf - random.int(5, 60)) : null,
  }) satisfies Columns<'service_contract_hdr'>;

const priceColumns = ({ annualNet, vatRate }: ServiceContract) => {
  const vat = vatOn(annualNet, vatRate);
  return {
    annual_net: euro(annualNet),
    vat_rate: decimal(vatRate * 100, 2),
    annual_vat: euro(vat),
    annual_gross: euro(annualNet + vat),
  } satisfies Columns<'service_contract_hdr'>;
};

const visitColumns = (asOf: Day, random: Random, interval: number | null, status: Status) => {
  if (interval === null || status !== 'active') return { service_interval_months: interval } satisfies Columns<'service_contract_hdr'>;
  const last = asOf - random.int(1, 25) * interval;
  return {
    service_interval_months: interval,
    last_service_date: date(last),
    next_service_date: date(addMonths(last, interval)),
  } satisfies Columns<'service_contract_hdr'>;
};

const callOuts: readonly (readonly [service: string, trade: Trade])[] = [
  ['emergency_service', 'plumbing_heating'],
  ['repair', 'electrical'],
  ['repair', 'painting'],
  ['winter_service', 'landscaping'],
  ['repair', 'roofing'],
];

/** A service under contract. */
export interface ContractedService {
  readonly id: number;
  readonly creditor: Creditor;
  readonly service: string;
  readonly trade: Trade;
  readonly start: Day;
  readonly end: Day | null;
}

export const writeAssignments = (site: Site, contracts: readonly ContractedService[]): void => {
  const { customer, property, random } = site;
  for (const contract of contracts) writeAssignment(site, { ...contract, rank: 1, contract: contract.id });
  for (let i = 0; i < customer.volume.assignmentsPerProperty - contracts.length; i++) {
    const [service, trade] = callOuts[i % callOuts.length]!;
    const creditor = customer.creditors.pick(trade, random);
    // Different days keep property, creditor, service and first day unique even when a creditor is drawn twice.
    writeAssignment(site, { creditor, service, trade, start: property.since + i, end: null, rank: 1 + i, contract: null });
  }
};

interface Assignment {
  readonly creditor: Creditor;
  readonly service: string;
  readonly trade: Trade;
  readonly start: Day;
  readonly end: Day | null;
  readonly rank: number;
  readonly contract: number | null;
}

const writeAssignment = ({ customer, property, random }: Site, assignment: Assignment): void => {
  const { creditor, service, trade, start, end, rank, contract } = assignment;
  const isOver = end !== null && end < customer.asOf;
  customer.batches.put(
    'prop_cred_service',
    {
      prop_cred_service_id: customer.ids.next('prop_cred_service'),
      property_id: property.id,
      creditor_id: creditor.id,
      service_type_key: service,
      trade_key: trade,
      description: contract === null ? 'Abruf nach Bedarf' : 'laut Servicevertrag',
      rank_no: rank,
      is_emergency_service: service === 'emergency_service' || service === 'elevator_maintenance',
      service_contract_hdr_id: contract,
      hourly_rate_net: contract === null ? euro(random.int(48, 92) * 100) : null,
      response_time_hours: random.chance(0.6) ? random.pick([2, 4, 8, 24, 48]) : null,
      contact_name: creditor.contact.name,
      contact_phone: creditor.contact.phone,
      contact_email: random.chance(0.8) ? creditor.contact.email : null,
      valid_from: date(start),
      valid_to: dateOrNull(end),
      is_active: !isOver,
    },
    Math.min(start, customer.asOf - 40),
    isOver ? end : start,
  );
};
