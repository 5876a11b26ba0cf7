/** Writes the documents before an order: its notification, its accepted offer, and the rejected offers. */
import type { Creditor } from '../company/partners.ts';
import type { Tenancy } from '../lettings/tenancy.ts';
import type { Site } from '../portfolio/property.ts';
import type { Random } from '../random.ts';
import { type Cents, type Day, date, dateOrNull, euroOrNull, percent, share, vatOn, vatRate } from '../values.ts';
import type { Case } from './cases.ts';
import type { Order } from './orders.ts';

type NotificationStatus = 'new' | 'in_progress' | 'ordered' | 'on_hold' | 'completed' | 'cancelled';

const daysToAct = { low: 30, normal: 14, high: 5, critical: 1 } as const;
type Priority = keyof typeof daysToAct;

/** Writes the notification of a case and returns its id. `reporter` is the tenant of the unit, if there was one. */
export const writeNotification = (
  { customer, property, random }: Site,
  one: Case,
  order: Order | null,
  opened: Day,
  reporter: Tenancy | null,
): number => {
  const id = customer.ids.next('report_hdr');
  const { topic } = one;
  const status = order ? statusAfter(order) : statusByAge(random, customer.asOf - opened);
  const completed = status === 'completed' ? (order?.progress.accepted ?? Math.min(opened + random.int(1, 25), customer.asOf - 1)) : null;
  const priority: Priority = topic.isWinter
    ? random.pick(['high', 'critical', 'normal'] as const)
    : random.pick(['low', 'normal', 'normal', 'high'] as const);
  customer.batches.put(
    'report_hdr',
    {
      report_hdr_id: id,
      property_id: property.id,
      to_hdr_id: one.equipment?.id ?? null,
      person_id: reporter?.person.id ?? null,
      report_type_key: topic.reportType,
      status_key: status,
      priority_key: priority,
      report_date: date(opened),
      report_no: `ME-${date(opened).slice(0, 4)}-${id}`,
      subject: topic.subject,
      description: random.chance(0.7) ? `${topic.subject}: ${topic.description}` : null,
      reporter_type_key: reporter ? (reporter.kind === 'owner_user' ? 'owner' : 'tenant') : random.pick(['employee', 'creditor']),
      floor_area_id: one.unit?.id ?? null,
      responsible_employee_id: property.technician,
      due_date: date(opened + daysToAct[priority]),
      completed_date: dateOrNull(completed),
      is_insurance_claim: topic.orderType === 'insurance_damage',
    },
    opened,
    completed ?? order?.progress.ordered ?? opened,
  );
  return id;
};

const statusAfter = ({ progress: { status } }: Order): NotificationStatus => {
  if (status === 'closed' || status === 'accepted') return 'completed';
  if (status === 'rejected' || status === 'cancelled') return 'cancelled';
  return status === 'new' || status === 'in_approval' ? 'in_progress' : 'ordered';
};

const statusByAge = (random: Random, age: number): NotificationStatus => {
  if (age <= 3) return 'new';
  return random.weighted<NotificationStatus>(
    age <= 30 ? { new: 25, in_progress: 45, completed: 25, on_hold: 5 } : { completed: 88, cancelled: 8, on_hold: 3, in_progress: 1 },
  );
};

type OfferStatus = 'requested' | 'received' | 'under_review' | 'accepted' | 'rejected' | 'expired' | 'withdrawn';

interface Offer {
  readonly status: OfferStatus;
  readonly creditor: Creditor;
  readonly net: Cents;
  readonly report: number | null;
  readonly requested: Day;
  readonly decided: Day | null;
}

/** The offer that became the order. Returns its id. */
export const writeAcceptedOffer = (site: Site, one: Case, order: Order, opened: Day, report: number | null) =>
  writeOffer(site, one, {
    status: 'accepted',
    creditor: order.creditor,
    net: order.offered,
    report,
    requested: opened + 1,
    decided: one.day,
  });

/** Offers next to an accepted one were rejected. Without an order, the state depends on the age. */
export const writeRivals = (site: Site, one: Case, order: Order | null, opened: Day, report: number | null): void => {
  const { customer, random } = site;
  for (let i = 0; i < one.rivals; i++) {
    const status = order
      ? random.weighted<OfferStatus>({ rejected: 85, withdrawn: 8, expired: 7 })
      : openStatus(random, customer.asOf - opened);
    const [low, high] = one.topic.price;
    writeOffer(site, one, {
      status,
      creditor: customer.creditors.pick(one.topic.trade, random),
      net: order ? share(order.offered, random.int(103, 140), 100) : random.int(low, high) * 100,
      report,
      requested: opened + 1,
      decided: status === 'rejected' ? (order ? one.day : opened + 30) : null,
    });
  }
};

const openStatus = (random: Random, age: number): OfferStatus => {
  if (age < 10) return 'requested';
  if (age < 45) return random.pick(['received', 'under_review', 'requested'] as const);
  return random.pick(['expired', 'expired', 'withdrawn', 'rejected'] as const);
};

const writeOffer = ({ customer, property, random }: Site, one: Case, offer: Offer): number => {
  const id = customer.ids.next('offer_hdr');
  const isPriced = offer.status !== 'requested';
  const offered = isPriced ? offer.requested + random.int(3, 8) : null;
  customer.batches.put(
    'offer_hdr',
    {
      offer_hdr_id: id,
      property_id: property.id,
      creditor_id: offer.creditor.id,
      floor_area_id: one.unit?.id ?? null,
      offer_type_key: one.project
        ? random.pick(['unit_price', 'fixed_price'])
        : random.pick(['fixed_price', 'fixed_price', 'time_and_material']),
      status_key: offer.status,
      is_accepted: offer.status === 'accepted',
      offer_no: `AN-${date(offer.requested).slice(0, 4)}-${id}`,
      report_hdr_id: offer.report,
      trade_key: one.topic.trade,
      subject: one.topic.subject,
      request_date: date(offer.requested),
      offer_date: dateOrNull(offered),
      valid_until: dateOrNull(offered === null ? null : offered + 60),
      decision_date: dateOrNull(offer.decided),
      net_value: euroOrNull(isPriced ? offer.net : null),
      vat_rate: isPriced ? percent(vatRate) : null,
      gross_value: euroOrNull(isPriced ? offer.net + vatOn(offer.net, vatRate) : null),
    },
    offer.requested,
    offer.decided ?? offered ?? offer.requested,
  );
  return id;
};
