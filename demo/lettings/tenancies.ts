/** Plans the tenancies of a property, unit by unit, each with its tenant; rows are written once bookings have set the balances. */
import type { Customer } from '../customer.ts';
import type { Property } from '../portfolio/property.ts';
import { type Site, siteOf } from '../portfolio/site.ts';
import type { Unit } from '../portfolio/units.ts';
import type { Day } from '../source/calendar.ts';
import { drawFirm } from '../source/names.ts';
import { type Address, drawAddress, type Person, writeFirm, writeHuman } from '../source/people.ts';
import { places } from '../source/places.ts';
import { planDebits } from './debits.ts';
import { drawIndexClause } from './index-clause.ts';
import { drawPeriods, type Period } from './periods.ts';
import type { Tenancy, TenancyStatus, TenantKind } from './tenancy.ts';

export const planTenancies = (customer: Customer, property: Property, units: readonly Unit[]): Tenancy[] => {
  const site = siteOf(customer, property, 'lettings');
  return units
    .filter((unit) => unit.letWith === null && !unit.isRetired)
    .flatMap((unit) => {
      const extras = units.filter(({ letWith }) => letWith === unit);
      return planSuccession(site, unit, extras);
    });
};

/** The tenancies of one unit in their order, linked to each other. */
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

/** Tenants live where they rent; once gone they are reached elsewhere. */
const drawTenant = ({ customer, property, random }: Site, unit: Unit, status: TenancyStatus, signed: Day): Person => {
  const rented: Address = { street: property.street, houseNo: unit.building.houseNo, place: property.place };
  const hasLeft = status === 'former' || status === 'future' || unit.isParking;
  const address = hasLeft ? drawAddress(random, random.chance(0.6) ? property.place : random.pick(places)) : rented;
  return unit.isCommercial
    ? writeFirm(customer, drawFirm(random, 'tenant'), address, signed)
    : writeHuman(customer, random, address, signed);
};
