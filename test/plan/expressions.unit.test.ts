/** What bands, series, empty buckets and computed values refuse, and what they become (contract: bands; state over time; computed values). */
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { utcToday } from '../../src/catalogue/instant.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import { labelsOf } from '../../src/plan/groups/bands.ts';
import type { PlanSource } from '../../src/plan/plan.ts';
import { parseGroups } from '../../src/query/groups.ts';

const parse = (text: string, name = 'tenants') => {
  const source: PlanSource = { schema: 's', customerId: 1, kind: 'category', name, sort: [], cursor: undefined };
  const table = catalogue.tables.get(name)!;
  const relationsOf = (table: string) => catalogue.relations.get(table) ?? [];
  return parseGroups(new URLSearchParams(text), createCursors('secret'), { source, table, tables: catalogue.tables, relationsOf });
};

test.each([
  ['by=status:ranges(1)', 'query -> by: status is no number and has no ranges'],
  ['by=balance:ranges()', 'query -> by: ranges needs 1 to 50 bounds'],
  ['by=balance:ranges(5,5)', 'query -> by: the bounds of ranges are ascending'],
  ['by=balance:ranges(1e3)', 'query -> by: ranges takes numbers with at most 10 decimal places'],
  ['by=balance:ranges(1,on=2025-01-01)', 'query -> by: only ages have a reference date'],
  ['by=balance:width(0)', 'query -> by: width takes one number above 0'],
  ['by=balance:width(1,2)', 'query -> by: width takes one number above 0'],
  ['by=balance:age(30)', 'query -> by: balance is no date or point in time and has no age'],
  ['by=contract_date:age(60,30)', 'query -> by: ages are ascending whole days from 0 to 100000'],
  ['by=contract_date:age(30,on=2025-02-30)', 'query -> by: the reference date of ages is a day such as 2025-12-31'],
  ['by=contract_date:age(30,by=2025-02-28)', "query -> by: 'by=2025-02-28' is neither a bound nor a reference date such as on=2025-12-31"],
  ['by=contract_date:month(1)', "query -> by: 'contract_date:month(1)' has no known buckets with bounds; there are: ranges, width, age"],
  ['by=status&fill=status', 'query -> fill: status cannot be filled; only periods and bands can be'],
  ['by=status&fill=colour', "query -> fill: 'colour' unknown; there is: status"],
  ['by=as_of:day(2025-01-01,2025-02-01)', 'query -> by: a series has a day every month, quarter, year'],
  [
    'by=as_of:month(2025-01-01)',
    "query -> by: 'as_of:month(2025-01-01)' needs a first and a last day, such as as_of:month(2025-01-01,2025-12-31)",
  ],
  ['by=as_of:month(2025-03-01,2025-02-01)', 'query -> by: the first day of a series is not after its last day'],
  ['by=as_of:month(1900-01-01,2025-02-01)', 'query -> by: a series has at most 240 days'],
  ['value=x:ratio(count)', 'query -> value: ratio takes two values'],
  ['value=x:share(count,sum_balance)', 'query -> value: share takes one value'],
  ['by=status&value=x:ratio(count,status)', 'query -> value: ratio takes two values'],
  ['value=x:rank(x)', /^query -> value: 'x' unknown/],
  ['value=x:change(count)', 'query -> value: change: needs a key with a bucket of time or whole numbers, such as month or fiscal_year'],
  [
    'by=status&value=x:change(count,status)',
    'query -> value: change looks back along a key with a bucket of time or whole numbers, such as month or fiscal_year',
  ],
  [
    'by=contract_date:month,move_in_date:month&value=x:change(count)',
    'query -> value: change: there are several keys with a bucket of time; name one',
  ],
  [
    'by=notice_period_months,dunning_level&value=x:previous(count)',
    'query -> value: previous: there are several keys of whole numbers; name one',
  ],
  ['by=property_id&value=x:previous(count,property_id)', /previous looks back along a key/],
  ['by=balance:ranges(0)&value=x:previous(count)', /previous: needs a key with a bucket of time/],
  ['by=contract_date:month&value=x:change(count,0)', 'query -> value: Input should be greater than or equal to 1'],
  ['by=contract_date:month&value=x:change(count,1001)', 'query -> value: Input should be less than or equal to 1000'],
  ['by=status&value=x:difference(count,max_contract_date)', 'query -> value: difference is computed from numbers'],
  ['by=status&value=x:running_total(count)&order=x', 'query -> order: a running total follows the order, so the order cannot depend on it'],
])('%s is refused', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});

test('rows without a validity have no state at a day', () => {
  expect(() => parse('by=as_of:month(2025-01-01,2025-12-31)', 'orders')).toThrow(
    'rows of orders have no validity, so they have no state at a day',
  );
});

describe('bands', () => {
  const bandOf = (text: string) => parse(text).plan.groups!.keys[0]!.band!;

  test('have labels from their bounds', () => {
    expect(labelsOf(bandOf('by=balance:ranges(0,1000,5000.50)'))).toEqual([
      'below 0',
      '0 to below 1000',
      '1000 to below 5000.50',
      '5000.50 or more',
    ]);
    expect(labelsOf(bandOf('by=contract_date:age(0,30,60,on=2025-12-31)'))).toEqual([
      'in the future',
      '0 days',
      '1 to 30 days',
      '31 to 60 days',
      'over 60 days',
    ]);
    expect(labelsOf(bandOf('by=contract_date:age(1,on=2025-12-31)'))).toEqual(['in the future', '0 to 1 days', 'over 1 day']);
    expect(labelsOf(bandOf('by=contract_date:age(0,1,2,on=2025-12-31)')).slice(1)).toEqual(['0 days', '1 day', '2 days', 'over 2 days']);
  });

  test('of ages are relative to today unless a day is named', () => {
    const { groups } = parse('by=contract_date:age(30)').plan;
    expect(groups).toMatchObject({ isOfToday: true, keys: [{ band: { on: utcToday() } }] });
    expect(parse('by=contract_date:age(30,on=today)').plan.groups).toEqual(groups);
    expect(parse('by=contract_date:age(30,on=2025-12-31)').plan.groups).not.toHaveProperty('isOfToday');
  });
});

test('a series has the last day of each period', () => {
  const daysOf = (text: string) => parse(`by=as_of:${text}`).plan.groups!.keys[0]!.series!.days;
  expect(daysOf('month(2023-12-31,2024-03-01)')).toEqual(['2023-12-31', '2024-01-31', '2024-02-29', '2024-03-31']);
  expect(daysOf('quarter(2025-02-01,2025-07-01)')).toEqual(['2025-03-31', '2025-06-30', '2025-09-30']);
  expect(daysOf('year(2024-06-01,2025-01-01)')).toEqual(['2024-12-31', '2025-12-31']);
});

test.each([
  ['sum=property.unit_count', 'query -> sum: sum applies to columns of orders; use sum_once for property.unit_count'],
  ['median=property.city', /^query -> median: 'city' unknown; there is: latitude/],
  ['value=d:sum_once(days(order_date,closed_date))', 'query -> value: sum_once sums a column of related rows, not days: use sum'],
  ['value=d:avg(days(order_date))', 'query -> value: days takes two columns'],
  ['value=d:avg(days(order_date,closed_date,sent_date))', 'query -> value: days takes two columns'],
  ['value=d:avg(days(order_date,total_net))', /^query -> value: 'total_net' unknown; there is: order_date/],
  ['value=d:avg(days(order_date,property.unit_count))', /^query -> value: 'unit_count' unknown; there is: acquisition_date/],
  ['value=d:avg(product(total_net,order_id))', /^query -> value: 'order_id' unknown; there is: total_net/],
  ['value=d:avg(product(total_net,vat_rate)', "query -> value: 'd:avg(product(total_net,vat_rate)' has a parenthesis that is not closed"],
  ['value=d:avg(product(total_net,vat_rate)2)', "query -> value: 'product(total_net,vat_rate)2' has text after its parentheses"],
  ['value=d:avg(total_net,days(order_date,closed_date))', /is no comparison such as count>=2$/],
  ['value=d:days(order_date,closed_date)', /^query -> value: 'days' unknown; there is: count/],
])('%s is refused', (text, message) => {
  expect(() => parse(text, 'orders')).toThrow(message);
});

test('only aggregates and conditions have functions', () => {
  const { where } = parse('where=subject:in(days(1,product(2)', 'orders').plan;
  expect(where).toMatchObject({ is: 'among', values: ['days(1', 'product(2'] });
});

describe('conditions on values of rows', () => {
  const whereOf = (text: string) => parse(`where=${text}`, 'orders').plan.where;

  test('are on the number of related rows, with their conditions', () => {
    const counted = { is: 'counted', target: 'booking_header', holds: { is: 'compared', kind: 'integer', by: 'gt', value: '3' } };
    expect(whereOf('booking_headers:count>3')).toMatchObject({ ...counted, of: { is: 'and', of: [] } });
    expect(whereOf('booking_headers:count(fiscal_year=2025)>3')).toMatchObject({ ...counted, of: { column: 'fiscal_year' } });
    expect(whereOf(' booking_headers : count ( fiscal_year=2025 ) > 3 ')).toEqual(whereOf('booking_headers:count(fiscal_year=2025)>3'));
    expect(whereOf('property.orders:count=0')).toMatchObject({ is: 'related', by: 'some', of: { is: 'counted', target: 'orders' } });
  });

  test('are on row functions', () => {
    const applied = { is: 'applied', call: 'days', of: [{ column: 'order_date' }, { column: 'closed_date' }] };
    expect(whereOf('days(order_date,closed_date)>30')).toMatchObject({ ...applied, holds: { by: 'gt', value: '30' } });
    expect(whereOf('days( order_date, closed_date ) : is_null')).toMatchObject({ ...applied, holds: { is: 'null', expected: true } });
    expect(whereOf('days(order_date,closed_date):not_in(0,1)')).toMatchObject({ is: 'not', of: { ...applied, holds: { is: 'among' } } });
    expect(whereOf('any(days(order_date,closed_date)>30,product(total_net,property.unit_count)>9.5)')).toMatchObject({
      is: 'or',
      of: [applied, { call: 'product', of: [{ via: [] }, { via: [{ target: 'properties' }] }] }],
    });
  });

  test.each([
    ['booking_headers:count', "'booking_headers:count' is compared with no number"],
    ['booking_headers:count>x', "'x' is no integer"],
    ['booking_headers:count(x)>1', "'x' is no comparison such as count>=2"],
    ['booking_headers:count(colour=1)>1', "'colour' unknown"],
    ['booking_headers:count:in(1,2)', 'is no comparison such as count>=2'],
    ['booking_headers:count(fiscal_year=1>3', 'has a parenthesis that is not closed'],
    ['property:count>1', "'property' unknown; there is"],
    ['days(order_date,closed_date)', 'is no comparison such as count>=2'],
    ['days(order_date)>3', 'days takes two columns'],
    ['days(order_date,total_net)>3', "'total_net' unknown"],
    ['days(order_date,closed_date)>x', "'x' is no integer"],
    ['days(order_date,closed_date):contains(3)', 'does not search text'],
    ['days(order_date,closed_date):some(3)', 'has no known operator'],
    ['days(order_date,closed_date)x>3', 'has text after its parentheses'],
    ['tenant.contract_debits:count(tenants:some_valid)>1', 'unknown'],
  ])('%s is refused', (text, message) => {
    expect(() => whereOf(text)).toThrow(message);
  });

  test('are no conditions on groups', () => {
    expect(() => parse('by=status&having=days(order_date,closed_date)>3', 'orders')).toThrow("'days(order_date,closed_date)' unknown");
    expect(() => parse('by=status&having=booking_headers:count>3', 'orders')).toThrow("'booking_headers:count' unknown");
  });

  test('count for the limit by the relations that they follow', () => {
    const many = (text: string) => `any(${Array.from({ length: 26 }, () => text)})`;
    for (const text of ['booking_headers:count>3', 'days(order_date,property.acquisition_date)>3'])
      expect(() => whereOf(many(text))).toThrow('each relation counting 40; at most 1000 are possible');
  });
});

test.each([
  ['by=fiscal_year,property_id&value=x:previous(count)', { name: 'k0', kind: 'integer', period: undefined, periods: 1 }],
  ['by=fiscal_year,booking_date:month&value=x:previous(count)', { name: 'k1', kind: 'date', period: 'month', periods: 1 }],
  ['by=fiscal_year,booking_date:month&value=x:change(count,fiscal_year,2)', { name: 'k0', kind: 'integer', period: undefined, periods: 2 }],
  ['by=property_id,property.construction_year&value=x:previous(count)', { name: 'k1', kind: 'integer', period: undefined, periods: 1 }],
])('%s looks back along one key', (text, along) => {
  expect(parse(text, 'booking_header').plan.groups!.computed![0]!.along).toEqual(along);
});

test('computed values refer to earlier ones, and running totals come after the values of the order', () => {
  const { groups, order } = parse(
    'by=status&value=owed:sum(balance,balance>0),part:share(owed),sum:running_total(part),twice:difference(sum,owed)&order=-part',
  ).plan;
  expect(groups!.computed!.map(({ name, of, level }) => [name, of, level])).toEqual([
    ['v1', ['v0'], 1],
    ['v2', ['v1'], 2],
    ['v3', ['v2', 'v0'], 3],
  ]);
  expect(order.map(({ column }) => column)).toEqual(['v1', 'k0']);
});

test.each(['by=vacant_since:month', 'by=occupancy_status', 'by=as_of:month(2025-01-01,2025-12-31)'])(
  'the vacancy rate has no groups %s',
  (keys) => {
    const reason = /vacancy_rate_units would change its meaning by (vacant_since|occupancy_status|as_of), so it has no such groups/;
    expect(() => parse(`${keys}&measure=vacancy_rate_units`, 'property_structure')).toThrow(reason);
    expect(() => parse(`${keys}&order=vacancy_rate_units`, 'property_structure')).toThrow(reason);
    expect(parse('by=usage_type&measure=vacancy_rate_units', 'property_structure').names).toEqual(['usage_type', 'vacancy_rate_units']);
  },
);

describe('conditions on valid rows', () => {
  const valid = 'value=vacant:count(contract_debits:none_valid(debit_type=basic_rent))';

  test('are conditions on related rows and on their validity', () => {
    const { groups } = parse(`by=as_of:month(2025-01-01,2025-12-31)&${valid}`, 'property_structure').plan;
    expect(groups!.values[0]).toMatchObject({
      is: 'count',
      where: {
        is: 'related',
        by: 'none',
        target: 'contract_debits',
        of: {
          is: 'and',
          of: [
            { is: 'validOnDay', from: 'valid_from', to: 'valid_to' },
            { column: 'debit_type', value: 'basic_rent' },
          ],
        },
      },
    });
  });

  test('need a series, a relation to many rows, and a validity', () => {
    const refused = (query: string) => expect(() => parse(query, 'property_structure'));
    refused(valid).toThrow('a condition on valid rows needs a series of days');
    refused('where=contract_debits:some_valid').toThrow('a condition on valid rows needs a series of days');
    const series = 'by=as_of:month(2025-01-01,2025-12-31)';
    refused(`${series}&where=colour:some_valid`).toThrow(/'colour' unknown; there is: .*contract_debits/);
    refused(`${series}&where=orders:none_valid`).toThrow('rows of orders have no validity');
    refused(`${series}&where=contract_debits:none_valid(colour=1)`).toThrow("'colour' unknown");
    refused(`${series}&where=contract_debits:none_valid(x)`).toThrow("'x' is no comparison such as count>=2");
  });
});
