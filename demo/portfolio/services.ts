/** Regular services of a property with creditor and annual amount, and the creditors for other work. */
import type { Company } from '../company/company.ts';
import type { Creditor } from '../company/partners.ts';
import type { Trade } from '../data/names.ts';
import { type Template, templates } from '../data/works.ts';
import { addMonths, type Cents, type Day, date, dateOrNull, dayOf, decimal, euro, vatOn, yearOf } from '../values.ts';
import { type Property, type Site, siteOf } from './property.ts';

type Status = 'active' | 'draft' | 'terminated' | 'expired';

export interface ServiceContract extends Template {
  readonly id: number;
  readonly number: string;
  readonly creditor: Creditor;
  readonly status: Status;
  readonly annualNet: Cents;
  readonly vatRate: number;
  readonly start: Day;
  readonly end: Day | null;
}

export const writeServices = (customer: Company, property: Property): ServiceContract[] => {
  const site = siteOf(customer, property, 'services');
  const contracts = templates.slice(0, customer.volume.serviceContractsPerProperty).map((template, i) => writeContract(site, template, i));
  writeAssignments(site, contracts);
  return contracts;
};

const statusOf = (id: number): Status => {
  if (id % 11 === 9) return 'terminated';
  if (id % 23 === 20) return 'expired';
  return id % 40 === 27 ? 'draft' : 'active';
};

const drawEnd = ({ customer: { asOf }, random }: Site, status: Status): Day | null => {
  if (status === 'terminated') return addMonths(asOf, random.int(1, 6));
  // Every property has been managed for a year, so no contract ends before its start.
  return status === 'expired' ? addMonths(asOf, -random.int(2, 10)) : null;
};

const writeContract = (site: Site, template: Template, index: number): ServiceContract => {
  const { customer, property, random } = site;
  const id = customer.ids.next('service_contract_hdr');
  const status = statusOf(id);
  const start = status === 'draft' ? addMonths(customer.asOf, 2) : Math.max(property.since, addMonths(customer.asOf, -random.int(30, 130)));
  const contract: ServiceContract = {
    ...template,
    id,
    number: `SV-${property.id}-${String(index + 1).padStart(2, '0')}`,
    creditor: customer.creditors.pick(template.trade, random),
    status,
    annualNet: random.int(template.annual[0], template.annual[1]) * 100,
    vatRate: template.type === 'insurance' ? 0 : 19,
    start,
    end: drawEnd(site, status),
  };
  writeContractRow(site, contract);
  return contract;
};

const writeContractRow = ({ customer, property, random }: Site, contract: ServiceContract): void => {
  const { type, status, start, annualNet, vatRate, intervalMonths: interval } = contract;
  const { asOf, batches, chart } = customer;
  const vat = vatOn(annualNet, vatRate);
  const terminated = status === 'terminated' ? asOf - random.int(5, 60) : null;
  const responseHours = type === 'full_service' || type === 'maintenance' ? random.pick([4, 8, 24]) : null;
  const lastVisit = interval === null || status !== 'active' ? null : asOf - random.int(1, 25) * interval;
  batches.put(
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
      start_date: date(start),
      end_date: dateOrNull(contract.end),
      notice_period_months: 3,
      renewal_months: 12,
      next_termination_date: status === 'active' ? date(dayOf(yearOf(asOf), 12, 31)) : null,
      termination_date: dateOrNull(terminated),
      annual_net: euro(annualNet),
      vat_rate: decimal(vatRate * 100, 2),
      annual_vat: euro(vat),
      annual_gross: euro(annualNet + vat),
      payment_interval_key: 'semi_annual',
      cost_account_id: chart.id(contract.costAccount),
      cost_center_id: property.operatingCostCenter,
      allocable_percent: type === 'maintenance' ? '80.00' : '100.00',
      response_time_hours: responseHours,
      service_interval_months: interval,
      last_service_date: dateOrNull(lastVisit),
      next_service_date: lastVisit === null ? null : date(addMonths(lastVisit, interval!)),
      responsible_employee_id: property.technician,
    },
    Math.min(start - 30, asOf - 40),
    status === 'active' ? start : asOf - 30,
  );
};

const callOuts: readonly (readonly [service: string, trade: Trade])[] = [
  ['emergency_service', 'plumbing_heating'],
  ['repair', 'electrical'],
  ['repair', 'painting'],
  ['winter_service', 'landscaping'],
  ['repair', 'roofing'],
];

/** The creditors of a service: those under contract first, then others. */
interface Assignment extends Pick<ServiceContract, 'creditor' | 'service' | 'trade' | 'start' | 'end'> {
  readonly rank: number;
  readonly contract: number | null;
}

const writeAssignments = (site: Site, contracts: readonly ServiceContract[]): void => {
  const { customer, property, random } = site;
  for (const contract of contracts) writeAssignment(site, { ...contract, rank: 1, contract: contract.id });
  for (let i = 0; i < customer.volume.assignmentsPerProperty - contracts.length; i++) {
    const [service, trade] = callOuts[i % callOuts.length]!;
    const creditor = customer.creditors.pick(trade, random);
    // Different days keep property, creditor, service and first day unique, even if a creditor occurs twice.
    writeAssignment(site, { creditor, service, trade, start: property.since + i, end: null, rank: 1 + i, contract: null });
  }
};

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
