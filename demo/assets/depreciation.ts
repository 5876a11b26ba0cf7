/** Writes the commercial and the tax schedule of an asset; closed fiscal years are posted, and the ledger knows the commercial ones. */
import type { Customer } from '../customer.ts';
import type { Property } from '../portfolio/property.ts';
import { type Day, date, dateOrNull, dayOf, yearOf } from '../source/calendar.ts';
import { type Cents, euro } from '../source/money.ts';
import type { Asset } from './asset.ts';
import { depreciationAccountOf } from './kinds.ts';
import { planSchedule, ratePercent, type ScheduleLine } from './schedule.ts';

/** Returns what is posted under commercial law to date. */
export const writeSchedule = (customer: Customer, property: Property, asset: Asset): Cents => {
  const { terms, kind } = asset;
  if (!terms || !kind.years) return 0;
  let posted = 0;
  for (const line of planSchedule(terms)) {
    const closed = closedOn(customer.asOf, line);
    const document = closed === null ? null : bookLine(customer, property, asset, line, closed);
    writeLine(customer, property, asset, { line, area: 'commercial', years: terms.years, closed, document });
    if (closed !== null) posted += line.scheduled + line.unscheduled;
  }
  // Tax law follows its own useful life and knows no write-down.
  for (const line of planSchedule({ ...terms, years: kind.years[1], impairment: null })) {
    writeLine(customer, property, asset, {
      line,
      area: 'tax',
      years: kind.years[1],
      closed: closedOn(customer.asOf, line),
      document: null,
    });
  }
  return posted;
};

/** Years before the running one are closed, on their last day. */
const closedOn = (asOf: Day, { year }: ScheduleLine): Day | null => (year < yearOf(asOf) ? dayOf(year, 12, 31) : null);

const bookLine = ({ chart, journal }: Customer, property: Property, { kind, id }: Asset, line: ScheduleLine, day: Day): number => {
  const expense = chart.id(depreciationAccountOf(kind));
  const extra = chart.id('841100');
  const value = chart.id(kind.account);
  const more = { cost_center_id: property.maintenanceCostCenter, contra_account_id: value };
  const unscheduled = line.unscheduled === 0 ? [] : [{ account: extra, side: 'debit', amount: line.unscheduled, more } as const];
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
  readonly area: 'commercial' | 'tax';
  readonly years: number;
  readonly closed: Day | null;
  readonly document: number | null;
}

const writeLine = (customer: Customer, property: Property, asset: Asset, { line, area, years, closed, document }: Entry): void =>
  customer.batches.put(
    'asset_depr',
    {
      asset_depr_id: customer.ids.next('asset_depr'),
      asset_hdr_id: asset.id,
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
      depreciation_method_key: asset.kind.method,
      depreciation_rate_percent: ratePercent(years),
      account_id: customer.chart.id(depreciationAccountOf(asset.kind)),
      booking_hdr_id: document,
      status_key: closed === null ? 'planned' : 'posted',
      posted_date: dateOrNull(closed),
    },
    asset.acquired,
    closed ?? asset.acquired,
  );
