/** Writes offers: the accepted one behind an order, the rivals it beat, and those that nothing has come of yet. */
import type { Creditor } from '../company/creditors.ts';
import type { Site } from '../portfolio/site.ts';
import { type Day, date, dateOrNull } from '../source/calendar.ts';
import { type Cents, euroOrNull, percent, share, vatOn } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import type { Case } from './case.ts';
import { type Order, vatRate } from './order.ts';

type OfferStatus = 'requested' | 'received' | 'under_review' | 'accepted' | 'rejected' | 'expired' | 'withdrawn';

interface Offer {
  readonly status: OfferStatus;
  readonly creditor: Creditor;
  readonly net: Cents;
  readonly report: number | null;
  readonly requested: Day;
  readonly decided: Day | null;
}

/** The offer that became the order; returns its id. */
export const writeAcceptedOffer = (site: Site, one: Case, order: Order, opened: Day, report: number | null) =>
  writeOffer(site, one, {
    status: 'accepted',
    creditor: order.creditor,
    net: order.offered,
    report,
    requested: opened + 1,
    decided: one.day,
  });

/** Offers beside an accepted one were turned down; without an order, age tells how far they have come. */
export const writeRivals = (site: Site, one: Case, order: Order | null, opened: Day, report: number | null): void => {
  const { customer, random } = site;
  for (let i = 0; i < one.rivals; i++) {
    const status = order
      ? random.weighted<OfferStatus>([
          ['rejected', 85],
          ['withdrawn', 8],
          ['expired', 7],
        ])
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
