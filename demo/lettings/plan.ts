/**
 * Plans the tenancies of a property by unit, each with its tenant. Periods are drawn month by month, with gaps for about four percent
 * vacancy. Rows are written after postings have determined the balances.
 */
import type { Company } from '../company/company.ts';
import { places, tenantFirms } from '../data/names.ts';
import { type Address, drawAddress, drawFirm, type Person, writeFirm, writeHuman } from '../people.ts';
import { type Property, type Site, siteOf, type Unit } from '../portfolio/property.ts';
import type { Random } from '../random.ts';
import { type Day, firstOf, lastOf, type Month, monthOf } from '../values.ts';
import { planDebits } from './debits.ts';
import { drawIndexClause } from './index-clause.ts';
import type { Period, Tenancy, TenancyStatus, TenantKind } from './tenancy.ts';

export const planTenancies = (customer: Company, property: Property, units: readonly Unit[]): Tenancy[] => {
  const site = siteOf(customer, property, 'lettings');
  return units
    .filter((unit) => unit.letWith === null && !unit.isRetired)
    .flatMap((unit) => {
      const extras = units.filter(({ letWith }) => letWith === unit);
      return planSuccession(site, unit, extras);
    });
};

/** The linked tenancies of one unit, in order. */
const planSuccession = (site: Site, unit: Unit, extras: readonly Unit[]): Tenancy[] => {
  const { customer, property, random } = site;
  const isOwned = unit.ownership !== null;
  const periods = isOwned ? [{ start: property.since, end: null }] : drawPeriods(customer, random, property.since);
  const tenancies = periods.map((period, i) => planTenancy(site, unit, extras, period, i));
  tenancies.forEach((tenancy, i) => {
    tenancy.next = tenancies[i + 1] ?? null;
  });
  return tenancies;
};

const planTenancy = (site: Site, unit: Unit, extras: readonly Unit[], period: Period, index: number): Tenancy => {
  const { customer, random } = site;
  const signed = Math.min(period.start - random.int(14, 75), customer.asOf - 1);
  const clause = drawIndexClause(customer, random, unit, period);
  const kind = kindOf(unit);
  const status = statusOn(customer.asOf, period);
  return {
    id: customer.ids.next('tenancy_hdr'),
    account: customer.ids.next('account'),
    contractNumber: `${unit.id}-${String(index + 1).padStart(2, '0')}`,
    person: drawTenant(site, unit, status, signed),
    unit,
    extras,
    kind,
    status,
    signed,
    start: period.start,
    end: period.end,
    deposit: unit.ownership || unit.isParking ? 0 : unit.rent * 3,
    debits: planDebits(customer, random, { unit, extras, kind, clause, period }),
    clause,
    next: null,
    balance: 0,
  };
};

const kindOf = (unit: Unit): TenantKind => {
  if (unit.ownership) return 'owner_user';
  if (unit.isParking) return 'parking';
  if (unit.isCommercial) return 'commercial';
  return unit.isRentControlled ? 'subsidised' : 'residential';
};

const statusOn = (asOf: Day, { start, end }: Period): TenancyStatus => {
  if (start > asOf) return 'future';
  if (end === null) return 'active';
  return end < asOf ? 'former' : 'terminated';
};

/** Tenants live in their unit, and have another address afterwards. */
const drawTenant = ({ customer, property, random }: Site, unit: Unit, status: TenancyStatus, signed: Day): Person => {
  const rented: Address = { street: property.street, houseNo: unit.building.houseNo, place: property.place };
  const hasLeft = status === 'former' || status === 'future' || unit.isParking;
  const address = hasLeft ? drawAddress(random, random.chance(0.6) ? property.place : random.pick(places)) : rented;
  return unit.isCommercial
    ? writeFirm(customer, drawFirm(random, tenantFirms), address, signed)
    : writeHuman(customer, random, address, signed);
};

const monthlyTurnover = 0.1 / 12;
/** Notices are known and successors signed up to three months in advance. */
const monthsAhead = 3;
const shortestMonths = 11;
const neverLet = 0.018;

const drawPeriods = (customer: Company, random: Random, since: Day): Period[] => {
  if (random.chance(neverLet)) return [];
  const horizon = monthOf(customer.asOf) + monthsAhead;
  const from = monthOf(customer.lettingsFrom);
  const periods: Period[] = [];
  let start = firstTenancy(random, monthOf(since), from);
  while (start <= horizon) {
    const end = drawEnd(random, Math.max(start + shortestMonths, from));
    const isOpen = end > horizon || firstOf(start) > customer.asOf;
    periods.push({ start: firstOf(start), end: isOpen ? null : lastOf(end) });
    if (isOpen) break;
    start = end + 1 + drawGap(random);
  }
  return periods;
};

/** Later starts are more likely than earlier ones, because people move. */
const firstTenancy = (random: Random, since: Month, from: Month): Month =>
  since + Math.floor(Math.max(random.next(), random.next()) * (from - since));

/** Geometric: every month has the same probability of being the last. */
const drawEnd = (random: Random, earliest: Month): Month =>
  earliest + Math.floor(Math.log(1 - random.next()) / Math.log(1 - monthlyTurnover));

const drawGap = (random: Random): number => {
  const kind = random.next();
  if (kind < 0.5) return 0;
  return kind < 0.7 ? random.int(1, 2) : random.int(3, 20);
};
