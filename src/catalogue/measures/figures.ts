/**
 * The figures of the pages for people: of the portfolio, and of a property, a unit, a tenant or a creditor. Each is an address of groups, so its
 * rights are those of the address. `test/explore/figures.test.ts` compares their values with SQL (contract: figures).
 */
import type { TableName } from '../index.ts';
import type { Text } from '../texts/presentation.ts';
import type { Unit } from '../texts/units.ts';

/** The page of all rows, and those of one row of a table. */
export type FigurePage = 'portfolio' | TableName;

/** How a figure is written: money, a share of 1, square metres or a number. */
export type FigureUnit = Extract<Unit, 'EUR' | 'share' | 'm²'> | 'count';

interface Figure {
  readonly label: Text;
  readonly unit: FigureUnit;
  /** Groups in REST, with days relative to the day of the page (`relative-days.ts`). Those of a series have the months up to the day. */
  readonly address: string;
  /** A value of the groups: the name of one in the address; or an aggregate with its conditions, for the same day of each month, or for the day alone. */
  readonly value: { readonly named: string } | { readonly each: string } | { readonly now: string };
  /** The earlier value beside it. It is that of the month before, or of the same month a year before. */
  readonly before?: 'year';
  /** The rows or groups behind it: their number, the sum of a column, or their total is the figure. */
  readonly view: string;
  /** The pages that show it. On the page of a row, its address has the condition that this column has the value of the row. */
  readonly pages: Partial<Readonly<Record<FigurePage, string>>>;
}

const everywhere = '';

const lettable = 'is_active=true,occupancy_status:in(let,vacant),usage_type:not_in(parking_space,garage)';
const withoutRent = 'contract_debits:none_valid(debit_type=basic_rent)';
const occupancy = `/property/property_structure/groups?by=as_of:month({month-12},{day})&count&value=vacant:count(${withoutRent}),vacant_area:sum(area_sqm,${withoutRent}),rate:ratio(vacant,count)&where=${lettable}`;
const inForce = 'valid_from<={month_end},any(valid_to:is_null,valid_to>={month_end})';
const vacantUnits = `/property/property_structure?columns=unit_number,property.property_name,address,usage_type,area_sqm,target_rent_net,vacant_since&where=${lettable},any(valid_from:is_null,valid_from<={month_end}),any(valid_to:is_null,valid_to>={month_end}),contract_debits:none(debit_type=basic_rent,${inForce})`;
const open = 'order_date<={day},any(closed_date:is_null,closed_date>{day})';
const placed = 'status:not_in(cancelled,rejected)';
const due = 'header.due_date<={day},any(cleared_date:is_null,cleared_date>{day})';
const costs = 'booking_date>={month},booking_date<={day}';

/** A value of rows that a condition chooses, and these rows. */
const ofRows = (path: string, where: string, order?: string) => ({
  address: `${path}/groups?where=${where}`,
  view: `${path}?where=${where}${order === undefined ? '' : `&order=${order}`}`,
});

export const figures = {
  rent: {
    label: { en: 'Rent this month', de: 'Sollmiete diesen Monat' },
    unit: 'EUR',
    address: '/contracts/contract_debits/groups?by=as_of:month({month-12},{day})&measure=monthly_rent&where=debit_type=basic_rent',
    value: { named: 'monthly_rent' },
    view: '/contracts/contract_debits/groups?by=as_of:month({month},{day}),property_id&measure=monthly_rent&where=debit_type=basic_rent',
    pages: { portfolio: everywhere, properties: 'property_id', property_structure: 'floor_area_id', tenants: 'account_id' },
  },
  vacant_units: {
    label: { en: 'Vacant units', de: 'Leere Einheiten' },
    unit: 'count',
    address: occupancy,
    value: { named: 'vacant' },
    view: vacantUnits,
    pages: { portfolio: everywhere, properties: 'property_id' },
  },
  vacant_area: {
    label: { en: 'Vacant area', de: 'Leere Fläche' },
    unit: 'm²',
    address: occupancy,
    value: { named: 'vacant_area' },
    view: vacantUnits,
    pages: { portfolio: everywhere, properties: 'property_id', property_structure: 'floor_area_id' },
  },
  vacancy_rate: {
    label: { en: 'Vacancy rate', de: 'Leerstandsquote' },
    unit: 'share',
    address: occupancy,
    value: { named: 'rate' },
    view: `/property/property_structure/groups?by=as_of:month({month},{day}),property_id&count&value=vacant:count(${withoutRent}),rate:ratio(vacant,count)&where=${lettable}`,
    pages: { portfolio: everywhere, properties: 'property_id' },
  },
  arrears: {
    label: { en: 'Arrears', de: 'Rückstände' },
    unit: 'EUR',
    address: '/accounting/booking_positions/groups?where=account.account_type=debtor',
    value: { each: `sum(signed_amount,${due})` },
    view: `/accounting/booking_positions/groups?by=account_id&count&sum=signed_amount&where=account.account_type=debtor,${due}`,
    pages: { portfolio: everywhere, properties: 'property_id', tenants: 'account_id' },
  },
  open_orders: {
    label: { en: 'Open orders', de: 'Offene Aufträge' },
    unit: 'count',
    address: `/operations/orders/groups?where=${placed}`,
    value: { each: `count(${open})` },
    view: `/operations/orders?where=${placed},${open}&order=order_date`,
    pages: { portfolio: everywhere, properties: 'property_id', property_structure: 'floor_area_id', creditor: 'creditor_number' },
  },
  ending_contracts: {
    label: { en: 'Contracts that end in 90 days', de: 'Verträge, die in 90 Tagen enden' },
    unit: 'count',
    address: '/stakeholder/tenants/groups?where=contract_end_date:is_not_null',
    value: { each: 'count(contract_end_date>={day},contract_end_date<={day+90})' },
    view: '/stakeholder/tenants?where=contract_end_date>={day},contract_end_date<={day+90}&order=contract_end_date',
    pages: { portfolio: everywhere, properties: 'property_id' },
  },
  costs: {
    label: { en: 'Costs booked this month', de: 'Kosten, diesen Monat gebucht' },
    unit: 'EUR',
    address: '/accounting/booking_positions/groups?where=account.balance_type=expense',
    value: { each: `sum(signed_amount,${costs})` },
    before: 'year',
    view: `/accounting/booking_positions/groups?by=account.account_group_name&sum=signed_amount&where=account.balance_type=expense,${costs}`,
    pages: { portfolio: everywhere, properties: 'property_id', property_structure: 'floor_area_id' },
  },
  units: {
    label: { en: 'Units', de: 'Einheiten' },
    unit: 'count',
    ...ofRows('/property/property_structure', 'is_active=true'),
    value: { now: 'count()' },
    pages: { properties: 'property_id' },
  },
  tenancies: {
    label: { en: 'Tenancies in force', de: 'Laufende Mietverhältnisse' },
    unit: 'count',
    ...ofRows('/stakeholder/tenants', 'contract_start_date<={day},any(contract_end_date:is_null,contract_end_date>={day})'),
    value: { now: 'count()' },
    pages: { properties: 'property_id', property_structure: 'floor_area_id' },
  },
  open_notifications: {
    label: { en: 'Open notifications', de: 'Offene Meldungen' },
    unit: 'count',
    ...ofRows('/operations/notifications', 'status:not_in(completed,cancelled)', 'report_date'),
    value: { now: 'count()' },
    pages: { properties: 'property_id' },
  },
  invoiced: {
    label: { en: 'Orders placed this month, net', de: 'Aufträge diesen Monat, netto' },
    unit: 'EUR',
    address: `/operations/orders/groups?where=${placed}`,
    value: { each: 'sum(total_net,order_date>={month},order_date<={day})' },
    before: 'year',
    view: `/operations/orders?where=${placed},order_date>={month},order_date<={day}&order=-total_net`,
    pages: { creditor: 'creditor_number' },
  },
  unpaid: {
    label: { en: 'Invoiced and not paid', de: 'Berechnet und nicht bezahlt' },
    unit: 'EUR',
    ...ofRows('/operations/orders', 'open_amount>0', '-open_amount'),
    value: { now: 'sum(open_amount)' },
    pages: { creditor: 'creditor_number' },
  },
} as const satisfies Readonly<Record<string, Figure>>;

export type FigureName = keyof typeof figures;
const entries = Object.entries(figures) as readonly (readonly [name: FigureName, figure: Figure])[];

export interface FigureOnPage extends Figure {
  readonly name: FigureName;
  /** The column that has the value of the row; empty on the page of the portfolio. */
  readonly column: string;
}

/** The figures that count rows of a table, with the address of these rows. */
export const countedRowsOf = (table: TableName): readonly Figure[] =>
  Object.values(figures).filter(
    ({ unit, view }) => unit === 'count' && view.split('?')[0]?.split('/')[2] === table && !view.includes('/groups'),
  );

/** The figures of a page, in their order. */
export const figuresOf = (page: string): readonly FigureOnPage[] =>
  entries.flatMap(([name, figure]) => {
    const column = Object.hasOwn(figure.pages, page) ? figure.pages[page as FigurePage] : undefined;
    return column === undefined ? [] : [{ ...figure, name, column }];
  });
