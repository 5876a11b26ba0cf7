/**
 * Each measure against values computed by hand from the files in `small/`, over all rows and by property (contract: measures). The comments
 * give numerator and denominator. `lease-term.test.ts` has the measure of days.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { measures as allMeasures, type Measure } from '../../src/catalogue/measures.ts';
import { pathOfTable } from '../../src/catalogue/table.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { dataOf } from '../graphql/client.ts';
import { startService, type TestService } from '../support/service.ts';
import { load } from '../sync/support.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await load(service.database, ['test/catalogue/small'], { customer: 'nord' });
});
afterAll(() => service.stop());

type Figures = Readonly<Record<string, number | null>>;

const byHand: Readonly<Record<string, Figures>> = {
  // 1 of 21 units; 1 of 12, 0 of 9. The four units of the condominium are occupied by their owners.
  vacancy_rate_units: { all: 4.76, 1001: 8.33, 1002: 0, 1003: null },
  // 65 of 1,456 m²; 65 of 715, 0 of 741.
  vacancy_rate_area: { all: 4.46, 1001: 9.09, 1002: 0, 1003: null },
  // 16,370 EUR for 1,456 m²; 6,920 for 715, 9,450 for 741.
  target_rent_per_sqm: { all: 11.2431, 1001: 9.6783, 1002: 12.753, 1003: null },
  arrears: { all: 7756.51, 1001: 2581.25, 1002: 4855.26, 1003: 320 },
  // Of 206,520 EUR a year; of 76,800, 114,360 and 15,360.
  arrears_ratio: { all: 3.76, 1001: 3.36, 1002: 4.25, 1003: 2.08 },
  // 6,000 + 4,800 + 0 EUR; 4,000 + 100.
  annual_rent: { all: 14900, 1001: 10800, 1002: 4100 },
  // A twelfth of these.
  monthly_rent: { all: 1241.6667, 1001: 900, 1002: 341.6667 },
  // 10,800 EUR for 110 m²; 4,000 for 80. Debits without an area do not count.
  annual_rent_per_sqm: { all: 77.8947, 1001: 98.1818, 1002: 50 },
  // 8 ends of 21 units without parking spaces; 5 of 12, 3 of 9.
  turnover_rate: { all: 38.1, 1001: 41.67, 1002: 33.33 },
  // 69,546.66 EUR for 1,456 m²; 28,619.99 for 715, 40,926.67 for 741.
  maintenance_cost_per_sqm: { all: 47.7656, 1001: 40.028, 1002: 55.2317 },
  // 80 days of 20 orders, each of 4 days.
  order_throughput_days: { all: 4, 1001: 4, 1002: 4 },
  // 69,650 EUR ordered, 69,350 offered; 48,200 and 48,050, 21,450 and 21,300.
  offer_deviation: { all: 0.43, 1001: 0.31, 1002: 0.7 },
  // 102,459 of 809,200 EUR; 68,068 of 714,000 in 1001.
  budget_use: { all: 12.66, 1001: 9.53, 1002: 96.33, 1003: 0 },
  // None of 8; 0 of 3, 0 of 5.
  index_rents_due: { all: 0, 1001: 0, 1002: 0 },
  // 3,649,000 EUR in 51 years; 2,140,000 in 51, 1,509,000 in 40.
  depreciation_per_year: { all: 71549.02, 1001: 41960.78, 1002: 37725 },
  // 500 + 200, 900. The forecast and the income do not count.
  planned_costs: { all: 1600, 1001: 700, 1002: 900 },
  // 400 - 50 + 300, 1,000, and 80 in 1003, which has no budget.
  actual_costs: { all: 1730, 1001: 650, 1002: 1000, 1003: 80 },
  planned_income: { all: 600, 1001: 600, 1002: 0 },
  // 500. The advances are no income.
  actual_income: { all: 500, 1001: 500, 1002: 0, 1003: 0 },
  // 400 - 50, 1,000.
  allocable_costs: { all: 1350, 1001: 350, 1002: 1000, 1003: 0 },
  // 100, 250. The claim on the tenant and the settlement, which debits the account again, do not count.
  debited_advances: { all: 350, 1001: 100, 1002: 250, 1003: 0 },
  // 350 of 1,350; 100 of 350, 250 of 1,000.
  service_charge_recovery: { all: 25.93, 1001: 28.57, 1002: 25, 1003: null },
};

const measures = allMeasures.filter(({ numerator }) => !numerator.includes('{day}'));

const tableOf = ({ table }: Measure) => catalogue.tables.get(table)!;

test('every measure has an expected value and a unique name', () => {
  expect(measures.map(({ name }) => name).sort()).toEqual(Object.keys(byHand).sort());
});

test.each(measures)('$name is additive or a quotient', ({ name, isAdditive, denominator }) => {
  expect(denominator === undefined).toBe(isAdditive === true);
  const { all, ...byProperty } = byHand[name]!;
  const sum = Object.values(byProperty).reduce((total: number, figure) => total + (figure ?? 0), 0);
  if (isAdditive) expect(sum).toBeCloseTo(all ?? 0, 2);
});

describe.each(measures)('$name', (measure) => {
  const { name } = measure;
  const path = `${pathOfTable(tableOf(measure))}/groups`;
  const { all, ...byProperty } = byHand[name]!;

  test('REST', async () => {
    expect((await service.get(`${path}?measure=${name}`)).json).toEqual([{ [name]: all }]);
    const { json } = await service.get(`${path}?measure=${name}&by=property_id`);
    expect(json).toEqual(Object.entries(byProperty).map(([property, figure]) => ({ property_id: Number(property), [name]: figure })));
  });

  test('GraphQL, with an order and a condition', async () => {
    const field = camelCase(name);
    const { found } = await dataOf(
      service,
      `{ found: ${camelCase(measure.table)}Groups(orderBy: [{ measure: ${name.toUpperCase()}, direction: DESC }], having: { measures: { ${field}: { isNull: false } } }) {
        groups { key { propertyId } measures { ${field} } } } }`,
    );
    const expected = Object.entries(byProperty).filter(([, figure]) => figure !== null);
    expect(
      found.groups.map(({ key, measures: own }: { key: { propertyId: number }; measures: Record<string, number> }) => [
        String(key.propertyId),
        own[field],
      ]),
    ).toEqual(expected.sort(([, one], [, other]) => other! - one!));
  });

  test('null if the denominator is 0, and 0 if it is a sum that is 0 without rows', async () => {
    const { json } = await service.get(`${path}?measure=${name}&property_id=0`);
    expect(json).toEqual([{ [name]: measure.isZeroWithoutRows || name === 'arrears' ? 0 : null }]);
  });
});
