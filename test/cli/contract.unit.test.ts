/** The data contract has every table and column of the catalogue, in the form of the Open Data Contract Standard 3.1. */
import { existsSync, readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { catalogue } from '../../src/catalogue/index.ts';
import { dataContract } from '../../src/cli/connectors/contract.ts';

const options = { catalogue, url: 'https://estate.example.com', version: '1.0.0' } as const;
const whole = parse(dataContract(options));

test('all tables, with their columns and types', () => {
  expect(whole).toMatchObject({ apiVersion: 'v3.1.0', kind: 'DataContract', id: 'estate', status: 'active', version: '1.0.0' });
  expect(
    whole.schema.map(({ name, properties }: { name: string; properties: { name: string }[] }) => [
      name,
      properties.map((each) => each.name),
    ]),
  ).toEqual([...catalogue.tables.values()].map(({ name, columns }) => [name, Object.keys(columns)]));
  const orders = whole.schema.find(({ name }: { name: string }) => name === 'orders');
  const column = (name: string) => orders.properties.find((each: { name: string }) => each.name === name);
  expect(column('order_id')).toMatchObject({ logicalType: 'integer', required: true, unique: true, primaryKey: true });
  expect(column('total_net')).toMatchObject({ logicalType: 'number', physicalType: 'numeric(14,2)' });
  expect(column('property_id').relationships).toEqual([{ type: 'foreignKey', to: 'properties.property_id' }]);
  expect(column('status').authoritativeDefinitions).toEqual([
    { type: 'codes', url: 'https://estate.example.com/meta/orders/values/status' },
  ]);
  expect(orders.quality.map(({ name }: { name: string }) => name)).toContain('orders.rows');
});

test('every reference leads to a column of the contract', () => {
  const columns = new Set(
    whole.schema.flatMap(({ name, properties }: { name: string; properties: { name: string }[] }) =>
      properties.map((each) => `${name}.${each.name}`),
    ),
  );
  const references = whole.schema.flatMap(({ properties }: { properties: { relationships?: { to: string }[] }[] }) =>
    properties.flatMap(({ relationships = [] }) => relationships.map(({ to }) => to)),
  );
  expect(references.length).toBeGreaterThan(20);
  for (const to of references) expect(columns).toContain(to);
});

test('a customer has the tables of its tier, and references among them', () => {
  const own = parse(dataContract({ ...options, customer: { slug: 'nord', name: 'Nordlicht', tier: 'basic' } }));
  expect([own.id, own.tenant, own.roles]).toEqual(['estate-nord', 'nord', [{ role: 'basic', access: 'read' }]]);
  const names = own.schema.map(({ name }: { name: string }) => name);
  expect(names).toEqual([...catalogue.tables.values()].filter(({ category }) => category === 'property').map(({ name }) => name));
  const targets = own.schema.flatMap(({ properties }: { properties: { relationships?: { to: string }[] }[] }) =>
    properties.flatMap(({ relationships = [] }) => relationships.map(({ to }) => to.split('.')[0])),
  );
  for (const target of targets) expect(names).toContain(target);
});

// The JSON Schema of the standard (Apache License 2.0) is not part of this project. `ODCS_SCHEMA` is the path of a copy of
// schema/odcs-json-schema-v3.1.0.json in bitol-io/open-data-contract-standard.
const schema = process.env.ODCS_SCHEMA ?? '';
test.runIf(existsSync(schema))('it is valid by the JSON Schema of the standard', () => {
  const ajv = addFormats.default(new Ajv2019({ strict: false, allErrors: true }));
  const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));
  expect([validate(whole), validate.errors]).toEqual([true, null]);
});
