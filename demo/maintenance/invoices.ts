/** Invoices of an order and what they add up to: closed orders are invoiced and paid in full, others in part or not yet. */
import type { Customer } from '../customer.ts';
import { bookBill } from '../ledger/payables.ts';
import type { Property } from '../portfolio/property.ts';
import { type Day, date, dateOrNull, yearOf } from '../source/calendar.ts';
import { type Cents, euro, share, sum, vatOn } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import type { Order } from './order.ts';

export interface Invoice {
  readonly id: number;
  readonly number: string;
  readonly issued: Day;
  readonly received: Day;
  readonly type: 'single' | 'partial' | 'final';
  readonly net: Cents;
  readonly vat: Cents;
  readonly retention: Cents;
  readonly paid: Cents;
  readonly paidOn: Day | null;
}

interface Claim {
  readonly type: Invoice['type'];
  readonly net: Cents;
  readonly vat: Cents;
  readonly issued: Day;
}

const retentionPercent = 5;

export const drawInvoices = (customer: Customer, random: Random, order: Order): Invoice[] =>
  drawClaims(random, order, customer.volume.settledShare)
    .filter(({ issued }) => issued + 2 < customer.asOf)
    .map((claim) => settle(customer, random, order, claim));

/** Large or slow work is invoiced in two steps; the last VAT takes the rounding, so that the sum is the VAT of the order. */
const drawClaims = (random: Random, { progress, net, vat, project }: Order, settledShare: number): Claim[] => {
  const { status, started, finished, accepted } = progress;
  const first = share(net, random.int(35, 60), 100);
  const partial: Claim = { type: 'partial', net: first, vat: vatOn(first, 19), issued: finished ?? started ?? 0 };
  const wants = random.next();
  if (status === 'closed' || (status === 'accepted' && wants < 0.7 * settledShare)) {
    const issued = accepted! + random.int(1, 8);
    if (!random.chance(project ? 0.6 : 0.12)) return [{ type: 'single', net, vat, issued }];
    return [partial, { type: 'final', net: net - first, vat: vat - partial.vat, issued }];
  }
  const isPartlyBilled = (status === 'executed' && wants < 0.4 * settledShare) || (status === 'in_progress' && project && wants < 0.5);
  return isPartlyBilled ? [partial] : [];
};

/** Payment goes out within three weeks; of orders that are not closed, what falls due after the snapshot is still open. */
const settle = (customer: Customer, random: Random, order: Order, { type, net, vat, issued }: Claim): Invoice => {
  const id = customer.ids.next('order_invoice');
  const retention = order.retentionPercent > 0 ? share(net + vat, retentionPercent, 100) : 0;
  const paidOn = issued + 2 + random.int(8, 18);
  const isPaid = order.progress.status === 'closed' || (paidOn < customer.asOf && random.chance(0.6));
  return {
    id,
    number: `RE-${yearOf(issued) % 100}-${id}`,
    issued,
    received: issued + 2,
    type,
    net,
    vat,
    retention,
    paid: isPaid ? net + vat - retention : 0,
    paidOn: isPaid ? paidOn : null,
  };
};

export const writeInvoices = (customer: Customer, property: Property, order: Order, invoices: readonly Invoice[]): void => {
  for (const invoice of invoices) {
    const document = customer.volume.booksInvoices ? bookInvoice(customer, property, order, invoice) : null;
    customer.batches.put(
      'order_invoice',
      {
        order_invoice_id: invoice.id,
        order_hdr_id: order.id,
        invoice_no: invoice.number,
        invoice_date: date(invoice.issued),
        received_date: date(invoice.received),
        due_date: date(invoice.issued + 30),
        invoice_type_key: invoice.type,
        net_amount: euro(invoice.net),
        vat_amount: euro(invoice.vat),
        gross_amount: euro(invoice.net + invoice.vat),
        retention_amount: euro(invoice.retention),
        paid_amount: euro(invoice.paid),
        payment_date: dateOrNull(invoice.paidOn),
        booking_hdr_id: document,
      },
      invoice.received,
      invoice.paidOn ?? invoice.received,
    );
  }
};

const bookInvoice = (customer: Customer, property: Property, order: Order, invoice: Invoice): number =>
  bookBill(customer, property, {
    creditor: order.creditor,
    costAccount: customer.chart.id(order.topic.costAccount),
    net: invoice.net,
    vat: invoice.vat,
    text: `Rechnung ${invoice.number} zu ${order.number}`,
    externalNumber: invoice.number,
    received: invoice.received,
    due: invoice.issued + 30,
    paid: invoice.paidOn === null ? null : { on: invoice.paidOn, amount: invoice.paid },
    order: order.id,
    cost: {
      cost_center_id: property.maintenanceCostCenter,
      project_hdr_id: order.project?.id ?? null,
      floor_area_id: order.unit?.id ?? null,
    },
  });

export interface Billing {
  readonly count: number;
  readonly net: Cents;
  readonly vat: Cents;
  readonly retention: Cents;
  readonly paid: Cents;
  readonly last: Invoice | null;
  readonly lastPayment: Day | null;
}

export const billingOf = (invoices: readonly Invoice[]): Billing => ({
  count: invoices.length,
  net: sum(invoices.map(({ net }) => net)),
  vat: sum(invoices.map(({ vat }) => vat)),
  retention: sum(invoices.map(({ retention }) => retention)),
  paid: sum(invoices.map(({ paid }) => paid)),
  last: invoices.at(-1) ?? null,
  lastPayment: invoices.reduce<Day | null>((latest, { paidOn }) => (paidOn !== null && paidOn > (latest ?? 0) ? paidOn : latest), null),
});
