/** `having` accepts any text (contract: conditions on groups), and numbers of any size (contract: numbers beyond the range). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Kind } from '../../src/catalogue/column.ts';
import { beyondRange } from '../../src/plan/condition.ts';
import { quotedValue } from '../../src/plan/validation-errors.ts';
import { type ComparisonOperator, comparisons as operators } from '../../src/plan/vocabulary/operators.ts';
import { clauseOf, conditionOn } from '../../src/query/conditions.ts';
import { parseList } from '../../src/query/grammar.ts';

const signs: Readonly<Record<ComparisonOperator, string>> = { eq: '=', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' };
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/);
const by = fc.constantFrom(...operators);
/** Any text, often with characters of the grammar. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('"', '""', ',', '=', '>', '<', '!', ' ', '\n', 'count>1', 'a'), { maxLength: 12 })
    .map((parts) => parts.join('')),
);
const comparing = fc.record({ name, by, value: text });

/** The comparisons of a list, without their texts; reasons for items that are none. */
const comparisonsIn = (list: string) =>
  parseList(list).map((item) => {
    let reason: string | undefined;
    const clause = clauseOf(item, (error) => {
      reason = 'reason' in error ? error.reason.slice(quotedValue(item.text).length + 1) : undefined;
      return undefined;
    });
    if (!clause) return reason;
    const { text: _text, is: _is, isQuoted: _isQuoted, ...rest } = clause as Extract<typeof clause, { is: 'compared' }>;
    return rest;
  });

/** Encodes and decodes a query string, like a client. */
const sent = (having: string): string => new URLSearchParams(new URLSearchParams({ having }).toString()).get('having')!;

test('quoted values survive a round trip, for any number of conditions', () => {
  fc.assert(
    fc.property(fc.array(comparing, { minLength: 1, maxLength: 5 }), fc.constantFrom(',', ' , ', ',,'), (conditions, between) => {
      const written = conditions.map((each) => `${each.name}${signs[each.by]}${quote(each.value)}`).join(between);
      expect(comparisonsIn(sent(written))).toEqual(conditions);
    }),
    { numRuns: 2_000 },
  );
});

test('values without commas, surrounding blanks, or a leading quote or sign need no quotes', () => {
  const plain = text.filter((value) => !/,|^[\s"=]|\s$/.test(value));
  fc.assert(
    fc.property(fc.array(fc.record({ name, by, value: plain }), { minLength: 1, maxLength: 5 }), (conditions) => {
      const written = conditions.map((each) => `${each.name}${signs[each.by]}${each.value}`).join();
      expect(comparisonsIn(sent(written))).toEqual(conditions);
    }),
    { numRuns: 2_000 },
  );
});

test('any text is parsed without an exception, in linear time', () => {
  fc.assert(
    fc.property(text, (written) => {
      comparisonsIn(written);
    }),
  );
  for (const unit of [
    '"',
    '="',
    'a="',
    '""',
    'a=""',
    '=',
    ',',
    '<!',
    'a="b",',
    'a:in(',
    'a:in("',
    'a:in(),',
    'a:in(b)c,',
    ':',
    '(',
    ')',
    'a',
    'a:a',
  ])
    comparisonsIn(unit.repeat(16_000 / unit.length));
});

const names = fc.array(text, { minLength: 1, maxLength: 4 });
test('quoted values of calls survive a round trip, next to comparisons and within calls', () => {
  fc.assert(
    fc.property(name, names, comparing, (called, values, other) => {
      const inner = values.map(quote).join();
      const comparison = `${other.name}${signs[other.by]}${quote(other.value)}`;
      const list = parseList(sent(`${called}:in(${inner}) , ${comparison},n:sum(total_net,${comparison},${called}:in(${inner}))`));
      const plain = values.map((value) => ({ is: 'plain', value }));
      const call = { is: 'called', name: called, call: 'in', of: plain.map((each) => expect.objectContaining(each)) };
      const compared = expect.objectContaining({ ...other, is: 'compared' });
      const sum = [expect.objectContaining({ is: 'plain', value: 'total_net' }), compared, expect.objectContaining(call)];
      expect(list).toEqual([
        expect.objectContaining(call),
        compared,
        expect.objectContaining({ is: 'called', name: 'n', call: 'sum', of: sum }),
      ]);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['status:in(open', 'has a parenthesis that is not closed'],
  ['status:in("open)', 'has a parenthesis that is not closed'],
  ['status:in(open)x', 'has text after its parentheses'],
  ['status:in:open', 'is no comparison such as count>=2'],
  ['status', 'is no comparison such as count>=2'],
])('%s is no condition', (written, reason) => expect(comparisonsIn(written)).toEqual([reason]));

test.each([
  ['status="a', 'status="a'],
  ['status="a"b', 'status="a"b'],
  ['status="a"b",count>1', 'status="a"b"'],
])('%s has an unbalanced quote', (written, part) => {
  expect(parseList(written)[0]!.text).toBe(part);
  expect(comparisonsIn(part)[0]).toBe('has a quote that does not end the value; double a quote inside of one');
});

describe('a number beyond the range', () => {
  const holds = (value: bigint, by: ComparisonOperator, other: bigint): boolean =>
    ({ eq: value === other, ne: value !== other, gt: value > other, gte: value >= other, lt: value < other, lte: value <= other })[by];
  const [min, max] = [-(2n ** 63n), 2n ** 63n - 1n];
  const stored = fc.oneof(fc.bigInt(min, max), fc.constantFrom(min, max, 0n));

  test('is compared exactly', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.bigInt(), fc.constantFrom(min - 1n, max + 1n, 10n ** 60n, -(10n ** 60n))),
        stored,
        by,
        (number, value, operator) => {
          const condition = conditionOn(
            { column: 'count', kind: 'bigint' },
            { text: '', is: 'compared', name: 'count', by: operator, value: String(number), isQuoted: false },
            () => undefined,
          );
          if (condition?.is !== 'compared') throw new Error('no comparison');
          const bound = BigInt(condition.value);
          expect([min, max].some((each) => (each < 0n ? bound >= each : bound <= each))).toBe(true);
          expect(holds(value, condition.by, bound)).toBe(holds(value, operator, number));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.each<[Kind, string, boolean]>([
    ['bigint', '9223372036854775807', false],
    ['bigint', '9223372036854775808', true],
    ['bigint', '-9223372036854775808', false],
    ['bigint', '-9223372036854775809', true],
    ['bigint', ` +${'9'.repeat(500)} `, true],
    ['integer', '99999999999999999999', true],
    ['number', '9'.repeat(40), false],
    ['number', `${'9'.repeat(41)}.5`, true],
    ['number', `-1${'0'.repeat(40)}`, true],
    ['bigint', 'many', false],
    ['bigint', '1e30', false],
    ['string', '9'.repeat(50), false],
    ['date', '9'.repeat(50), false],
  ])('%s %s: %s', (kind, value, isBeyond) => {
    expect(beyondRange('x', kind, 'gt', value) !== undefined).toBe(isBeyond);
  });
});
