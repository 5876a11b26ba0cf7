/** The catalogue of measures over another table: shared columns are the same in both, and callers without the table have no measure. */
import { expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { measuresOf } from '../../src/catalogue/measures/measure-formula.ts';
import { measures } from '../../src/catalogue/measures/measures.ts';

const relationsOf = (table: string) => catalogue.relations.get(table) ?? [];
const found = measures.flatMap(({ table, name }) =>
  measuresOf(table, relationsOf).flatMap((measure) => (measure.name === name && measure.over ? [{ table, name, over: measure.over }] : [])),
);

test('there are measures over another table', () => {
  expect(found.map(({ name, over }) => [name, over.table])).toEqual([
    ['actual_costs', 'booking_positions'],
    ['actual_income', 'booking_positions'],
  ]);
});

test.each(found)('the shared columns of $name are the same in both tables, and not personal', ({ table, over }) => {
  for (const column of over.shared) {
    const [own, other] = [table, over.table].map((name) => catalogue.tables.get(name)!.columns[column]!);
    const { kind, required, lookup, personal } = own!;
    expect([column, { kind, required, lookup, personal }]).toEqual([
      column,
      { kind: other!.kind, required: other!.required, lookup: other!.lookup, personal: undefined },
    ]);
  }
});

test.each(found)('the relations by shared columns of $name lead to the same rows in both tables', ({ table, over }) => {
  const shared = (name: string) => relationsOf(name).filter(({ kind, column }) => kind === 'to-one' && over.shared.includes(column));
  const names = shared(table).map(({ name, column, target, targetColumn }) => ({ name, column, target, targetColumn }));
  expect(names.length).toBeGreaterThan(0);
  expect(shared(over.table)).toEqual(expect.arrayContaining(names.map((name) => expect.objectContaining(name))));
});

test('without relations to the other table there is no such measure', () => {
  const without = (table: string) => relationsOf(table).filter(({ target }) => target !== 'booking_positions');
  expect(measuresOf('budgets', without).map(({ name }) => name)).toEqual(['planned_costs', 'planned_income']);
});
