/** The figures of the pages for people, as data: each has plans, and labels in both languages. Days are relative (contract: figures). */
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { figuresOf } from '../../src/catalogue/measures/figures.ts';
import { atDay, isReportDay, monthsBefore } from '../../src/catalogue/relative-days.ts';
import { germanMeanings } from '../../src/catalogue/texts/meanings.ts';
import { unitOf } from '../../src/catalogue/texts/units.ts';
import { namedValueLabels } from '../../src/plan/vocabulary/labels.ts';
import { cataloguePlan } from '../../src/prints/catalogue-plan.ts';
import { conditionsIn, parseView } from '../../src/web/explore/app/view/view.ts';
import { askedOf, completed } from '../../src/web/explore/figure-addresses.ts';
import { questionEntries } from '../../src/web/graphiql/questions.ts';

const pages = ['portfolio', ...catalogue.tables.keys()]
  .map((page) => [page, figuresOf(page)] as const)
  .filter(([, { length }]) => length > 0);

test('the portfolio, properties, units, tenants and creditors have figures', () => {
  expect(pages.map(([page]) => page).sort()).toEqual(['creditor', 'portfolio', 'properties', 'property_structure', 'tenants']);
});

describe.each(pages)('on the page %s', (page, figures) => {
  test.each(figures.map((figure) => [figure.name, figure] as const))(
    '%s has plans at every day, and a view of the page',
    (_name, figure) => {
      const { label, address, view, column } = figure;
      expect(label.en).not.toBe(label.de);
      if (page !== 'portfolio') expect(Object.keys(catalogue.tables.get(page)!.columns)).toContain(column);
      for (const day of ['2024-02-29', '2025-12-31', '2026-10-15']) {
        const own = column === '' ? undefined : `${column}=1001`;
        const { values } = askedOf(figure, day);
        expect(cataloguePlan(completed(address, day, own, values)).named.plan.groups).toBeDefined();
        cataloguePlan(completed(view, day, own));
        expect(parseView(completed(view, day, own))?.where.includes(own ?? figure.column)).toBe(column !== '');
      }
    },
  );
});

describe('days', () => {
  test.each([
    ['{day},{day+90},{day-1}', '2025-12-31', '2025-12-31,2026-03-31,2025-12-30'],
    ['{month},{month-11},{month_end},{month_end+2}', '2025-12-15', '2025-12-01,2025-01-01,2025-12-31,2026-02-28'],
    ['{year},{year-1},{year_end},{year_number+1}', '2024-02-29', '2024-01-01,2023-01-01,2024-12-31,2025'],
  ])('%s at %s', (text, day, expected) => expect(atDay(text, day)).toBe(expected));

  test('of months before keep their number, and the last day stays the last', () => {
    expect([1, 2, 12].map((months) => monthsBefore('2025-12-31', months))).toEqual(['2025-11-30', '2025-10-31', '2024-12-31']);
    expect([1, 2, 12].map((months) => monthsBefore('2025-03-30', months))).toEqual(['2025-02-28', '2025-01-30', '2024-03-30']);
  });

  test('are those of the calendar', () => {
    const texts = ['2025-02-28', '2025-02-29', '2025-2-1', '1066-10-14', '2025-01-01T00:00:00Z', ' 2025-01-01', '9999-12-31', ''];
    expect(texts.filter(isReportDay)).toEqual(['2025-02-28']);
    expect(() => atDay('{dya}', '2025-01-01')).toThrow('{dya} is no day');
  });
});

describe('words in both languages', () => {
  test('every meaning of a column has a German one, and none is left over', () => {
    const meanings = [...catalogue.tables.values()].flatMap(({ columns }) => Object.values(columns).map(({ meaning }) => meaning));
    expect(Object.keys(germanMeanings).sort()).toEqual([...new Set(meanings)].sort());
  });

  test('every named value of the questions has a label', () => {
    const named = questionEntries.flatMap(([, { address }]) => parseView(address)?.others ?? []);
    const names = named.flatMap(([name, value]) => (name === 'value' ? conditionsIn(value).map((text) => text.split(':')[0]) : []));
    expect(names.filter((name) => !(name! in namedValueLabels))).toEqual([]);
  });

  test('money, areas and rates have units, and other numbers have none', () => {
    const unitsOf = (...names: readonly string[]) => names.map((name) => unitOf(name));
    expect(unitsOf('total_net', 'balance', 'area_sqm', 'amount_per_sqm', 'vat_rate', 'hourly_rate_net', 'useful_life_years')).toEqual([
      'EUR',
      'EUR',
      'm²',
      'EUR per m²',
      'percent',
      'EUR',
      'years',
    ]);
    expect(unitsOf('latitude', 'room_count', 'base_index_value', 'index_change_points', 'co_ownership_share')).toEqual(
      Array.from({ length: 5 }),
    );
    expect(unitOf('count')).toBeUndefined();
  });
});
