/** Works through the cases of a property by date, writing notification, offers, order and invoices of each. */
import type { Customer } from '../customer.ts';
import type { Tenancy } from '../lettings/tenancy.ts';
import type { Property } from '../portfolio/property.ts';
import type { ServiceContract } from '../portfolio/services.ts';
import { type Site, siteOf } from '../portfolio/site.ts';
import type { Unit } from '../portfolio/units.ts';
import type { PropertyCounts } from '../scale.ts';
import type { Day } from '../source/calendar.ts';
import type { Random } from '../source/random.ts';
import { type Case, longestTender, planCases, type Stock } from './case.ts';
import { type Billing, billingOf, drawInvoices, writeInvoices } from './invoices.ts';
import { writeNotification } from './notifications.ts';
import { writeAcceptedOffer, writeRivals } from './offers.ts';
import { drawOrder, type Order } from './order.ts';
import { isDropped, remainingNet, writeOrder } from './orders.ts';
import type { Project, Tally } from './project.ts';

export interface Works {
  /** The order that refurbishes the unit of an ended tenancy. */
  readonly refurbishments: ReadonlyMap<Tenancy, number>;
  /** The latest order of each project. */
  readonly projectOrders: ReadonlyMap<Project, number>;
}

export const writeWorks = (
  customer: Customer,
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

/** Days from the first word to the order: tenders take two weeks and more. */
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

const count = (tally: Tally, order: Order, billing: Billing, offer: number | null): void => {
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
