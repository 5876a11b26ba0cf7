/**
 * A case is one matter: a notification, an order, or an order that follows a notification, with the offers for it. All cases of a property
 * are planned together, so that its numbers match the scale.
 */
import type { Company } from '../company/company.ts';
import { projectTopics, refurbishmentTopics, reportedTopics, scheduledTopics, type Topic } from '../data/works.ts';
import type { Tenancy } from '../lettings/tenancy.ts';
import type { Equipment } from '../portfolio/equipment.ts';
import type { Unit } from '../portfolio/property.ts';
import type { Random } from '../random.ts';
import type { PropertyCounts } from '../scale.ts';
import { type Day, monthInYear, monthOf } from '../values.ts';
import type { Project } from './projects.ts';

export interface Case {
  readonly topic: Topic;
  /** Day of the order, or of the notification if there is none. */
  readonly day: Day;
  readonly isReported: boolean;
  readonly isOrdered: boolean;
  readonly unit: Unit | null;
  readonly equipment: Equipment | null;
  readonly project: Project | null;
  /** The ended tenancy whose unit is refurbished. */
  readonly vacated: Tenancy | null;
  /** Whether the order follows an accepted offer. */
  isTendered: boolean;
  /** Offers in addition to the accepted one. */
  rivals: number;
}

export interface Stock {
  readonly units: readonly Unit[];
  readonly equipment: readonly Equipment[];
  readonly tenancies: readonly Tenancy[];
  readonly projects: readonly Project[];
}

/** The maximum number of days for a tender before an order. */
export const longestTender = 25;

export const planCases = (customer: Company, random: Random, stock: Stock, counts: PropertyCounts): Case[] => {
  const { notifications, offers, orders } = counts;
  const reported = Math.min(Math.round(notifications * 0.75), Math.round(orders * 0.62));
  const works = planProjectWorks(customer, random, stock, Math.floor(orders * 0.22));
  const refurbishments = planRefurbishments(customer, random, stock, Math.floor(orders * 0.12));
  const scheduled = orders - reported - works.length - refurbishments.length;
  const repairs = times(reported, () => drawCase(customer, random, stock, reportedTopics, true, true));
  const calls = times(scheduled, () => drawCase(customer, random, stock, scheduledTopics, false, true));
  const notices = times(notifications - reported, () => drawCase(customer, random, stock, reportedTopics, true, false));
  distributeOffers([...works, ...refurbishments, ...repairs, ...calls], notices, offers);
  return [...works, ...refurbishments, ...repairs, ...calls, ...notices].sort((a, b) => a.day - b.day);
};

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const drawCase = (
  customer: Company,
  random: Random,
  stock: Stock,
  topics: readonly Topic[],
  isReported: boolean,
  isOrdered: boolean,
): Case => {
  const topic = random.pick(topics);
  const candidates = topic.equipment === null ? [] : stock.equipment.filter(({ type, isInUse }) => type === topic.equipment && isInUse);
  const equipment = candidates.length > 0 && random.chance(0.75) ? random.pick(candidates) : null;
  const unit = equipment?.unit ?? (isReported && random.chance(0.8) ? random.pick(stock.units) : null);
  const day = drawDay(customer, random, topic);
  return { topic, day, isReported, isOrdered, unit, equipment, project: null, vacated: null, isTendered: false, rivals: 0 };
};

/** Uniform over the history, but winter subjects that fall into summer are mostly drawn again. */
const drawDay = ({ asOf, maintenanceFrom }: Company, random: Random, topic: Topic): Day => {
  for (;;) {
    const day = random.int(maintenanceFrom + longestTender + 1, asOf - 1);
    const month = monthInYear(monthOf(day));
    const isSummer = month >= 4 && month <= 9;
    if (!topic.isWinter || !isSummer || random.chance(0.15)) return day;
  }
};

/** Two to four orders for each active or completed project, spread over its term. */
const planProjectWorks = ({ asOf, maintenanceFrom }: Company, random: Random, { projects }: Stock, limit: number): Case[] =>
  projects
    .flatMap((project) => {
      const first = Math.max(project.begin + 5, maintenanceFrom + longestTender + 1);
      const last = Math.min(project.end - 20, asOf - 1);
      if (last <= first) return [];
      return times(
        random.int(2, 4),
        (): Case => ({
          topic: random.pick(projectTopics),
          day: random.int(first, last),
          isReported: false,
          isOrdered: true,
          unit: project.unit,
          equipment: project.equipment,
          project,
          vacated: null,
          isTendered: false,
          rivals: 0,
        }),
      );
    })
    .slice(0, limit);

/** Half of the vacated dwellings and shops are refurbished in the following days. */
const planRefurbishments = ({ asOf, maintenanceFrom }: Company, random: Random, { tenancies }: Stock, limit: number): Case[] =>
  tenancies
    .filter(
      ({ end, unit }) => end !== null && !unit.isParking && end > maintenanceFrom + longestTender && end + 12 < asOf && random.chance(0.5),
    )
    .slice(0, limit)
    .map((tenancy) => ({
      topic: random.pick(refurbishmentTopics),
      day: tenancy.end! + random.int(2, 10),
      isReported: false,
      isOrdered: true,
      unit: tenancy.unit,
      equipment: null,
      project: null,
      vacated: tenancy,
      isTendered: false,
      rivals: 0,
    }));

/** More than half of the offers are accepted. Most of the others lost to an accepted one, and the rest are open. */
const distributeOffers = (ordered: readonly Case[], notices: readonly Case[], offers: number): void => {
  const accepted = Math.min(Math.floor(offers * 0.55), ordered.length);
  const tendered = ordered.slice(0, accepted);
  for (const one of tendered) one.isTendered = true;
  const open = notices.length > 0 ? Math.floor((offers - accepted) * 0.3) : 0;
  for (let i = 0; i < open; i++) notices[i % notices.length]!.rivals++;
  for (let i = open; i < offers - accepted; i++) tendered[i % tendered.length]!.rivals++;
};
