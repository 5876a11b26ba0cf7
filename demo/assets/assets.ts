/** The asset register of a property and its depreciation: past years are posted, each commercial line with its document. */
import type { Customer } from '../customer.ts';
import type { Stock } from '../maintenance/case.ts';
import type { Project } from '../maintenance/project.ts';
import type { Equipment } from '../portfolio/equipment.ts';
import type { Property } from '../portfolio/property.ts';
import { type Site, siteOf } from '../portfolio/site.ts';
import { addMonths, type Day, date, dateOrNull, dayOf, firstOf, monthOf, yearOf } from '../source/calendar.ts';
import { type Cents, decimal, euro, euroOrNull, share } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import type { Columns } from '../writer/batches.ts';
import type { Asset } from './asset.ts';
import { writeSchedule } from './depreciation.ts';
import { type AssetKind, assetKinds, depreciationAccountOf } from './kinds.ts';
import { lastDayOf, ratePercent } from './schedule.ts';

export const writeAssets = (customer: Customer, property: Property, stock: Stock, orders: ReadonlyMap<Project, number>): void => {
  const site = siteOf(customer, property, 'assets');
  const { random } = site;
  const value = random.int(800, 9_000) * 100_000;
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

/** Land and building came with the property, a plant when it was installed or with them, the rest at some time since. */
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

/** Some long written-off things have been scrapped since. */
const disposalOf = (asOf: Day, random: Random, asset: Asset): Day | null => {
  if (!asset.terms || asset.kind.class !== 'fixtures') return null;
  const end = lastDayOf(asset.terms);
  return end < dayOf(yearOf(asOf), 1) && end + 150 < asOf && random.chance(0.4)
    ? random.int(end + 30, Math.min(end + 600, asOf - 1))
    : null;
};

const writeAsset = ({ customer, property, random }: Site, asset: Asset, posted: Cents, order: number | null): void => {
  const { kind } = asset;
  const disposed = disposalOf(customer.asOf, random, asset);
  customer.batches.put(
    'asset_hdr',
    {
      asset_hdr_id: asset.id,
      asset_number: `A-${property.id}-${String(asset.id).padStart(4, '0')}`,
      asset_name: asset.equipment?.name ?? kind.name,
      property_id: property.id,
      building_id:
        kind.class === 'land' || kind.class === 'outdoor_facility' ? null : (asset.equipment?.building ?? property.buildings[0]!).id,
      floor_area_id: asset.unit?.id ?? null,
      to_hdr_id: asset.equipment?.id ?? null,
      asset_class_key: kind.class,
      asset_account_id: customer.chart.id(kind.account === '002100' && property.kind === 'commercial' ? '002200' : kind.account),
      cost_center_id: property.maintenanceCostCenter,
      creditor_id: asset.equipment || asset.project ? customer.creditors.pick('plumbing_heating', random).id : null,
      order_id: order,
      project_hdr_id: asset.project?.id ?? null,
      ...valueColumns(asset, posted),
      ...methodColumns(customer, asset),
      book_value_date: date(dayOf(yearOf(customer.asOf) - 1, 12, 31)),
      disposal_date: dateOrNull(disposed),
      disposal_proceeds: euroOrNull(disposed === null ? null : share(asset.cost, random.int(0, 5), 100)),
      status_key: disposed === null ? statusOf(asset, posted) : 'disposed',
    },
    asset.acquired,
    disposed ?? Math.max(asset.acquired, dayOf(yearOf(customer.asOf), 1, 10)),
  );
};

const statusOf = ({ kind, cost, subsidy, residual, terms }: Asset, posted: Cents): string => {
  if (kind.class === 'under_construction') return 'under_construction';
  return terms && cost - subsidy - posted === residual ? 'fully_depreciated' : 'active';
};

const valueColumns = ({ cost, subsidy, residual, acquired, kind }: Asset, posted: Cents) =>
  ({
    acquisition_date: date(acquired),
    capitalisation_date: kind.class === 'under_construction' ? null : date(acquired),
    acquisition_cost: euro(cost),
    subsidy_amount: euro(subsidy),
    residual_value: euro(residual),
    accumulated_depreciation: euro(posted),
  }) satisfies Columns<'asset_hdr'>;

const methodColumns = ({ chart }: Customer, { kind, terms }: Asset) =>
  ({
    depreciation_method_key: kind.method,
    useful_life_years: terms ? decimal(terms.years * 100, 2) : null,
    depreciation_rate_percent: terms ? ratePercent(terms.years) : null,
    depreciation_start_date: terms ? date(terms.start) : null,
    depreciation_end_date: terms ? date(lastDayOf(terms)) : null,
    depreciation_account_id: terms ? chart.id(depreciationAccountOf(kind)) : null,
  }) satisfies Columns<'asset_hdr'>;
