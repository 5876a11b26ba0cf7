/** The state of the explore page: a view and its address lead to each other, and the address is the REST request of the view. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { germanRelations, presentations } from '../../src/catalogue/presentation.ts';
import { calls, comparisons } from '../../src/plan/vocabulary/operators.ts';
import { clauseOf } from '../../src/query/conditions.ts';
import { parseList } from '../../src/query/grammar.ts';
import { identifierPattern } from '../../src/query/parameters.ts';
import { snakeCase } from '../../src/query/relation-names.ts';
import {
  between,
  boundOf,
  compared,
  contains,
  isEmpty,
  isNotEmpty,
  itemOf,
  oneOf,
  replaced,
  searchedText,
  selectedValues,
  subjectOf,
} from '../../src/web/explore/app/view/conditions.ts';
import { documentOf } from '../../src/web/explore/app/view/graphql.ts';
import { endOfPeriod, presetNames, presets, seriesUpTo } from '../../src/web/explore/app/view/periods.ts';
import { pivotOf } from '../../src/web/explore/app/view/pivot.ts';
import { findShown, functionText } from '../../src/web/explore/app/view/row-functions.ts';
import { searchCondition, searchedFor } from '../../src/web/explore/app/view/search.ts';
import { labelOf } from '../../src/web/explore/app/view/tables.ts';
import {
  fragmentOf,
  keyNameOf,
  nextOrder,
  parseView,
  restAddress,
  valueNameOf,
  viewIn,
  viewOfTable,
} from '../../src/web/explore/app/view/view.ts';
import { describe as describeTables } from '../../src/web/explore/describe.ts';

/** Texts with signs of the grammar, of query strings and of fragments. */
const texts = fc.string({ unit: fc.constantFrom('a', 'ö', ' ', ',', '"', '(', ')', '=', '&', '#', '+', '%', ':', '.', '<', "'", '1') });
const conditions = fc.oneof(
  fc.tuple(fc.constantFrom(...comparisons), texts).map(([by, value]) => [compared('subject', by, value)]),
  fc.array(texts, { minLength: 1, maxLength: 4 }).map((values) => oneOf('property.federal_state', values)),
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

  test('a click on a head sorts ascending, descending, not at all', () => {
    expect(nextOrder([], 'a')).toEqual(['a']);
    expect(nextOrder(['a'], 'a')).toEqual(['-a']);
    expect(nextOrder(['-a'], 'a')).toEqual([]);
    expect(nextOrder(['-a'], 'b')).toEqual(['b']);
  });
});

describe('conditions', () => {
  test('every operator of the grammar is read as a condition on its column', () => {
    const written = [
      ...comparisons.map((by) => compared('total_net', by, '5')),
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
          const where = oneOf('status', values);
          expect(where.flatMap(parseList)).toHaveLength(1);
          expect(selectedValues(where, 'status')).toEqual(values);
        },
      ),
    );
    const where = [...between('order_date', '2025-01-01', '2025-12-31'), ...contains('subject', 'Dach, rot')];
    expect([boundOf(where, 'order_date', 'gte'), boundOf(where, 'order_date', 'lte')]).toEqual(['2025-01-01', '2025-12-31']);
    expect(searchedText(where, 'subject')).toBe('Dach, rot');
    expect(replaced(where, 'order_date', [isEmpty('order_date')])).toEqual(['subject:icontains("Dach, rot")', 'order_date:is_null']);
    expect(between('total_net', '', '')).toEqual([]);
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

  test('have the values of a key in their order, and keep the order of rows', () => {
    const { columns, rows } = pivotOf(groups, ['trade'], 'year');
    expect(columns).toEqual(['2024', '2025', null]);
    expect(rows.map(({ keys, groups: cells }) => [keys.trade, ...cells.map((group) => group?.n)])).toEqual([
      ['roof', undefined, '1', '2'],
      [null, '3', undefined, undefined],
      ['null', undefined, '4', undefined],
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
  const description = { ...describeTables(catalogue, tables, { isAnswered: () => true, hasFiles: () => true }), codes: {} };
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
  const description = { ...describeTables(catalogue, tables, { isAnswered: () => true, hasFiles: () => true }), codes: {} };
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

  test('are the columns that they read in GraphQL, which cannot order by them', () => {
    const view = viewOfTable('operations', 'orders', { columns: ['order_id', text, 'closed_date'] });
    expect(documentOf(view, orders, view.columns, description)).toContain(
      'nodes {\n      orderId\n      notification {\n        reportDate\n      }\n      closedDate\n    }',
    );
    const name = `-${findShown(description, orders, text)!.path}`;
    expect(documentOf({ ...view, order: [name] }, orders, view.columns, description)).toBeUndefined();
  });
});

describe('ranges of days', () => {
  test('presets follow the calendar', () => {
    const of = (day: string) => Object.fromEntries(presetNames.map((name) => [name, Object.values(presets[name](day)).join(' ')]));
    expect(of('2026-03-31')).toEqual({
      thisMonth: '2026-03-01 2026-03-31',
      lastMonth: '2026-02-01 2026-02-28',
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
  });
});

describe('the presentation of tables', () => {
  const target = (table: string, path: string): string | undefined => {
    const [step = '', ...rest] = path.split('.');
    if (rest.length === 0) return catalogue.tables.get(table)?.columns[step] && path;
    const relation = catalogue.relations.get(table)?.find(({ name, kind }) => kind === 'to-one' && snakeCase(name) === step);
    return relation && target(relation.target, rest.join('.'));
  };

  test.each(Object.entries(presentations))('the columns and figures of %s exist', (name, { title, search, columns, figures = [] }) => {
    for (const path of [title, ...search, ...columns]) expect([path, target(name, path)]).toEqual([path, path.split('.').at(-1)]);
    const relations = catalogue.relations
      .get(name)
      ?.filter(({ kind }) => kind === 'to-many')
      .map((relation) => snakeCase(relation.name));
    for (const { relation } of figures) expect(relations).toContain(relation);
  });

  test('every relation has a German name, and every name a relation', () => {
    const names = [...catalogue.relations.values()].flatMap((relations) => relations.map(({ name }) => name));
    expect(Object.keys(germanRelations).sort()).toEqual([...new Set(names)].sort());
  });
});
