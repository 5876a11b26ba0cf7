/** One vocabulary: what it lists, both APIs and their descriptions have, and its examples are valid (contract: conditions on groups). */
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import { parameterMeanings } from '../../src/plan/vocabulary/descriptions.ts';
import { bandNames, bands, buckets } from '../../src/plan/vocabulary/keys.ts';
import {
  callNames,
  connectiveNames,
  connectives,
  operatorNames,
  operators,
  quantifierNames,
  quantifiers,
  relatedCount,
} from '../../src/plan/vocabulary/operators.ts';
import {
  aggregateNames,
  aggregates,
  computationNames,
  computations,
  rowFunctionNames,
  rowFunctions,
} from '../../src/plan/vocabulary/values.ts';
import { parseGroups } from '../../src/query/groups.ts';

const schema = createSchema(catalogue, 'enterprise');
const cursors = createCursors('secret');
const relationsOf = (name: string) => catalogue.relations.get(name) ?? [];

const fieldsOf = (type: string): readonly string[] =>
  Object.keys((schema.getType(type) as unknown as { getFields(): Record<string, unknown> }).getFields());

/** The table with the most columns of an example, and the errors of its groups. */
const errorsOf = (query: string): string | undefined => {
  let reason: string | undefined;
  for (const table of catalogue.tables.values())
    try {
      const source = { schema: 's', customerId: 1, kind: 'category', name: table.name, sort: table.sort, cursor: undefined } as const;
      parseGroups(new URLSearchParams(query), cursors, { source, table, tables: catalogue.tables, relationsOf });
      return undefined;
    } catch (error) {
      reason = (error as Error).message;
    }
  return reason;
};

describe('every example of the vocabulary is a valid query string of a table', () => {
  test.each([
    ...operatorNames.map((name) => operators[name].example),
    ...connectiveNames.map((name) => connectives[name].example),
    ...rowFunctionNames.map((name) => rowFunctions[name].condition),
    relatedCount.example,
  ])('%s', (example) => {
    expect(errorsOf(`where=${encodeURIComponent(example)}`)).toBeUndefined();
  });
  test.each(quantifierNames.map((name) => quantifiers[name].example))('%s', (example) => {
    const series = example.includes('_valid') ? '&by=as_of:month(2025-01-01,2025-03-31)' : '';
    expect(errorsOf(`where=${encodeURIComponent(example)}${series}`)).toBeUndefined();
  });
  test.each([
    ...bandNames.map((name) => bands[name].example),
    ...aggregateNames.map((name) => aggregates[name].example),
    ...rowFunctionNames.map((name) => rowFunctions[name].example),
  ])('%s', (example) => {
    expect(errorsOf(example)).toBeUndefined();
  });
  test.each(computationNames.map((name) => computations[name].example))('%s', (example) => {
    const operands: Readonly<Record<string, string>> = { invoiced: 'invoiced:sum(invoiced_net),' };
    const before = example.includes('(invoiced') ? operands.invoiced : '';
    const [name, value] = [example.slice(0, 6), example.slice(6)];
    expect(
      errorsOf(`${name}${before}${value}&by=property_id,order_date:month`) && errorsOf(`${name}${before}${value}&by=property_id`),
    ).toBeUndefined();
  });
});

test('GraphQL has every operator, quantifier, aggregate, row function and computation', () => {
  expect(fieldsOf('StringFilter')).toEqual(operatorNames);
  expect(fieldsOf('TenantListFilter')).toEqual([...quantifierNames, relatedCount.call]);
  for (const name of rowFunctionNames) expect(fieldsOf('TenantFilter')).toContain(name);
  const group = fieldsOf('OrderGroup');
  for (const name of [...aggregateNames, ...computationNames]) expect(group).toContain(camelCase(name));
  for (const type of ['OrderQuantities', 'OrderValues', 'OrderCounts'])
    for (const name of rowFunctionNames) expect(fieldsOf(type)).toContain(name);
});

test('descriptions have every call, bucket, function and computation', () => {
  for (const name of [...callNames, ...rowFunctionNames, relatedCount.example]) expect(parameterMeanings.where).toContain(name);
  for (const name of [...buckets, ...bandNames]) expect(parameterMeanings.by).toContain(name);
  for (const name of [...aggregateNames, ...rowFunctionNames, ...computationNames]) expect(parameterMeanings.value).toContain(name);
});
