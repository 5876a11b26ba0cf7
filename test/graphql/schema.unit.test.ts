/**
 * The schema of each tier follows from the catalogue: all tables of the tier and none above it (contract: GraphQL connections; schema per
 * tier).
 */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  lexicographicSortSchema,
  printSchema,
  validateSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import type { Kind } from '../../src/catalogue/column.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { lookups } from '../../src/catalogue/lookups.ts';
import { categories, includesTier, type Tier, tiers } from '../../src/catalogue/tiers.ts';
import { enumName } from '../../src/graphql/schema/codes.ts';
import { idName } from '../../src/graphql/schema/global-ids.ts';
import { byIdName, camelCase, labelName, rowTypeName } from '../../src/graphql/schema/names.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';
import { rowFunctionNames } from '../../src/plan/vocabulary/values.ts';
import { examples } from '../../src/web/graphiql/examples.ts';

const scalars: Record<Kind, string> = {
  integer: 'Int',
  bigint: 'BigInt',
  number: 'Float',
  string: 'String',
  date: 'Date',
  timestamp: 'DateTime',
  boolean: 'Boolean',
};

const shownTo = (tier: Tier, table: string) => includesTier(tier, categories[catalogue.tables.get(table)!.category]);

describe.each(tiers)('%s', (tier) => {
  const schema = createSchema(catalogue, tier);
  const roots = schema.getQueryType()!.getFields();

  test('is a valid schema', () => {
    expect(validateSchema(schema)).toEqual([]);
    expect(validateSchema(buildSchema(printSchema(schema)))).toEqual([]);
  });

  test.each([...catalogue.tables.keys()])('%s', (name) => {
    const table = catalogue.tables.get(name)!;
    const type = schema.getType(rowTypeName(name)) as GraphQLObjectType | undefined;
    if (!shownTo(tier, name)) {
      for (const absent of [type, roots[camelCase(name)], roots[byIdName(name)], schema.getType(`${rowTypeName(name)}Filter`)])
        expect(absent).toBeUndefined();
      return;
    }
    const fields = Object.fromEntries(Object.entries(type!.getFields()).map(([field, { type: of }]) => [field, String(of)]));
    const columns = Object.entries(table.columns);
    const relations = (catalogue.relations.get(name) ?? []).filter(({ target }) => shownTo(tier, target));
    expect(fields).toEqual(
      Object.fromEntries([
        ['id', 'ID!'],
        ...columns.map(([column, { kind, required }]) => [camelCase(column), `${scalars[kind]}${required ? '!' : ''}`]),
        ...columns.filter(([, { lookup }]) => lookup).map(([column]) => [labelName(column), 'String']),
        ...relations.map((relation) => [
          relation.name,
          relation.kind === 'to-one' ? rowTypeName(relation.target) : `${rowTypeName(relation.target)}Connection!`,
        ]),
        ...relations
          .filter(({ kind }) => kind === 'to-many')
          .map((relation) => [`${relation.name}Groups`, `${rowTypeName(relation.target)}Groups!`]),
      ]),
    );
    expect(String(roots[camelCase(name)]!.type)).toBe(`${rowTypeName(name)}Connection!`);
    expect(roots[camelCase(name)]!.args.map((argument) => argument.name)).toEqual([
      'filter',
      'orderBy',
      'first',
      'after',
      'last',
      'before',
      'offset',
    ]);
    expect(roots[byIdName(name)]!.args.map(({ name: argument, type: of }) => [argument, String(of)])).toEqual([
      [camelCase(table.key), `${scalars[table.columns[table.key]!.kind]}!`],
    ]);
  });

  test('names no column of a table above the tier, also in descriptions', () => {
    const text = printSchema(schema);
    for (const name of catalogue.tables.keys()) {
      if (shownTo(tier, name)) continue;
      expect(text).not.toMatch(new RegExp(`\\b${name}\\.\\w`));
    }
  });

  test('every type, field, argument and enum value has a description', () => {
    const silent: string[] = [];
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      if (!type.description) silent.push(type.name);
      const fields = 'getFields' in type ? Object.values(type.getFields()) : [];
      for (const field of fields) {
        if (!field.description) silent.push(`${type.name}.${field.name}`);
        for (const argument of 'args' in field ? field.args : [])
          if (!argument.description) silent.push(`${type.name}.${field.name}(${argument.name})`);
      }
    }
    expect(silent).toEqual([]);
  });
});

test('every code has a unique name, and every column, code and relation its own filter', () => {
  for (const [list, codes] of Object.entries(lookups)) {
    const names = codes.map(([code]) => enumName(code));
    expect([list, new Set(names).size]).toEqual([list, codes.length]);
  }
  const schema = createSchema(catalogue, 'enterprise');
  for (const { name, columns } of catalogue.tables.values()) {
    const fields = (schema.getType(`${rowTypeName(name)}Filter`) as GraphQLInputObjectType).getFields();
    const coded = Object.values(columns).filter(({ lookup }) => lookup);
    const count = 3 + rowFunctionNames.length + Object.keys(columns).length + coded.length + catalogue.relations.get(name)!.length;
    expect([name, Object.keys(fields).length]).toEqual([name, count]);
  }
});

test('a coded column describes its codes and labels, and its filter accepts them', () => {
  const schema = createSchema(catalogue, 'basic');
  const { status } = (schema.getType('TechnicalObject') as GraphQLObjectType).getFields();
  expect(status!.description).toMatch(/Codes: `active` Active \(In Betrieb\), /);
  const { statusIs } = (schema.getType('TechnicalObjectFilter') as GraphQLInputObjectType).getFields();
  expect(String(statusIs!.type)).toBe('[ToStatusCode!]');
  const values = (schema.getType('ToStatusCode') as GraphQLEnumType).getValues();
  expect(values.map(({ name, value, description }) => [name, value, description])[0]).toEqual(['active', 'active', 'Active (In Betrieb)']);
  // Lists of tables above the tier do not exist.
  expect(schema.getType('InvoiceStatusCode')).toBeUndefined();
});

test('no column and no relation has the name of the global id', () => {
  for (const { name, columns } of catalogue.tables.values()) {
    const names = [...Object.keys(columns).map(camelCase), ...catalogue.relations.get(name)!.map((relation) => relation.name)];
    expect(names).not.toContain(idName);
  }
});

test('the reviewed schema is that of the full tier; `npm run codegen` writes it', () => {
  const file = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  expect(printSchema(lexicographicSortSchema(buildSchema(file)))).toBe(
    printSchema(lexicographicSortSchema(createSchema(catalogue, 'enterprise'))),
  );
});

test.each([
  ['order_id', 'orderId'],
  ['hierarchy_1', 'hierarchy1'],
  ['index_rent', 'indexRent'],
])('%s is %s', (name, expected) => expect(camelCase(name)).toBe(expected));

test.each([
  ['orders', 'Order', 'orderById'],
  ['properties', 'Property', 'propertyById'],
  ['kontenmapping_ranges', 'KontenmappingRange', 'kontenmappingRangeById'],
  ['creditor', 'Creditor', 'creditorById'],
])('a row of %s is a %s, by key %s', (name, type, root) => {
  expect(rowTypeName(name)).toBe(type);
  expect(byIdName(name)).toBe(root);
});

test.each(Object.entries(examples))('examples/%s.graphql is up to date; `npm run codegen` writes it', (name, document) => {
  expect(readFileSync(new URL(`../../examples/${name}.graphql`, import.meta.url), 'utf8')).toBe(document);
});
