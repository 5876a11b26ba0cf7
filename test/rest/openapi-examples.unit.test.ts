/** The examples of responses in the interface description (contract: interface description). */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { dataScope } from '../../src/catalogue/data-scope.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { endpointGroups, type Tier } from '../../src/catalogue/tiers.ts';
import type { OpenApiDocument } from '../../src/rest/openapi/document.ts';
import { describeInterface } from '../../src/rest/openapi.ts';

type Json = Record<string, never>;
const copy = (document: OpenApiDocument) => JSON.parse(JSON.stringify(document));
const whole = copy(describeInterface(catalogue));
const keyOf = (tier: Tier, definition: Parameters<typeof dataScope>[0]) =>
  copy(describeInterface(catalogue, { tier, groups: new Set(endpointGroups), scope: dataScope(definition, 'key') }));

const eitherRow = /\{"anyOf":\[(\{"\$ref":"[^"]+"\}),\{"\$ref":"#\/components\/schemas\/RequestedRow"\}\]\}/g;
/** The document as text, with the rows of requests without `columns` alone. The examples show whole rows. */
const withWholeRows = (document: unknown): string => JSON.stringify(document).replaceAll(eitherRow, '$1');

/** Addresses of the examples that do not match their schema. */
const invalidIn = async (document: unknown) => {
  const config = await createConfig({ rules: { 'no-invalid-media-type-examples': 'error' } });
  const problems = await lintFromString({ source: withWholeRows(document), config });
  return problems.map(({ message, location }) => [message, location[0]?.pointer]);
};

test.each([
  ['everything', whole],
  ['a basic key', copy(describeInterface(catalogue, { tier: 'basic', groups: new Set(endpointGroups) }))],
  ['a key for raw tables', copy(describeInterface(catalogue, { tier: 'enterprise', groups: new Set(['raw']) }))],
  ['a key without personal data', keyOf('enterprise', { personal: [] })],
  ['a key with a property set', keyOf('enterprise', { properties: { ids: [1001] } })],
])('each example matches the schema of its response, for %s', async (_name, document) => {
  expect(await invalidIn(document)).toEqual([]);
});

test.each([
  ['a value of another type', (row: Record<string, unknown>) => ({ ...row, order_id: 'x' })],
  ['a date that is none', (row: Record<string, unknown>) => ({ ...row, order_date: 'soon' })],
  ['a column that is missing', ({ order_id, ...row }: Record<string, unknown>) => row],
  ['a column that the schema does not have', (row: Record<string, unknown>) => ({ ...row, more: 1 })],
])('an example with %s is noticed', async (_name, change) => {
  const document = structuredClone(whole);
  const { examples } = document.components;
  examples.orders.value = examples.orders.value.map(change);
  expect(await invalidIn(document)).not.toEqual([]);
});

test('every table has an example of its page, its groups and its deltas', () => {
  for (const { category, name } of catalogue.tables.values()) {
    const contentAt = (path: string) => {
      const ok = whole.paths[path].get.responses[200];
      return (ok.$ref ? whole.components.responses[ok.$ref.split('/').pop()] : ok).content['application/json'];
    };
    const { columns } = catalogue.tables.get(name)!;
    const row = Object.fromEntries(Object.entries(columns).map(([column, { example }]) => [column, example]));
    expect(contentAt(`/${category}/${name}`).examples).toEqual({ row: { $ref: `#/components/examples/${name}` } });
    expect(whole.components.examples[name].value).toEqual([row]);
    expect(contentAt(`/${category}/${name}/deltas`).examples).toEqual({ row: { $ref: `#/components/examples/${name}.deltas` } });
    expect(whole.components.examples[`${name}.deltas`].value.upserts).toEqual([row]);
    expect(Object.keys(contentAt(`/${category}/${name}/groups`).examples)).toEqual(['groups']);
  }
});

test('a key sees examples of the tables and columns that it may read', () => {
  const basic = copy(describeInterface(catalogue, { tier: 'basic', groups: new Set(endpointGroups) }));
  const readable = [...catalogue.tables.values()].filter(({ category }) => category === 'property').map(({ name }) => name);
  expect(Object.keys(basic.components.examples)).toEqual(readable.flatMap((name) => [name, `${name}.deltas`]));

  const { components, paths } = keyOf('enterprise', { personal: [] });
  for (const { name, columns } of catalogue.tables.values()) {
    const personal = Object.entries(columns).flatMap(([column, each]) => (each.personal ? [column] : []));
    for (const row of [components.examples[name].value[0], components.examples[`${name}.deltas`].value.upserts[0]] as Json[])
      for (const column of personal) expect([name, column, row[column]]).toEqual([name, column, null]);
  }
  const [raw] = paths['/raw/tables'].get.responses[200].content['application/json'].examples.row.value;
  expect(Object.keys(components.parameters.rawTable.examples)).toContain(raw.table);

  const part = keyOf('enterprise', { properties: { ids: [1001] } });
  expect(part.components.examples).not.toHaveProperty('owner');
  const exampleAt = (path: string) => part.paths[path].get.responses[200].content['application/json'].example;
  expect([exampleAt('/me').tables[0].row_count, exampleAt('/changes').changes[0].row_count]).toEqual([null, null]);
});
