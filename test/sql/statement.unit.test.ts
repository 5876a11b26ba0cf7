import { describe, expect, test } from 'vitest';
import type { Condition } from '../../src/plan/condition.ts';
import type { OrderTerm, Plan } from '../../src/plan/plan.ts';
import type { PlanQuery } from '../../src/plan/plan-query.ts';
import { quantifiers as quantifierTable } from '../../src/plan/vocabulary/operators.ts';
import { hiddenColumns } from '../../src/sql/query.ts';
import { statementFor } from '../../src/sql/statement.ts';

const term = (column: string, changed: Partial<OrderTerm> = {}): OrderTerm => ({
  column,
  kind: 'integer',
  isDescending: false,
  isNullable: false,
  ...changed,
});

const source = {
  schema: 'customer_nord',
  customerId: 7,
  kind: 'category',
  name: 'offers',
  sort: ['offer_hdr_id'],
  cursor: { column: 'offer_hdr_id', kind: 'integer' },
} as const;

const plan: Plan = {
  source,
  columns: ['offer_hdr_id', 'offer_value'],
  where: undefined,
  order: [term('offer_hdr_id')],
  after: undefined,
  offset: 0,
  limit: 2,
  joinedRows: [],
};

const equal = (column: string, kind: 'integer' | 'string', value: string): Condition => ({ is: 'compared', column, kind, by: 'eq', value });
const where = equal('property_id', 'integer', '1001');

/** The statement without redundant aliases, for readability. */
const readable = (text: string) =>
  text
    .replaceAll('"customer_nord".', '')
    .replaceAll(/ as "(\w+|j\d \d|\w+ \d)"(?=[ ,)]|$)/g, '')
    .replaceAll('"', '');
const statement = (changed: Partial<Plan>, planQuery: Partial<PlanQuery> = {}) => {
  const { text, values } = statementFor({ queryKind: 'rows', limit: 3, ...planQuery, plan: { ...plan, ...changed } });
  return [readable(text), values];
};

const state = (expression: string, first: number) =>
  `(select ${expression} from _datasets where kind = $${first}::text and name = $${first + 1}::text)`;
const dataset = ['category', 'offers'];

describe('a plan becomes one statement with qualified tables and bound values', () => {
  test('rows of a page in the order of the sort key; the limit is part of the text', () => {
    expect(statement({})).toEqual(['select t.offer_hdr_id, t.offer_value from offers order by t.offer_hdr_id limit 3', []]);
    expect(statementFor({ queryKind: 'rows', limit: 3, plan }).text).toContain('from "customer_nord"."offers" as "t"');
  });

  test('filters, each bound as the widest type of its kind', () => {
    const both: Condition = { is: 'and', of: [where, equal('offer_type', 'string', 'fixed_price')] };
    expect(statement({ where: both })).toEqual([
      'select t.offer_hdr_id, t.offer_value from offers where (t.property_id = $1::bigint and t.offer_type = $2::text) order by t.offer_hdr_id limit 3',
      ['1001', 'fixed_price'],
    ]);
  });

  test('any condition, lists as one array, searches without wildcards', () => {
    const any: Condition = {
      is: 'or',
      of: [
        { is: 'not', of: { is: 'null', column: 'a', expected: true } },
        { is: 'among', column: 'b', kind: 'integer', values: ['1', '2'] },
        { is: 'found', column: 'c', by: 'iContains', value: '50%_\\' },
        { is: 'unknown' },
      ],
    };
    expect(statement({ where: any })).toEqual([
      'select t.offer_hdr_id, t.offer_value from offers where (not t.a is null or t.b = any($1::bigint[]) or t.c collate und-x-icu ilike $2::text or null::boolean) order by t.offer_hdr_id limit 3',
      [['1', '2'], '%50\\%\\_\\\\%'],
    ]);
  });

  test('every comparison, search and quantifier has its own operator', () => {
    const conditionOf = (where: Condition) =>
      (statement({ where }) as [string, unknown])[0].replace(/^.*? where /, '').replace(/ order by .*$/, '');
    const compared = { is: 'compared', column: 'a', kind: 'integer', value: '1' } as const;
    expect((['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const).map((by) => conditionOf({ ...compared, by }))).toEqual(
      ['=', '<>', '>', '>=', '<', '<='].map((operator) => `t.a ${operator} $1::bigint`),
    );
    const found = { is: 'found', column: 'a', value: 'x' } as const;
    expect((['contains', 'startsWith', 'iContains', 'iStartsWith'] as const).map((by) => conditionOf({ ...found, by }))).toEqual([
      't.a like $1::text',
      't.a like $1::text',
      't.a collate und-x-icu ilike $1::text',
      't.a collate und-x-icu ilike $1::text',
    ]);
    const related = { is: 'related', column: 'a', target: 'units', targetColumn: 'b', of: { ...compared, by: 'eq' } } as const;
    const quantifiers = [...new Set(Object.values(quantifierTable).map(({ by }) => by))];
    expect(quantifiers).toEqual(['some', 'none', 'every']);
    expect(quantifiers.map((by) => conditionOf({ ...related, by }))).toEqual([
      'exists (select 1 from units where tr.b = t.a and tr.a = $1::bigint)',
      'not exists (select 1 from units where tr.b = t.a and tr.a = $1::bigint)',
      'not exists (select 1 from units where tr.b = t.a and (tr.a = $1::bigint) is not true)',
    ]);
    const [expected, unexpected] = [true, false].map((isNull) => conditionOf({ is: 'null', column: 'a', expected: isNull }));
    expect([expected, unexpected]).toEqual(['t.a is null', 't.a is not null']);
  });

  test('a cursor continues after its key, in any order', () => {
    expect(statement({ after: ['17'] })).toEqual([
      'select t.offer_hdr_id, t.offer_value from offers where t.offer_hdr_id > $1::bigint order by t.offer_hdr_id limit 3',
      ['17'],
    ]);
    const order = [term('offer_value', { isNullable: true, isDescending: true }), term('offer_hdr_id', { isDescending: true })];
    expect(statement({ order, after: ['5', '17'] })).toEqual([
      'select t.offer_hdr_id, t.offer_value from offers where ((t.offer_value < $1::bigint or t.offer_value is null) or (t.offer_value = $2::bigint and t.offer_hdr_id < $3::bigint)) order by t.offer_value desc nulls last, t.offer_hdr_id desc limit 3',
      ['5', '5', '17'],
    ]);
    expect(statement({ order: [term('a'), term('b')], after: ['5', '17'] })).toEqual([
      'select t.offer_hdr_id, t.offer_value from offers where (t.a, t.b) > ($1::bigint, $2::bigint) order by t.a, t.b limit 3',
      ['5', '17'],
    ]);
  });

  test('a deep offset is reached by keys only: from the first key in the order of an index, otherwise with all keys', () => {
    expect(statement({ where, offset: 500 })).toEqual([
      'select t.offer_hdr_id, t.offer_value from offers where (t.property_id = $1::bigint and (t.offer_hdr_id) >= (select t.offer_hdr_id from offers where t.property_id = $2::bigint order by t.offer_hdr_id limit 1 offset $3::bigint)) order by t.offer_hdr_id limit 3',
      ['1001', '1001', 500],
    ]);
    const [ofAll] = statement({ offset: 500 });
    expect(ofAll).toContain('(t.offer_hdr_id) >= case when $1::bigint * 2 <= (select row_count from _datasets');
    expect(ofAll).toContain('then (select t.offer_hdr_id from offers order by t.offer_hdr_id limit 1 offset $4::bigint) when');
    expect(ofAll).toContain(
      'then (select t.offer_hdr_id from offers order by t.offer_hdr_id desc limit 1 offset greatest((select row_count',
    );
    expect(statement({ order: [term('offer_hdr_id', { isDescending: true })], offset: 500 })).toEqual([
      'select t.offer_hdr_id, t.offer_value from offers where (t.offer_hdr_id) in (select t.offer_hdr_id from offers order by t.offer_hdr_id desc limit 3 offset $1::bigint) order by t.offer_hdr_id desc limit 3',
      [500],
    ]);
    expect(statement({ offset: 499 })[0]).toContain('limit 3 offset $1::bigint');
  });

  const grouped: Partial<Plan> = {
    columns: ['k', 'count', 'v0', 'v1', 'v2'],
    order: [term('v0', { isDescending: true, isNullable: true }), term('k', { isNullable: true })],
    where,
    groups: {
      keys: [{ name: 'k', kind: 'date', isNullable: true, via: [], column: 'a', bucket: 'month' }],
      values: [
        { name: 'v0', is: 'sum', column: 'b', kind: 'number', scale: 2 },
        { name: 'v1', is: 'avg', column: 'b', kind: 'number', scale: 2 },
        { name: 'v2', is: 'distinct', column: 'c', kind: 'string', scale: 0 },
        { name: 'v3', is: 'measure', scale: 2, formula: ['sum(', { via: [], column: 'b' }, ') / 2'] },
      ],
      having: equal('v0', 'integer', '5'),
      top: { by: ['k'], first: 3 },
      isCounted: true,
    },
  };
  /** The groups, with values from `$first` on. */
  const groupsFrom = (first: number): string => {
    const key = "date_trunc('month', case when isfinite(t.a) then t.a end::timestamp)::date";
    const values =
      "count(*), nullif(sum(t.b), 'NaN'), nullif(round(round(sum(t.b), 40) / count(t.b), 6), 'NaN'), count(distinct t.c), nullif(sum(t.b) / 2, 'NaN')";
    const all = `select ${key}, ${values} from offers where t.property_id = $${first}::bigint group by ${key}`;
    const matching = `select t.* from (${all}) where t.v0 = $${first + 1}::bigint`;
    const placed = `select t.*, row_number() over (partition by t.k order by t.v0 desc nulls last, t.k) from (${matching})`;
    return `(select t.*, count(*) over () from (select t.* from (${placed}) where t.place <= 3))`;
  };
  test('groups are a derived table, with conditions, the first of each key, and their number', () => {
    const shown = 't.k, t.count, t.v0, t.v1, t.v2';
    const order = 'order by t.v0 desc nulls last, t.k limit 3';
    expect(statement(grouped)).toEqual([`select ${shown} from ${groupsFrom(1)} ${order}`, ['1001', '5']]);
    const behind = '((t.v0 < $3::bigint or t.v0 is null) or (t.v0 = $4::bigint and (t.k > $5::bigint or t.k is null)))';
    expect(statement({ ...grouped, after: ['7', '2024-01-01'] })).toEqual([
      `select ${shown} from ${groupsFrom(1)} where ${behind} ${order}`,
      ['1001', '5', '7', '7', '2024-01-01'],
    ]);
    expect(statement(grouped, { queryKind: 'page' })).toEqual([
      `select ${state('json_build_array(version, synced_at)', 1)}, t.total, json_build_array(t.v0::text, t.k::text)::text, ${shown} from ${groupsFrom(3)} ${order}`,
      [...dataset, '1001', '5'],
    ]);
    const parents = { link: { column: 'property_id', kind: 'integer', isUnique: false }, values: ['1'] } as const;
    const [ofParents] = statement(grouped, { queryKind: 'count', parents });
    expect(ofParents).toContain(
      'select p.value, t.count from unnest($1::bigint[]) with ordinality as p(value, place) cross join lateral (select count(*) from',
    );
    expect(ofParents).toContain('from offers where (t.property_id = p.value and t.property_id = ');
    expect(statement(grouped, { queryKind: 'count' })).toEqual([`select count(*) from ${groupsFrom(1)}`, ['1001', '5']]);
  });

  test('groups by a column of another table follow the relation and return the version of that table', () => {
    const via = [{ column: 'property_id', target: 'properties', targetColumn: 'property_id' }];
    const key = { name: 'k', kind: 'string', isNullable: true, via, column: 'city' } as const;
    const relatedColumns = {
      columns: ['k'],
      order: [term('k')],
      groups: { keys: [key], values: [], having: undefined, top: undefined, isCounted: false },
    };
    const [text, values] = statement(relatedColumns, { queryKind: 'page' });
    expect(text).toContain(
      'json_build_array(version, synced_at, (select json_object_agg(name, version) from _datasets where kind = $1::text and name = any($2::text[])))',
    );
    expect(values?.slice(0, 2)).toEqual(['category', ['properties']]);
    expect(text).toMatch(
      /select (\w+)\.city, count\(\*\) from offers left join properties on \1\.property_id = t\.property_id group by \1\.city/,
    );
  });

  test('a page backward is read from the end and returned in order', () => {
    expect(statement({ isBackward: true })).toEqual([
      'select t.offer_hdr_id, t.offer_value from (select t.offer_hdr_id, t.offer_value from offers order by t.offer_hdr_id desc limit 3) order by t.offer_hdr_id',
      [],
    ]);
    expect(statement({ isBackward: true, after: ['17'] })).toEqual([
      'select t.offer_hdr_id, t.offer_value from (select t.offer_hdr_id, t.offer_value from offers where t.offer_hdr_id < $1::bigint order by t.offer_hdr_id desc limit 3) order by t.offer_hdr_id',
      ['17'],
    ]);
  });

  test('a range of the change log, and the rows of its keys', () => {
    const entry = (version: number, key: string) => ({ version, key });
    const changes = { key: { column: 'offer_hdr_id', kind: 'integer' }, dataset: 5, since: 3, to: 9 } as const;
    const planQuery = { changes: { ...changes, after: { to: 9, ...entry(4, 'a') }, last: entry(6, 'b') } };
    expect(statement({}, { queryKind: 'log', ...planQuery })).toEqual([
      'select c.version, c.key, c.is_deleted from _changed_keys where c.dataset_id = $1::integer and c.version > $2::bigint and (c.version, c.key) > ($3::bigint, $4::text) and c.version <= $5::bigint order by c.version, c.key limit 3',
      [5, 3, 4, 'a', 9],
    ]);
    expect(statement({}, planQuery)).toEqual([
      'select t.offer_hdr_id, t.offer_value from _changed_keys inner join offers on t.offer_hdr_id = c.key::bigint where c.dataset_id = $1::integer and c.version > $2::bigint and (c.version, c.key) > ($3::bigint, $4::text) and (c.version, c.key) <= ($5::bigint, $6::text) and not c.is_deleted order by c.version, c.key',
      [5, 3, 4, 'a', 6, 'b'],
    ]);
  });

  test('without a sort key the order is physical, at any offset', () => {
    const heap = { source: { ...source, name: 'heap', sort: [], cursor: undefined }, columns: ['a'], order: [] };
    expect(statement({ ...heap, offset: 600 })).toEqual(['select t.a from heap order by t.ctid limit 3 offset $1::bigint', [600]]);
  });
});

describe('statements of one plan', () => {
  test('a page has state, total and key before each row', () => {
    expect(hiddenColumns.page).toBe(3);
    expect(statement({}, { queryKind: 'page' })).toEqual([
      `select ${state('json_build_array(version, synced_at)', 1)}, ${state('row_count', 3)}, t.offer_hdr_id::text, t.offer_hdr_id, t.offer_value from offers order by t.offer_hdr_id limit 3`,
      [...dataset, ...dataset],
    ]);
  });

  test('a summary counts only if the total of this version is unknown', () => {
    expect(statement({ where }, { queryKind: 'summary', limit: 2, known: { version: 4, total: 9 } })).toEqual([
      `select s.state, s.total, case when s.total = 0 then '{}'::text[] else array(select coalesce(t.offer_hdr_id::text, '') from offers where t.property_id = $1::bigint order by t.offer_hdr_id limit 2 offset $2::bigint + 1) end from (select ${state('json_build_array(version, synced_at)', 3)}, case when ${state('version', 5)} = $7::bigint then $8::bigint else (select count(*) from offers where t.property_id = $9::bigint) end offset 0)`,
      ['1001', 0, ...dataset, ...dataset, 4, 9, '1001'],
    ]);
  });

  test('a count', () => {
    expect(statement({ where, after: ['5'] }, { queryKind: 'count' })).toEqual([
      'select count(*) from offers where t.property_id = $1::bigint',
      ['1001'],
    ]);
    expect(statement({}, { queryKind: 'count' })).toEqual([state('row_count', 1).slice(1, -1), dataset]);
  });

  const joinedRows = [
    {
      on: 'creditor_id',
      link: { column: 'creditor_id', kind: 'integer', isUnique: true },
      plan: { ...plan, source: { ...source, name: 'creditor' }, columns: ['name'], order: [], joinedRows: [] },
    },
  ] as const;

  test('joined rows', () => {
    expect(statement({ columns: ['creditor_id'], joinedRows })).toEqual([
      'select t.creditor_id, j1.creditor_id, j1.name from (select t.creditor_id, t.offer_hdr_id from offers order by t.offer_hdr_id limit 3) left join creditor on j1.creditor_id = t.creditor_id order by t.offer_hdr_id',
      [],
    ]);
  });

  test('rows and counts of many parents', () => {
    const parents = (isUnique: boolean) => ({ link: { column: 'property_id', kind: 'integer', isUnique } as const, values: ['1', '2'] });
    expect(statement({}, { parents: parents(false) })).toEqual([
      'select p.value, t.offer_hdr_id, t.offer_value from unnest($1::bigint[]) with ordinality as p(value, place) cross join lateral (select t.offer_hdr_id, t.offer_value from offers where t.property_id = p.value order by t.offer_hdr_id limit 3) order by p.place, t.offer_hdr_id',
      [['1', '2']],
    ]);
    expect(statement({ order: [] }, { parents: parents(true) })).toEqual([
      'select t.property_id, t.offer_hdr_id, t.offer_value from offers where t.property_id = any($1::bigint[])',
      [['1', '2']],
    ]);
    expect(statement({ where }, { queryKind: 'count', parents: parents(false) })).toEqual([
      'select t.property_id, count(*) from offers where (t.property_id = any($1::bigint[]) and t.property_id = $2::bigint) group by t.property_id',
      [['1', '2'], '1001'],
    ]);
  });
});

describe('shapes', () => {
  test('equal shapes have one name, other shapes have others; values do not matter', () => {
    const name = (changed: Partial<Plan>, limit = 3) => statementFor({ queryKind: 'rows', limit, plan: { ...plan, ...changed } }).name;
    expect(name({ after: ['17'] })).toBe(name({ after: ['18'] }));
    expect(name({ offset: 3 })).toBe(name({ offset: 30 }));
    const others = [
      {},
      { after: ['1'] },
      { where },
      { where: { is: 'not', of: where } as const },
      { where: { is: 'unknown' } as const },
      { columns: ['offer_value'] },
      { offset: 30 },
      { offset: 900 },
      { order: [term('offer_value'), term('offer_hdr_id')] },
    ];
    expect(new Set([...others.map((changed) => name(changed)), name({}, 4)]).size).toBe(others.length + 1);
    expect(name({}).length).toBeLessThan(64);
  });

  test('every part of a request except its values changes the shape', () => {
    const nullable = [term('a', { isNullable: true }), term('offer_hdr_id')];
    const link = { column: 'creditor_id', kind: 'integer', isUnique: true } as const;
    const read = { on: 'creditor_id', link, plan: { ...plan, source: { ...source, name: 'creditor' } } };
    const via = [{ column: 'property_id', target: 'properties', targetColumn: 'property_id' }];
    const key = { name: 'k', kind: 'string', isNullable: true, via: [], column: 'status' } as const;
    const groups = { keys: [key], values: [], having: undefined, top: undefined, isCounted: false } as const;
    const grouped = { groups, columns: ['k'], order: [term('k')] };
    const parents = { link, values: ['1'] };
    const changes = { key: { column: 'a', kind: 'integer' }, dataset: 1, since: 1, after: { to: 1, version: 1, key: '' }, to: 1 } as const;
    const plans: readonly Partial<Plan>[] = [
      {},
      { source: { ...source, schema: 'customer_sued' } },
      { source: { ...source, name: 'orders' } },
      { columns: [] },
      { columns: ['a', 'b'] },
      { isBackward: true },
      { after: ['1'] },
      { after: ['1'], isBackward: true },
      { order: [term('offer_hdr_id', { isDescending: true })] },
      { order: nullable, after: ['1', '2'] },
      { order: nullable, after: [null, '2'] },
      { order: [term('a'), term('offer_hdr_id')], after: ['1', '2'] },
      { order: [term('far 0'), term('offer_hdr_id')], relatedColumns: [{ name: 'far 0', via, column: 'city' }] },
      { order: [term('far 0'), term('offer_hdr_id')], relatedColumns: [{ name: 'far 0', via, column: 'name' }] },
      { offset: 1 },
      { offset: 500 },
      { joinedRows: [read] },
      { joinedRows: [read, read] },
      { joinedRows: [{ ...read, on: 'other_id' }] },
      { joinedRows: [{ ...read, link: { ...link, column: 'other_id' } }] },
      { joinedRows: [{ ...read, plan: { ...read.plan, columns: ['name'] } }] },
      grouped,
      { ...grouped, groups: { ...groups, keys: [{ ...key, column: 'other' }] } },
      { ...grouped, groups: { ...groups, having: equal('k', 'string', '1') } },
      { ...grouped, groups: { ...groups, isCounted: true } },
    ];
    const questions: readonly Partial<PlanQuery>[] = [
      { limit: 4 },
      { queryKind: 'page' },
      { queryKind: 'page', plan: { ...plan, source: { ...source, cursor: { column: 'other', kind: 'integer' } } } },
      { queryKind: 'summary' },
      { queryKind: 'count' },
      { parents },
      { parents: { ...parents, link: { ...link, column: 'other_id' } } },
      { parents: { ...parents, link: { ...link, isUnique: false } } },
      { queryKind: 'count', parents },
      { changes: { ...changes, last: changes.after } },
      { changes: { ...changes, key: { ...changes.key, column: 'b' }, last: changes.after } },
    ];
    const all = [...plans.map((changed) => ({ plan: { ...plan, ...changed } })), ...questions];
    const texts = all.map((planQuery) => statementFor({ queryKind: 'rows', limit: 3, plan, ...planQuery }).text);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
    const having = (value: string) => ({ ...plan, ...grouped, groups: { ...groups, having: equal('k', 'string', value) } });
    const [one, two] = ['1', '2'].map((value) => statementFor({ queryKind: 'rows', limit: 3, plan: having(value) }));
    expect([one?.values, two?.values, one?.name]).toEqual([['1'], ['2'], two?.name]);
  });

  test('a text of up to 8,192 characters is a named statement, a longer one is not', () => {
    const planQuery = (length: number): PlanQuery => ({ queryKind: 'rows', limit: 3, plan: { ...plan, columns: ['x'.repeat(length)] } });
    const around = statementFor(planQuery(0)).text.length;
    // The name of a column occurs twice: as the column and as its alias.
    const longest = Math.floor((8_192 - around) / 2);
    const { text, name } = statementFor(planQuery(longest));
    expect(text.length).toBeGreaterThan(8_192 - 2);
    expect(name).toMatch(/^s_[\w-]{24}$/);
    expect(statementFor(planQuery(longest + 1)).name).toBe('');
  });

  test('a long text is not a named statement', () => {
    const of = Array.from({ length: 500 }, (_, n) => equal('property_id', 'integer', String(n)));
    expect(statementFor({ queryKind: 'rows', limit: 3, plan: { ...plan, where: { is: 'or', of } } }).name).toBe('');
  });

  test('all names are quoted', () => {
    const quoted = { ...plan, columns: ['a"b'], source: { ...source, schema: 's"t', name: 'u"v' } };
    const { text } = statementFor({ queryKind: 'rows', limit: 3, plan: quoted });
    expect(text).toContain('"t"."a""b"');
    expect(text).toContain('"s""t"."u""v"');
  });
});
