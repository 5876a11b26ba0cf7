/** Measures: standard figures of the trade. Each is computed from sums over the rows of a group, never from averages (contract: measures). */

import type { Unit } from './units.ts';

/**
 * A measure of a table's groups. In its SQL, `{column}` is a column and `{relation.column}` a column of the related row of a to-one relation.
 * `{day}` is the day of a series, without which such a measure has no groups.
 */
export interface Measure {
  readonly name: string;
  readonly table: string;
  readonly label: { readonly en: string; readonly de: string };
  /** SQL over the rows of a group. */
  readonly numerator: string;
  /** SQL over the rows of a group. If it is 0, the measure is null. If it is absent, the numerator is the measure. */
  readonly denominator?: string;
  readonly unit: Unit;
  /** Digits after the decimal point. */
  readonly scale: number;
  readonly definition: string;
  /** The rows that count. */
  readonly grain: string;
  /** Columns that cannot be keys, because the groups would differ in what the measure compares. `as_of` is the day of a series. */
  readonly notBy?: readonly string[];
  /** The rows of another table that the SQL is over, instead of those of the measure's table (contract: measures over another table). */
  readonly over?: OtherRows;
  /** Groups without rows have the measure 0. Otherwise it is null there. */
  readonly isZeroWithoutRows?: true;
  /** The measure over all rows is the sum of that of the groups, if each row is in one group. */
  readonly isAdditive?: true;
}

export interface OtherRows {
  /** The relations from the measure's table that end at the other table. They only name it, and decide who may read it. */
  readonly via: readonly [string, string];
  /** The columns with the same meaning in both tables. Keys and conditions of the groups begin with one of them. */
  readonly shared: readonly string[];
  /** SQL of the condition on the rows that form groups. */
  readonly where: string;
}

const share = 'percent';

/** The sum of a column of related rows. Each related row counts once; `key` identifies it. */
const onceFor = (key: string, column: string, where = 'true'): string =>
  `(sum(distinct {${key}}::numeric * 1e15 + coalesce({${column}}, 0)) filter (where ${where}) - sum(distinct {${key}}::numeric * 1e15) filter (where ${where}))`;

/** Days from one date to another. Null if one is infinite, because PostgreSQL cannot subtract infinite dates. */
const daysBetween = (from: string, to: string): string =>
  `case when isfinite({${from}}) and isfinite({${to}}) then {${to}} - {${from}} end`;

/** Vacant units differ from let ones in these columns, and they hold the present state. */
const presentOccupancy = ['vacant_since', 'available_from', 'occupancy_status', 'current_account_id', 'as_of'];

/** The number of payments in a year. */
const paymentsPerYear =
  "case {payment_interval} when 'monthly' then 12 when 'quarterly' then 4 when 'semi_annual' then 2 when 'annual' then 1 else 0 end";

/** The day on which a tenancy ends, if that is known. */
const leaseEnd = 'coalesce({tenant.contract_end_date}, {tenant.fixed_term_end_date})';
const hasLeaseEnd = `isfinite(${leaseEnd})`;

const lettable = "{is_active} and {usage_type} not in ('parking_space', 'garage') and {occupancy_status} in ('let', 'vacant')";
const lettableGrain = 'active units that are let or vacant, without parking; owner-occupied and unlettable ones are no stock to let';
const placed = "{status} not in ('rejected', 'cancelled')";
const offered = `${placed} and {offer.offer_value} is not null`;
const offers = onceFor('offer.offer_hdr_id', 'offer.offer_value', offered);

/** Income and expense lines of the journal, as rows beside budgets. */
const journal: OtherRows = {
  via: ['property', 'bookingPositions'],
  shared: ['property_id', 'fiscal_year', 'fiscal_period', 'account_id', 'account_number', 'cost_center_id', 'project_hdr_id', 'currency'],
  where: "{account.balance_type} in ('income', 'expense')",
};
const planGrain = 'budget lines of the version plan in every status';
const journalGrain =
  'lines of the journal; groups have keys and filters that budgets and booking positions share, and also exist where only one of them has rows';

/** Lines that debit an advance: those on its own account, so not the claim on the tenant and the VAT. */
const advanceLine = '{contractDebit.is_advance_payment} and {contractDebit.revenue_account_id} = {account_id}';
const advances = `coalesce(-sum({signed_amount}) filter (where ${advanceLine}), 0)`;
const allocableCosts = 'sum({signed_amount}) filter (where {is_allocable})';

export const measures: readonly Measure[] = [
  {
    name: 'vacancy_rate_units',
    table: 'property_structure',
    label: { en: 'vacancy rate by units', de: 'Leerstandsquote nach Einheiten' },
    numerator: `100 * count(*) filter (where ${lettable} and {occupancy_status} = 'vacant')`,
    denominator: `count(*) filter (where ${lettable})`,
    unit: share,
    scale: 2,
    definition: 'Vacant units in percent of all units to let.',
    grain: lettableGrain,
    notBy: presentOccupancy,
  },
  {
    name: 'vacancy_rate_area',
    table: 'property_structure',
    label: { en: 'vacancy rate by floor area', de: 'Leerstandsquote nach Fläche' },
    numerator: `100 * coalesce(sum({area_sqm}) filter (where ${lettable} and {occupancy_status} = 'vacant'), 0)`,
    denominator: `sum({area_sqm}) filter (where ${lettable})`,
    unit: share,
    scale: 2,
    definition: 'Lettable area of vacant units in percent of that of all units to let.',
    grain: lettableGrain,
    notBy: presentOccupancy,
  },
  {
    name: 'target_rent_per_sqm',
    table: 'property_structure',
    label: { en: 'target rent per m²', de: 'Sollmiete je m²' },
    numerator: `sum({target_rent_net}) filter (where ${lettable})`,
    denominator: `sum({area_sqm}) filter (where ${lettable} and {target_rent_net} is not null)`,
    unit: 'EUR per m² and month',
    scale: 4,
    definition: 'Net target rent per month divided by the lettable area that it is for, let or vacant.',
    grain: `${lettableGrain}; units without a target rent are left out`,
  },
  {
    name: 'arrears',
    table: 'tenants',
    label: { en: 'rent arrears', de: 'Mietrückstände' },
    numerator: 'coalesce(sum({balance}) filter (where {balance} > 0), 0)',
    unit: 'EUR',
    scale: 2,
    definition: 'Sum of the balances that tenants owe; credit balances are not set off.',
    grain: 'tenancies, former ones too',
    isAdditive: true,
  },
  {
    name: 'arrears_ratio',
    table: 'tenants',
    label: { en: 'arrears ratio', de: 'Rückstandsquote' },
    numerator: '100 * coalesce(sum({balance}) filter (where {balance} > 0), 0)',
    denominator: "12 * sum({floorArea.target_rent_net}) filter (where {status} in ('active', 'terminated'))",
    unit: share,
    scale: 2,
    definition: 'Rent arrears in percent of the net target rent of a year of the main units of present tenancies.',
    grain: 'arrears of all tenancies, rents of those that are active or under notice',
  },
  {
    name: 'annual_rent',
    table: 'contract_debits',
    label: { en: 'annual contracted amount', de: 'Jahressollbetrag' },
    numerator: `sum({net_amount} * ${paymentsPerYear})`,
    unit: 'EUR per year',
    scale: 2,
    definition:
      'Net amounts of debits times their payments in a year. For the contracted rent, filter by the debit type, and by a day with `as_of`.',
    grain: 'recurring debits; one-off debits count as 0',
    isAdditive: true,
  },
  {
    name: 'monthly_rent',
    table: 'contract_debits',
    label: { en: 'monthly contracted amount', de: 'Monatssollbetrag' },
    numerator: `sum({net_amount} * ${paymentsPerYear})`,
    denominator: '12',
    unit: 'EUR per month',
    scale: 4,
    definition: 'A twelfth of the annual contracted amount.',
    grain: 'recurring debits; one-off debits count as 0',
  },
  {
    name: 'annual_rent_per_sqm',
    table: 'contract_debits',
    label: { en: 'annual contracted amount per m²', de: 'Jahressollbetrag je m²' },
    numerator: `sum({net_amount} * ${paymentsPerYear}) filter (where {area_sqm} > 0)`,
    denominator: 'sum({area_sqm}) filter (where {area_sqm} > 0)',
    unit: 'EUR per m² and year',
    scale: 4,
    definition: 'Net amounts of debits times their payments in a year, divided by the contractual area that they refer to.',
    grain: 'debits with an area; filter by one debit type, because each debit type has the area of its unit',
  },
  {
    name: 'walt',
    table: 'contract_debits',
    label: { en: 'WALT', de: 'gewichtete Restlaufzeit (WALT)' },
    numerator: `sum({net_amount} * ${paymentsPerYear} * case when ${hasLeaseEnd} then greatest(${leaseEnd} - {day}, 0) end)`,
    denominator: `365.25 * sum({net_amount} * ${paymentsPerYear}) filter (where ${hasLeaseEnd})`,
    unit: 'years',
    scale: 2,
    definition:
      'Weighted average lease term: years from each day of a series to the end of the tenancies, weighted by the annual contracted amounts. A year has 365.25 days. For the rent, filter by the debit type.',
    grain:
      'debits that are valid on the day and whose tenancy ends: on its last day, otherwise at the end of its fixed term; one that has ended before the day counts with 0 years; others are left out',
  },
  {
    name: 'turnover_rate',
    table: 'contract_ends',
    label: { en: 'turnover rate', de: 'Fluktuationsquote' },
    numerator:
      "100 * count(*) filter (where {status} <> 'withdrawn' and coalesce({floorArea.usage_type}, '') not in ('parking_space', 'garage'))",
    denominator: onceFor('property.property_id', 'property.unit_count'),
    unit: share,
    scale: 2,
    definition:
      'Ends of tenancies in percent of the units, without parking, of the properties that they are in; of a year, filter by its contract end dates.',
    grain: 'ends that were not withdrawn; each property counts once, one without an end not at all',
  },
  {
    name: 'maintenance_cost_per_sqm',
    table: 'orders',
    label: { en: 'maintenance cost per m²', de: 'Instandhaltungskosten je m²' },
    numerator: `coalesce(sum({invoiced_net}) filter (where ${placed} and {order_type} in ('repair', 'maintenance', 'inspection')), 0)`,
    denominator: onceFor('property.property_id', 'property.lettable_area_sqm'),
    unit: 'EUR per m²',
    scale: 4,
    definition:
      'Net amount invoiced for repairs, maintenance and inspections divided by the lettable area of the properties that have orders.',
    grain: 'orders that were not rejected or cancelled; each property counts once, one without an order not at all',
  },
  {
    name: 'order_throughput_days',
    table: 'orders',
    label: { en: 'order throughput time', de: 'Auftragsdurchlaufzeit' },
    numerator: `sum(${daysBetween('order_date', 'execution_end_date')}) filter (where ${placed})`,
    denominator: `count(${daysBetween('order_date', 'execution_end_date')}) filter (where ${placed})`,
    unit: 'days',
    scale: 2,
    definition: 'Calendar days from the date of the order to the end of the work, summed up and divided by the number of orders.',
    grain: 'orders whose work has ended and that were not rejected or cancelled',
  },
  {
    name: 'offer_deviation',
    table: 'orders',
    label: { en: 'offer-to-order deviation', de: 'Abweichung Auftrag zu Angebot' },
    numerator: `100 * (sum({total_net}) filter (where ${offered}) - ${offers})`,
    denominator: offers,
    unit: share,
    scale: 2,
    definition: 'Net order value above (or, negative, below) the net value of the offers that the orders were made from, in percent of it.',
    grain: 'orders with an offer that were not rejected or cancelled; an offer counts once, however many orders it has',
  },
  {
    name: 'budget_use',
    table: 'projects',
    label: { en: 'budget use', de: 'Budgetausschöpfung' },
    numerator: "100 * sum({ordered_gross}) filter (where {status} <> 'cancelled' and {project_budget} is not null)",
    denominator: "sum({project_budget}) filter (where {status} <> 'cancelled')",
    unit: share,
    scale: 2,
    definition: 'Gross value of the orders of projects in percent of their gross budgets.',
    grain: 'projects that were not cancelled, sub-projects by themselves',
  },
  {
    name: 'index_rents_due',
    table: 'index_rent',
    label: { en: 'index-rent contracts due', de: 'Anpassungsfähige Indexmietverträge' },
    numerator: "100 * count(*) filter (where {status} <> 'ended' and {is_threshold_reached})",
    denominator: "count(*) filter (where {status} <> 'ended')",
    unit: share,
    scale: 2,
    definition: 'Index agreements whose threshold is reached in percent of all that have not ended.',
    grain: 'index agreements',
  },
  {
    name: 'depreciation_per_year',
    table: 'depreciation',
    label: { en: 'depreciation per year', de: 'Abschreibung je Jahr' },
    numerator: "sum({depreciation_amount} + {unscheduled_amount}) filter (where {depreciation_area} = 'commercial')",
    denominator: "count(distinct {fiscal_year}) filter (where {depreciation_area} = 'commercial')",
    unit: 'EUR per year',
    scale: 2,
    definition: 'Scheduled and unscheduled depreciation under commercial law divided by the number of fiscal years that it is of.',
    grain: 'lines of the depreciation schedule, planned and posted',
  },
  {
    name: 'planned_costs',
    table: 'budgets',
    label: { en: 'planned costs', de: 'geplante Kosten' },
    numerator: "coalesce(sum({amount}) filter (where {budget_version} = 'plan' and {account.balance_type} = 'expense'), 0)",
    unit: 'EUR',
    scale: 2,
    definition: 'Planned amounts on expense accounts.',
    grain: planGrain,
    isZeroWithoutRows: true,
    isAdditive: true,
  },
  {
    name: 'actual_costs',
    table: 'budgets',
    label: { en: 'actual costs', de: 'gebuchte Kosten' },
    over: journal,
    numerator: "coalesce(sum({signed_amount}) filter (where {account.balance_type} = 'expense'), 0)",
    unit: 'EUR',
    scale: 2,
    definition: 'Booked amounts on expense accounts, debits less credits, beside the planned costs of the same keys.',
    grain: journalGrain,
    isZeroWithoutRows: true,
    isAdditive: true,
  },
  {
    name: 'planned_income',
    table: 'budgets',
    label: { en: 'planned income', de: 'geplante Erträge' },
    numerator: "coalesce(sum({amount}) filter (where {budget_version} = 'plan' and {account.balance_type} = 'income'), 0)",
    unit: 'EUR',
    scale: 2,
    definition: 'Planned amounts on income accounts.',
    grain: planGrain,
    isZeroWithoutRows: true,
    isAdditive: true,
  },
  {
    name: 'actual_income',
    table: 'budgets',
    label: { en: 'actual income', de: 'gebuchte Erträge' },
    over: journal,
    numerator: "coalesce(-sum({signed_amount}) filter (where {account.balance_type} = 'income'), 0)",
    unit: 'EUR',
    scale: 2,
    definition: 'Booked amounts on income accounts, credits less debits, beside the planned income of the same keys.',
    grain: journalGrain,
    isZeroWithoutRows: true,
    isAdditive: true,
  },
  {
    name: 'allocable_costs',
    table: 'booking_positions',
    label: { en: 'allocable costs', de: 'umlagefähige Kosten' },
    numerator: `coalesce(${allocableCosts}, 0)`,
    unit: 'EUR',
    scale: 2,
    definition: 'Booked costs that enter the operating cost settlement, debits less credits.',
    grain: 'lines that are marked as allocable; for a year of costs, group or filter by the service period',
    isZeroWithoutRows: true,
    isAdditive: true,
  },
  {
    name: 'debited_advances',
    table: 'booking_positions',
    label: { en: 'debited advances', de: 'Sollgestellte Vorauszahlungen' },
    numerator: advances,
    unit: 'EUR',
    scale: 2,
    definition: 'Advances on operating and heating costs that tenants were debited, net, credits less debits.',
    grain: 'lines on the advance accounts that come from an advance among the contract debits; settlements are left out',
    isZeroWithoutRows: true,
    isAdditive: true,
  },
  {
    name: 'service_charge_recovery',
    table: 'booking_positions',
    label: { en: 'service-charge recovery', de: 'Deckung der Betriebskosten durch Vorauszahlungen' },
    numerator: `100 * ${advances}`,
    denominator: allocableCosts,
    unit: share,
    scale: 2,
    definition: 'Debited advances in percent of the allocable costs.',
    grain: 'the lines of both; by the year of the service period, advances meet the costs that they are for',
  },
];
