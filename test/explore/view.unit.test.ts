/** The state of the explore page: a view and its address lead to each other, and the address is the REST request of the view. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { germanRelations, presentations } from '../../src/catalogue/texts/presentation.ts';
import { calls, comparisons } from '../../src/plan/vocabulary/operators.ts';
import { clauseOf } from '../../src/query/conditions.ts';
import { parseList } from '../../src/query/grammar.ts';
import { identifierPattern } from '../../src/query/parameters.ts';
import { snakeCase } from '../../src/query/relation-names.ts';
import { writtenComparison } from '../../src/query/write/items.ts';
import { itemsOfCondition } from '../../src/web/explore/app/view/condition-tree.ts';
import { contains, isEmpty, isNotEmpty, itemOf, replaced, selectedValues, subjectOf } from '../../src/web/explore/app/view/conditions.ts';
import { keyNameOf } from '../../src/web/explore/app/view/group-keys.ts';
import { endOfPeriod, lastDayOfPeriod, periodBefore, presetNames, presets, seriesUpTo } from '../../src/web/explore/app/view/periods.ts';
import { pivotOf } from '../../src/web/explore/app/view/pivot.ts';
import { findShown, functionText } from '../../src/web/explore/app/view/row-functions.ts';
import { searchCondition, searchedFor } from '../../src/web/explore/app/view/search.ts';
import { labelOf } from '../../src/web/explore/app/view/tables.ts';
import {
  fragmentOf,
  nextOrder,
  orderStep,
  parseView,
  restAddress,
  sortState,
  valueNameOf,
  viewIn,
  viewOfTable,
  withOrder,
} from '../../src/web/explore/app/view/view.ts';
import { describe as describeTables } from '../../src/web/explore/describe.ts';

/** Texts with signs of the grammar, of query strings and of fragments. */
const texts = fc.string({ unit: fc.constantFrom('a', 'ö', ' ', ',', '"', '(', ')', '=', '&', '#', '+', '%', ':', '.', '<', "'", '1') });
const conditions = fc.oneof(
  fc.tuple(fc.constantFrom(...comparisons), texts).map(([by, value]) => [writtenComparison('subject', by, value)]),
  fc
    .array(texts, { minLength: 1, maxLength: 4 })
    .map((values) => itemsOfCondition({ is: 'called', name: 'property.federal_state', call: 'in', values })),
  texts.map((text) => contains('subject', text)),
  fc.constant([isEmpty('closed_date')]),
  fc.constant([isNotEmpty('closed_date')]),
);

describe('views and addresses', () => {
  test('a view comes back from its fragment, whatever its conditions hold', () => {
    fc.assert(
      fc.property(fc.array(conditions, { maxLength: 4 }), (where) => {
        const view = viewOfTable('operations', 'orders', {
          where: where.flat(),
          order: ['-total_net'],
          columns: ['order_id', 'offer.creditor.name'],
        });
        expect(viewIn(fragmentOf(view))).toEqual(view);
      }),
    );
  });

  test.each([
    '/operations/orders',
    '/operations/orders?columns=order_id,property.property_name&where=status:in(open,new),total_net>1000&order=-total_net',
    '/operations/orders/groups?by=trade,order_date:quarter&count&sum=total_net&measure=maintenance_cost_per_sqm&where=order_date>=2025-01-01&order=-count',
    '/contracts/contract_debits/groups?by=as_of:month(2025-12-01,2025-12-31),property_id&sum=net_amount&value=per_sqm:ratio(sum_net_amount,sum_area_sqm)&having=sum_net_amount>100&limit=10',
    '/property/properties?where=orders:none(status!=closed)',
  ])('the address of the view of %s is that address', (address) => {
    const view = parseView(address);
    expect(decodeURIComponent(restAddress(view!))).toBe(decodeURIComponent(address));
  });

  test('a filter of REST becomes a condition', () => {
    expect(parseView('/operations/orders?status=open&subject=a,b')?.where).toEqual(['status=open', 'subject="a,b"']);
  });

  test('a row is the view of its key', () => {
    const view = viewOfTable('operations', 'orders', { shows: 'row', where: ['order_id=5'] });
    expect(fragmentOf(view)).toBe('#/operations/orders?where=order_id=5&show=row');
    expect(viewIn(fragmentOf(view))).toEqual(view);
  });

  test.each(['', '#', '#tables', '#/operations', '#/operations/orders/deltas', '#/a/b/groups/c'])('%s is no view', (fragment) => {
    expect(viewIn(fragment)).toBeUndefined();
  });

  test('names of keys and values are those of the answer', () => {
    expect(
      ['trade', 'property.federal_state', 'order_date:quarter', 'balance:ranges(0,1000)', 'as_of:month(2025-01-01,2025-12-31)'].map(
        keyNameOf,
      ),
    ).toEqual(['trade', 'property_federal_state', 'order_date_quarter', 'balance_ranges', 'as_of']);
    expect(valueNameOf({ list: 'sum_once', of: 'property.unit_count' })).toBe('sum_once_property_unit_count');
    expect(valueNameOf({ list: 'measure', of: 'arrears' })).toBe('arrears');
  });

  test('a click on a head sorts, then the other way, then not at all; a figure begins with the largest', () => {
    expect(nextOrder([], 'a', false)).toEqual(['a']);
    expect(nextOrder(['a'], 'a', false)).toEqual(['-a']);
    expect(nextOrder(['-a'], 'a', false)).toEqual([]);
    expect(nextOrder(['-a'], 'b', false)).toEqual(['b']);
    expect(nextOrder([], 'a', true)).toEqual(['-a']);
    expect(nextOrder(['-a'], 'a', true)).toEqual(['a']);
    expect(nextOrder(['a'], 'a', true)).toEqual([]);
  });

  test('a click with the shift key adds a column to the order, then turns it, then takes it out', () => {
    expect(nextOrder(['-a'], 'b', false, true)).toEqual(['-a', 'b']);
    expect(nextOrder(['-a', 'b', 'c'], 'b', false, true)).toEqual(['-a', '-b', 'c']);
    expect(nextOrder(['-a', '-b', 'c'], 'b', false, true)).toEqual(['-a', 'c']);
    expect(nextOrder(['a'], 'b', true, true)).toEqual(['a', '-b']);
    expect(withOrder(['a', 'b'], 'a', '-a')).toEqual(['-a', 'b']);
    expect([orderStep(['-a', 'b'], 'b'), orderStep(['-a'], 'a'), orderStep(['-a'], 'b')]).toEqual([
      { direction: 'ascending', place: 2 },
      { direction: 'descending', place: 0 },
      undefined,
    ]);
    expect([sortState(orderStep(['-a', 'b'], 'a')), sortState(orderStep(['-a', 'b'], 'b'))]).toEqual(['descending', undefined]);
  });

  test('the page and the chart are in the fragment, and not in the request', () => {
    const part = { shows: 'groups', by: ['trade', 'status'], hasCount: true } as const;
    const view = viewOfTable('operations', 'orders', { ...part, page: 3, chart: ['stacked', 'trade', 'count', 'status'] });
    expect(fragmentOf(view)).toBe('#/operations/orders/groups?by=trade,status&count&chart=stacked,trade,count,status&page=3');
    expect(viewIn(fragmentOf(view))).toEqual(view);
    expect(restAddress(view)).toBe(restAddress(viewOfTable('operations', 'orders', part)));
    expect(['0', '-1', 'x', '1e9'].map((page) => viewIn(`#/operations/orders?page=${page}`)?.page)).toEqual([1, 1, 1, 1]);
    expect(viewIn('#/operations/orders?offset=200&format=csv&cursor=x')?.where).toEqual([]);
  });

  test('a fragment that cannot be decoded is no view', () => {
    expect(viewIn('#%E0%A4%A')).toBeUndefined();
  });
});

describe('conditions', () => {
  test('every operator of the grammar is read as a condition on its column', () => {
    const written = [
      ...comparisons.map((by) => writtenComparison('total_net', by, '5')),
      ...[...calls.keys()].map((call) => (call.endsWith('null') ? `subject:${call}` : `subject:${call}(roof)`)),
    ];
    expect(written.filter((condition) => !clauseOf(itemOf(condition)!, () => undefined))).toEqual([]);
    expect(written.map(subjectOf)).toEqual([...comparisons.map(() => 'total_net'), ...[...calls.keys()].map(() => 'subject')]);
    expect(viewIn(fragmentOf(viewOfTable('operations', 'orders', { where: written })))?.where).toEqual(written);
  });

  test('what is chosen is found again', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          texts.map((text) => text.trim()),
          { minLength: 1, maxLength: 4 },
        ),
        (values) => {
          const where = itemsOfCondition({ is: 'called', name: 'status', call: 'in', values });
          expect(where.flatMap(parseList)).toHaveLength(1);
          expect(selectedValues(where, 'status')).toEqual(values);
        },
      ),
    );
    const where = [writtenComparison('order_date', 'gte', '2025-01-01'), ...contains('subject', 'Dach, rot')];
    expect(replaced(where, 'order_date', [isEmpty('order_date')])).toEqual(['subject:icontains("Dach, rot")', 'order_date:is_null']);
    expect(contains('subject', ' ')).toEqual([]);
  });
});

describe('groups with columns', () => {
  const groups = [
    { trade: 'roof', year: '2025', n: '1' },
    { trade: 'roof', year: null, n: '2' },
    { trade: null, year: '2024', n: '3' },
    { trade: 'null', year: '2025', n: '4' },
  ];

  test('keep the order of the groups in rows and columns', () => {
    const { columns, rows } = pivotOf(groups, ['trade'], 'year');
    expect(columns).toEqual(['2025', null, '2024']);
    expect(rows.map(({ keys, groups: cells }) => [keys.trade, ...cells.map((group) => group?.n)])).toEqual([
      ['roof', '1', '2', undefined],
      [null, undefined, undefined, '3'],
      ['null', '4', undefined, undefined],
    ]);
  });

  test('are the same request, and the fragment has the key', () => {
    const part = { shows: 'groups', by: ['trade', 'order_date:year'], hasCount: true } as const;
    const view = viewOfTable('operations', 'orders', { ...part, across: 'order_date:year' });
    expect(restAddress(view)).toBe(restAddress(viewOfTable('operations', 'orders', part)));
    expect(fragmentOf(view)).toBe('#/operations/orders/groups?by=trade,order_date:year&count&pivot=order_date:year');
    expect(viewIn(fragmentOf(view))).toEqual(view);
  });

  test('series end on the last days of periods up to a day', () => {
    expect(seriesUpTo('2026-03-15')).toEqual([
      'as_of:month(2025-04-01,2026-03-15)',
      'as_of:quarter(2024-06-01,2026-03-15)',
      'as_of:year(2022-01-01,2026-03-15)',
    ]);
  });
});

describe('searches', () => {
  const tables = [...catalogue.tables.values()];
  const description = {
    ...describeTables(catalogue, tables, { isAnswered: () => true, hasFiles: () => true }),
    day: '2026-10-31',
    codes: {},
  };
  const words = fc
    .array(
      texts.map((text) => text.replaceAll(/[\s,]/g, '')).filter((text) => text !== ''),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join(' '));

  test('are one condition, whose text is found again', () => {
    fc.assert(
      fc.property(fc.constantFrom(...description.tables), words, (table, text) => {
        const condition = searchCondition(text, table, description)!;
        expect([parseList(condition).length, searchedFor(condition, table, description)]).toEqual([1, text]);
        expect(viewIn(fragmentOf(viewOfTable(table.category, table.name, { where: [condition] })))?.where).toEqual([condition]);
      }),
    );
  });

  test('need each word in one of the columns, and a number also as a number', () => {
    const properties = description.tables.find(({ name }) => name === 'properties')!;
    expect(searchCondition('See, 14', { ...properties, search: ['property_id', 'property_name', 'address'] }, description)).toBe(
      'all(any(property_name:icontains(See),address:icontains(See)),any(property_id=14,property_name:icontains(14),address:icontains(14)))',
    );
    expect(searchCondition('See', { ...properties, search: ['property_id'] }, description)).toBeUndefined();
    expect(searchCondition(' ', properties, description)).toBeUndefined();
    expect(
      ['property_name=x', 'any(property_name=x,city=x)', 'all(a=1)'].map((each) => searchedFor(each, properties, description)),
    ).toEqual([undefined, undefined, undefined]);
  });
});

describe('computed columns', () => {
  const tables = [...catalogue.tables.values()];
  const description = {
    ...describeTables(catalogue, tables, { isAnswered: () => true, hasFiles: () => true }),
    day: '2026-10-31',
    codes: {},
  };
  const orders = description.tables.find(({ name }) => name === 'orders')!;
  const text = functionText('days', ['notification.report_date', 'closed_date'], []);

  test('are an entry of columns, and come back from the fragment', () => {
    expect(text).toBe('days_notification_report_date_closed_date:days(notification.report_date,closed_date)');
    const view = viewOfTable('operations', 'orders', { columns: ['order_id', text] });
    expect(viewIn(fragmentOf(view))).toEqual(view);
    expect(restAddress(view)).toBe(`/operations/orders?columns=order_id,${text}`);
  });

  test('have names of their own, within the length of a name', () => {
    const names = ['a', 'b', 'c'].reduce<readonly string[]>(
      (taken) => [
        ...taken,
        functionText('product', ['offer.creditor.total_net_of_everything', 'property.unit_count_of_all'], taken).split(':')[0]!,
      ],
      [],
    );
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(identifierPattern);
  });

  test('have a label, and are found by their entry only', () => {
    const found = findShown(description, orders, text)!;
    expect([found.path, labelOf(found, 'en'), labelOf(found, 'de')]).toEqual([
      'days_notification_report_date_closed_date',
      'Days from Notification: Report date to Closed date',
      'Tage von Meldung: Meldedatum bis Abschlussdatum',
    ]);
    expect(findShown(description, orders, 'n:days(order_date,nothing)')).toBeUndefined();
    expect(findShown(description, orders, 'n:nothing(order_date,closed_date)')).toBeUndefined();
    expect(findShown(description, orders, 'total_net')).toMatchObject({ text: 'total_net', path: 'total_net' });
  });
});

describe('aggregates of related rows', () => {
  const tables = [...catalogue.tables.values()];
  const description = {
    ...describeTables(catalogue, tables, { isAnswered: () => true, hasFiles: () => true }),
    day: '2026-10-31',
    codes: {},
  };
  const properties = description.tables.find(({ name }) => name === 'properties')!;

  test('are columns with the label of their relation and their name', () => {
    const found = findShown(description, properties, 'open:count(orders,status!=closed)')!;
    expect([found.path, labelOf(found, 'en'), labelOf(found, 'de'), found.column.kind]).toEqual([
      'open',
      'Orders: open',
      'Aufträge: open',
      'bigint',
    ]);
    expect(findShown(description, properties, 'last:max(orders.order_date)')?.column.kind).toBe('date');
    for (const text of ['n:count(nothing)', 'n:sum(orders.nothing)', 'n:count()', 'n:sum(total_net)'])
      expect([text, findShown(description, properties, text)]).toEqual([text, undefined]);
  });
});

describe('ranges of days', () => {
  test('presets follow the calendar', () => {
    const of = (day: string) => Object.fromEntries(presetNames.map((name) => [name, Object.values(presets[name](day)).join(' ')]));
    expect(of('2026-03-31')).toEqual({
      thisMonth: '2026-03-01 2026-03-31',
      lastMonth: '2026-02-01 2026-02-28',
      thisQuarter: '2026-01-01 2026-03-31',
      lastQuarter: '2025-10-01 2025-12-31',
      thisYear: '2026-01-01 2026-12-31',
      lastYear: '2025-01-01 2025-12-31',
      last12Months: '2025-03-31 2026-03-31',
      next12Months: '2026-03-31 2027-03-31',
      next90Days: '2026-03-31 2026-06-29',
      overdue: ' 2026-03-30',
      olderThan30Days: ' 2026-02-28',
    });
    expect(presets.lastMonth('2026-01-15')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  });

  test('a period ends before the next one', () => {
    expect(['day', 'week', 'month', 'quarter', 'year'].map((bucket) => endOfPeriod('2025-10-01', bucket))).toEqual([
      '2025-10-02',
      '2025-10-08',
      '2025-11-01',
      '2026-01-01',
      '2026-10-01',
    ]);
    expect(endOfPeriod('2025-10-01', 'ranges')).toBeUndefined();
    expect(['day', 'week', 'month', 'quarter', 'year'].map((bucket) => periodBefore('2025-01-01', bucket, 2))).toEqual([
      '2024-12-30',
      '2024-12-18',
      '2024-11-01',
      '2024-07-01',
      '2023-01-01',
    ]);
    expect(['month', 'quarter', 'year'].map((bucket) => lastDayOfPeriod('2024-03-31', bucket, 1))).toEqual([
      '2024-02-29',
      '2023-12-31',
      '2023-03-31',
    ]);
  });
});

describe('the presentation of tables', () => {
  const target = (table: string, path: string): string | undefined => {
    const [step = '', ...rest] = path.split('.');
    if (rest.length === 0) return catalogue.tables.get(table)?.columns[step] && path;
    const relation = catalogue.relations.get(table)?.find(({ name, kind }) => kind === 'to-one' && snakeCase(name) === step);
    return relation && target(relation.target, rest.join('.'));
  };

  test.each(Object.entries(presentations))('the columns of %s exist', (name, { title, search, columns }) => {
    for (const path of [title, ...search, ...columns]) expect([path, target(name, path)]).toEqual([path, path.split('.').at(-1)]);
  });

  test('every relation has a German name, and every name a relation', () => {
    const names = [...catalogue.relations.values()].flatMap((relations) => relations.map(({ name }) => name));
    expect(Object.keys(germanRelations).sort()).toEqual([...new Set(names)].sort());
  });
});
