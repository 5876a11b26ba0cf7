/** The test files of each mutated source file. Unit tests run first, and the first failure ends a mutant's run. */

const plans = ['test/plan/plan.unit.test.ts', 'test/sql/statement.unit.test.ts'];
const rows = ['test/wire/json-rows.unit.test.ts', 'test/wire/words.unit.test.ts', 'test/rest/csv.test.ts'];
const documents = [
  'test/graphql/json-layout.unit.test.ts',
  'test/graphql/write.unit.test.ts',
  'test/graphql/pauses.unit.test.ts',
  'test/graphql/conditional-fields.test.ts',
  'test/graphql/execution.test.ts',
  'test/graphql/pages.test.ts',
  'test/graphql/relations.test.ts',
  'test/graphql/nodes.test.ts',
];
const keys = ['test/access/key-text.unit.test.ts', 'test/access/key-store.test.ts'];

export const targets: Readonly<Record<string, readonly string[]>> = {
  'src/plan/plan.ts': [...plans, 'test/rest/pages.test.ts', 'test/graphql/pages.test.ts', 'test/graphql/relation-filters.test.ts'],
  'src/sql/query.ts': [
    'test/sql/statement.unit.test.ts',
    'test/sql/deep-offset.test.ts',
    'test/sql/empty-results.test.ts',
    'test/rest/pages.test.ts',
    'test/rest/groups.test.ts',
    'test/graphql/relations.test.ts',
    'test/sync/deltas.test.ts',
  ],
  'src/plan/condition.ts': [...plans, 'test/graphql/filters.test.ts', 'test/graphql/relation-filters.test.ts'],
  'src/plan/cursor.ts': [
    'test/plan/cursor.unit.test.ts',
    'test/plan/keyset.unit.test.ts',
    'test/rest/pages.test.ts',
    'test/graphql/pages.test.ts',
    'test/sync/deltas.test.ts',
  ],
  'src/plan/groups/resolve.ts': [
    'test/plan/resolve-groups.unit.test.ts',
    'test/plan/having.unit.test.ts',
    'test/rest/groups.test.ts',
    'test/graphql/groups.test.ts',
  ],
  'src/sql/grouped.ts': ['test/sql/statement.unit.test.ts', 'test/rest/groups.test.ts', 'test/graphql/groups.test.ts'],
  'src/sql/statement.ts': ['test/sql/statement.unit.test.ts', 'test/graphql/pages.test.ts', 'test/graphql/relations.test.ts'],
  'src/wire/json-values.ts': rows,
  'src/wire/json-rows.ts': [...rows, 'test/rest/pages.test.ts'],
  'src/wire/words.ts': rows,
  'src/access/key-text.ts': [...keys, 'test/access/keys.test.ts', 'test/http/log.test.ts'],
  'src/access/keys.ts': keys,
  'src/access/key-lookup.ts': ['test/access/key-lookup.test.ts', 'test/access/key-store.test.ts'],
  'src/http/gate.ts': ['test/http/gate.test.ts'],
  'src/rest/respond.ts': ['test/rest/held-pages.test.ts', 'test/http/caching.test.ts', 'test/rest/pages.test.ts', 'test/rest/meta.test.ts'],
  'src/graphql/execution/plan.ts': [
    'test/graphql/plan.unit.test.ts',
    'test/graphql/limits.test.ts',
    'test/graphql/pages.test.ts',
    'test/graphql/relations.test.ts',
    'test/graphql/nodes.test.ts',
  ],
  'src/graphql/execution/json-layout.ts': documents,
  'src/graphql/execution/write.ts': documents,
};
