/** Invoices of creditors and their payment: those of work orders, and half-yearly ones of service contracts. */
import type { Company } from '../company/company.ts';
import type { Creditor } from '../company/partners.ts';
import type { Property } from '../portfolio/property.ts';
import type { ServiceContract } from '../portfolio/services.ts';
import { addMonths, type Cents, type Day, date, equalParts, firstOf, monthInYear, vatOn } from '../values.ts';
import { cleared, type Line, type Position, transfer } from './journal.ts';

interface Payment {
  readonly on: Day;
  readonly amount: Cents;
}

export interface Bill {
  readonly creditor: Creditor;
  readonly costAccount: number;
  readonly net: Cents;
  readonly vat: Cents;
  readonly text: string;
  readonly externalNumber: string;
  readonly received: Day;
  readonly due: Day;
  readonly paid: Payment | null;
  readonly order: number | null;
  readonly cost: Position;
}

/** Books invoice and payment. Returns the id of the invoice document. */
export const bookBill = (customer: Company, property: Property, bill: Bill): number => {
  const clearing = cleared(`AZ-${bill.externalNumber}`, bill.paid?.on ?? null);
  const payable: Line = {
    account: bill.creditor.number,
    side: 'credit',
    amount: bill.net + bill.vat,
    more: { contra_account_id: bill.costAccount, ...clearing },
  };
  const references = { account_id: bill.creditor.number, creditor_id: bill.creditor.id, order_id: bill.order };
  const id = customer.journal.book(property, {
    type: 'incoming_invoice',
    date: bill.received,
    lines: [...costLines(customer, property, bill), payable],
    text: bill.text,
    more: { ...references, due_date: date(bill.due), external_document_number: bill.externalNumber },
  });
  if (bill.paid) bookOutgoing(customer, property, bill, bill.paid, clearing);
  return id;
};

/** Commercial property deducts input VAT. For housing it is a cost. */
const costLines = ({ chart }: Company, property: Property, { creditor, costAccount, net, vat, order, cost }: Bill): Line[] => {
  const more = { contra_account_id: creditor.number, order_id: order, is_allocable: false, ...cost };
  if (property.kind !== 'commercial') return [{ account: costAccount, side: 'debit', amount: net + vat, more }];
  // The last of several invoices contains the rounding difference. Its VAT line then has no base.
  const rated = vat === vatOn(net, 19) ? { vat: { code: 'V19', rate: 19, base: net } as const } : {};
  const input: Line = {
    account: chart.id('255100'),
    side: 'debit',
    amount: vat,
    ...rated,
    more: { contra_account_id: creditor.number },
  };
  return [{ account: costAccount, side: 'debit', amount: net, more }, input];
};

const bookOutgoing = (customer: Company, property: Property, bill: Bill, { on, amount }: Payment, clearing: Position): void => {
  const { id, number } = bill.creditor;
  customer.journal.book(property, {
    type: 'outgoing_payment',
    date: on,
    lines: transfer(number, customer.chart.id('274100'), amount, clearing),
    text: `Zahlung ${bill.externalNumber}`,
    more: { account_id: number, creditor_id: id },
  });
};

const billingMonths = [3, 9];

export const bookServiceBills = (customer: Company, property: Property, contracts: readonly ServiceContract[]): void => {
  for (let month = customer.bookingsFrom; firstOf(month) <= customer.asOf; month++) {
    if (!billingMonths.includes(monthInYear(month))) continue;
    const received = firstOf(month) + 9;
    for (const contract of contracts) {
      const runs = contract.start <= received && (contract.end === null || contract.end >= received);
      if (runs && contract.status !== 'draft' && received <= customer.asOf) bookServiceBill(customer, property, contract, received);
    }
  }
};

const bookServiceBill = (customer: Company, property: Property, contract: ServiceContract, received: Day): void => {
  const net = equalParts(contract.annualNet, 2)[0]!;
  const vat = vatOn(net, contract.vatRate);
  const paidOn = received + 20;
  bookBill(customer, property, {
    creditor: contract.creditor,
    costAccount: customer.chart.id(contract.costAccount),
    net,
    vat,
    text: contract.description,
    externalNumber: `${contract.number}-${date(received).slice(0, 7)}`,
    received,
    due: received + 30,
    paid: paidOn <= customer.asOf ? { on: paidOn, amount: net + vat } : null,
    order: null,
    cost: {
      cost_center_id: property.operatingCostCenter,
      is_allocable: true,
      service_period_from: date(received - 9),
      service_period_to: date(addMonths(received - 9, 6) - 1),
    },
  });
};
