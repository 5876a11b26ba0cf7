/** Random requests for groups of orders, as query strings: keys, values, conditions, orders. */
import fc from 'fast-check';
import { catalogue } from '../../src/catalogue/index.ts';
import { aggregatableColumns } from '../../src/plan/groups/groups.ts';
import { aggregateNames, plainAggregates } from '../../src/plan/vocabulary/values.ts';
import { writtenValue } from '../../src/query/write/items.ts';

const table = catalogue.tables.get('orders')!;

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'a,b',
    '"',
    'x (y)',
    ' a ',
    '=1',
    'a:in(b)',
    'Müller & Söhne',
    'a=b',
    '',
    "'a'",
    '<>new',
    '~a',
    'null',
    'a and b=c',
    'a || b=c',
  ),
);
const value = text.filter((each) => !each.includes('\0')).map(writtenValue);
const number = fc.integer({ min: -5_000, max: 5_000 }).map(String);
const sign = fc.constantFrom('=', '!=', '<', '<=', '>', '>=');

const onTextOf = (texts: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.tuple(texts, sign, value).map((parts) => parts.join('')),
    fc
      .tuple(
        texts,
        fc.constantFrom(
          'contains',
          'starts_with',
          'ends_with',
          'icontains',
          'istarts_with',
          'not_contains',
          'not_iends_with',
          'in',
          'not_in',
        ),
        value,
      )
      .map(([name, call, given]) => `${name}:${call}(${given})`),
    fc.tuple(texts, fc.uniqueArray(value, { minLength: 2, maxLength: 4 })).map(([name, given]) => `${name}:in(${given})`),
    fc.tuple(texts, fc.constantFrom('is_null', 'is_not_null')).map((parts) => parts.join(':')),
  );
const onNumberOf = (...names: readonly string[]) => fc.tuple(fc.constantFrom(...names), sign, number).map((parts) => parts.join(''));
const onDate = fc.tuple(sign, fc.constantFrom('2024-02-29', '2025-01-01')).map(([by, day]) => `order_date${by}${day}`);
const toMany = fc.constantFrom('property.tenants', 'booking_headers', 'assets');
const ofRelated = fc.constantFrom('', 'any(property_id=1,property.city=x)');
/** A condition on rows of a relation to many rows, or on their number. */
export const onMany = fc.oneof(
  fc.tuple(toMany, fc.constantFrom('some', 'none', 'every'), ofRelated).map(([name, call, within]) => `${name}:${call}(${within})`),
  fc
    .tuple(toMany, ofRelated, sign, fc.nat(9))
    .map(([name, within, by, count]) => `${name}:count${within === '' ? '' : `(${within})`}${by}${count}`),
);

const moment = fc.constantFrom('order_date', 'created_at', 'execution_end_date', 'notification.report_date', 'property.acquisition_date');
/** Columns of related rows that every aggregate but `sum` applies to. */
const relatedNumbers = ['property.unit_count', 'offer.offer_value', 'offer.property.lettable_area_sqm'];
const amount = fc.constantFrom('total_net', 'vat_rate', 'invoice_count', ...relatedNumbers);
/** A row function. */
const rowFunction = fc.oneof(
  fc.tuple(moment, moment).map((columns) => `days(${columns})`),
  fc.tuple(fc.constantFrom('product', 'percentage'), amount, amount).map(([call, ...columns]) => `${call}(${columns})`),
);
/** A condition on a row function. It follows at most two relations, as other conditions do. */
const nearFunction = rowFunction.filter((text) => !text.includes('offer.property'));
const onFunction = fc.oneof(
  fc.tuple(nearFunction, sign, number).map((parts) => parts.join('')),
  fc.tuple(nearFunction, fc.constantFrom('is_null', 'is_not_null')).map((parts) => parts.join(':')),
  fc.tuple(nearFunction, fc.constantFrom('in', 'not_in'), number, number).map(([name, call, ...given]) => `${name}:${call}(${given})`),
);
const own = fc.oneof(onTextOf(fc.constantFrom('subject', 'status')), onNumberOf('total_net', 'order_id'), onDate);
const related = fc.oneof(onTextOf(fc.constantFrom('property.property_name', 'offer.creditor.name')), onNumberOf('property.unit_count'));
/** Alternatives. Some are several conditions, or alternatives of their own. */
const alternatives = (depth: number): fc.Arbitrary<string> => {
  const single = depth === 0 ? own : fc.oneof(own, alternatives(depth - 1));
  const several = fc.array(single, { minLength: 2, maxLength: 3 });
  return fc
    .array(
      fc.oneof(
        single,
        several.map((parts) => `all(${parts})`),
      ),
      { minLength: 2, maxLength: 3 },
    )
    .map((parts) => `any(${parts})`);
};
const condition = fc.oneof(
  { arbitrary: own, weight: 3 },
  { arbitrary: related, weight: 1 },
  { arbitrary: alternatives(1), weight: 1 },
  { arbitrary: onFunction, weight: 1 },
  { arbitrary: fc.tuple(own, fc.oneof(related, onFunction)).map((parts) => `any(${parts})`), weight: 1 },
);
/** Up to three conditions on orders. */
export const conditions = fc.array(condition, { maxLength: 3 });

const key = fc.constantFrom(
  'trade',
  'status',
  'order_date:month',
  'order_date:year',
  'property.property_name',
  'offer.creditor.name',
  'total_net:ranges(0,1000,5000)',
  'total_net:width(500)',
  'order_date:age(30,60,on=2025-06-30)',
  'invoice_count',
);
const lists = plainAggregates
  .filter((name) => name !== 'sum_once')
  .map((name) =>
    fc
      .subarray([...aggregatableColumns(table, name).slice(0, 6), ...(name === 'sum' ? [] : relatedNumbers)], { maxLength: 2 })
      .map((columns) => [name, columns] as const),
  );

/** Aggregates of row functions. Each needs a name of its own. */
const applied = fc
  .tuple(fc.constantFrom(...aggregateNames.filter((name) => name !== 'sum_once')), rowFunction, conditions)
  .map(([is, call, where]) => `applied:${is}(${[call, ...(is === 'percentile' ? ['75'] : []), ...where]})`);

/** The query string of a request for groups. */
export const request = fc
  .record({
    by: fc.uniqueArray(key, { maxLength: 3 }),
    lists: fc.tuple(...lists),
    once: fc.constantFrom([], ['property.lettable_area_sqm']),
    measure: fc.constantFrom([], ['offer_deviation']),
    // Without a condition, a value is written as a list and comes first.
    own: fc.array(condition, { minLength: 1, maxLength: 3 }),
    applied,
    count: fc.boolean(),
    where: conditions,
    having: fc.array(
      fc
        .tuple(fc.constantFrom('count', 'own', 'applied', 'sum_total_net', 'max_offer.offer_value'), sign, fc.nat(999))
        .map((parts) => parts.join('')),
      { maxLength: 2 },
    ),
    either: fc.constantFrom([], ['any(count>1,all(own>2,any(applied=1,count=3)))']),
    order: fc.uniqueArray(fc.constantFrom('-count', 'own', 'applied', '-max_order_date', '-min_property.unit_count', 'ratio'), {
      maxLength: 2,
    }),
    limit: fc.integer({ min: 1, max: 500 }),
  })
  .map(({ by, lists: aggregates, once, measure, own, applied: over, count, where, having, either, order, limit }) => {
    const query = new URLSearchParams({ limit: String(limit) });
    const set = (name: string, items: readonly string[]) => items.length > 0 && query.set(name, items.join());
    set('by', by);
    const before = by.includes('invoice_count') ? ['before:previous(own,invoice_count)', 'change:change(p,invoice_count,3)'] : [];
    for (const [name, columns] of aggregates) set(name, columns);
    set('sum_once', once);
    set('measure', measure);
    set('value', [
      `own:sum(${['remaining_net', ...own]})`,
      'p:percentile(total_net,90)',
      over,
      'ratio:ratio(own,p)',
      'rank:rank(own)',
      'gap:difference(applied,median_property.unit_count)',
      ...before,
    ]);
    if (count) query.set('count', '');
    set('where', where);
    set('having', [...having, ...either]);
    set('order', order);
    return query;
  });
