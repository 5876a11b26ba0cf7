/** Writes notification, offers, order and invoices of each case of a property, by date. */
import type { Company } from '../company/company.ts';
import type { Tenancy } from '../lettings/tenancy.ts';
import type { Person } from '../people.ts';
import { type Property, type Site, siteOf, type Unit } from '../portfolio/property.ts';
import type { ServiceContract } from '../portfolio/services.ts';
import type { Random } from '../random.ts';
import type { PropertyCounts } from '../scale.ts';
import { type Day, date, dateOrNull, euro, percent, vatRate } from '../values.ts';
import { type Case, longestTender, planCases, type Stock } from './cases.ts';
import { type Billing, billingOf, drawInvoices, drawOrder, type Order, writeInvoices } from './orders.ts';
import type { OrderSums, Project } from './projects.ts';
import { writeAcceptedOffer, writeNotification, writeRivals } from './requests.ts';

interface Works {
  /** The order that refurbishes the unit of an ended tenancy. */
  readonly refurbishments: ReadonlyMap<Tenancy, number>;
  /** The latest order of each project. */
  readonly projectOrders: ReadonlyMap<Project, number>;
}

export const writeWorks = (
  customer: Company,
  property: Property,
  stock: Stock,
  contracts: readonly ServiceContract[],
  counts: PropertyCounts,
): Works => {
  const site = siteOf(customer, property, 'works');
  const { random } = site;
  const refurbishments = new Map<Tenancy, number>();
  const projectOrders = new Map<Project, number>();
  const flats = { ...stock, units: stock.units.filter((unit) => !unit.isParking && !unit.isRetired) };
  for (const one of planCases(customer, random, flats, counts)) {
    const opened = one.day - leadOf(random, one);
    const resident = tenantAt(stock.tenancies, one.unit, opened);
    const order = writeCase(site, one, opened, resident, contracts);
    if (order && one.vacated) refurbishments.set(one.vacated, order.id);
    if (order?.project) projectOrders.set(order.project, order.id);
  }
  return { refurbishments, projectOrders };
};

/** Days from the notification to the order. Tenders take two weeks or more. */
const leadOf = (random: Random, { isTendered, isOrdered }: Case): number => {
  if (isTendered) return random.int(14, longestTender);
  return isOrdered ? random.int(0, 4) : 0;
};

const tenantAt = (tenancies: readonly Tenancy[], at: Unit | null, day: Day): Tenancy | null =>
  tenancies.find(({ unit, start, end }) => unit === at && start <= day && (end === null || end >= day)) ?? null;

const writeCase = (site: Site, one: Case, opened: Day, resident: Tenancy | null, contracts: readonly ServiceContract[]): Order | null => {
  const { customer, property, random } = site;
  const order = one.isOrdered ? drawOrder(customer, random, one) : null;
  const report = one.isReported ? writeNotification(site, one, order, opened, resident) : null;
  const offer = order && one.isTendered ? writeAcceptedOffer(site, one, order, opened, report) : null;
  writeRivals(site, one, order, opened, report);
  if (!order) return null;
  const invoices = drawInvoices(customer, random, order);
  const billing = billingOf(invoices);
  const contract = one.isReported || one.project ? undefined : contracts.find(({ trade }) => trade === order.topic.trade);
  const links = { offer, report, serviceContract: contract?.id ?? null, contact: resident?.person ?? null };
  writeOrder(site, order, billing, links);
  writeInvoices(customer, property, order, invoices);
  if (order.project) count(order.project.tally, order, billing, offer);
  return order;
};

const count = (tally: OrderSums, order: Order, billing: Billing, offer: number | null): void => {
  tally.offer ??= offer;
  if (isDropped(order)) return;
  tally.creditor ??= order.creditor.id;
  tally.orders++;
  tally.orderedNet += order.net;
  tally.orderedGross += order.net + order.vat;
  tally.invoicedNet += billing.net;
  tally.invoicedGross += billing.net + billing.vat;
  tally.paid += billing.paid;
  tally.remainingNet += remainingNet(order, billing);
};

interface OrderLinks {
  readonly offer: number | null;
  readonly report: number | null;
  readonly serviceContract: number | null;
  /** The person who gives access. */
  readonly contact: Person | null;
}

const writeOrder = ({ customer, property, random }: Site, order: Order, billing: Billing, links: OrderLinks): void => {
  const { progress, topic, project, net, vat, offered } = order;
  const { contact } = links;
  const closed = progress.status === 'closed' ? (billing.lastPayment ?? progress.accepted!) + random.int(0, 3) : null;
  const touched = closed ?? billing.lastPayment ?? billing.last?.received ?? progress.accepted ?? progress.started ?? progress.ordered;
  const gross = billing.net + billing.vat;
  const remaining = remainingNet(order, billing);
  const levels = project?.hierarchy ?? ['Instandhaltung', property.place.city];
  customer.batches.put(
    'order_hdr',
    {
      order_hdr_id: order.id,
      property_id: property.id,
      offer_hdr_id: links.offer,
      creditor_no: order.creditor.number,
      to_hdr_id: order.equipment?.id ?? null,
      report_hdr_id: links.report,
      order_type_key: topic.orderType,
      cost_center_id: property.maintenanceCostCenter,
      order_no: order.number,
      project_hdr_id: project?.id ?? null,
      service_contract_hdr_id: links.serviceContract,
      floor_area_id: order.unit?.id ?? null,
      cost_account_id: customer.chart.id(topic.costAccount),
      subject: topic.subject,
      description: topic.description,
      status_key: progress.status,
      trade_key: topic.trade,
      is_insurance_claim: topic.orderType === 'insurance_damage',
      contact_name: contact?.name ?? null,
      contact_phone: contact?.phone ?? null,
      contact_email: contact?.email ?? null,
      priority_key: topic.isWinter ? random.pick(['high', 'high', 'critical', 'normal']) : random.pick(['low', 'normal', 'normal', 'high']),
      responsible_employee_id: property.technician,
      approved_by_employee_id: progress.approved === null ? null : customer.staff.approverOf(net, property.technician, random),
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
      total_net: euro(net),
      total_vat: euro(vat),
      total_gross: euro(net + vat),
      vat_rate: percent(vatRate),
      estimated_net: euro(Math.round(offered / 5000) * 5000),
      supplement_net: euro(order.supplement),
      retention_percent: percent(order.retentionPercent),
      allocable_percent: topic.orderType === 'maintenance' ? '100.00' : '0.00',
      invoice_status_key: invoiceStatus(billing, remaining),
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
      hierarchy_1: levels[0] ?? null,
      hierarchy_2: levels[1] ?? null,
      hierarchy_3: levels[2] ?? null,
      hierarchy_4: levels[3] ?? null,
      hierarchy_5: levels[4] ?? null,
    },
    progress.ordered,
    touched,
  );
};

/** Rejected and cancelled orders have no further steps. */
const isDropped = ({ progress: { status } }: Order): boolean => status === 'rejected' || status === 'cancelled';

const remainingNet = (order: Order, billing: Billing): number => (isDropped(order) ? 0 : order.net - billing.net);

const invoiceStatus = ({ count, net, vat, retention, paid }: Billing, remaining: number): string => {
  if (count === 0) return 'not_invoiced';
  if (remaining > 0) return 'partially_invoiced';
  return net + vat - retention - paid > 0 ? 'fully_invoiced' : 'paid';
};
