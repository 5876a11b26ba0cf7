/**
 * Index clauses: the rent follows a price index after a threshold is passed and a waiting period has ended.
 *
 * Dwellings use the consumer price index and wait at least twelve months (§ 557b BGB). Landlords do not claim every adjustment at once, so
 * some stay due.
 */
import type { Company } from '../company/company.ts';
import { monthBefore, type Series } from '../company/indices.ts';
import type { Property, Unit } from '../portfolio/property.ts';
import type { Random } from '../random.ts';
import {
  addMonths,
  type Cents,
  type Day,
  date,
  dateOrNull,
  decimal,
  euro,
  firstOf,
  type Month,
  monthOf,
  percent,
  share,
} from '../values.ts';
import type { IndexClause, Period, Tenancy } from './tenancy.ts';

interface Terms {
  readonly series: Series;
  readonly thresholdType: 'percent' | 'points';
  readonly threshold: number;
  readonly adjustmentPercent: number;
  readonly waitingMonths: number;
  /** Probability per month that the landlord claims a due adjustment. */
  readonly eagerness: number;
}

/** Written notice takes effect at the start of the month after next. */
const noticeMonths = 2;

export const drawIndexClause = (customer: Company, random: Random, unit: Unit, period: Period): IndexClause | null => {
  const { indexedShare } = customer.volume;
  const isIndexed = random.chance(unit.isCommercial ? indexedShare : indexedShare / 12);
  if (!isIndexed || unit.isParking || unit.isRentControlled || unit.ownership || period.start > customer.asOf) return null;
  return settleClause(customer, random, drawTerms(customer, random, unit), unit.rent, period);
};

const drawTerms = (customer: Company, random: Random, unit: Unit): Terms => {
  const { indices } = customer;
  const byPoints = unit.isCommercial && random.chance(0.5);
  return {
    series: unit.isCommercial ? random.pick(indices.commercial) : indices.consumer2020,
    thresholdType: byPoints ? 'points' : 'percent',
    threshold: byPoints ? random.pick([5, 10]) : random.pick([3, 5]),
    adjustmentPercent: unit.isCommercial ? random.pick([100, 100, 75, 60]) : 100,
    waitingMonths: unit.isCommercial ? random.pick([12, 24]) : random.pick([12, 12, 15]),
    eagerness: random.pick([0.02, 0.3, 0.9]),
  };
};

/** Exact in whole tenths: `change >= threshold`, like in the integrity facts. */
const isReached = ({ thresholdType, threshold }: Terms, reference: number, value: number): boolean => {
  const change = Math.abs(value - reference);
  return thresholdType === 'percent' ? change * 100 >= threshold * reference : change >= threshold * 10;
};

interface Course {
  readonly adjustments: readonly { readonly from: Day; readonly net: Cents }[];
  readonly referenceMonth: Month;
  readonly rent: Cents;
  /** The first day after the waiting period. */
  readonly claimable: Day;
}

/** Visits the published months and claims adjustments that are reached, announced and not too early. */
const claimAdjustments = (customer: Company, random: Random, terms: Terms, baseRent: Cents, { start, end }: Period): Course => {
  const { series } = terms;
  const adjustments: { from: Day; net: Cents }[] = [];
  const lastDay = Math.min(end ?? customer.asOf, customer.asOf);
  let referenceMonth = monthBefore(customer.indices, monthOf(start));
  let rent = baseRent;
  let claimable = addMonths(start, terms.waitingMonths);
  for (let month = monthOf(start); month <= customer.indices.latest; month++) {
    const effective = firstOf(month + noticeMonths);
    if (effective < claimable || effective >= lastDay || effective < customer.lettingsFrom) continue;
    const reference = series.at(referenceMonth);
    if (!isReached(terms, reference, series.at(month)) || !random.chance(terms.eagerness)) continue;
    rent += share(rent * terms.adjustmentPercent, series.at(month) - reference, reference * 100);
    adjustments.push({ from: effective, net: rent });
    referenceMonth = month;
    claimable = addMonths(effective, terms.waitingMonths);
  }
  return { adjustments, referenceMonth, rent, claimable };
};

const settleClause = (customer: Company, random: Random, terms: Terms, baseRent: Cents, period: Period): IndexClause => {
  const { series } = terms;
  const { indices, ids, asOf } = customer;
  const { adjustments, referenceMonth, rent, claimable } = claimAdjustments(customer, random, terms, baseRent, period);
  return {
    id: ids.next('index_agreement'),
    series,
    baseMonth: monthBefore(indices, monthOf(period.start)),
    referenceMonth,
    baseRent,
    currentRent: rent,
    thresholdType: terms.thresholdType,
    threshold: terms.threshold,
    adjustmentPercent: terms.adjustmentPercent,
    waitingMonths: terms.waitingMonths,
    lastAdjusted: adjustments.at(-1)?.from ?? null,
    isDue: isReached(terms, series.at(referenceMonth), series.at(indices.latest)) && asOf >= claimable,
    adjustments,
  };
};

/** Writes the clause with the base values of its next adjustment. */
export const writeClause = ({ asOf, batches, indices }: Company, property: Property, tenancy: Tenancy, clause: IndexClause): void => {
  const { id, series, waitingMonths } = clause;
  const { isCommercial } = tenancy.unit;
  const isOver = tenancy.status === 'former';
  const valueIn = (month: Month): string => decimal(series.at(month) * 10, 2);
  batches.put(
    'index_agreement',
    {
      index_agreement_id: id,
      property_id: property.id,
      account_id: tenancy.account,
      floor_area_id: tenancy.unit.id,
      index_name: series.name,
      base_year: series.baseYear,
      index_base_month: date(firstOf(clause.baseMonth)),
      base_index_value: valueIn(clause.baseMonth),
      reference_index_month: date(firstOf(clause.referenceMonth)),
      reference_index_value: valueIn(clause.referenceMonth),
      current_index_month: date(firstOf(indices.latest)),
      current_index_value: valueIn(indices.latest),
      base_rent_net: euro(clause.baseRent),
      threshold_type_key: clause.thresholdType,
      threshold_value: decimal(clause.threshold * 100, 2),
      adjustment_percent: percent(clause.adjustmentPercent),
      adjustment_rule_key: isCommercial && id % 3 === 0 ? 'automatic' : 'on_notice',
      waiting_period_months: waitingMonths,
      first_adjustment_date: date(addMonths(tenancy.start, waitingMonths)),
      last_adjustment_date: dateOrNull(clause.lastAdjusted),
      next_check_date: isOver ? null : date(firstOf(monthOf(asOf) + 1)),
      current_rent_net: euro(clause.currentRent),
      max_increase_percent: id % 6 === 0 ? '8.00' : null,
      allows_decrease: isCommercial,
      valid_from: date(tenancy.start),
      valid_to: dateOrNull(tenancy.end),
      status_key: isOver ? 'ended' : clause.isDue ? 'adjustment_due' : 'active',
    },
    tenancy.signed,
    clause.lastAdjusted ?? tenancy.signed,
  );
};
