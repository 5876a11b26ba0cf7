/** The debits of a tenancy: the lines of its units, the changes of their amounts over the years, and the log of these changes. */
import type { Company } from '../company/company.ts';
import type { Property, Unit } from '../portfolio/property.ts';
import type { Random } from '../random.ts';
import { addMonths, type Cents, type Day, date, dateOrNull, dayOf, decimal, euro, percent, share, vatOn, yearOf } from '../values.ts';
import type { ChangeReason, Condition, DebitLine, IndexClause, Period, Tenancy, TenantKind } from './tenancy.ts';

type Plan = Omit<DebitLine, 'conditions' | 'number' | 'vatRate'> & { readonly firstNet: Cents };

interface Step {
  readonly from: Day;
  readonly net: Cents;
  readonly reason: ChangeReason;
}

interface DebitTerms {
  readonly unit: Unit;
  readonly extras: readonly Unit[];
  readonly kind: TenantKind;
  readonly clause: IndexClause | null;
  readonly period: Period;
}

export const planDebits = (customer: Company, random: Random, terms: DebitTerms): DebitLine[] => {
  const vatRate = terms.unit.vatOption ? 19 : 0;
  return planLines(random, terms).map(({ firstNet, ...line }, i) => {
    const steps = drawSteps(customer, random, line.isAdvance ? 'advance' : line.type, terms, firstNet, line.isIndexed);
    const conditions = steps.map((step, k) => conditionOf(customer, step, steps[k + 1], vatRate, terms.period.end));
    return { ...line, number: String(i + 1).padStart(3, '0'), vatRate, conditions };
  });
};

const conditionOf = (customer: Company, step: Step, next: Step | undefined, vatRate: number, end: Day | null): Condition => ({
  id: customer.ids.next('contract_condition'),
  from: step.from,
  to: next ? next.from - 1 : end,
  net: step.net,
  vat: vatOn(step.net, vatRate),
  reason: step.reason,
});

const line = (unit: Unit, type: string, description: string, revenueAccount: string, firstNet: Cents, isIndexed = false): Plan => ({
  unit,
  type,
  description,
  revenueAccount,
  firstNet,
  isAdvance: type.endsWith('_advance'),
  isIndexed,
});

const planLines = (random: Random, { unit, extras, kind, clause }: DebitTerms): Plan[] => {
  if (kind === 'owner_user') return [line(unit, 'house_money', 'Hausgeld', '602100', unit.rent)];
  if (kind === 'parking') return [line(unit, 'parking_rent', 'Stellplatzmiete', '600300', unit.rent)];
  const lines = [
    line(
      unit,
      'basic_rent',
      unit.isCommercial ? 'Grundmiete Gewerbe' : 'Grundmiete Wohnung',
      rentAccount(unit),
      unit.rent,
      clause !== null,
    ),
    // In cents per square metre and month.
    random.chance(0.04) && !unit.isCommercial
      ? line(unit, 'operating_cost_flat', 'Betriebskostenpauschale', '601100', share(unit.area, random.int(190, 260), 100))
      : line(unit, 'operating_cost_advance', 'Betriebskostenvorauszahlung', '431100', share(unit.area, random.int(160, 240), 100)),
    line(unit, 'heating_cost_advance', 'Heizkostenvorauszahlung', '431200', share(unit.area, random.int(110, 180), 100)),
  ];
  if (kind === 'residential' && random.chance(0.05)) {
    lines.push(line(unit, 'modernisation_surcharge', 'Modernisierungszuschlag', '602200', share(unit.area, random.int(40, 150), 100)));
  }
  if (random.chance(0.03)) lines.push(line(unit, 'surcharge', 'Zuschlag Untervermietung', '602300', random.int(20, 60) * 100));
  return [...lines, ...extras.map((extra) => line(extra, 'parking_rent', 'Stellplatzmiete', '600300', extra.rent))];
};

const rentAccount = (unit: Unit): string => {
  if (unit.isCommercial) return '600200';
  return unit.isRentControlled ? '600400' : '600100';
};

/** The first amount and all later ones. Changes occur in the generated years, at least half a year after the start. */
const drawSteps = (customer: Company, random: Random, rule: string, terms: DebitTerms, firstNet: Cents, isIndexed: boolean): Step[] => {
  const { start, end } = terms.period;
  const steps: Step[] = [{ from: start, net: firstNet, reason: 'new_letting' }];
  if (isIndexed) return [...steps, ...terms.clause!.adjustments.map((step) => ({ ...step, reason: 'index_adjustment' as const }))];
  const earliest = Math.max(addMonths(start, 6), customer.lettingsFrom);
  const latest = Math.min(end === null ? customer.asOf : end - 1, customer.asOf - 1);
  const isGraduated = rule === 'basic_rent' && !terms.unit.isRentControlled && random.chance(0.06);
  for (let year = yearOf(earliest); year <= yearOf(latest); year++) {
    const step = drawChange(random, rule, year, steps.at(-1)!.net, isGraduated, terms.unit.isCommercial);
    if (step && step.from >= earliest && step.from <= latest) steps.push(step);
  }
  return steps;
};

/** The change of a line in a year, if any: advances follow the settlement, rents change every few years. */
const drawChange = (random: Random, rule: string, year: number, net: Cents, isGraduated: boolean, isCommercial: boolean): Step | null => {
  const by = (low: number, high: number) => share(net, random.int(low, high), 1000);
  if (rule === 'advance') return { from: dayOf(year, 7), net: by(960, 1120), reason: 'advance_adjustment' };
  if (rule === 'house_money') return { from: dayOf(year, 1), net: by(1010, 1060), reason: 'amendment' };
  if (rule !== 'basic_rent') return null;
  if (isGraduated) return { from: dayOf(year, 4), net: by(1020, 1030), reason: 'graduated_rent' };
  const from = dayOf(year, random.int(1, 12));
  if (isCommercial) return random.chance(0.08) ? { from, net: by(1010, 1080), reason: 'amendment' } : null;
  if (random.chance(0.28)) return { from, net: by(1030, 1100), reason: 'comparative_rent' };
  if (random.chance(0.02)) return { from, net: by(1060, 1110), reason: 'modernisation' };
  return random.chance(0.008) ? { from, net: by(850, 950), reason: 'rent_reduction' } : null;
};

export const writeConditions = ({ batches, chart }: Company, property: Property, tenancy: Tenancy, line: DebitLine): void => {
  for (const condition of line.conditions) {
    batches.put(
      'contract_condition',
      {
        condition_id: condition.id,
        property_id: property.id,
        account_id: tenancy.account,
        floor_area_id: line.unit.id,
        debit_type_key: line.type,
        debit_number: line.number,
        description: line.description,
        valid_from: date(condition.from),
        valid_to: dateOrNull(condition.to),
        net_amount: euro(condition.net),
        vat_rate: percent(line.vatRate),
        vat_amount: euro(condition.vat),
        gross_amount: euro(condition.net + condition.vat),
        area_sqm: line.unit.isParking ? null : decimal(line.unit.area, 2),
        payment_interval_key: 'monthly',
        due_day: 3,
        revenue_account_id: chart.id(line.revenueAccount),
        index_agreement_id: line.isIndexed ? tenancy.clause!.id : null,
        is_advance_payment: line.isAdvance,
      },
      condition.reason === 'new_letting' ? tenancy.signed : condition.from - 70,
      condition.to ?? condition.from,
    );
  }
};

/** The number of days between announcement and effect of a change. */
const announcement: Readonly<Record<ChangeReason, number | null>> = {
  new_letting: null,
  index_adjustment: 45,
  comparative_rent: 90,
  modernisation: 95,
  graduated_rent: null,
  advance_adjustment: 30,
  amendment: 30,
  rent_reduction: null,
};

export const writeChanges = (customer: Company, property: Property, tenancy: Tenancy, line: DebitLine): void => {
  let previous: Condition | null = null;
  for (const condition of line.conditions) {
    const days = announcement[condition.reason];
    writeChange(customer, property, tenancy, line, {
      previous,
      next: condition,
      effective: condition.from,
      reason: condition.reason,
      announced: days === null ? null : condition.from - days,
      recorded: condition.reason === 'new_letting' ? tenancy.signed : condition.from - (days ?? 20),
    });
    previous = condition;
  }
  if (tenancy.end === null) return;
  const effective = tenancy.end + 1;
  writeChange(customer, property, tenancy, line, {
    previous,
    next: null,
    effective,
    reason: 'contract_end',
    announced: null,
    recorded: effective - 80,
  });
};

interface Change {
  readonly previous: Condition | null;
  readonly next: Condition | null;
  readonly effective: Day;
  readonly reason: ChangeReason | 'contract_end';
  readonly announced: Day | null;
  readonly recorded: Day;
}

const writeChange = (customer: Company, property: Property, tenancy: Tenancy, line: DebitLine, change: Change): void => {
  const { previous, next } = change;
  customer.batches.put(
    'debit_change',
    {
      debit_change_id: customer.ids.next('debit_change'),
      property_id: property.id,
      account_id: tenancy.account,
      floor_area_id: line.unit.id,
      debit_type_key: line.type,
      effective_date: date(change.effective),
      previous_condition_id: previous?.id ?? null,
      new_condition_id: next?.id ?? null,
      previous_net: euro(previous?.net ?? 0),
      new_net: euro(next?.net ?? 0),
      previous_gross: euro(grossOf(previous)),
      new_gross: euro(grossOf(next)),
      change_type_key: changeType(previous, next),
      change_reason_key: change.reason,
      index_agreement_id: change.reason === 'index_adjustment' ? tenancy.clause!.id : null,
      announcement_date: change.announced === null ? null : date(change.announced),
      approved_by_employee_id: property.manager,
    },
    change.recorded,
  );
};

const grossOf = (condition: Condition | null): number => (condition ? condition.net + condition.vat : 0);

const changeType = (previous: Condition | null, next: Condition | null): string => {
  if (!previous) return 'new';
  if (!next) return 'ended';
  if (next.net === previous.net) return 'unchanged';
  return next.net > previous.net ? 'increase' : 'decrease';
};
