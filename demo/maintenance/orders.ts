/** Writes order rows: identity, process dates, amounts with what was invoiced, and the cost hierarchy. */
import type { Customer } from '../customer.ts';
import type { Property } from '../portfolio/property.ts';
import type { Site } from '../portfolio/site.ts';
import { type Day, date, dateOrNull } from '../source/calendar.ts';
import { euro, percent } from '../source/money.ts';
import type { Person } from '../source/people.ts';
import type { Columns } from '../writer/batches.ts';
import type { Billing } from './invoices.ts';
import { type Order, vatRate } from './order.ts';
import type { Progress } from './progress.ts';

export interface OrderLinks {
  readonly offer: number | null;
  readonly report: number | null;
  readonly serviceContract: number | null;
  /** Who opens the door. */
  readonly contact: Person | null;
}

export const writeOrder = (site: Site, order: Order, billing: Billing, links: OrderLinks): void => {
  const { customer, property, random } = site;
  const { progress } = order;
  const closed = progress.status === 'closed' ? (billing.lastPayment ?? progress.accepted!) + random.int(0, 3) : null;
  const touched = closed ?? billing.lastPayment ?? billing.last?.received ?? progress.accepted ?? progress.started ?? progress.ordered;
  customer.batches.put(
    'order_hdr',
    identityColumns(customer, property, order, links),
    progress.ordered,
    touched,
    staffColumns(site, order),
    dateColumns(progress, closed),
    valueColumns(order),
    billingColumns(order, billing),
    hierarchyColumns(property, order),
  );
};

const identityColumns = ({ chart }: Customer, property: Property, order: Order, links: OrderLinks) =>
  ({
    order_hdr_id: order.id,
    property_id: property.id,
    offer_hdr_id: links.offer,
    creditor_no: order.creditor.number,
    to_hdr_id: order.equipment?.id ?? null,
    report_hdr_id: links.report,
    order_type_key: order.topic.orderType,
    cost_center_id: property.maintenanceCostCenter,
    order_no: order.number,
    project_hdr_id: order.project?.id ?? null,
    service_contract_hdr_id: links.serviceContract,
    floor_area_id: order.unit?.id ?? null,
    cost_account_id: chart.id(order.topic.costAccount),
    subject: order.topic.subject,
    description: order.topic.description,
    status_key: order.progress.status,
    trade_key: order.topic.trade,
    is_insurance_claim: order.topic.orderType === 'insurance_damage',
    contact_name: links.contact?.name ?? null,
    contact_phone: links.contact?.phone ?? null,
    contact_email: links.contact?.email ?? null,
  }) satisfies Columns<'order_hdr'>;

const staffColumns = ({ customer: { staff }, property, random }: Site, { progress, net, topic }: Order) =>
  ({
    priority_key: topic.isWinter ? random.pick(['high', 'high', 'critical', 'normal']) : random.pick(['low', 'normal', 'normal', 'high']),
    responsible_employee_id: property.technician,
    approved_by_employee_id: progress.approved === null ? null : staff.approverOf(net, property.technician, random),
  }) satisfies Columns<'order_hdr'>;

const dateColumns = (progress: Progress, closed: Day | null) =>
  ({
    order_date: date(progress.ordered),
    approval_date: dateOrNull(progress.approved),
    sent_date: dateOrNull(progress.sent),
    planned_start_date: date(progress.plannedStart),
    planned_end_date: date(progress.plannedEnd),
    execution_start_date: dateOrNull(progress.started),
    execution_end_date: dateOrNull(progress.finished),
    acceptance_date: dateOrNull(progress.accepted),
    warranty_end_date: dateOrNull(progress.warrantyEnds),
    closed_date: dateOrNull(closed),
  }) satisfies Columns<'order_hdr'>;

const valueColumns = ({ net, vat, offered, supplement, retentionPercent, topic }: Order) =>
  ({
    total_net: euro(net),
    total_vat: euro(vat),
    total_gross: euro(net + vat),
    vat_rate: percent(vatRate),
    estimated_net: euro(Math.round(offered / 5000) * 5000),
    supplement_net: euro(supplement),
    retention_percent: percent(retentionPercent),
    allocable_percent: topic.orderType === 'maintenance' ? '100.00' : '0.00',
  }) satisfies Columns<'order_hdr'>;

const billingColumns = (order: Order, billing: Billing) => {
  const gross = billing.net + billing.vat;
  const remaining = remainingNet(order, billing);
  const open = gross - billing.retention - billing.paid;
  return {
    invoice_status_key: invoiceStatus(billing.count, remaining, open),
    retention_amount: euro(billing.retention),
    invoice_count: billing.count,
    invoiced_net: euro(billing.net),
    invoiced_vat: euro(billing.vat),
    invoiced_gross: euro(gross),
    paid_amount: euro(billing.paid),
    remaining_net: euro(remaining),
    last_invoice_number: billing.last?.number ?? null,
    last_invoice_date: dateOrNull(billing.last?.issued ?? null),
    last_payment_date: dateOrNull(billing.lastPayment),
  } satisfies Columns<'order_hdr'>;
};

/** Nothing more will come of what was rejected or cancelled. */
export const isDropped = ({ progress: { status } }: Order): boolean => status === 'rejected' || status === 'cancelled';
export const remainingNet = (order: Order, billing: Billing): number => (isDropped(order) ? 0 : order.net - billing.net);

const invoiceStatus = (count: number, remaining: number, open: number): string => {
  if (count === 0) return 'not_invoiced';
  if (remaining > 0) return 'partially_invoiced';
  return open > 0 ? 'fully_invoiced' : 'paid';
};

const hierarchyColumns = (property: Property, { project }: Order) => {
  const levels = project?.hierarchy ?? ['Instandhaltung', property.place.city];
  return {
    hierarchy_1: levels[0] ?? null,
    hierarchy_2: levels[1] ?? null,
    hierarchy_3: levels[2] ?? null,
    hierarchy_4: levels[3] ?? null,
    hierarchy_5: levels[4] ?? null,
  } satisfies Columns<'order_hdr'>;
};
