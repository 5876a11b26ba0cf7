/** The asset register of a property and its depreciation. Past years are posted, each commercial line with its document. */
import type { Company } from '../company/company.ts';
import { type AssetKind, assetKinds } from '../data/works.ts';
import type { Stock } from '../maintenance/cases.ts';
import type { Project } from '../maintenance/projects.ts';
import type { Equipment } from '../portfolio/equipment.ts';
import { type Property, type Site, siteOf, type Unit } from '../portfolio/property.ts';
import type { Random } from '../random.ts';
import {
  addMonths,
  type Cents,
  type Day,
  date,
  dateOrNull,
  dayOf,
  decimal,
  euro,
  euroOrNull,
  firstOf,
  monthOf,
  share,
  yearOf,
} from '../values.ts';
import { lastDayOf, planSchedule, ratePercent, type ScheduleLine, type Terms } from './depreciation.ts';

/** The kind and cost of a fixed asset, the object that it represents, and the terms of depreciation. */
interface Asset {
  readonly id: number;
  readonly kind: AssetKind;
  readonly cost: Cents;
  readonly subsidy: Cents;
  /** The amount that is not depreciated; the whole cost without a method. */
  readonly residual: Cents;
  readonly acquired: Day;
  readonly equipment: Equipment | null;
  readonly unit: Unit | null;
  readonly project: Project | null;
  /** Null without a method. */
  readonly terms: Terms | null;
}

const depreciationAccountOf = (kind: AssetKind): string => (kind.class === 'building' ? '840100' : '840200');

export const writeAssets = (customer: Company, property: Property, stock: Stock, orders: ReadonlyMap<Project, number>): void => {
  const site = siteOf(customer, property, 'assets');
  const value = site.random.int(800, 9_000) * 100_000;
  for (const kind of assetKinds.slice(0, customer.volume.assetsPerProperty)) {
    const asset = planAsset(site, kind, value, stock);
    const posted = writeSchedule(customer, property, asset);
    writeAsset(site, asset, posted, asset.project ? (orders.get(asset.project) ?? null) : null);
  }
};

const planAsset = (site: Site, kind: AssetKind, value: Cents, { equipment, projects, units }: Stock): Asset => {
  const { customer, random } = site;
  const object = equipment.find(({ type }) => type === kind.equipment) ?? null;
  const project = kind.class === 'under_construction' ? (projects.find(({ status }) => status === 'in_progress') ?? null) : null;
  const acquired = acquiredOn(site, kind, object, project);
  const cost = share(value, Math.max(1, Math.round(kind.weight * (0.8 + random.next() * 0.4))), 1000);
  const subsidy = kind.equipment === 'heating_system' || kind.equipment === 'pv_system' ? share(cost, 15, 100) : 0;
  const residual = kind.years === null ? cost - subsidy : kind.class === 'building' && random.chance(0.2) ? share(cost, 1, 100) : 0;
  const start = firstOf(monthOf(acquired));
  const isImpaired = kind.class === 'building' && random.chance(0.06);
  const impairment = isImpaired ? { year: yearOf(start) + random.int(2, 9), perMille: random.int(20, 90) } : null;
  const terms = kind.years === null ? null : { start, years: kind.years[0], opening: cost - subsidy, residual, impairment };
  const unit = object?.unit ?? (kind.isInUnit ? units[0]! : null);
  return { id: customer.ids.next('asset_hdr'), kind, cost, subsidy, residual, acquired, equipment: object, unit, project, terms };
};

/** Land and building have the date of the property, plants that of their installation, and others a later date. */
const acquiredOn = (
  { customer: { asOf }, property, random }: Site,
  kind: AssetKind,
  object: Equipment | null,
  project: Project | null,
): Day => {
  if (project) return Math.min(project.begin + 10, asOf - 1);
  if (object) return Math.max(object.installed, property.since);
  if (kind.weight >= 200) return property.since;
  return kind.class === 'under_construction' ? addMonths(asOf, -random.int(1, 10)) : random.int(property.since, asOf - 200);
};

/** Some assets that were written off long ago have been scrapped. */
const disposalOf = (asOf: Day, random: Random, asset: Asset): Day | null => {
  if (!asset.terms || asset.kind.class !== 'fixtures') return null;
  const end = lastDayOf(asset.terms);
  return end < dayOf(yearOf(asOf), 1) && end + 150 < asOf && random.chance(0.4)
    ? random.int(end + 30, Math.min(end + 600, asOf - 1))
    : null;
};

const writeAsset = ({ customer, property, random }: Site, asset: Asset, posted: Cents, order: number | null): void => {
  const { kind, cost, subsidy, residual, acquired, terms, equipment, project } = asset;
  const { asOf, batches, chart, creditors } = customer;
  const disposed = disposalOf(asOf, random, asset);
  const building = equipment?.building ?? property.buildings[0]!;
  batches.put(
    'asset_hdr',
    {
      asset_hdr_id: asset.id,
      asset_number: `A-${property.id}-${String(asset.id).padStart(4, '0')}`,
      asset_name: equipment?.name ?? kind.name,
      property_id: property.id,
      building_id: kind.class === 'land' || kind.class === 'outdoor_facility' ? null : building.id,
      floor_area_id: asset.unit?.id ?? null,
      to_hdr_id: equipment?.id ?? null,
      asset_class_key: kind.class,
      asset_account_id: chart.id(kind.account === '002100' && property.kind === 'commercial' ? '002200' : kind.account),
      cost_center_id: property.maintenanceCostCenter,
      creditor_id: equipment || project ? creditors.pick('plumbing_heating', random).id : null,
      order_id: order,
      project_hdr_id: project?.id ?? null,
      acquisition_date: date(acquired),
      capitalisation_date: kind.class === 'under_construction' ? null : date(acquired),
      acquisition_cost: euro(cost),
      subsidy_amount: euro(subsidy),
      residual_value: euro(residual),
      accumulated_depreciation: euro(posted),
      depreciation_method_key: kind.method,
      useful_life_years: terms && decimal(terms.years * 100, 2),
      depreciation_rate_percent: terms && ratePercent(terms.years),
      depreciation_start_date: terms && date(terms.start),
      depreciation_end_date: terms && date(lastDayOf(terms)),
      depreciation_account_id: terms && chart.id(depreciationAccountOf(kind)),
      book_value_date: date(dayOf(yearOf(asOf) - 1, 12, 31)),
      disposal_date: dateOrNull(disposed),
      disposal_proceeds: euroOrNull(disposed === null ? null : share(cost, random.int(0, 5), 100)),
      status_key: disposed === null ? statusOf(asset, posted) : 'disposed',
    },
    acquired,
    disposed ?? Math.max(acquired, dayOf(yearOf(asOf), 1, 10)),
  );
};

const statusOf = ({ kind, cost, subsidy, residual, terms }: Asset, posted: Cents): string => {
  if (kind.class === 'under_construction') return 'under_construction';
  return terms && cost - subsidy - posted === residual ? 'fully_depreciated' : 'active';
};

/** Returns the depreciation under commercial law that is posted to date. */
const writeSchedule = (customer: Company, property: Property, asset: Asset): Cents => {
  const { terms, kind } = asset;
  if (!terms || !kind.years) return 0;
  let posted = 0;
  for (const line of planSchedule(terms)) {
    const closed = closedOn(customer.asOf, line);
    const document = closed === null ? null : bookLine(customer, property, asset, line, closed);
    writeLine(customer, asset, { line, property, area: 'commercial', years: kind.years[0], closed, document });
    if (closed !== null) posted += line.scheduled + line.unscheduled;
  }
  // Tax law has its own useful life and no write-down.
  const years = kind.years[1];
  for (const line of planSchedule({ ...terms, years, impairment: null }))
    writeLine(customer, asset, { line, property, area: 'tax', years, closed: closedOn(customer.asOf, line), document: null });
  return posted;
};

/** Earlier years are closed on their last day. */
const closedOn = (asOf: Day, { year }: ScheduleLine): Day | null => (year < yearOf(asOf) ? dayOf(year, 12, 31) : null);

const bookLine = ({ chart, journal }: Company, property: Property, { kind, id }: Asset, line: ScheduleLine, day: Day): number => {
  const expense = chart.id(depreciationAccountOf(kind));
  const value = chart.id(kind.account);
  const more = { cost_center_id: property.maintenanceCostCenter, contra_account_id: value };
  const unscheduled =
    line.unscheduled === 0 ? [] : [{ account: chart.id('841100'), side: 'debit', amount: line.unscheduled, more } as const];
  return journal.book(property, {
    type: 'depreciation',
    date: day,
    isClosing: true,
    lines: [
      { account: expense, side: 'debit', amount: line.scheduled, more },
      ...unscheduled,
      { account: value, side: 'credit', amount: line.scheduled + line.unscheduled, more: { contra_account_id: expense } },
    ],
    text: `AfA ${line.year} Anlage ${id}`,
  });
};

interface Entry {
  readonly line: ScheduleLine;
  readonly property: Property;
  readonly area: 'commercial' | 'tax';
  readonly years: number;
  readonly closed: Day | null;
  readonly document: number | null;
}

const writeLine = (
  { batches, chart, ids }: Company,
  { id, kind, acquired }: Asset,
  { line, property, area, years, closed, document }: Entry,
): void =>
  batches.put(
    'asset_depr',
    {
      asset_depr_id: ids.next('asset_depr'),
      asset_hdr_id: id,
      property_id: property.id,
      fiscal_year: line.year,
      depreciation_area_key: area,
      period_from: date(line.from),
      period_to: date(line.to),
      month_count: line.months,
      opening_book_value: euro(line.opening),
      depreciation_amount: euro(line.scheduled),
      unscheduled_amount: euro(line.unscheduled),
      write_up_amount: '0.00',
      closing_book_value: euro(line.closing),
      depreciation_method_key: kind.method,
      depreciation_rate_percent: ratePercent(years),
      account_id: chart.id(depreciationAccountOf(kind)),
      booking_hdr_id: document,
      status_key: closed === null ? 'planned' : 'posted',
      posted_date: dateOrNull(closed),
    },
    acquired,
    closed ?? acquired,
  );
