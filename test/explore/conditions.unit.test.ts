/** The editor of conditions: what it reads from an address it writes back with the same meaning, and it shows and changes each condition. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { categorySource } from '../../src/cache/directory.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { kindNames, kinds } from '../../src/catalogue/kinds.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import { callNames, comparisons } from '../../src/plan/vocabulary/operators.ts';
import { maxDepth, parseList } from '../../src/query/grammar.ts';
import { parseGroups } from '../../src/query/groups.ts';
import { conditionTexts, conditionWords } from '../../src/web/explore/app/conditions/words.ts';
import {
  type Condition,
  canNest,
  entriesOf,
  extended,
  itemsOfCondition,
  joinedBy,
  replacedAt,
} from '../../src/web/explore/app/view/condition-tree.ts';
import { atDistance, betweenDays, daysOf, distanceOf, formOf, formsOn, inputOf } from '../../src/web/explore/app/view/forms.ts';
import { figureIn, isComplete, withoutName, writtenFigure } from '../../src/web/explore/app/view/named-figure.ts';
import { searchPaths, searchRelated } from '../../src/web/explore/app/view/paths.ts';
import { presetNames, presets } from '../../src/web/explore/app/view/periods.ts';
import { scopeOfGroups, scopeOfRows } from '../../src/web/explore/app/view/scope.ts';
import { parseView, restAddress } from '../../src/web/explore/app/view/view.ts';
import { describe as describeTables } from '../../src/web/explore/describe.ts';
import { conditions, onMany, request } from '../query/random-groups.ts';

const table = catalogue.tables.get('orders')!;
const source = categorySource(table, { id: 1, schema: 'customer_nord' }, undefined);
const relationsOf = (from: string) => catalogue.relations.get(from) ?? [];
const tables = [...catalogue.tables.values()];
const description = {
  ...describeTables(catalogue, tables, { isAnswered: () => true, hasFiles: () => true }),
  day: '2026-10-31',
  codes: {},
};
const orders = description.tables.find(({ name }) => name === 'orders')!;
const reader = { description, language: 'en' } as const;
const rows = scopeOfRows(orders, description, true);

const planOf = (query: URLSearchParams) =>
  parseGroups(query, createCursors('secret'), { source, table, tables: catalogue.tables, relationsOf }).plan;
const itemsIn = (query: URLSearchParams, name: string) => query.getAll(name).flatMap((text) => parseList(text).map((item) => item.text));
const edited = (items: readonly string[]) => entriesOf(items).flatMap(({ condition }) => itemsOfCondition(condition));

/** Conditions of every kind, also on related rows and within alternatives. */
const where = fc
  .tuple(
    conditions,
    fc.array(onMany, { maxLength: 2 }),
    conditions,
    fc.constantFrom([], ['order_date>=2025-01-01', 'order_date<2025-04-01']),
  )
  .map(([some, many, others, range]) => [...some, ...many, ...range, ...others]);

describe('random addresses', () => {
  test('have the same plan after the editor', () => {
    fc.assert(
      fc.property(request, where, (query, items) => {
        query.set('where', items.join());
        const before = planOf(query);
        for (const name of ['where', 'having']) query.set(name, edited(itemsIn(query, name)).join());
        const figures = itemsIn(query, 'value').map((text) => figureIn(text)!);
        expect(figures.filter((figure) => !isComplete(figure))).toEqual([]);
        query.set('value', figures.map(writtenFigure).join());
        expect(planOf(query)).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  test('are shown in words, each condition by its column, its figure or its relation', () => {
    fc.assert(
      fc.property(request, where, (query, items) => {
        for (const { condition, items: texts } of entriesOf(items)) {
          expect(condition.is).not.toBe('other');
          expect(conditionWords(condition, rows, reader)).not.toBe(texts.join());
        }
        expect(conditionTexts(items, orders, reader)).toHaveLength(entriesOf(items).length);
        const groups = scopeOfGroups(parseView(`/operations/orders/groups?${query}`)!, orders, description);
        for (const { condition, items: texts } of entriesOf(itemsIn(query, 'having')))
          expect(conditionWords(condition, groups, reader)).not.toBe(texts.join());
      }),
      { numRuns: 200 },
    );
  });

  test('keep the other conditions when one is changed, removed or joined', () => {
    fc.assert(
      fc.property(where, fc.nat(9), (items, place) => {
        const entries = entriesOf(items);
        if (entries.length === 0) return;
        const at = place % entries.length;
        const { condition } = entries[at]!;
        const query = (given: readonly string[]) => new URLSearchParams({ by: 'trade', where: given.join() });
        expect(planOf(query(replacedAt(items, at, condition)))).toEqual(planOf(query(items)));
        expect(entriesOf(replacedAt(items, at, undefined)).length).toBeLessThan(entries.length);
        const more: Condition = { is: 'compared', name: 'trade', by: 'eq', value: 'x' };
        const joined = extended(condition, 'any', more);
        expect(joined.is === 'joined' && joined.by === 'any' && joined.of.at(-1)).toEqual(more);
        expect(entriesOf(itemsOfCondition(joined)).map((each) => each.condition)).toEqual([joined]);
        planOf(query(replacedAt(items, at, joined)));
      }),
      { numRuns: 200 },
    );
  });
});

describe('conditions', () => {
  test('every operator has a form for the kinds that it applies to, and comes back from the address', () => {
    const forms = new Set(kindNames.flatMap(formsOn));
    expect([...comparisons, ...callNames].filter((name) => !forms.has(name as never))).toEqual([]);
    for (const kind of kindNames)
      for (const form of formsOn(kind)) expect([kind, form, inputOf(form) === 'text' && !kinds[kind].isText]).toEqual([kind, form, false]);
    for (const form of formsOn('string')) {
      const text = comparisons.includes(form as never)
        ? itemsOfCondition({ is: 'compared', name: 'a', by: form as never, value: 'x' })
        : [];
      for (const { condition } of entriesOf(text))
        expect(condition.is !== 'joined' && 'name' in condition && condition.is === 'compared' && formOf(condition)).toBe(form);
    }
  });

  test.each([
    ['order_date>=2025-04-01,order_date<=2025-04-30', 'Order date: Apr 2025'],
    ['order_date>=2025-04-01,order_date<2025-07-01', 'Order date: Q2 2025'],
    ['order_date>=2025-01-01,order_date<=2025-12-31', 'Order date: 2025'],
    ['order_date>=2025-01-01,order_date<=2025-12-30', 'Order date: 1 Jan 2025 – 30 Dec 2025'],
    ['created_at>=2025-01-01T00:00:00Z,created_at<2026-01-01T00:00:00Z', 'Created at: 2025'],
    ['total_net>=1000,total_net<=5000', 'Total net: 1,000 – 5,000'],
    ['total_net>=1000,total_net<5000', 'Total net: 1,000 to below 5,000'],
    ['order_date<2025-10-30', 'Order date: before 30 Oct 2025'],
    ['subject:not_icontains(Dach)', 'Subject: does not contain “Dach”'],
    ['trade:is_not_null', 'Trade: not empty'],
    [
      'property.tenants:none(balance>0,contract_end_date:is_null)',
      'Property: Tenants: none (Balance: more than 0 and Contract end date: empty)',
    ],
    ['booking_headers:some()', 'Booking documents: at least one'],
    ['booking_headers:count>3', 'Booking documents: more than 3'],
    ['property.tenants:count(balance>0)<=1', 'Property: Tenants: at most 1 (Balance: more than 0)'],
    ['days(order_date,closed_date)>=30,days(order_date,closed_date)<=60', 'Days from Order date to Closed date: 30 – 60'],
    ['days(order_date,nothing)>30', 'days(order_date,nothing)>30'],
    ['percentage(total_net,property.unit_count):is_null', 'Total net × Property: Unit count %: empty'],
    ['any(total_net>5,all(total_net>=1,total_net<=2))', '(Total net: more than 5 or Total net: 1 – 2)'],
    ['order_date>=abc,order_date<=def', 'Order date: abc – def'],
    ['nothing=1', 'nothing=1'],
    ['nonsense', 'nonsense'],
  ])('%s is "%s"', (text, words) => {
    expect(
      conditionTexts(
        parseList(text).map((item) => item.text),
        orders,
        reader,
      ),
    ).toEqual([words]);
  });

  test('a year has no thousands separator', () => {
    const lines = description.tables.find(({ name }) => name === 'booking_positions')!;
    expect(conditionTexts(['fiscal_year>=2024', 'fiscal_year<=2025'], lines, reader)).toEqual(['Fiscal year: 2024 – 2025']);
  });

  test('two comparisons are bounds only if they are neighbours of one list and hold together', () => {
    const kindsOf = (items: readonly string[]) => entriesOf(items).map(({ condition }) => condition.is);
    expect(kindsOf(['a>=1', 'a<=2'])).toEqual(['between']);
    expect(kindsOf(['a>=1', 'b=1', 'a<=2'])).toEqual(['compared', 'compared', 'compared']);
    expect(kindsOf(['a<=2', 'a>=1'])).toEqual(['compared', 'compared']);
    expect(entriesOf(['any(a>=1,a<=2)'])[0]?.condition).toMatchObject({ of: [{ is: 'compared' }, { is: 'compared' }] });
  });

  test('a list of one is its condition, and nothing without one', () => {
    const one: Condition = { is: 'compared', name: 'a', by: 'eq', value: '1' };
    expect([joinedBy('any', []), joinedBy('any', [one])]).toEqual([undefined, one]);
  });

  test('what the editor may nest is within the depth of the grammar', () => {
    let condition: Condition = { is: 'between', name: 'order_date', from: '2025-01-01', to: '2025-02-01', by: 'lte' };
    let depth = 0;
    for (; canNest(depth); depth += 1) condition = { is: 'related', name: 'orders', by: 'some', of: [condition] };
    condition = { is: 'joined', by: 'any', of: [condition, condition] };
    expect(depth).toBeLessThan(maxDepth);
    expect(entriesOf(itemsOfCondition(condition))[0]?.condition).toEqual(condition);
  });
});

describe('figures with names', () => {
  const address =
    '/operations/orders/groups?by=trade,order_date:month&value=open:count(status!=closed),net:sum(total_net),part:ratio(net,open),before:previous(part,order_date_month,12)&having=any(part>1,open>2),net>5&order=-part&fill=order_date_month&limit=5';

  test('go with everything that is computed from them, and nothing else goes', () => {
    const view = parseView(address)!;
    const without = (name: string) => decodeURIComponent(restAddress({ ...view, ...withoutName(view, name) }).split('?')[1]!);
    expect(without('open')).toBe('by=trade,order_date:month&limit=5&value=net:sum(total_net)&having=net>5&fill=order_date_month');
    expect(without('order_date_month')).toBe(
      'by=trade,order_date:month&order=-part&limit=5&value=open:count(status!=closed),net:sum(total_net),part:ratio(net,open)&having=any(part>1,open>2),net>5',
    );
    expect(without('trade')).toContain('before:previous(part,order_date_month,12)');
  });

  test.each(['x', 'x:nothing(a)', 'x>1', 'x:count(', 'x:sum(total_net)) y'])('%s is none, or stays as it is', (text) => {
    const figure = figureIn(text);
    expect(figure === undefined || writtenFigure(figure) === text).toBe(true);
  });

  test.each(['x:percentile(total_net,0)', 'x:percentile(total_net,101)', 'x:sum()', 'X:count()', 'x:ratio(a)', 'x:days_sum(a)'])(
    '%s is not complete',
    (text) => {
      const figure = figureIn(text);
      expect(figure === undefined || !isComplete(figure)).toBe(true);
    },
  );
});

describe('times', () => {
  const today = '2026-03-31';

  test('older and newer than a time, and the next days, months and years', () => {
    const at = (form: 'older' | 'newer' | 'next', count: number, unit: 'day' | 'week' | 'month' | 'year') =>
      itemsOfCondition(atDistance('d', 'date', form, { count, unit }, today)!).join();
    expect([at('older', 30, 'day'), at('older', 2, 'week'), at('older', 1, 'month'), at('older', 2, 'year')]).toEqual([
      'd<2026-03-01',
      'd<2026-03-17',
      'd<2026-02-28',
      'd<2024-03-31',
    ]);
    expect([at('newer', 30, 'day'), at('next', 1, 'month')]).toEqual(['d>=2026-03-01', 'd>=2026-03-31,d<=2026-04-30']);
    expect(itemsOfCondition(atDistance('t', 'timestamp', 'older', { count: 1, unit: 'day' }, today)!)).toEqual(['t<2026-03-30T00:00:00Z']);
    expect(distanceOf(atDistance('d', 'date', 'older', { count: 45, unit: 'day' }, today), today)).toEqual({ count: 45, unit: 'day' });
    expect(distanceOf({ is: 'compared', name: 'd', by: 'lt', value: 'abc' }, today)).toEqual({ count: 30, unit: 'day' });
  });

  test('each preset is one condition, whose days come back', () => {
    for (const kind of ['date', 'timestamp'] as const)
      for (const preset of presetNames) {
        const days = presets[preset](today);
        const entries = entriesOf(itemsOfCondition(betweenDays('d', kind, days.from, days.to)!));
        const [entry] = entries;
        const condition = entry?.condition as Parameters<typeof daysOf>[0];
        expect([entries.length, daysOf(condition, kind)]).toEqual([1, days]);
      }
  });
});

describe('paths', () => {
  const lines = description.tables.find(({ name }) => name === 'booking_positions')!;

  test('lead over several steps, the nearest first', () => {
    const found = searchPaths('tenant status', lines, description, 'en', () => true).map(({ path }) => path);
    expect(found).toContain('account.tenant.status');
    expect(found.every((path) => /tenant/.test(path))).toBe(true);
    const steps = found.map((path) => path.split('.').length);
    expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  });

  test('also lead to relations to many rows', () => {
    const properties = description.tables.find(({ name }) => name === 'properties')!;
    expect(searchRelated('orders', properties, description, 'en')[0]).toEqual({ path: 'orders', label: 'Orders' });
    expect(searchRelated('property tenants', orders, description, 'en').map(({ path }) => path)).toContain('property.tenants');
  });

  test('are found by German words', () => {
    expect(searchPaths('konto mieter', lines, description, 'de', () => true).length).toBeGreaterThan(0);
    expect(searchPaths('nobody-has-this', lines, description, 'de', () => true)).toEqual([]);
  });
});
