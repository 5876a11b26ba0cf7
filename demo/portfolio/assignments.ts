/** Which creditor is called for which service at a property: those under contract first, then those called when needed. */
import type { Creditor, Trade } from '../company/creditors.ts';
import { type Day, date, dateOrNull } from '../source/calendar.ts';
import { euro } from '../source/money.ts';
import type { Site } from './site.ts';

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
