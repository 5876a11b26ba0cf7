import { expect, test } from 'vitest';
import { TableNames } from '../../src/database/connections/table-names.ts';

const names = new TableNames(
  new Map([
    ['"customer_nord"."orders"', '"customer_nord"."orders_102008"'],
    ['"customer_nord"."odd "" name"', '"customer_nord"."odd "" name_7"'],
  ]),
);

test('tables are translated, columns and other names are not', () => {
  expect(names.translate('select "orders"."a", t."orders" from "customer_nord"."orders" as "t", "customer_sued"."orders"')).toBe(
    'select "orders"."a", t."orders" from "customer_nord"."orders_102008" as "t", "customer_sued"."orders"',
  );
  expect(names.translate('select from "customer_nord"."odd "" name"')).toBe('select from "customer_nord"."odd "" name_7"');
});

test('a text that differs has another name on the server, and the same text has the same', () => {
  const statement = { text: 'select from "customer_nord"."orders"', name: 's_1' };
  const other = new TableNames(new Map([['"customer_nord"."orders"', '"customer_nord"."orders_9"']]));
  const same = new TableNames(new Map([['"customer_nord"."orders"', '"customer_nord"."orders_102008"']]));
  expect(names.statement(statement).name).not.toBe(statement.name);
  expect(names.statement(statement)).toBe(names.statement(statement));
  expect(names.statement(statement)).toEqual(same.statement(statement));
  expect(names.statement(statement).name).not.toBe(other.statement(statement).name);
  expect(names.statement({ text: statement.text, name: '' }).name).toBe('');
});
