import { describe, expect, test } from 'vitest';
import type { Asked } from '../../src/read/asked.ts';
import type { Condition } from '../../src/read/condition.ts';
import type { OrderTerm, Plan } from '../../src/read/plan.ts';
import { statementFor } from '../../src/read/statement.ts';

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
  along: [],
};

const equal = (column: string, kind: 'integer' | 'string', value: string): Condition => ({ is: 'compared', column, kind, by: 'eq', value });
const where = equal('property_id', 'integer', '1001');

/** The statement without aliases that say what is named anyway, so that it can be read. */
const readable = (text: string) =>
  text
    .replaceAll('"customer_nord".', '')
    .replaceAll(/ as "(\w+|j\d \d|\w+ \d)"(?=[ ,)]|$)/g, '')
    .replaceAll('"', '');
const statement = (changed: Partial<Plan>, asked: Partial<Asked> = {}) => {
  const { text, values } = statementFor({ question: 'rows', limit: 3, ...asked, plan: { ...plan, ...changed } });
  return [readable(text), values];
};

const state = (expression: string, first: number) =>
  `(select ${expression} from estate.datasets where customer_id = $${first}::integer and kind = $${first + 1}::text and name = $${first + 2}::text)`;
const dataset = [7, 'category', 'offers'];

describe('a plan becomes one statement that names every table in full and binds every value', () => {
  test('rows of a page in the order of the sort key; the limit stands in the text', () => {
    expect(statement({})).toEqual(['select t.offer_hdr_id, t.offer_value from offers order by t.offer_hdr_id limit 3', []]);
    expect(statementFor({ question: 'rows', limit: 3, plan }).text).toContain('from "customer_nord"."offers" as "t"');
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

  test('a cursor resumes behind its key, in any order', () => {
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

  test('a deep offset is reached over keys alone: from the first on in the order of an index, by all of them in another', () => {
    expect(statement({ where, offset: 500 })).toEqual([
      'select t.offer_hdr_id, t.offer_value from offers where (t.property_id = $1::bigint and (t.offer_hdr_id) >= (select t.offer_hdr_id from offers where t.property_id = $2::bigint order by t.offer_hdr_id limit 1 offset $3::bigint)) order by t.offer_hdr_id limit 3',
      ['1001', '1001', 500],
    ]);
    const [ofAll] = statement({ offset: 500 });
    expect(ofAll).toContain('(t.offer_hdr_id) >= case when $1::bigint * 2 <= (select row_count from estate.datasets');
    expect(ofAll).toContain('then (select t.offer_hdr_id from offers order by t.offer_hdr_id limit 1 offset $5::bigint) when');
    expect(ofAll).toContain('then (select t.offer_hdr_id from offers order by t.offer_hdr_id desc limit 1 offset (select row_count');
    expect(statement({ order: [term('offer_hdr_id', { isDescending: true })], offset: 500 })).toEqual([
      'select t.offer_hdr_id, t.offer_value from offers where (t.offer_hdr_id) in (select t.offer_hdr_id from offers order by t.offer_hdr_id desc limit 3 offset $1::bigint) order by t.offer_hdr_id desc limit 3',
      [500],
    ]);
    expect(statement({ offset: 499 })[0]).toContain('limit 3 offset $1::bigint');
  });

  test('without a sort key the order is the physical one, however deep', () => {
    const heap = { source: { ...source, name: 'heap', sort: [], cursor: undefined }, columns: ['a'], order: [] };
    expect(statement({ ...heap, offset: 600 })).toEqual(['select t.a from heap order by t.ctid limit 3 offset $1::bigint', [600]]);
  });
});

describe('what follows from the same plan', () => {
  test('a page leads each row with state, total and key', () => {
    expect(statement({}, { question: 'page' })).toEqual([
      `select ${state('json_build_array(version, synced_at)', 1)}, ${state('row_count', 4)}, t.offer_hdr_id::text, t.offer_hdr_id, t.offer_value from offers order by t.offer_hdr_id limit 3`,
      [...dataset, ...dataset],
    ]);
  });

  test('a summary counts only when the total is not known at this version', () => {
    expect(statement({ where }, { question: 'summary', limit: 2, known: { version: 4, total: 9 } })).toEqual([
      `select s.state, s.total, case when s.total = 0 then '{}'::text[] else array(select coalesce(t.offer_hdr_id::text, '') from offers where t.property_id = $1::bigint order by t.offer_hdr_id limit 2 offset $2::bigint + 1) end from (select ${state('json_build_array(version, synced_at)', 3)}, case when ${state('version', 6)} = $9::bigint then $10::bigint else (select count(*) from offers where t.property_id = $11::bigint) end offset 0)`,
      ['1001', 0, ...dataset, ...dataset, 4, 9, '1001'],
    ]);
  });

  test('a count', () => {
    expect(statement({ where, after: ['5'] }, { question: 'count' })).toEqual([
      'select count(*) from offers where t.property_id = $1::bigint',
      ['1001'],
    ]);
    expect(statement({}, { question: 'count' })).toEqual([state('row_count', 1).slice(1, -1), dataset]);
  });

  const along = [
    {
      on: 'creditor_id',
      link: { column: 'creditor_id', kind: 'integer', isUnique: true },
      plan: { ...plan, source: { ...source, name: 'creditor' }, columns: ['name'], order: [], along: [] },
    },
  ] as const;

  test('rows that are read along', () => {
    expect(statement({ columns: ['creditor_id'], along })).toEqual([
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
    expect(statement({ where }, { question: 'count', parents: parents(false) })).toEqual([
      'select t.property_id, count(*) from offers where (t.property_id = any($1::bigint[]) and t.property_id = $2::bigint) group by t.property_id',
      [['1', '2'], '1001'],
    ]);
  });
});

describe('shapes', () => {
  test('one shape has one name, other shapes others; values do not matter', () => {
    const name = (changed: Partial<Plan>, limit = 3) => statementFor({ question: 'rows', limit, plan: { ...plan, ...changed } }).name;
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

  test('a text that is long is no named statement', () => {
    const of = Array.from({ length: 500 }, (_, n) => equal('property_id', 'integer', String(n)));
    expect(statementFor({ question: 'rows', limit: 3, plan: { ...plan, where: { is: 'or', of } } }).name).toBe('');
  });

  test('names are quoted, whatever stands in them', () => {
    const quoted = { ...plan, columns: ['a"b'], source: { ...source, schema: 's"t', name: 'u"v' } };
    const { text } = statementFor({ question: 'rows', limit: 3, plan: quoted });
    expect(text).toContain('"t"."a""b"');
    expect(text).toContain('"s""t"."u""v"');
  });
});
