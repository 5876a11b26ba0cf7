/** Query strings that are written from plans of groups: reading one again gives the same plan (contract: groups in REST). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { categorySource } from '../../src/cache/directory.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import type { Groups } from '../../src/plan/groups/groups.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { parseGroups } from '../../src/query/groups.ts';
import { writtenGroups } from '../../src/query/write/groups.ts';
import { conditions, onMany, request } from './random-groups.ts';

const table = catalogue.tables.get('orders')!;
const source = categorySource(table, { id: 1, schema: 'customer_nord' }, undefined);
const relationsOf = (from: string) => catalogue.relations.get(from) ?? [];
const read = (query: URLSearchParams): Plan =>
  parseGroups(query, createCursors('secret'), { source, table, tables: catalogue.tables, relationsOf }).plan;

test('random requests', () => {
  fc.assert(
    fc.property(request, (query) => {
      const plan = read(query);
      const written = writtenGroups(plan as Plan & { readonly groups: Groups }, relationsOf);
      written.set('limit', String(plan.limit));
      expect(read(written)).toEqual(plan);
    }),
    { numRuns: 400 },
  );
});

test('conditions on related rows', () => {
  fc.assert(
    fc.property(onMany, conditions, (many, where) => {
      const query = new URLSearchParams({ by: 'trade', where: [many, ...where].join() });
      const plan = read(query);
      expect(read(writtenGroups(plan as Plan & { readonly groups: Groups }, relationsOf))).toEqual({ ...plan, limit: expect.anything() });
    }),
  );
});
