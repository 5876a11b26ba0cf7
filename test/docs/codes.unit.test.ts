/** Every value of a coded column in an example, a sample or the vocabulary is one of the codes of the column. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { lookups } from '../../src/catalogue/lookups.ts';
import { planOperation } from '../../src/graphql/execution/plan.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';
import { selectOperation } from '../../src/graphql/selection/select.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import { snakeCase } from '../../src/query/relation-names.ts';

/** The values that show a misspelt or missing code on purpose. */
const misspelt = ['opne', 'null'];

const allTables = [...catalogue.tables.keys()];
const allRelations = allTables.flatMap((name) => catalogue.relations.get(name) ?? []);
const coded = new Set(
  [...catalogue.tables.values()].flatMap(({ columns }) => Object.entries(columns).flatMap(([name, { lookup }]) => (lookup ? [name] : []))),
);

/** The tables that a relation of this name leads to, in the spelling of either API. */
const targetsOf = (relation: string): readonly string[] =>
  allRelations.filter(({ name }) => [name, snakeCase(name)].includes(relation)).map(({ target }) => target);

/** Whether the value is a code of the column in one of the tables, or none of them has the column with a code list. */
const isCode = (tables: readonly string[], column: string, value: string): boolean => {
  const lists = tables.flatMap((name) => catalogue.tables.get(name)?.columns[column]?.lookup ?? []);
  return lists.length === 0 || lists.some((list) => lookups[list].some(([code]) => code === value));
};

const name = '[a-z][A-Za-z0-9_]*';
/** `status=new`, `properties.status:in(active,sold)` and `status: { in: ["new"] }`, with the name and the values. */
const written = [
  new RegExp(`(?<![\\w.])((?:${name}\\.)*${name})(?=(!?=|:(?:not_)?in\\()([a-z0-9_,]+))`, 'g'),
  new RegExp(
    `(?<![\\w.])((?:${name}\\.)*${name})(?=["']?:( )(?:\\{ ?(?:eq|ne|in): )?(?=["[])(\\["[a-z0-9_]+"(?:, "[a-z0-9_]+")*|"[a-z0-9_]+"))`,
    'g',
  ),
];
const callBefore = new RegExp(`(${name})(?:: ?\\{ ?|:)(?:some|none|every|someValid|noneValid|some_valid|none_valid)(?:\\(|: )[^()]*$`);
const pathBefore = new RegExp(
  `/(?:${[...new Set([...catalogue.tables.values()].map(({ category }) => category))].join('|')})/(${name})[^\\n]*$`,
);

/** The tables that a name before `at` can be of: those of its path, of the relation around it, of the address, or all. */
const tablesAt = (path: readonly string[], before: string): readonly string[] => {
  const relation = path.at(-1) ?? callBefore.exec(before)?.[1];
  const targets = relation ? targetsOf(relation) : [];
  const [, table] = pathBefore.exec(before) ?? [];
  return targets.length > 0 ? targets : table ? [table] : allTables;
};

const strayValues = (text: string): readonly string[] =>
  written.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ 1: path = '', 2: sign = '', 3: listed = '', index }) => {
      const steps = path.split('.');
      const column = snakeCase(steps.pop()!);
      if (!coded.has(column)) return [];
      const tables = tablesAt(steps, text.slice(Math.max(0, index - 300), index));
      const values = listed.replaceAll(/["\s[]/g, '').split(',');
      return (/^!?=$/.test(sign) ? values.slice(0, 1) : values)
        .filter((value) => value !== '' && !misspelt.includes(value) && !isCode(tables, column, value))
        .map((value) => `${path} ${value}`);
    }),
  );

/** The files in a folder with one of these endings. */
const filesIn = (folder: string, endings: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => endings.test(file))
    .map((file) => join(folder, file));

const decoded = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (code) => decodeURIComponent(code));

const files = [
  'README.md',
  'CHANGELOG.md',
  ...filesIn('docs', /\.md$/),
  ...filesIn('examples', /\.(?:graphql|mjs|mts|R|pq|py|sh|sql|md)$/),
  'src/web/graphiql/questions.ts',
  ...['plan', 'rest', 'agents'].flatMap((module) => filesIn(`src/${module}`, /\.ts$/)),
];

describe('values of coded columns are codes', () => {
  test('a value that is no code is found', () => {
    expect(strayValues('where=status=open')).toEqual(['status open']);
    expect(strayValues('orders:some(order_date>=2025-01-01,status=active)')).toEqual(['status active']);
    expect(strayValues('/operations/orders?status:in(new,vacant)&property.status=active')).toEqual(['status vacant']);
    expect(strayValues('{ orders: { some: { status: { in: ["new", "active"] } } } }')).toEqual(['status active']);
  });

  test('in the examples of columns', () => {
    for (const { name: table, columns } of catalogue.tables.values())
      for (const [column, { lookup, example }] of Object.entries(columns))
        if (lookup) expect([table, column, example, isCode([table], column, String(example))]).toEqual([table, column, example, true]);
  });

  test.each(files)('%s', (file) => {
    expect(strayValues(decoded(readFileSync(file, 'utf8')))).toEqual([]);
  });

  const schema = createSchema(catalogue, 'enterprise');
  const documents = [
    ...filesIn('examples', /\.graphql$/).map((file) => [file, readFileSync(file, 'utf8')] as const),
    ...filesIn('docs', /\.md$/).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^```graphql\n(.*?)^```$/gms)].map(([, text = ''], at) => [`${file} ${at}`, text] as const),
    ),
  ];
  test.each(documents)('the document %s', (_name, text) => {
    const document = parse(text);
    expect(validate(schema, document)).toEqual([]);
    const variables = { ids: [] };
    const selection = selectOperation(schema, document, undefined, variables);
    const customer = { id: 7, schema: 'customer_7' };
    const plan = planOperation(selection, { catalogue, customer, scope: undefined, cursors: createCursors('secret'), variables });
    expect(plan.unlisted.map(({ table, column, value }) => `${table}.${column}=${value}`)).toEqual([]);
  });
});
