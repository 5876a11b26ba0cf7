/**
 * Random groups with bands, series, sums over relations, empty buckets and computed values, over HTTP as GraphQL, JSON and CSV. Another engine
 * groups the rows, and this test computes everything else with whole numbers (contract: bands; state over time; sums over relations; empty
 * buckets; computed values).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Kind } from '../../src/catalogue/column.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { pathOfTable, type Table } from '../../src/catalogue/table.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { maxFilled } from '../../src/plan/groups/groups.ts';
import { type RowFunction, rowFunctionNames, rowFunctions } from '../../src/plan/vocabulary/values.ts';
import { snakeCase } from '../../src/query/relation-names.ts';
import { conditionsUsed, conditionVariables, excluded, included } from '../graphql/conditions.ts';
import { rounds, seedOf } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys as apiKeys } from '../support/settings.ts';
import { seededRandom } from '../sync/support.ts';
import { ReferenceEngine } from './reference-engine.ts';

let service: TestService;
let other: ReferenceEngine;

/** Nulls, negative amounts, open and past validities, dates in the future. */
const unusual = [
  `update customer_nord.orders set total_net = null where order_id % 7 = 0`,
  `update customer_nord.orders set total_net = -total_net where order_id % 11 = 0`,
  `update customer_nord.orders set execution_end_date = null where order_id % 3 = 0`,
  `update customer_nord.orders set created_at = timestamptz '2025-12-31 22:30+00' + (order_id % 5) * interval '40 minutes' where order_id % 4 = 0`,
  `update customer_nord.contract_debits set valid_to = valid_from + 40 where contract_debit_id % 5 = 0`,
  `update customer_nord.property_structure set valid_from = null where floor_number = 1`,
  `update customer_nord.property_structure set area_sqm = -area_sqm where floor_number = 2`,
  `update customer_nord.orders set offer_hdr_id = 1 + order_id % 9 where order_id % 2 = 0`,
  `update customer_nord.offers set offer_value = null where offer_hdr_id % 4 = 0`,
];

beforeAll(async () => {
  service = await startService({ environment: { RESPONSE_CACHE_MB: '0' } });
  for (const text of unusual) await service.database.pool.query(text);
  other = await ReferenceEngine.copyOf(service.database, 'customer_nord');
}, 180_000);
afterAll(() => service.stop());

type Value = bigint | string | null;
/** Numbers have sixteen decimal places here. */
const one = 10n ** 16n;
const numberOf = (text: string): bigint => {
  const [, sign, whole = '', behind = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
  return BigInt(`${sign}${whole}${behind.slice(0, 16).padEnd(16, '0')}`);
};
const absolute = (value: bigint) => (value < 0n ? -value : value);
/** A quotient with so many decimal places, rounded half away from zero. */
const quotientOf = (dividend: bigint, divisor: bigint, digits: number): bigint | null => {
  if (divisor === 0n) return null;
  const scale = 10n ** BigInt(digits);
  const rounded = (absolute(dividend) * scale * 2n + absolute(divisor)) / (absolute(divisor) * 2n);
  return ((dividend < 0n !== divisor < 0n ? -rounded : rounded) * one) / scale;
};

interface Key {
  readonly is: 'plain' | 'period' | 'ranges' | 'width' | 'age' | 'series';
  readonly via: readonly string[];
  readonly column: string;
  readonly kind: Kind;
  readonly period?: string;
  readonly bounds: readonly string[];
  readonly on?: string;
}
interface Figure {
  readonly name: string;
  readonly fold: 'count' | 'sum' | 'avg' | 'min' | 'max' | 'median' | 'distinct' | 'sum_once';
  /** The relations that lead to the column. */
  readonly via: readonly string[];
  readonly column: string;
  /** A function of two columns, by their paths, instead of the column. */
  readonly applied?: readonly [call: RowFunction, one: string, other: string];
  /** Only rows with this value of a column count. */
  readonly only?: readonly [column: string, value: string];
}
interface Computed {
  readonly name: string;
  readonly is: 'ratio' | 'difference' | 'share' | 'previous' | 'change' | 'rank' | 'running_total';
  readonly of: readonly string[];
  readonly within: readonly number[];
  readonly along: number;
  readonly periods: number;
}
interface Question {
  readonly table: Table;
  readonly keys: readonly Key[];
  readonly figures: readonly Figure[];
  readonly computed: readonly Computed[];
  readonly filled: readonly number[];
  /** The names of keys and values. */
  readonly order: readonly (readonly [name: string, isDescending: boolean])[];
  readonly having: readonly [name: string, sign: string, value: string] | undefined;
  readonly limit: number;
}

const facts = {
  orders: {
    numbers: ['total_net', 'invoiced_net'],
    dates: ['order_date', 'execution_end_date', 'created_at'],
    plain: ['trade', 'status', 'property_id', 'is_insurance_claim'],
    only: ['status', 'closed'],
    related: ['property.lettable_area_sqm', 'offer.offer_value', 'floorArea.area_sqm', 'offer.property.unit_count'],
    moments: ['notification.report_date', 'offer.property.acquisition_date', 'property.changed_at'],
  },
  tenants: {
    numbers: ['balance', 'deposit_amount'],
    dates: ['contract_start_date', 'contract_end_date'],
    plain: ['status', 'tenant_type', 'property_id'],
    only: ['status', 'active'],
    related: ['property.unit_count', 'floorArea.area_sqm', 'floorArea.property.lettable_area_sqm'],
    moments: ['property.acquisition_date', 'floorArea.valid_from'],
  },
  contract_debits: {
    numbers: ['net_amount', 'area_sqm'],
    dates: ['valid_from', 'valid_to'],
    plain: ['debit_type', 'property_id'],
    only: ['debit_type', 'basic_rent'],
    related: ['floorArea.area_sqm', 'tenant.balance', 'tenant.floorArea.target_rent_net'],
    moments: ['tenant.contract_start_date', 'tenant.floorArea.vacant_since'],
  },
  property_structure: {
    numbers: ['area_sqm', 'target_rent_net', 'floor_number'],
    dates: ['vacant_since', 'valid_from'],
    plain: ['usage_type', 'property_id', 'occupancy_status', 'floor_number'],
    only: ['occupancy_status', 'vacant'],
    related: ['property.lettable_area_sqm', 'property.unit_count'],
    moments: ['property.acquisition_date', 'property.changed_at'],
  },
  booking_positions: {
    numbers: ['amount', 'signed_amount'],
    dates: ['booking_date'],
    plain: ['property_id', 'debit_credit', 'fiscal_year'],
    only: ['debit_credit', 'debit'],
    related: ['order.total_net', 'header.total_amount', 'contractDebit.net_amount', 'contractDebit.floorArea.area_sqm'],
    moments: ['order.order_date', 'order.created_at', 'contractDebit.valid_from'],
  },
} as const;

/** A date of a table, in GraphQL. */
const dates = ({ name }: Table): string => facts[name as keyof typeof facts].dates[0].toUpperCase();

/** Plain keys along which values look back. */
const wholeNumbers = ['fiscal_year', 'floor_number'];
const periods = ['day', 'week', 'month', 'quarter', 'year'] as const;
const keyName = ({ is, via, column, period }: Key): string =>
  is === 'series' ? 'as_of' : [...via, column, ...(is === 'plain' ? [] : is === 'period' ? [period!] : [is])].join('_');
const isFillable = ({ is }: Key) => is !== 'plain';

const questionOf = (seed: number): Question => {
  const random = seededRandom(seed);
  for (let warm = 0; warm < 5; warm++) random(2);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const name = pick(Object.keys(facts) as (keyof typeof facts)[]);
  const table = catalogue.tables.get(name)!;
  const { numbers, dates: days, plain, only, related, moments } = facts[name];
  const kindOf = (column: string) => table.columns[column]!.kind;
  const ascending = (count: number, step: number) => {
    const bounds: string[] = [];
    let at = random(3) * step - step;
    for (let index = 0; index < count; index++) {
      bounds.push(random(4) === 0 ? `${at}.5` : String(at));
      at += 1 + random(step * 2);
    }
    return bounds;
  };
  const keyOf = (): Key => {
    const is = pick(['plain', 'plain', 'period', 'period', 'ranges', 'width', 'age', 'series'] as const);
    const none = { via: [], bounds: [] };
    if (is === 'series' && table.validity) {
      const from = `${2022 + random(4)}-0${1 + random(9)}-15`;
      return {
        ...none,
        is,
        column: table.validity[0],
        kind: 'date',
        period: pick(['month', 'quarter', 'year']),
        bounds: [from, `2026-${pick(['01-01', '03-31', '12-31'])}`],
      };
    }
    if (is === 'period') {
      const column = pick(days);
      return { ...none, is, column, kind: kindOf(column), period: pick(periods) };
    }
    if (is === 'ranges' || is === 'width') {
      const column = pick(numbers);
      const bounds = is === 'ranges' ? ascending(1 + random(4), pick([3, 50, 900])) : [pick(['25', '100.5', '1000', '0.75', '5000'])];
      return { ...none, is, column, kind: kindOf(column), bounds };
    }
    if (is === 'age') {
      const column = pick(days);
      return {
        ...none,
        is,
        column,
        kind: kindOf(column),
        bounds: pick([['30', '60', '90'], ['0', '365'], ['7'], ['100', '1000']]),
        on: pick(['2025-12-31', '2024-02-29', '2026-06-30']),
      };
    }
    if (random(4) === 0) return { ...none, is: 'plain', via: ['property'], column: 'federal_state', kind: 'string' };
    const column = pick(plain);
    return { ...none, is: 'plain', column, kind: kindOf(column) };
  };
  const found = [...new Map(Array.from({ length: random(4) }, keyOf).map((key) => [keyName(key), key])).values()];
  // In GraphQL, the day of a series comes before the other keys.
  const keys = [...found.filter(({ is }) => is === 'series'), ...found.filter(({ is }) => is !== 'series')];
  const figureOf = (at: number): Figure => {
    const fold = pick(['count', 'sum', 'sum', 'avg', 'min', 'max', 'median', 'distinct', 'sum_once', 'sum_once'] as const);
    const shared = { name: `f${at}`, fold, ...(random(2) === 0 && { only: only as readonly [string, string] }) };
    if (fold === 'count') return { ...shared, via: [], column: '' };
    if (fold !== 'sum_once' && random(3) === 0) {
      const call = pick(rowFunctionNames);
      const operands: readonly string[] = call === 'days' ? [...days, ...moments] : [...numbers, ...related];
      return { ...shared, via: [], column: '', applied: [call, pick(operands), pick(operands)] };
    }
    const isRelated = fold === 'sum_once' || (fold !== 'sum' && random(2) === 0);
    const via = isRelated ? pick(related as readonly string[]).split('.') : [pick(numbers)];
    const column = via.pop()!;
    return { ...shared, via, column };
  };
  const figures = Array.from({ length: 1 + random(3) }, (_, at) => figureOf(at));
  const computed: Computed[] = [];
  const isAlong = ({ is, column }: Key) => is === 'period' || is === 'series' || (is === 'plain' && wholeNumbers.includes(column));
  const periodAt = keys.flatMap((key, at) => (isAlong(key) ? [at] : []));
  for (let at = 0, count = random(5); at < count; at++) {
    const is = pick(['ratio', 'difference', 'share', 'previous', 'change', 'rank', 'running_total'] as const);
    if ((is === 'previous' || is === 'change') && periodAt.length === 0) continue;
    const names = [...figures, ...computed].map((each) => each.name);
    const of = is === 'ratio' || is === 'difference' ? [pick(names), pick(names)] : [pick(names)];
    const isWindow = is === 'share' || is === 'rank' || is === 'running_total';
    const within = isWindow ? keys.flatMap((_, index) => (random(3) === 0 ? [index] : [])) : [];
    computed.push({
      name: `c${at}`,
      is,
      of,
      within,
      along: periodAt.length > 0 ? pick(periodAt) : -1,
      periods: random(3) === 0 ? 1 + random(12) : 1,
    });
  }
  const isRunning = (value: string): boolean =>
    computed.some((each) => each.name === value && (each.is === 'running_total' || each.of.some(isRunning)));
  const values = [...figures, ...computed].map((each) => each.name);
  const orderable = [...keys.map(keyName), ...values.filter((value) => !isRunning(value))];
  const order = [...new Set(Array.from({ length: random(3) }, () => pick(orderable)))].map((each) => [each, random(2) === 0] as const);
  return {
    table,
    keys,
    figures,
    computed,
    filled: keys.flatMap((key, at) => (isFillable(key) && random(2) === 0 ? [at] : [])),
    order,
    having: random(3) === 0 ? [pick(values), pick(['>', '>=', '<', '<=', '=', '!=']), pick(['0', '1', '2', '100', '-5'])] : undefined,
    limit: random(2) === 0 ? 1000 : 1 + random(20),
  };
};

/** The last days of the periods of a series. */
const daysOf = ({ period, bounds: [from = '', to = ''] }: Key): readonly string[] => {
  const days = new Set<string>();
  for (let at = Date.parse(from); ; at += 86_400_000) {
    const day = new Date(at);
    const next = new Date(at + 86_400_000);
    const isLast = next.getUTCDate() === 1 && (period === 'month' || next.getUTCMonth() % (period === 'quarter' ? 3 : 12) === 0);
    if (isLast) days.add(day.toISOString().slice(0, 10));
    if (isLast && day.toISOString().slice(0, 10) >= to) return [...days];
  }
};

const labelsOf = ({ is, bounds }: Key): readonly string[] => {
  if (is === 'ranges') {
    const upper = bounds.map((bound, at) => (at + 1 === bounds.length ? `${bound} or more` : `${bound} to below ${bounds[at + 1]}`));
    return [`below ${bounds[0]}`, ...upper];
  }
  const labels = ['in the future'];
  let from = 0;
  for (const bound of bounds.map(Number)) {
    labels.push(from === bound ? `${bound} days` : `${from} to ${bound} days`);
    from = bound + 1;
  }
  return [...labels, `over ${bounds.at(-1)} days`];
};

/** A key in the other engine: as the number of a band, or as text. */
const keySql = (key: Key): string => {
  const { is, via, column, kind, period, bounds, on } = key;
  const own = via.length > 0 ? `p."${column}"` : `t."${column}"`;
  const day = kind === 'timestamp' ? `${own}::date` : own;
  const cases = (value: string, limits: readonly string[]) =>
    `case ${limits.map((limit, at) => `when ${value} < ${limit} then ${at}`).join(' ')} when ${value} is not null then ${limits.length} end`;
  switch (is) {
    case 'series':
      return 's.day::varchar';
    case 'ranges':
      return `(${cases(own, bounds)})::varchar`;
    case 'age':
      return `(${cases(`date_diff('day', ${day}, date '${on}')`, ['0', ...bounds.map((bound) => String(Number(bound) + 1))])})::varchar`;
    case 'width': {
      const whole = `(${own} * 10000)::hugeint`;
      const width = numberOf(bounds[0]!) / 10n ** 12n;
      return `(${whole} - ((${whole} % ${width}) + ${width}) % ${width})::varchar`;
    }
    case 'period':
      return kind === 'date'
        ? `date_trunc('${period}', ${own})::date::varchar`
        : `strftime(date_trunc('${period}', ${own}), '%Y-%m-%dT%H:%M:%SZ')`;
    default:
      return `${own}::varchar`;
  }
};

/** The relation of a table, and the joins of a path from it. */
const stepsOf = ({ name }: Table, via: readonly string[]) => {
  let from = name;
  return via.map((step, at) => {
    const relation = catalogue.relations.get(from)!.find((each) => each.name === step)!;
    from = relation.target;
    const [alias, before] = [at + 1, at].map((length) => (length === 0 ? 't' : `r_${via.slice(0, length).join('_')}`)) as [string, string];
    return {
      alias,
      key: `${alias}."${relation.targetColumn}"`,
      join: `left join ${from} ${alias} on ${alias}."${relation.targetColumn}" = ${before}."${relation.column}"`,
    };
  });
};

/** A column at the end of a path. */
const reachSql = (table: Table, path: string): string => {
  const via = path.split('.');
  const column = via.pop()!;
  return `${stepsOf(table, via).at(-1)?.alias ?? 't'}."${column}"`;
};

/** What an aggregate is over in each row. Its numbers have at most twelve decimal places. */
const rowSql = (table: Table, { via, column, applied }: Figure): string => {
  if (!applied) return reachSql(table, [...via, column].join('.'));
  const [call, one, other] = applied;
  const [left, right] = [reachSql(table, one), reachSql(table, other)];
  if (call === 'days') return `date_diff('day', ${left}::date, ${right}::date)`;
  return `((${left})::decimal(19, 4) * (${right})::decimal(19, 4))${call === 'percentage' ? '::decimal(28, 8) * 0.01::decimal(3, 2)' : ''}`;
};

/** The paths of a figure's columns. */
const pathsOf = ({ via, column, applied }: Figure): readonly string[] => (applied ? applied.slice(1) : [[...via, column].join('.')]);

const figureSql = (table: Table, figure: Figure): string => {
  const { fold, via, column, only } = figure;
  const condition = only && `t."${only[0]}" = '${only[1]}'`;
  if (fold === 'sum_once') {
    const { alias, key } = stepsOf(table, via).at(-1)!;
    const rows = `list(distinct {'k': ${key}, 'v': ${alias}."${column}"}) filter (where ${key} is not null${condition ? ` and ${condition}` : ''})`;
    return `list_sum(list_transform(${rows}, x -> x.v))::varchar`;
  }
  const filter = condition ? ` filter (where ${condition})` : '';
  if (fold === 'count') return `(count(*)${filter})::varchar`;
  const value = rowSql(table, figure);
  if (fold === 'distinct') return `(count(distinct ${value})${filter})::varchar`;
  if (fold === 'avg') return `(sum(${value})${filter})::varchar || '/' || (count(${value})${filter})::varchar`;
  // Both values in the middle of the sorted list, because the other engine's median is a floating-point number.
  if (fold === 'median') {
    const sorted = `list_sort(list(${value}) filter (where ${value} is not null${condition ? ` and ${condition}` : ''}))`;
    const at = (index: string) => `list_extract(${sorted}, (${index})::integer)::varchar`;
    return `${at(`(len(${sorted}) + 1) // 2`)} || '+' || ${at(`len(${sorted}) // 2 + 1`)}`;
  }
  return `(${fold}(${value})${filter})::varchar`;
};

interface Group {
  readonly keys: readonly Value[];
  readonly values: Map<string, bigint | null>;
}

/** A key's value for comparison: bands by their numbers. */
const sortable = ({ is, kind }: Key, text: string | null): Value => {
  if (text === null) return null;
  if (is === 'ranges' || is === 'age' || is === 'width') return BigInt(text);
  return is === 'plain' && (kind === 'integer' || kind === 'bigint') ? BigInt(text) : text;
};

const shownKey = (key: Key, value: Value): string | null => {
  if (value === null) return null;
  if (key.is === 'ranges' || key.is === 'age') return labelsOf(key)[Number(value)]!;
  if (key.is !== 'width') return String(value);
  const from = value as bigint;
  const width = numberOf(key.bounds[0]!) / 10n ** 12n;
  const text = (scaled: bigint) => {
    const digits = String(absolute(scaled)).padStart(5, '0');
    return `${scaled < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '');
  };
  return `${text(from)} to below ${text(from + width)}`;
};

const ascends = (left: Value, right: Value): number => {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return left < right ? -1 : 1;
};
/** Nulls are last in both directions. */
const compare = (left: Value, right: Value, isDescending: boolean): number =>
  isDescending && left !== null && right !== null ? -ascends(left, right) : ascends(left, right);

/** The period that many periods earlier, in the text of the key. */
const earlier = ({ is, period, kind }: Key, text: string, back: number): string => {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (period === 'day' || period === 'week') day.setUTCDate(day.getUTCDate() - back * (period === 'day' ? 1 : 7));
  else {
    const step = back * { month: 1, quarter: 3, year: 12 }[period as 'month']!;
    if (is === 'series') day.setUTCFullYear(day.getUTCFullYear(), day.getUTCMonth() - step + 1, 0);
    else day.setUTCMonth(day.getUTCMonth() - step);
  }
  const iso = day.toISOString();
  return kind === 'timestamp' && is !== 'series' ? `${iso.slice(0, 19)}Z` : iso.slice(0, 10);
};

/** The groups with empty buckets, or how many there would be beyond what this test computes. */
const fill = ({ keys, figures, filled }: Question, groups: readonly Group[]): readonly Group[] | number => {
  if (filled.length === 0 || groups.length === 0) return groups;
  const bucketsOf = (at: number): readonly Value[] => {
    const key = keys[at]!;
    if (key.is === 'series') return daysOf(key);
    if (key.is === 'width') {
      const bounds = groups.flatMap((group) => (group.keys[at] === null ? [] : [group.keys[at] as bigint]));
      const [first, last] = [
        bounds.reduce((one, other) => (other < one ? other : one), bounds[0]!),
        bounds.reduce((one, other) => (other > one ? other : one), bounds[0]!),
      ];
      const width = numberOf(key.bounds[0]!) / 10n ** 12n;
      return bounds.length === 0
        ? []
        : Array.from({ length: Number((last - first) / width) + 1 }, (_, index) => first + BigInt(index) * width);
    }
    if (key.is !== 'period') return labelsOf(key).map((_, index) => BigInt(index));
    const found = groups.flatMap((group) => (group.keys[at] === null ? [] : [group.keys[at] as string])).sort();
    if (found.length === 0) return [];
    const all = [found.at(-1)!];
    while (all.at(-1)! > found[0]!) all.push(earlier(key, all.at(-1)!, 1));
    return all;
  };
  const textOf = (values: readonly Value[]) => JSON.stringify(values.map((value) => (value === null ? null : String(value))));
  const all = new Map(filled.map((at) => [at, bucketsOf(at)]));
  const others = new Set(groups.map((group) => textOf(group.keys.map((value, at) => (filled.includes(at) ? null : value)))));
  const number = [...all.values()].reduce((product, { length }) => product * length, others.size);
  if (number > mostCompared) return number;
  const known = new Map(groups.map((group) => [textOf(group.keys), group]));
  for (const group of groups) {
    let combinations: readonly (readonly Value[])[] = [group.keys];
    for (const at of filled) combinations = combinations.flatMap((values) => all.get(at)!.map((bucket) => values.with(at, bucket)));
    for (const values of combinations) {
      const text = textOf(values);
      if (known.has(text)) continue;
      known.set(text, {
        keys: values,
        values: new Map(figures.map(({ name, fold }) => [name, fold === 'count' || fold === 'distinct' ? 0n : null])),
      });
    }
  }
  return [...known.values()];
};

const compute = (
  { keys, computed, order }: Question,
  groups: readonly Group[],
  sort: (names: readonly (readonly [string, boolean])[]) => (left: Group, right: Group) => number,
): void => {
  const isRunning = (name: string): boolean =>
    computed.some((each) => each.name === name && (each.is === 'running_total' || each.of.some(isRunning)));
  // Running totals need the values of the order.
  for (const { name, is, of, within, along, periods: back } of [
    ...computed.filter((each) => !isRunning(each.name)),
    ...computed.filter((each) => isRunning(each.name)),
  ]) {
    const results = groups.map((group): bigint | null => {
      const [value = null, second = null] = of.map((each) => group.values.get(each)!);
      const among = () => groups.filter((each) => within.every((at) => each.keys[at] === group.keys[at]));
      const previous = () => {
        const at = group.keys[along];
        if (at === null) return null;
        const wanted = group.keys.with(along, typeof at === 'bigint' ? at - BigInt(back) : earlier(keys[along]!, at as string, back));
        return groups.find((each) => each.keys.every((key, index) => key === wanted[index]))?.values.get(of[0]!) ?? null;
      };
      switch (is) {
        case 'ratio':
          return value === null || second === null ? null : quotientOf(value, second, 6);
        case 'difference':
          return value === null || second === null ? null : value - second;
        case 'share': {
          const total = among().reduce((sum, each) => sum + (each.values.get(of[0]!) ?? 0n), 0n);
          return value === null ? null : quotientOf(100n * value, total, 4);
        }
        case 'previous':
          return previous();
        case 'change': {
          const before = previous();
          return value === null || before === null ? null : value - before;
        }
        case 'rank':
          return value === null ? null : one * BigInt(1 + among().filter((each) => (each.values.get(of[0]!) ?? value) > value).length);
        case 'running_total': {
          const before = among().filter((each) => each === group || sort(order)(each, group) < 0);
          const given = before.flatMap((each) => each.values.get(of[0]!) ?? []);
          return given.length === 0 ? null : given.reduce((sum, each) => sum + each, 0n);
        }
        default:
          throw new Error(`No computation ${is}`);
      }
    });
    for (const [at, group] of groups.entries()) group.values.set(name, results[at]!);
  }
};

const holds: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '=': (left, right) => left === right,
  '!=': (left, right) => left !== right,
};

/** More groups than this take too long to compare with each other. */
const maxGroups = 600;

/** The decimal places of what an aggregate is over. */
const digitsOf = (table: Table, figure: Figure): number => {
  const { applied } = figure;
  if (applied?.[0] === 'days') return 0;
  const of = pathsOf(figure).map((path) => {
    const via = path.split('.');
    const column = via.pop()!;
    const target = via.reduce((from, step) => catalogue.relations.get(from)!.find((each) => each.name === step)!.target, table.name);
    return catalogue.tables.get(target)!.columns[column]!.digits?.[1] ?? 0;
  });
  return of.reduce((sum, digits) => sum + digits, applied?.[0] === 'percentage' ? 2 : 0);
};

/** The value of a figure from the text of the other engine: a number, a sum over a count, or the two values in the middle. */
const figureOf = (table: Table, figure: Figure, text: string): bigint | null => {
  if (figure.fold === 'avg') {
    const [sum = '', count = ''] = text.split('/');
    return quotientOf(numberOf(sum), numberOf(count), digitsOf(table, figure) + 4);
  }
  if (figure.fold !== 'median') return numberOf(text);
  const [low = '', high = ''] = text.split('+');
  return (numberOf(low) + numberOf(high)) / 2n;
};

/** The rows of the answer. Undefined if there are too many groups for this test, and `refused` if there are too many for the service. */
const expected = async (question: Question): Promise<(string | null)[][] | 'refused' | undefined> => {
  const { table, keys, figures, computed, having } = question;
  const series = keys.find(({ is }) => is === 'series');
  const [from, to] = table.validity ?? [];
  const joins = [
    ...(keys.some(({ via }) => via.length > 0) ? ['left join properties p on p.property_id = t.property_id'] : []),
    ...new Set(figures.flatMap(pathsOf).flatMap((path) => stepsOf(table, path.split('.').slice(0, -1)).map(({ join }) => join))),
    ...(series
      ? [
          `join (values ${daysOf(series).map((day) => `(date '${day}')`)}) s(day) on coalesce(t.${from}, date '0001-01-01') <= s.day and coalesce(t.${to}, date '9999-01-01') >= s.day`,
        ]
      : []),
  ];
  const by = keys.length > 0 ? ` group by ${keys.map((_, at) => at + 1).join()}` : '';
  const rows = await other.rows(
    `select ${[...keys.map(keySql), ...figures.map((figure) => figureSql(table, figure))].join(', ')} from ${table.name} t ${joins.join(' ')}${by}`,
  );
  const found = rows.map(
    (row): Group => ({
      keys: keys.map((key, at) => sortable(key, row[at]!)),
      values: new Map(
        figures.map(({ name }, at) => [
          name,
          row[keys.length + at] === null ? null : figureOf(table, figures[at]!, row[keys.length + at]!),
        ]),
      ),
    }),
  );
  const isLarge = (groups: readonly Group[]) => computed.length > 0 && groups.length > maxGroups;
  if (isLarge(found)) return undefined;
  const all = fill(question, found);
  if (typeof all === 'number') return all > maxFilled ? 'refused' : undefined;
  const groups = [...all];
  if (isLarge(groups)) return undefined;
  const names = keys.map(keyName);
  const valueAt = (group: Group, name: string): Value =>
    names.includes(name) ? group.keys[names.indexOf(name)]! : group.values.get(name)!;
  const sort = (order: readonly (readonly [string, boolean])[]) => (left: Group, right: Group) => {
    for (const [name, isDescending] of [...order, ...names.map((key) => [key, false] as const)]) {
      const way = compare(valueAt(left, name), valueAt(right, name), isDescending);
      if (way !== 0) return way;
    }
    return 0;
  };
  compute(question, groups, sort);
  const kept = groups.filter((group) => {
    if (!having) return true;
    const [name, sign, text] = having;
    const value = group.values.get(name)!;
    return value !== null && holds[sign]!(value, numberOf(text));
  });
  return kept.sort(sort(question.order)).map((group) => [
    ...keys.map((key, at) => shownKey(key, group.keys[at]!)),
    ...[...figures, ...computed].map(({ name }) => {
      const value = group.values.get(name)!;
      return value === null ? null : String(value);
    }),
  ]);
};

/** JSON with numbers as text, in their original digits. */
const parse = (text: string) => JSON.parse(text.replaceAll(/":(-?\d[\d.]*)(?=[,}\]])/g, '":"$1"'));
/** Most groups with empty buckets that this test computes. */
const mostCompared = 3_000;

interface Found {
  readonly rows: (string | null)[][];
  readonly total: number;
}
const shown = (question: Question, keyValues: readonly unknown[], values: readonly unknown[]): (string | null)[] => [
  ...question.keys.map((_, at) => (keyValues[at] === null ? null : String(keyValues[at]))),
  ...values.map((value) => (value === null ? null : String(numberOf(String(value))))),
];

const restUrl = ({ table, keys, figures, computed, filled, order, having, limit }: Question): string => {
  const query = new URLSearchParams({ limit: String(limit) });
  for (const { is, via, column, period, bounds, on } of keys) {
    const path = [...via, column].join('.');
    const suffix = {
      plain: '',
      period: `:${period}`,
      ranges: `:ranges(${bounds})`,
      width: `:width(${bounds})`,
      age: `:age(${[...bounds, `on=${on}`]})`,
      series: '',
    }[is];
    query.append('by', is === 'series' ? `as_of:${period}(${bounds})` : path + suffix);
  }
  for (const { name, fold, via, column, applied, only } of figures) {
    const path = applied ? `${applied[0]}(${applied.slice(1).map(snakeCase)})` : [...via.map(snakeCase), column].join('.');
    query.append('value', `${name}:${fold}(${[...(path ? [path] : []), ...(only ? [`${only[0]}=${only[1]}`] : [])]})`);
  }
  for (const { name, is, of, within, along, periods: back } of computed) {
    const isBack = is === 'previous' || is === 'change';
    const more = isBack ? [keyName(keys[along]!), ...(back === 1 ? [] : [back])] : within.map((at) => keyName(keys[at]!));
    query.append('value', `${name}:${is}(${[...of, ...more]})`);
  }
  if (filled.length > 0) query.set('fill', filled.map((at) => keyName(keys[at]!)).join());
  if (order.length > 0) query.set('order', order.map(([name, isDescending]) => `${isDescending ? '-' : ''}${name}`).join());
  if (having) query.set('having', having.join(''));
  return `${pathOfTable(table)}/groups?${query}`;
};

/** The lines of CSV as rows by name. */
const rowsOfCsv = (text: string): readonly Record<string, unknown>[] => {
  const [names = [], ...lines] = text
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? ''),
    );
  return lines.map((values) => Object.fromEntries(names.map((name, at) => [name, values[at] === '' ? null : values[at]])));
};

const overRest = async (question: Question, format: 'json' | 'csv'): Promise<Found | 'refused'> => {
  const url = restUrl(question);
  const answer = await service.get(`${url}&format=${format}`);
  if (answer.status === 400 && answer.text.includes(`more than ${maxFilled} groups`)) return 'refused';
  expect([answer.status, url, answer.text.slice(0, 300)]).toEqual([200, url, expect.anything()]);
  const { keys, figures, computed } = question;
  const found: readonly Record<string, unknown>[] = format === 'csv' ? rowsOfCsv(answer.text) : parse(answer.text);
  const rows = found.map((row) =>
    shown(
      question,
      keys.map((key) => row[keyName(key)]),
      [...figures, ...computed].map(({ name }) => row[name]),
    ),
  );
  return { rows, total: Number(answer.headers.get('x-total-count')) };
};

const operators: Readonly<Record<string, string>> = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', '=': 'eq', '!=': 'ne' };

const overGraphql = async (question: Question, seed: number): Promise<Found | 'refused'> => {
  const random = seededRandom(seed);
  const { table, keys, figures, computed, filled, order, having, limit } = question;
  const around = (via: readonly string[], inner: string) => via.reduceRight((text, step) => `${step} { ${text} }`, inner);
  const selected = keys.map(({ is, via, column, period, bounds, on }, at) => {
    if (is === 'series') return '';
    const band = { ranges: `ranges: [${bounds}]`, width: `width: ${bounds}`, age: `age: [${bounds}], on: "${on}"` }[is as 'age'];
    const field = band
      ? `band(of: ${column.toUpperCase()}, ${band})`
      : `${camelCase(column)}${is === 'period' ? `(bucket: ${period!.toUpperCase()})` : ''}`;
    return around(via, `k${at}: ${field} ${included(random)}`);
  });
  const reference = (at: number): string => {
    const { is, via, column, period } = keys[at]!;
    if (is === 'series') return '{ asOf: true }';
    const own =
      is === 'plain' || is === 'period'
        ? `column: ${column.toUpperCase()}${is === 'period' ? `, bucket: ${period!.toUpperCase()}` : ''}`
        : `band: "k${at}"`;
    return `{ ${via.reduceRight((text, step) => `${step}: { ${text} }`, own)} }`;
  };
  /** Values behind relations and of row functions are referred to by their response keys. */
  const hasPath = ({ via, applied }: Figure) => via.length > 0 || applied !== undefined;
  const pathOf = ({ name, via }: Figure) => [name, ...via, 'v'].join('.');
  const inputOf = (path: string) => {
    const via = path.split('.');
    const column = via.pop()!;
    return via.reduceRight((inner, step) => `{ ${step}: ${inner} }`, `{ column: ${column.toUpperCase()} }`);
  };
  const valueNamed = (name: string): string => {
    const figure = figures.find((each) => each.name === name);
    if (!figure) return `computed: "${name}"`;
    if (figure.fold === 'sum_once') return `sumOnce: "${name}"`;
    if (hasPath(figure)) return `value: "${pathOf(figure)}"`;
    const what = figure.fold === 'count' ? 'count: true' : `${figure.fold}: ${figure.column.toUpperCase()}`;
    return `of: "${name}", ${what}`;
  };
  // Every value has an argument, so that it can be referred to by its name.
  const fields = figures.map((figure) => {
    const { name, fold, via, column, applied, only } = figure;
    const filter = only ? `{ ${camelCase(only[0])}: { eq: "${only[1]}" } }` : 'null';
    const path = via.reduceRight((inner, step) => `{ ${step}: ${inner} }`, `{ column: ${column.toUpperCase()} }`);
    if (fold === 'sum_once') return `${name}: sumOnce(of: ${path}, filter: ${filter}) ${included(random)}`;
    const operands =
      applied && Object.keys(rowFunctions[applied[0]].operands).map((operand, at) => `${operand}: ${inputOf(applied[at + 1]!)}`);
    const leaf = applied ? `${applied[0]}(${operands})` : camelCase(column);
    return `${name}: ${fold}(filter: ${filter}) ${included(random)}${fold === 'count' ? '' : ` { ${around(via, `v: ${leaf}`)} }`}`;
  });
  const made = computed.map(({ name, is, of, within, along, periods: back }) => {
    const second = { ratio: 'to', difference: 'minus' }[is as 'ratio'];
    const isBack = is === 'previous' || is === 'change';
    const given = [
      `of: { ${valueNamed(of[0]!)} }`,
      ...(second ? [`${second}: { ${valueNamed(of[1]!)} }`] : []),
      ...(isBack ? [`along: ${reference(along)}`, ...(back === 1 ? [] : [`periods: ${back}`])] : []),
      ...(within.length > 0 ? [`within: [${within.map(reference)}]`] : []),
    ];
    return `${name}: ${camelCase(is)}(${given.join(', ')}) ${included(random)}`;
  });
  const names = keys.map(keyName);
  const steps = order.map(([name, isDescending]) => {
    const what = names.includes(name) ? `key: ${reference(names.indexOf(name))}` : valueNamed(name);
    return `{ ${what}, direction: ${isDescending ? 'DESC' : 'ASC'} }`;
  });
  const condition = () => {
    const [name, sign, value] = having!;
    const figure = figures.find((each) => each.name === name);
    const operator = `{ ${operators[sign]}: ${value} }`;
    if (!figure) return `{ of: "${name}", computed: ${operator} }`;
    const { fold, column } = figure;
    if (fold === 'sum_once') return `{ of: "${name}", sumOnce: ${operator} }`;
    // Half of the smallest and largest values have conditions in the form of a filter.
    if (figure.via.length > 0 && fold.startsWith('m') && fold !== 'median' && random(2) === 0)
      return `{ of: "${name}", ${fold}: { ${figure.via.reduceRight((inner, step) => `${step}: { ${inner} }`, `${camelCase(column)}: ${operator}`)} } }`;
    if (hasPath(figure)) return `{ of: "${pathOf(figure)}", value: ${operator} }`;
    return `{ of: "${name}", ${fold === 'count' ? `count: ${operator}` : `${fold}: { ${camelCase(column)}: ${operator} }`} }`;
  };
  const series = keys.find(({ is }) => is === 'series');
  const given = [
    `first: ${limit}`,
    `orderBy: [${steps.join(', ')}]`,
    `fill: [${filled.map(reference).join(', ')}]`,
    ...(having ? [`having: ${condition()}`] : []),
    ...(series ? [`asOf: { every: ${series.period!.toUpperCase()}, from: "${series.bounds[0]}", to: "${series.bounds[1]}" }`] : []),
  ];
  const parts = selected.filter((field) => field !== '');
  // A key or value that is left out changes nothing.
  const left = `band(of: ${dates(table)}, age: [1]) ${excluded(random)}`;
  const query = `query (${conditionVariables}) { ${conditionsUsed} found: ${camelCase(table.name)}Groups(${given.join(', ')}) { totalCount groups {
    ${series ? `asOf ${included(random)}` : ''} ${parts.length > 0 ? `key { ${left} ${parts.join(' ')} }` : ''} n: count ${[...fields, ...made].join(' ')}
    ratio(of: { count: true }, to: { count: true }) ${excluded(random)} } } }`;
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKeys.nordEnterprise, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = parse(await response.text());
  if (errors?.[0]?.message.includes(`more than ${maxFilled} groups`)) return 'refused';
  expect([errors, query]).toEqual([undefined, query]);
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the question
  const rows = data.found.groups.map((group: any) =>
    shown(
      question,
      keys.map(({ is, via }, at) => (is === 'series' ? group.asOf : via.reduce((inner, step) => inner[step], group.key)[`k${at}`])),
      [
        ...figures.map(({ name, fold, via }) =>
          fold === 'count' || fold === 'sum_once' ? group[name] : via.reduce((inner, step) => inner[step], group[name]).v,
        ),
        ...computed.map(({ name }) => group[name]),
      ],
    ),
  );
  return { rows, total: Number(data.found.totalCount) };
};

const parts = 10;
const each = Math.ceil(rounds(600) / parts);
let [compared, refused] = [0, 0];

test.each(Array.from({ length: parts }, (_, part) => part))(
  `random expressions, part %i of ${parts}`,
  async (part) => {
    for (let index = 0; index < each; index++) {
      const seed = seedOf(part * each + index);
      const question = questionOf(seed);
      const rows = await expected(question);
      if (!rows) continue;
      const found = seed % 2 === 0 ? await overRest(question, seed % 4 === 0 ? 'json' : 'csv') : await overGraphql(question, seed);
      compared++;
      if (rows === 'refused' || found === 'refused') {
        expect({ seed, url: restUrl(question), found }).toEqual({ seed, url: restUrl(question), found: rows });
        refused++;
        continue;
      }
      expect({ seed, url: restUrl(question), total: found.total, rows: found.rows }).toEqual({
        seed,
        url: restUrl(question),
        total: rows.length,
        rows: rows.slice(0, question.limit),
      });
    }
  },
  300_000,
);

test('most questions were compared, and few were too large', () => {
  expect(compared).toBeGreaterThan(parts * each * 0.8);
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(compared * 0.1);
  console.log(`${compared} questions were compared, ${refused} of them refused as too large.`);
});
