/** An order before its row is written: its value, creditor, progress and invoices. */
import type { Company } from '../company/company.ts';
import type { Creditor } from '../company/partners.ts';
import { bookBill } from '../ledger/payables.ts';
import type { Property } from '../portfolio/property.ts';
import type { Random } from '../random.ts';
import { addMonths, type Cents, type Day, date, dateOrNull, euro, share, sum, vatOn, vatRate, yearOf } from '../values.ts';
import type { Case } from './cases.ts';

export interface Order extends Pick<Case, 'topic' | 'unit' | 'equipment' | 'project'> {
  readonly id: number;
  readonly number: string;
  readonly progress: Progress;
  readonly creditor: Creditor;
  /** The value of the accepted offer, or the estimate. With the supplement it is the net total. */
  readonly offered: Cents;
  readonly supplement: Cents;
  readonly net: Cents;
  readonly vat: Cents;
  readonly retentionPercent: number;
}

export const drawOrder = (customer: Company, random: Random, one: Case): Order => {
  const { topic, unit, equipment, project } = one;
  const id = customer.ids.next('order_hdr');
  const offered = drawValue(random, one);
  const supplement = random.chance(one.isTendered ? 0.12 : 0.02) ? share(offered, random.int(5, 25), 100) : 0;
  const net = offered + supplement;
  return {
    id,
    number: `AU-${date(one.day).slice(0, 4)}-${id}`,
    topic,
    unit,
    equipment,
    project,
    progress: drawProgress(random, one.day, customer.asOf, customer.volume.settledShare),
    creditor: customer.creditors.pick(topic.trade, random),
    offered,
    supplement,
    net,
    vat: vatOn(net, vatRate),
    retentionPercent: project ? 5 : 0,
  };
};

/** Small jobs are far more frequent than expensive ones. Project work uses a part of its budget. */
const drawValue = (random: Random, { topic, project }: Case): Cents => {
  if (project) return share(project.budgetNet, random.int(8, 24), 100);
  const [low, high] = topic.price;
  return Math.round((low + (high - low) * random.next() ** 2.2) * 100);
};

type OrderStatus = 'new' | 'in_approval' | 'approved' | 'in_progress' | 'executed' | 'accepted' | 'closed' | 'rejected' | 'cancelled';

/** The progress of an order: old orders are closed, recent ones are waiting or active, and the dates follow the process. */
export interface Progress {
  readonly status: OrderStatus;
  readonly ordered: Day;
  readonly approved: Day | null;
  readonly sent: Day | null;
  readonly plannedStart: Day;
  readonly plannedEnd: Day;
  readonly started: Day | null;
  readonly finished: Day | null;
  readonly accepted: Day | null;
  readonly warrantyEnds: Day | null;
}

/** The possible states by age in days. An order needs at most 18 days to its acceptance and 50 to be closed. */
const stagesByAge: readonly (readonly [upTo: number, Readonly<Partial<Record<OrderStatus, number>>>])[] = [
  [4, { new: 50, in_approval: 38, approved: 12 }],
  [19, { approved: 38, in_progress: 34, in_approval: 16, rejected: 6, cancelled: 6 }],
  [60, { in_progress: 30, executed: 36, accepted: 20, approved: 8, cancelled: 4, rejected: 2 }],
];

const drawStatus = (random: Random, age: number, settledShare: number): OrderStatus => {
  for (const [upTo, stages] of stagesByAge) if (age <= upTo) return random.weighted(stages);
  if (random.chance(0.035)) return 'cancelled';
  if (random.chance(0.02)) return 'rejected';
  return random.chance(settledShare) ? 'closed' : 'accepted';
};

const stages: readonly OrderStatus[] = ['in_progress', 'executed', 'accepted', 'closed'];
const unapproved: readonly OrderStatus[] = ['new', 'in_approval', 'rejected'];

const drawProgress = (random: Random, ordered: Day, asOf: Day, settledShare: number): Progress => {
  const status = drawStatus(random, asOf - ordered, settledShare);
  const approved = ordered + random.int(0, 1);
  const sent = approved + random.int(0, 1);
  const started = sent + random.int(1, 8);
  const finished = started + random.int(0, 4);
  const accepted = finished + random.int(0, 4);
  const isApproved = !unapproved.includes(status);
  const stage = stages.indexOf(status);
  return {
    status,
    ordered,
    approved: isApproved ? Math.min(approved, asOf) : null,
    sent: isApproved && status !== 'cancelled' ? Math.min(sent, asOf) : null,
    plannedStart: started - random.int(0, 1),
    plannedEnd: finished + random.int(0, 3),
    // Active work began by yesterday, whatever the age of the order.
    started: stage >= 0 ? Math.max(sent, Math.min(started, asOf - 1)) : null,
    finished: stage >= 1 ? finished : null,
    accepted: stage >= 2 ? accepted : null,
    warrantyEnds: stage >= 2 ? addMonths(accepted, 48) : null,
  };
};

interface Invoice {
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

type Claim = Pick<Invoice, 'type' | 'net' | 'vat' | 'issued'>;

const retentionPercent = 5;

export const drawInvoices = (customer: Company, random: Random, order: Order): Invoice[] =>
  drawClaims(random, order, customer.volume.settledShare)
    .filter(({ issued }) => issued + 2 < customer.asOf)
    .map((claim) => settle(customer, random, order, claim));

/** Large or slow work is invoiced in two steps. The last VAT contains the rounding difference, so that the sum is the VAT of the order. */
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

/** Payment follows within three weeks. For orders that are not closed, amounts due after the snapshot are open. */
const settle = (customer: Company, random: Random, order: Order, { type, net, vat, issued }: Claim): Invoice => {
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

export const writeInvoices = (customer: Company, property: Property, order: Order, invoices: readonly Invoice[]): void => {
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

const bookInvoice = (customer: Company, property: Property, order: Order, invoice: Invoice): number =>
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
