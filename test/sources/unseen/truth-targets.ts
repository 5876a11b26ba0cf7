/** Targets that a column may have besides its own, because their values follow from it. They are no faults of a draft. */
import type { TrueColumn, TrueList } from './truth.ts';

const follows: Readonly<Record<string, readonly string[]>> = {
  'tenancy_hdr.contract_start_date': ['contract_condition.valid_from', 'account.valid_from'],
  'tenancy_hdr.contract_end_date': ['contract_condition.valid_to', 'account.valid_to', 'tenancy_hdr.status_key', 'account.is_active'],
  'tenancy_hdr.deposit_amount': ['tenancy_hdr.deposit_paid_amount'],
  'floor_area.usage_type_key': ['tenancy_hdr.tenant_type_key', 'contract_condition.debit_type_key', 'floor_area.description'],
  'floor_area.vacant_since': ['floor_area.occupancy_status_key', 'floor_area.available_from'],
  'floor_area.area_sqm': ['contract_condition.area_sqm'],
  'floor_area.floor': ['floor_area.floor_number'],
  'floor_area.floor_number': ['floor_area.floor'],
  'person.last_name': ['floor_area.occupancy_status_key', 'tenancy_hdr.tenant_type_key'],
  'person.company_name': ['person.person_type_key'],
  'person.salutation': ['person.person_type_key'],
  'person.phone': ['creditor_hdr.contact_phone', 'owner_hdr.contact_phone'],
  'person.email': ['creditor_hdr.contact_email', 'owner_hdr.contact_email'],
  'contract_condition.debit_type_key': [
    'contract_condition.debit_number',
    'contract_condition.is_advance_payment',
    'contract_condition.description',
  ],
  'contract_condition.valid_to': ['contract_condition.is_active'],
  'property_hdr.property_name': ['property_hdr.short_name'],
  'property_hdr.street': ['building.street', 'property_hdr.property_name'],
  'property_hdr.city': ['building.city', 'property_hdr.property_name'],
  'property_hdr.postal_code': ['building.postal_code'],
  'creditor_hdr.is_blocked': ['creditor_hdr.status_key'],
  'booking_pos.amount': ['booking_hdr.total_amount'],
  'booking_pos.booking_date': ['booking_hdr.booking_date', 'booking_hdr.document_date'],
};

/** In a list with units and their tenancies, the unit also identifies the tenancy and its tenant. */
const ofUnit = [
  '*.account_id',
  '*.current_account_id',
  '*.person_id',
  '*.tenancy_hdr_id',
  '*.contract_number',
  '*.condition_id',
  'account.account_number',
];

const matches = (pattern: string, target: string): boolean =>
  pattern === target || (pattern.startsWith('*.') && target.endsWith(pattern.slice(1)));

export const isFound = ({ to }: TrueColumn, target: string): boolean => to.some((pattern) => matches(pattern, target));

/** Whether the target is its own one, or no fault. */
export const isRight = (column: TrueColumn, { tables }: TrueList, target: string): boolean => {
  const { to, also } = column;
  const isRentRoll = tables.includes('floor_area') && tables.includes('tenancy_hdr');
  const more = isRentRoll && to.includes('floor_area.floor_area_id') ? ofUnit : [];
  return [...to, ...also, ...to.flatMap((one) => follows[one] ?? []), ...more].some((pattern) => matches(pattern, target));
};

/** Whether the value in this target is compared: its own one, not one that follows from it. */
export const isCompared = (column: TrueColumn, target: string): boolean =>
  column.compare !== 'none' && (isFound(column, target) || column.valuesIn?.[target] !== undefined);
