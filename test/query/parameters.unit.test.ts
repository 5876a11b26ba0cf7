import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boolean, date, integer, number, string, timestamp } from '../../src/catalogue/column.ts';
import { ApiError } from '../../src/errors.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import { filterScope, type Plan, type PlanSource } from '../../src/plan/plan.ts';
import { parsePlan } from '../../src/query/parameters.ts';

const columns = {
  id: integer('key'),
  name: string('text'),
  is_open: boolean('yes or no'),
  day: date('a day'),
  amount: number(14, 2, 'a number'),
  at: timestamp('a time'),
  note: string('not filterable'),
};
const table = { columns, filters: ['id', 'name', 'is_open', 'day', 'amount', 'at'], requiredFilters: [] as string[] };
const source: PlanSource = {
  schema: 'customer_nord',
  customerId: 7,
  kind: 'category',
  name: 'things',
  sort: ['id'],
  cursor: { column: 'id', kind: 'integer' },
};
const cursors = createCursors('a secret for cursors');
const parse = (query: string | URLSearchParams, changed: Partial<typeof table> = {}, from: PlanSource = source): Plan =>
  parsePlan({ query: new URLSearchParams(query), source: from, columns: ['id'], table: { ...table, ...changed }, cursors });

/** Status and detail of the error, or undefined. */
const failure = (work: () => unknown): readonly [number, string] | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.status, error.message];
  }
};

const noInteger = 'Input should be a valid integer, unable to parse string as an integer';

describe('integers are parsed strictly (contract: integer parameters)', () => {
  test.each([
    ['', 1000],
    ['limit=1', 1],
    ['limit=100000', 100_000],
    ['limit=0007', 7],
    ['limit=%2B7', 7],
    ['limit=+7', 7],
    ['limit=%207%20', 7],
    ['limit=x&limit=7', 7],
    ['LIMIT=7', 1000],
  ])('%j: limit %i', (query, limit) => {
    expect(parse(query).limit).toBe(limit);
  });

  test.each([
    '1e3',
    '0x10',
    '5.0',
    '5.',
    '1_000',
    '٣',
    '１',
    '',
    '%20',
    '--1',
    '%2B-1',
    '1%202',
    'abc',
    'NaN',
    'Infinity',
    'null',
    '1%00',
    '%2B',
  ])('limit=%s is not an integer', (text) => {
    expect(failure(() => parse(`limit=${text}`))).toEqual([422, `query -> limit: ${noInteger}`]);
  });

  test.each([
    ['limit=0', 'limit: Input should be greater than or equal to 1'],
    ['limit=-1', 'limit: Input should be greater than or equal to 1'],
    ['limit=100001', 'limit: Input should be less than or equal to 100000'],
    [`limit=${'9'.repeat(23)}`, 'limit: Input should be less than or equal to 100000'],
    ['offset=-1', 'offset: Input should be greater than or equal to 0'],
    ['offset=500001', 'offset: Input should be less than or equal to 500000'],
    ['limit=0&offset=x', `limit: Input should be greater than or equal to 1; query -> offset: ${noInteger}`],
    [
      'cursor=garbage&limit=x&offset=-1',
      `limit: ${noInteger}; query -> offset: Input should be greater than or equal to 0; query -> cursor: The cursor is not valid for this table and these filters`,
    ],
  ])('%s: %s', (query, detail) => {
    expect(failure(() => parse(query))).toEqual([422, `query -> ${detail}`]);
  });

  test('any text is a value within the bounds or a 422', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[ +-]{0,2}[0-9]{0,25}[ .eE]?[0-9]{0,3}$/),
      fc.integer().map(String),
    );
    fc.assert(
      fc.property(text, text, fc.option(text, { nil: undefined }), (limit, offset, cursor) => {
        const query = new URLSearchParams({ limit, offset, ...(cursor !== undefined && { cursor }) });
        const failed = failure(() => {
          const plan = parse(query);
          expect(plan.limit).toSatisfy((n: number) => Number.isInteger(n) && n >= 1 && n <= 100_000);
          expect(plan.offset).toSatisfy((n: number) => Number.isInteger(n) && n >= 0 && n <= 500_000);
        });
        if (failed) expect(failed).toEqual([422, expect.stringMatching(/^query -> (limit|offset|cursor): /)]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a filter is parsed as a value of its column, or matches nothing (contract: filters)', () => {
  test.each([
    ['id=5', '5'],
    ['id=%2B005', '5'],
    ['id=-0', '0'],
    ['id=9223372036854775807', '9223372036854775807'],
    ['name=', ''],
    ['name=%20a%20', ' a '],
    ['name=a&name=B', 'B'],
    ['is_open=true', 'true'],
    ['day=2024-02-29', '2024-02-29'],
    ['amount=-1.50', '-1.50'],
    ['at=2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
  ])('%s is %j', (query, value) => {
    expect(parse(query)).toMatchObject({ where: { is: 'compared', by: 'eq', value } });
  });

  test.each([
    'id=abc',
    'id=',
    'id=5.0',
    'id=9223372036854775808',
    'id=-9223372036854775809',
    `id=${'9'.repeat(400)}`,
    'name=a%00b',
    'is_open=TRUE',
    'is_open=1',
    'is_open=',
    'day=2023-02-29',
    'day=2024-1-1',
    'day=0000-01-01',
    'amount=1e3',
    'amount=NaN',
    'at=2024-02-30T00:00:00Z',
    'at=2024-01-01T24:00:00Z',
    'at=0000-01-01T00:00:00Z',
  ])('%s matches nothing', (query) => {
    expect(parse(query)).toMatchObject({ where: { is: 'unknown' } });
  });

  test('parameters that are not columns are ignored (contract: repeated and unknown parameters)', () => {
    expect(parse('colour=red&ID=5&constructor=x').where).toBeUndefined();
  });

  test('a column without an index is a filter that uses the slots of documents', () => {
    expect(parse('note=x')).toMatchObject({ where: { column: 'note', by: 'eq', value: 'x' }, isUnindexed: true });
    expect(parse('name=x').isUnindexed).toBeUndefined();
  });

  test('any text gives a plan', () => {
    fc.assert(
      fc.property(fc.constantFrom(...table.filters), fc.string({ unit: 'binary' }), (column, text) => {
        expect(failure(() => parse(new URLSearchParams({ [column]: text })))).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });
});

describe('cursors are accepted only for their own plan (contract: cursor lifetime)', () => {
  const refused = [422, 'query -> cursor: The cursor is not valid for this table and these filters'];
  const cursor = cursors.sign(filterScope(parse('name=a')), '17');

  test.each([
    ['name=a', '17'],
    ['name=a&offset=0', '17'],
    ['name=a&limit=3', '17'],
    ['name=b&name=a', '17'],
  ])('%s: continues after it', (query, after) => {
    expect(parse(`${query}&cursor=${cursor}`).after).toEqual(after === undefined ? after : [after]);
  });

  test.each(['', 'name=b', 'name=a&id=5', 'name=a&id=x'])('%j: other filters', (query) => {
    expect(failure(() => parse(`${query}&cursor=${cursor}`))).toEqual(refused);
  });

  test.each<Partial<PlanSource>>([{ customerId: 8 }, { name: 'others' }, { kind: 'raw' }, { cursor: undefined }])(
    'another source: %o',
    (changed) => {
      expect(failure(() => parse(`name=a&cursor=${cursor}`, {}, { ...source, ...changed }))).toEqual(refused);
    },
  );

  test('an empty cursor counts as absent', () => {
    expect(parse('cursor=').after).toBeUndefined();
  });

  test('a cursor and an offset exclude each other', () => {
    expect(failure(() => parse(`name=a&offset=1&cursor=${cursor}`))).toEqual([
      422,
      'query -> cursor: A cursor cannot be combined with an offset greater than 0',
    ]);
  });

  test('the order of filters does not matter', () => {
    const both = cursors.sign(filterScope(parse('name=a&id=5')), '17');
    expect(parse(`id=5&name=a&cursor=${both}`).after).toEqual(['17']);
  });
});

describe('required filters (contract: order of checks; filters; required filters)', () => {
  const required = { requiredFilters: ['name', 'day'] };
  test.each([
    ['', [400, 'Missing required filter(s): name, day']],
    ['day=2024-01-01', [400, 'Missing required filter(s): name']],
    ['limit=0', [422, 'query -> limit: Input should be greater than or equal to 1']],
    ['name=&day=', undefined],
    ['name=a&day=no day', undefined],
  ])('%j: %j', (query, expected) => {
    expect(failure(() => parse(query, required))).toEqual(expected);
  });
});

test('raw tables accept only limit and cursor (contract: raw pages)', () => {
  const query = new URLSearchParams('limit=5&offset=-1&id=3');
  expect(parsePlan({ query, source, columns: ['id'], cursors })).toMatchObject({ limit: 5, offset: 0, where: undefined });
});
