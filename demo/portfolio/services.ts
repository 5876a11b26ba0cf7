/** Service contracts of a property: what is done regularly, by whom and for how much a year. */
import type { Creditor, Trade } from '../company/creditors.ts';
import type { Customer } from '../customer.ts';
import { addMonths, type Day, date, dateOrNull, dayOf, yearOf } from '../source/calendar.ts';
import { type Cents, decimal, euro, vatOn } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import type { Columns } from '../writer/batches.ts';
import { writeAssignments } from './assignments.ts';
import type { Property } from './property.ts';
import { type Site, siteOf } from './site.ts';

interface Template {
  readonly type: string;
  readonly service: string;
  readonly trade: Trade;
  readonly description: string;
  readonly costAccount: string;
  /** Range of the annual net amount in euros. */
  readonly annual: readonly [number, number];
  readonly intervalMonths: number | null;
}

const template = (
  type: string,
  service: string,
  trade: Trade,
  description: string,
  costAccount: string,
  annual: readonly [number, number],
  intervalMonths: number | null,
): Template => ({ type, service, trade, description, costAccount, annual, intervalMonths });

/** A property takes as many of these, in this order, as its scale gives it. */
const templates: readonly Template[] = [
  template('maintenance', 'heating_maintenance', 'plumbing_heating', 'Wartung Heizungsanlage', '806100', [600, 2400], 12),
  template('cleaning', 'cleaning', 'cleaning', 'Treppenhausreinigung', '802300', [2400, 9600], 1),
  template('full_service', 'elevator_maintenance', 'elevator', 'Vollwartung Aufzug', '802100', [1800, 4800], 3),
  template('energy_supply', 'repair', 'other', 'Gaslieferung Zentralheizung', '801100', [9000, 60000], null),
  template('caretaker', 'caretaker', 'cleaning', 'Hausmeisterdienst', '803200', [6000, 18000], 1),
  template('insurance', 'insurance', 'other', 'Wohngebäudeversicherung', '803100', [3000, 15000], null),
  template('waste', 'waste', 'other', 'Abfallentsorgung', '802200', [2500, 12000], 1),
  template('metering', 'metering', 'other', 'Messdienst Heizung und Wasser', '801100', [900, 4500], 12),
  template('inspection', 'security', 'fire_protection', 'Prüfung Brandschutzanlagen', '806100', [400, 1600], 12),
  template('other', 'gardening', 'landscaping', 'Pflege der Außenanlagen', '802400', [1200, 6000], 1),
];

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
