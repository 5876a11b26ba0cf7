/**
 * What a column of a raw table means: its meaning, its code list, an example, and the row that it refers to.
 *
 * A category table that passes the column on has said it already. The rest is here.
 */
import type { Column } from '../column.ts';
import { entries } from '../index.ts';
import type { RawTable } from '../raw-table.ts';
import { type RawLookupName, rawLookups, unpublishedLookup } from './codes.ts';
import { type RawTableName, rawTables } from './index.ts';

export interface RawColumnFacts {
  readonly meaning: string;
  /** The column of a category table that passes it on. */
  readonly passedOnAs: string | undefined;
  readonly example: string | number | boolean | undefined;
  readonly lookup: RawLookupName | undefined;
  /** The raw table whose row the column names; its key unless `column` is another one. */
  readonly references: { readonly table: RawTableName; readonly column: string } | undefined;
}

/** Meanings and examples by column, for all tables whose category tables do not have the column. */
const ofName: Readonly<Record<string, readonly [meaning: string, example: string | number | boolean]>> = {
  created_at: ['time the record was created in the source', '2020-01-15T08:00:00Z'],
  changed_at: ['time of last change in the source', '2024-11-12T05:03:00Z'],
  property_id: ['property', 1001],
  building_id: ['building key', 2001],
  building_no: ['building number within the property', '01'],
  building_name: ['designation', 'Vorderhaus'],
  street: ['street name', 'Seestraße'],
  house_no: ['house number', '14'],
  postal_code: ['postal code', '13353'],
  city: ['city', 'Berlin'],
  construction_year: ['year of construction', 1962],
  storey_count: ['number of storeys', 5],
  has_elevator: ['whether there is an elevator', true],
  catalog_value_id: ['technical key', 14],
  catalog_name: ['catalogue', 'notification_status'],
  value_key: ['code stored in the coded columns', 'in_progress'],
  label_en: ['English label', 'In progress'],
  label_de: ['German label', 'In Bearbeitung'],
  sort_no: ['position in the list', 2],
  cost_center_hdr_id: ['technical key', 71],
  cost_center_id: ['cost centre code', '1001-80'],
  cost_center_name: ['designation', 'Instandhaltung Seestraße'],
  is_active: ['whether the record is in use', true],
  fa_hdr_id: ['technical key of the unit', 40012],
  index_value_id: ['technical key', 5120],
  index_name: ['price index', 'VPI'],
  base_year: ['base year of the series', 2020],
  index_month: ['first day of the month', '2024-04-01'],
  index_value: ['published value', 119.2],
  published_date: ['date of publication', '2024-05-14'],
  offer_no: ['offer number', 'AN-2024-0410'],
  report_hdr_id: ['notification', 88012],
  trade_key: ['trade', 'plumbing_heating'],
  subject: ['subject', 'Pumpentausch'],
  description: ['description', 'Heizung in allen Räumen kalt'],
  request_date: ['date of the request', '2024-10-21'],
  offer_date: ['date of the offer', '2024-10-21'],
  valid_until: ['date until which the offer is binding', '2024-11-30'],
  decision_date: ['date of acceptance or rejection', '2024-10-22'],
  vat_rate: ['VAT rate in percent', 19],
  gross_value: ['gross offer value', 2201.5],
  order_invoice_id: ['invoice key', 91007],
  order_hdr_id: ['work order', 55210],
  invoice_no: ['invoice number of the creditor', 'RE-24-9931'],
  invoice_date: ['invoice date', '2024-10-30'],
  received_date: ['date of receipt', '2024-11-01'],
  due_date: ['due date', '2024-11-29'],
  invoice_type_key: ['kind of invoice', 'partial'],
  net_amount: ['net amount', 1000],
  vat_amount: ['VAT amount', 190],
  gross_amount: ['gross amount', 1190],
  retention_amount: ['amount retained', 59.5],
  paid_amount: ['amount paid', 1130.5],
  payment_date: ['date of payment', '2024-11-12'],
  booking_hdr_id: ['booking document', 7006100],
  person_id: ['person key', 9120],
  person_type_key: ['kind of person', 'natural'],
  salutation: ['salutation', 'Frau'],
  title: ['academic title', 'Dr.'],
  first_name: ['first name', 'Anna'],
  last_name: ['last name; set for natural persons', 'Schneider'],
  company_name: ['company name; set for legal persons', 'Wärmetechnik Nord GmbH'],
  country_code: ['ISO 3166-1 country code', 'DE'],
  email: ['e-mail address', 'anna.schneider@example.org'],
  phone: ['phone number', '+49 30 5550114'],
  mobile: ['mobile number', '+49 170 5550114'],
  birth_date: ['date of birth; not passed on to any category table', '1984-02-11'],
  report_no: ['notification number', 'ME-2024-1188'],
  reporter_type_key: ['kind of reporter', 'tenant'],
  floor_area_id: ['unit', '1001-0012'],
  responsible_employee_id: ['employee in charge', 17],
  completed_date: ['date of completion', '2024-10-28'],
  is_insurance_claim: ['whether the case is an insurance claim', false],
};

/** The rows that columns refer to, by column. A table's own key refers to nothing. */
const references = {
  account_id: 'account.account_id',
  accountant_id: 'staff_hdr.staff_hdr_id',
  approved_by_employee_id: 'staff_hdr.staff_hdr_id',
  asset_account_id: 'account.account_id',
  asset_hdr_id: 'asset_hdr.asset_hdr_id',
  booking_hdr_id: 'booking_hdr.booking_hdr_id',
  building_id: 'building.building_id',
  collective_account_id: 'account.account_id',
  condition_id: 'contract_condition.condition_id',
  contra_account_id: 'account.account_id',
  cost_account_id: 'account.account_id',
  cost_center_id: 'cost_center.cost_center_id',
  creditor_id: 'creditor_hdr.creditor_id',
  creditor_no: 'creditor_hdr.creditor_no',
  current_account_id: 'account.account_id',
  depreciation_account_id: 'account.account_id',
  floor_area_id: 'floor_area.floor_area_id',
  follow_up_account_id: 'account.account_id',
  index_agreement_id: 'index_agreement.index_agreement_id',
  new_condition_id: 'contract_condition.condition_id',
  offer_hdr_id: 'offer_hdr.offer_hdr_id',
  order_hdr_id: 'order_hdr.order_hdr_id',
  order_id: 'order_hdr.order_hdr_id',
  owner_hdr_id: 'owner_hdr.owner_hdr_id',
  parent_project_hdr_id: 'project_hdr.project_hdr_id',
  parent_to_hdr_id: 'to_hdr.to_hdr_id',
  person_id: 'person.person_id',
  posted_by_employee_id: 'staff_hdr.staff_hdr_id',
  previous_condition_id: 'contract_condition.condition_id',
  project_hdr_id: 'project_hdr.project_hdr_id',
  project_manager_id: 'staff_hdr.staff_hdr_id',
  property_id: 'property_hdr.property_id',
  property_manager_id: 'staff_hdr.staff_hdr_id',
  refurbishment_order_id: 'order_hdr.order_hdr_id',
  report_hdr_id: 'report_hdr.report_hdr_id',
  responsible_employee_id: 'staff_hdr.staff_hdr_id',
  revenue_account_id: 'account.account_id',
  reversed_booking_hdr_id: 'booking_hdr.booking_hdr_id',
  service_contract_hdr_id: 'service_contract_hdr.service_contract_hdr_id',
  supervisor_staff_hdr_id: 'staff_hdr.staff_hdr_id',
  technical_manager_id: 'staff_hdr.staff_hdr_id',
  to_hdr_id: 'to_hdr.to_hdr_id',
} as const satisfies Readonly<Record<string, `${RawTableName}.${string}`>>;

/** The column of a category table that passes a raw column on; preferably of the table that the raw table drives. */
const passedOn = (table: string, column: string): { readonly name: string; readonly one: Column } | undefined => {
  const found = entries.flatMap(({ source, columns }) =>
    Object.entries(columns).flatMap(([name, one]) => {
      const { from = name } = one;
      const isDriving = source.table === table && (from === column || from === `${source.as}.${column}`);
      const isJoined = source.joins.some((join) => join.table === table && from === `${join.as}.${column}`);
      return isDriving ? [{ name, one, rank: 0 }] : isJoined ? [{ name, one, rank: 1 }] : [];
    }),
  );
  return found.sort((a, b) => a.rank - b.rank)[0];
};

const targetOf = (table: string, column: string): RawColumnFacts['references'] => {
  const path = Object.hasOwn(references, column) ? references[column as keyof typeof references] : undefined;
  const [to = '', key = ''] = path?.split('.') ?? [];
  return path === undefined || (to === table && key === column) ? undefined : { table: to as RawTableName, column: key };
};

/** The facts about a column of a raw table of the catalogue. */
export const rawColumnFacts = (table: RawTableName, column: string): RawColumnFacts => {
  const found = passedOn(table, column);
  const passed = found?.one;
  const [meaning = '', example] = ofName[column] ?? [];
  const isKey = (rawTables[table] as RawTable).key === column;
  return {
    meaning: passed?.meaning ?? meaning,
    passedOnAs: found?.name,
    example: passed?.example ?? example,
    lookup: passed ? passed.lookup : unpublishedLookup(column),
    references: isKey ? undefined : targetOf(table, column),
  };
};

/** The codes of the list: `natural, legal`. */
export const codesInWords = (lookup: RawLookupName): string => rawLookups[lookup].map(([code]) => code).join(', ');

/** The meaning of the column, with its codes if no category table shows them. */
export const rawMeaning = (table: RawTableName, column: string): string => {
  const { meaning } = rawColumnFacts(table, column);
  const lookup = unpublishedLookup(column);
  return lookup ? `${meaning}: ${codesInWords(lookup)}` : meaning;
};
