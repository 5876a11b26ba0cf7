/** What a condition of a check reads decides who sees the check (contract: checks of the data). */
import { expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { parseCheckCondition } from '../../src/checks/condition.ts';

test.each([
  ['status=closed', ['status'], []],
  ['not_exists:any(status=closed)', undefined, undefined],
  ['property.city=Bonn', ['property_id', 'properties.city'], ['properties']],
  ['assets:some(status=disposed)', ['order_id', 'assets.status'], ['assets']],
  ['assets:count(status=disposed)>2', ['order_id', 'assets.status'], ['assets']],
  ['days(order_date,closed_date)>30', ['order_date', 'closed_date'], []],
  ['days(property.acquisition_date,order_date)>30', ['property_id', 'properties.acquisition_date', 'order_date'], ['properties']],
])('%s', (text, columns, tables) => {
  const read = () => parseCheckCondition(catalogue, 'orders', text, 'check');
  if (!columns) expect(read).toThrow('check: ');
  else expect(read()).toMatchObject({ columns, tables });
});
