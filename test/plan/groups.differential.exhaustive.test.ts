/**
 * Random groupings over REST and GraphQL, compared with another engine over the same rows: equal digits, order and totals (contract:
 * groups; values of groups; buckets).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Kind } from '../../src/catalogue/column.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { pathOfTable, type Table } from '../../src/catalogue/table.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { aggregatableColumns } from '../../src/plan/groups/groups.ts';
import { type Bucket, buckets } from '../../src/plan/vocabulary/keys.ts';
import { type Aggregate, plainAggregates as aggregates } from '../../src/plan/vocabulary/values.ts';
import { snakeCase } from '../../src/query/relation-names.ts';
import { conditionsUsed, conditionVariables, excluded, included } from '../graphql/conditions.ts';
import { rounds, seedOf } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys as apiKeys } from '../support/settings.ts';
import { seededRandom } from '../sync/support.ts';
import { ReferenceEngine } from './reference-engine.ts';

let service: TestService;
let other: ReferenceEngine;

/** Nulls, dangling references, an empty table, ends of years and the hours of daylight saving. */
const unusual = [
  `update customer_nord.orders set order_date = date '2023-12-24' + (order_id % 17) where order_id % 3 = 0`,
  `update customer_nord.orders set created_at = timestamptz '2024-03-30 20:15+00' + (order_id % 23) * interval '37 minutes' where order_id % 2 = 0`,
  `update customer_nord.orders set created_at = timestamptz '2024-10-26 20:15+00' + (order_id % 29) * interval '31 minutes' where order_id % 5 = 0`,
  `update customer_nord.orders set changed_at = timestamptz '2024-12-31 23:30+00' + (order_id % 4) * interval '20 minutes' where order_id % 3 = 1`,
  `update customer_nord.orders set total_net = null, trade = null where order_id % 7 = 0`,
  `update customer_nord.orders set total_net = -total_net, creditor_number = 999999 where order_id % 11 = 0`,
  `update customer_nord.orders set is_insurance_claim = null, offer_hdr_id = null where order_id % 4 = 0`,
  `update customer_nord.projects set parent_project_hdr_id = 1 where project_hdr_id % 2 = 0`,
  'delete from customer_nord.technical_objects',
];

beforeAll(async () => {
  service = await startService({ environment: { RESPONSE_CACHE_MB: '0' } });
  for (const text of unusual) await service.database.pool.query(text);
  other = await ReferenceEngine.copyOf(service.database, 'customer_nord');
}, 180_000);
afterAll(() => service.stop());

interface Key {
  readonly via: readonly string[];
  readonly column: string;
  readonly kind: Kind;
  readonly bucket: Bucket | undefined;
}
/** A condition on rows, through relations to at most one row. */
interface Test {
  readonly via: readonly string[];
  readonly column: string;
  readonly kind: Kind;
  readonly operator: keyof typeof signs | 'in' | 'not_in' | 'contains' | 'starts_with' | 'icontains' | 'is_null' | 'is_not_null';
  readonly values: readonly string[];
}
interface Figure {
  readonly fold: Aggregate | 'count';
  readonly column: string;
  readonly kind: Kind;
  readonly percent?: number;
  /** With a name, only rows that meet these conditions count. */
  readonly name?: string;
  readonly where?: readonly Test[];
}
type Shown = Key | Figure;

interface GroupQuery {
  readonly table: Table;
  readonly keys: readonly Key[];
  readonly figures: readonly Figure[];
  readonly filter: readonly (readonly [column: string, value: string])[];
  readonly where: readonly Test[];
  readonly having: readonly (readonly [figure: Figure, sign: string, value: string])[];
  readonly order: readonly (readonly [shown: Shown, isDescending: boolean])[];
  readonly top: { readonly by: readonly Key[]; readonly first: number } | undefined;
  readonly limit: number;
}

const names = [
  'orders',
  'orders',
  'orders',
  'projects',
  'tenants',
  'property_structure',
  'contract_debits',
  'technical_objects',
  'booking_positions',
  'depreciation',
];
const required: Readonly<Record<string, GroupQuery['filter']>> = {
  booking_positions: [
    ['property_id', '1001'],
    ['fiscal_year', '2026'],
  ],
};
const unlikely: Partial<Record<Kind, string>> = {
  boolean: 'false',
  date: '2000-01-01',
  timestamp: '2000-01-01T00:00:00Z',
  string: 'a, "b" (c)',
  number: '-0.5',
};
const signs = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', '=': 'eq', '!=': 'ne' } as const;

const isKey = (shown: Shown): shown is Key => 'via' in shown;
const nameOf = (shown: Shown): string =>
  isKey(shown)
    ? [...shown.via.map(snakeCase), shown.column, ...(shown.bucket ? [shown.bucket] : [])].join('_')
    : shown.fold === 'count'
      ? (shown.name ?? 'count')
      : (shown.name ?? `${shown.fold}_${shown.column}`);

/** The grouping of a seed. */
const groupQueryOf = async (seed: number): Promise<GroupQuery> => {
  const random = seededRandom(seed);
  for (let warm = 0; warm < 5; warm++) random(2);
  const one = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const some = <T>(max: number, make: () => T): T[] => Array.from({ length: random(max + 1) }, make);
  const unique = <T extends Shown>(list: readonly T[]): T[] => [...new Map(list.map((each) => [nameOf(each), each])).values()];
  const table = catalogue.tables.get(one(names))!;
  /** A value of few rows, or of none. */
  const absent = (column: string): string =>
    (({ boolean: 'false', date: '2000-01-01' }) as Partial<Record<Kind, string>>)[table.columns[column]!.kind] ?? '0';
  const wayOf = () => {
    const via: string[] = [];
    let at = table;
    while (via.length < 3 && random(3) === 0) {
      const relations = (catalogue.relations.get(at.name) ?? []).filter(({ kind }) => kind === 'to-one');
      if (relations.length === 0) break;
      const { name, target } = one(relations);
      via.push(name);
      at = catalogue.tables.get(target)!;
    }
    return { via, at };
  };
  const testOf = async (): Promise<Test> => {
    const { via, at } = wayOf();
    const [column, { kind }] = one(Object.entries(at.columns));
    const text = kind === 'timestamp' ? `strftime("${column}", '%Y-%m-%dT%H:%M:%SZ')` : `"${column}"::varchar`;
    const found = await other.knownRows(`select distinct ${text} from ${at.name} where "${column}" is not null order by 1 limit 50`);
    const known = () => (found.length > 0 && random(8) > 0 ? one(found)[0]! : (unlikely[kind] ?? '0'));
    const operator = one([
      ...(kind === 'boolean' ? (['=', '!='] as const) : (Object.keys(signs) as (keyof typeof signs)[])),
      ...(['in', 'not_in', 'is_null', 'is_not_null'] as const),
      ...(kind === 'string' ? (['contains', 'starts_with', 'icontains'] as const) : []),
    ]);
    const isSearch = operator === 'contains' || operator === 'starts_with' || operator === 'icontains';
    const part = (value: string) => value.slice(operator === 'starts_with' ? 0 : random(value.length), random(value.length) + 1) || value;
    const values = operator === 'in' || operator === 'not_in' ? [known(), ...some(2, known)] : operator.startsWith('is_') ? [] : [known()];
    return { via, column, kind, operator, values: isSearch ? values.map(part) : values };
  };
  const keyOf = (): Key => {
    const { via, at } = wayOf();
    const dates = Object.entries(at.columns).filter(([, { kind }]) => kind === 'date' || kind === 'timestamp');
    const [column, { kind }] = one(dates.length > 0 && random(3) === 0 ? dates : Object.entries(at.columns));
    const hasBucket = (kind === 'date' || kind === 'timestamp') && random(4) > 0;
    return { via, column, kind, bucket: hasBucket ? one(buckets) : undefined };
  };
  const figureOf = (): Figure => {
    const fold = one([...aggregates.filter((each) => aggregatableColumns(table, each).length > 0), 'count'] as const);
    if (fold === 'count') return { fold, column: '', kind: 'bigint' };
    const column = one(aggregatableColumns(table, fold));
    return { fold, column, kind: table.columns[column]!.kind };
  };
  /** A value with a name, which is sometimes the name of another value. */
  const namedOf = async (): Promise<Figure> => {
    const isPercentile = random(4) === 0 && aggregatableColumns(table, 'percentile').length > 0;
    const column = isPercentile ? one(aggregatableColumns(table, 'percentile')) : '';
    const own: Figure = isPercentile
      ? { fold: 'percentile', column, kind: table.columns[column]!.kind, percent: 1 + random(100) }
      : figureOf();
    const where: Test[] = [];
    for (let left = isPercentile ? random(3) : 1 + random(2); left > 0; left--) where.push(await testOf());
    return { ...own, name: one(['open', 'closed_2025', 'x', 'y', 'sum_total_net', 'count', 'constructor']), where };
  };
  const keys = unique(some(3, keyOf));
  const named: Figure[] = [];
  if (random(2) === 0) for (let left = 1 + random(4); left > 0; left--) named.push(await namedOf());
  const figures = unique([...named, figureOf(), ...some(3, figureOf)]);
  const where: Test[] = [];
  if (random(2) === 0) for (let left = 1 + random(2); left > 0; left--) where.push(await testOf());
  const comparable = figures.filter(({ fold }) => fold === 'count' || fold === 'sum' || fold === 'distinct');
  const filterable = table.filters.filter((column) => !required[table.name]?.some(([name]) => name === column));
  const filtered = random(3) === 0 ? one(filterable) : undefined;
  const values = filtered
    ? await other.knownRows(`select distinct ${filtered}::varchar from ${table.name} where ${filtered} is not null order by 1`)
    : [];
  const orderable: readonly Shown[] = [...keys, ...figures.filter(({ fold }) => !inParts.includes(fold))];
  const order = unique(some(2, () => one(orderable)).filter((each) => each !== undefined));
  const isTop = keys.length > 1 && random(3) === 0;
  return {
    table,
    keys,
    figures,
    where,
    filter: [
      ...(required[table.name] ?? []),
      ...(filtered ? [[filtered, values.length > 0 && random(6) > 0 ? one(values)[0]! : absent(filtered)] as const] : []),
    ],
    having: comparable.length > 0 && random(3) === 0 ? [[one(comparable), one(Object.keys(signs)), String(one([0, 1, 2, 5, 1000.5]))]] : [],
    order: order.map((each) => [each, random(2) === 0]),
    top: isTop ? { by: keys.slice(0, 1 + random(keys.length - 1)), first: 1 + random(3) } : undefined,
    limit: random(2) === 0 ? 1000 : 1 + random(20),
  };
};

/** Values that the test computes from exact parts. */
const inParts: readonly Figure['fold'][] = ['avg', 'median', 'stddev'];

const literalOf = (kind: Kind, value: string) => {
  if (kind === 'timestamp') return `timestamp '${value.slice(0, 19).replace('T', ' ')}'`;
  return kind === 'date' ? `date '${value}'` : kind === 'string' ? `'${value.replaceAll("'", "''")}'` : value;
};

const sqlOf = ({ table, keys, figures, filter, where, having, order, top }: GroupQuery) => {
  const joins: string[] = [];
  const aliasOf = (via: readonly string[]): string => {
    let [at, alias] = [table.name, 't'];
    for (const step of via) {
      const relation = catalogue.relations.get(at)!.find(({ name }) => name === step)!;
      const next = `${alias}_${step}`;
      const join = `left join ${relation.target} ${next} on ${next}.${relation.targetColumn} = ${alias}.${relation.column}`;
      if (!joins.includes(join)) joins.push(join);
      [at, alias] = [relation.target, next];
    }
    return alias;
  };
  const expressionOf = (shown: Shown): string => {
    if (isKey(shown)) {
      const value = `${aliasOf(shown.via)}."${shown.column}"`;
      return shown.bucket ? `date_trunc('${shown.bucket}', ${value})${shown.kind === 'date' ? '::date' : ''}` : value;
    }
    const only = shown.where?.length ? ` filter (where ${shown.where.map(testSql).join(' and ')})` : '';
    const own = `t."${shown.column}"`;
    switch (shown.fold) {
      case 'count':
        return `count(*)${only}`;
      case 'distinct':
        return `count(distinct ${own})${only}`;
      case 'avg':
        return `sum(${own})${only}::varchar || '/' || count(${own})${only}`;
      case 'stddev':
        return `sum(${own})${only}::varchar || '/' || count(${own})${only} || '/' || sum(${own}::decimal(19, 4) * ${own}::decimal(19, 4))${only}::varchar`;
      case 'percentile':
      case 'median': {
        const sorted = `list_sort(list(${own}) filter (where ${[`${own} is not null`, ...(shown.where ?? []).map(testSql)].join(' and ')}))`;
        const at = (position: string) => `list_extract(${sorted}, (${position})::bigint)`;
        const length = `coalesce(len(${sorted}), 0)`;
        if (shown.fold === 'percentile') return at(`(${length} * ${shown.percent} + 99) // 100`);
        return `(${at(`(${length} + 1) // 2`)} + ${at(`${length} // 2 + 1`)})::varchar`;
      }
      default:
        return `${shown.fold}(${own})${only}`;
    }
  };
  /** Relations are joined here. A related row exists if its linking column is not null. */
  function testSql({ via, column, kind, operator, values }: Test): string {
    const alias = aliasOf(via);
    const own = `${alias}."${column}"`;
    const literals = values.map((value) => literalOf(kind, value));
    const holds = {
      in: `${own} in (${literals})`,
      not_in: `${own} not in (${literals})`,
      is_null: `${own} is null`,
      is_not_null: `${own} is not null`,
      contains: `contains(${own}, ${literals[0]})`,
      starts_with: `starts_with(${own}, ${literals[0]})`,
      icontains: `contains(lower(${own}), lower(${literals[0]}))`,
    };
    const condition = operator in signs ? `${own} ${operator} ${literals[0]}` : holds[operator as keyof typeof holds];
    return via.length > 0 ? `(${linkOf(via)} is not null and ${condition})` : `(${condition})`;
  }
  const linkOf = (via: readonly string[]): string => {
    const from = via.slice(0, -1).reduce((at, step) => catalogue.relations.get(at)!.find(({ name }) => name === step)!.target, table.name);
    return `${aliasOf(via)}."${catalogue.relations.get(from)!.find(({ name }) => name === via.at(-1))!.targetColumn}"`;
  };
  /** An average as its exact sum and count. */
  const textOf = (shown: Shown, value: string): string => {
    const { kind } = shown;
    if (!isKey(shown) && inParts.includes(shown.fold)) return value;
    if (kind === 'timestamp' && (isKey(shown) || shown.fold !== 'distinct')) return `strftime(${value}, '%Y-%m-%dT%H:%M:%SZ')`;
    return `(${value})::varchar`;
  };
  const shown: readonly Shown[] = [...keys, ...figures];
  const inner = shown.map((each) => `${expressionOf(each)} as "${nameOf(each)}"`);
  const conditions = [...filter.map(([column, value]) => `t.${column} = '${value.replaceAll("'", "''")}'`), ...where.map(testSql)];
  const by = [...order, ...keys.map((key) => [key, false] as const)].map(
    ([each, isDescending]) => `"${nameOf(each)}" ${isDescending ? 'desc' : 'asc'} nulls last`,
  );
  const parts = [
    keys.length > 0 ? `group by ${keys.map(expressionOf).join(', ')}` : '',
    having.length > 0 ? `having ${having.map(([figure, sign, value]) => `${expressionOf(figure)} ${sign} ${value}`).join(' and ')}` : '',
  ];
  const grouped = [
    `select ${inner.join(', ')}, 1 as "the one" from ${table.name} t ${joins.join(' ')}`,
    conditions.length > 0 ? `where ${conditions.join(' and ')}` : '',
    ...parts,
  ].join(' ');
  const ranked = top
    ? `select *, row_number() over (partition by ${top.by.map((key) => `"${nameOf(key)}"`).join()} order by ${by.join()}) as place from (${grouped}) qualify place <= ${top.first}`
    : grouped;
  return `select ${shown.map((each) => textOf(each, `"${nameOf(each)}"`)).join(', ')} from (${ranked}) order by ${by.length > 0 ? by.join(', ') : '"the one"'}`;
};

/** A sum divided by a count, rounded half away from zero. */
const average = (text: string | null, scale: number): string | null => {
  if (text === null) return null;
  const [sum = '', count = ''] = text.split('/');
  const [whole = '', behind = ''] = sum.split('.');
  const digits = scale + 4;
  const scaled = BigInt(whole + behind) * 10n ** BigInt(digits - behind.length);
  const [size, divisor] = [scaled < 0n ? -scaled : scaled, BigInt(count)];
  const rounded = String((size * 2n + divisor) / (divisor * 2n)).padStart(digits + 1, '0');
  const value = `${rounded.slice(0, -digits)}.${rounded.slice(-digits)}`;
  return scaled < 0n && /[1-9]/.test(value) ? `-${value}` : value;
};

const scaledOf = (text: string, digits: number): bigint => {
  const [whole = '', behind = ''] = text.split('.');
  return BigInt(whole + behind.padEnd(digits, '0'));
};
const decimal = (scaled: bigint, digits: number): string => {
  if (digits === 0) return String(scaled);
  const text = String(scaled < 0n ? -scaled : scaled).padStart(digits + 1, '0');
  return `${scaled < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

/** Half of a sum of two values. */
const median = (text: string | null, scale: number): string | null =>
  text === null ? null : decimal(scaledOf(text, scale) * 5n, scale + 1);

/** The largest whole number whose square is not greater. */
const root = (square: bigint): bigint => {
  if (square < 2n) return square;
  let guess = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (guess + square / guess) / 2n;
    if (next >= guess) return guess;
    guess = next;
  }
};

/** The standard deviation of a sample, from the sum, the number and the sum of squares of its values. */
const deviation = (text: string | null, scale: number): string | null => {
  const [sum = '0', number = '0', squares = '0'] = text?.split('/') ?? [];
  const count = BigInt(number);
  if (count < 2n) return null;
  const [total, digits] = [scaledOf(sum, 8), scale + 4];
  const variance = count * scaledOf(squares, 16) - total * total;
  const doubled = root((4n * variance * 10n ** BigInt(2 * digits)) / (count * (count - 1n) * 10n ** 16n));
  return decimal((doubled + 1n) / 2n, digits);
};

const compute = { avg: average, median, stddev: deviation } as Partial<Record<Figure['fold'], typeof average>>;

const expected = async (groupQuery: GroupQuery): Promise<(string | null)[][]> => {
  const rows = await other.rows(sqlOf(groupQuery));
  const { keys, figures, table } = groupQuery;
  return rows.map((row) =>
    row.map((value, index) => {
      const figure = figures[index - keys.length];
      const computed = figure && compute[figure.fold];
      return computed ? computed(value, table.columns[figure.column]!.digits?.[1] ?? 0) : value;
    }),
  );
};

/** JSON with numbers as text, in their original digits. */
const parse = (text: string) => JSON.parse(text.replaceAll(/":(-?\d[\d.]*)(?=[,}\]])/g, '":"$1"'));
const texts = (values: readonly unknown[]): (string | null)[] => values.map((value) => (value === null ? null : String(value)));

const ask = (options: { readonly url: string; readonly payload?: string }) =>
  service.app.inject({
    method: options.payload ? 'POST' : 'GET',
    headers: { 'x-api-key': apiKeys.nordEnterprise, host: 'localhost', ...(options.payload && { 'content-type': 'application/json' }) },
    ...options,
  });

const quote = (value: string) => `"${value.replaceAll('"', '""')}"`;
const restTest = ({ via, column, operator, values }: Test): string => {
  const name = [...via.map(snakeCase), column].join('.');
  if (operator in signs) return `${name}${operator}${quote(values[0]!)}`;
  return `${name}:${operator}${values.length > 0 ? `(${values.map(quote)})` : ''}`;
};
const restValue = ({ name, fold, column, percent, where = [] }: Figure): string =>
  `${name}:${fold}(${[column, percent, ...where.map(restTest)].filter((part) => part !== '' && part !== undefined)})`;

const restQuery = ({ keys, figures, filter, where, having, order, limit }: GroupQuery): URLSearchParams => {
  const query = new URLSearchParams(filter.map((each) => [...each]));
  const by = keys.map(({ via, column, bucket }) => [...via.map(snakeCase), column].join('.') + (bucket ? `:${bucket}` : ''));
  if (by.length > 0) query.set('by', by.join());
  for (const fold of aggregates)
    query.set(
      fold,
      figures
        .filter((figure) => figure.fold === fold && !figure.name)
        .map(({ column }) => column)
        .join(),
    );
  if (figures.some(({ fold, name }) => fold === 'count' && !name)) query.set('count', '');
  for (const figure of figures) if (figure.name) query.append('value', restValue(figure));
  for (const test of where) query.append('where', restTest(test));
  query.set('having', having.map(([figure, sign, value]) => `${nameOf(figure)}${sign}${value}`).join());
  query.set('order', order.map(([shown, isDescending]) => (isDescending ? '-' : '') + nameOf(shown)).join());
  query.set('limit', String(limit));
  return query;
};

const overRest = async (groupQuery: GroupQuery) => {
  const { table, keys, figures } = groupQuery;
  const answer = await ask({ url: `${pathOfTable(table)}/groups?${restQuery(groupQuery)}` });
  expect([answer.statusCode, answer.body.slice(0, 300)]).toEqual([200, expect.anything()]);
  const rows = parse(answer.body).map((row: Record<string, unknown>) => texts([...keys, ...figures].map((shown) => row[nameOf(shown)])));
  return { rows, total: Number(answer.headers['x-total-count']) };
};

const operators: Readonly<Record<string, string>> = {
  ...signs,
  in: 'in',
  not_in: 'in',
  contains: 'contains',
  starts_with: 'startsWith',
  icontains: 'iContains',
  is_null: 'isNull',
  is_not_null: 'isNull',
};
const graphqlTest = ({ via, column, kind, operator, values }: Test): string => {
  const literals = values.map((value) => (['string', 'date', 'timestamp'].includes(kind) ? JSON.stringify(value) : value));
  const operand = operator.startsWith('is_') ? operator === 'is_null' : operator.endsWith('in') ? `[${literals}]` : literals[0];
  const compared = `${camelCase(column)}: { ${operators[operator]}: ${operand} }`;
  const inner = operator === 'not_in' ? `not: { ${compared} }` : compared;
  return `{ ${via.reduceRight((text, step) => `${step}: { ${text} }`, inner)} }`;
};

const overGraphql = async (
  { table, keys, figures, filter, where, having, order, top, limit }: GroupQuery,
  random: ReturnType<typeof seededRandom>,
) => {
  const literal = (column: string, value: string) =>
    ['integer', 'bigint', 'number', 'boolean'].includes(table.columns[column]!.kind) ? value : JSON.stringify(value);
  const nested = ({ via }: Key, inner: string) => via.reduceRight((text, step) => `${step} { ${text} }`, inner);
  const selected = keys.map((key, index) =>
    nested(key, `k${index}: ${camelCase(key.column)}${key.bucket ? `(bucket: ${key.bucket.toUpperCase()})` : ''} ${included(random)}`),
  );
  // A group key that is omitted forms no groups.
  const left = `${camelCase(table.key)} ${excluded(random)}`;
  const named = ({ via, column, bucket }: Key) => {
    const inner = `column: ${column.toUpperCase()}${bucket ? `, bucket: ${bucket.toUpperCase()}` : ''}`;
    // Without a bucket a column names the plain key.
    return via.reduceRight((text, step) => `${step}: { ${text} }`, inner);
  };
  const step = ([shown, isDescending]: GroupQuery['order'][number]) => {
    const what = isKey(shown)
      ? `key: { ${named(shown)} }`
      : shown.fold === 'count'
        ? 'count: true'
        : `${shown.fold}: ${shown.column.toUpperCase()}`;
    return `{ ${what}, ${isKey(shown) ? '' : ofOf(shown)} direction: ${isDescending ? 'DESC' : 'ASC'} }`;
  };
  /** Refers to the arguments of a selected value. */
  const ofOf = (figure: Figure) => (figure.name ? `of: "v${figures.indexOf(figure)}",` : '');
  const condition = ([figure, sign, value]: GroupQuery['having'][number]) => {
    const { fold, column } = figure;
    const operator = `{ ${signs[sign as keyof typeof signs]}: ${value} }`;
    return `${ofOf(figure)} ${fold === 'count' ? `count: ${operator}` : `${fold}: { ${camelCase(column)}: ${operator} }`}`;
  };
  const filters = filter.map(([column, value]) => `${camelCase(column)}: { eq: ${literal(column, value)} }`);
  const values = figures.map(({ fold, column, percent, where: tests, name }, index) => {
    const given = [
      ...(percent === undefined ? [] : [`percent: ${percent}`]),
      ...(tests?.length ? [`filter: { and: [${tests.map(graphqlTest)}] }`] : name && !percent ? ['filter: null'] : []),
    ];
    const field = `v${index}: ${fold}${given.length > 0 ? `(${given})` : ''} ${included(random)}`;
    return fold === 'count' ? field : `${field} { v: ${camelCase(column)} }`;
  });
  const query = `query (${conditionVariables}) { ${conditionsUsed} found: ${camelCase(table.name)}Groups(first: ${limit}, filter: { ${[...filters, ...(where.length > 0 ? [`and: [${where.map(graphqlTest)}]`] : [])].join(', ')} }, having: { ${having.map(condition).join(', ')} },
    orderBy: [${order.map(step).join(', ')}]${top ? `, topPer: { by: [${top.by.map((key) => `{ ${named(key)} }`).join(', ')}], first: ${top.first} }` : ''}) {
    totalCount groups { key ${excluded(random)} { ${left} } ${keys.length > 0 ? `key ${included(random)} { ${left} ${selected.join(' ')} }` : ''}
      ... ${included(random)} { ${values.join(' ')} } } } }`;
  const answer = await ask({ url: '/graphql', payload: JSON.stringify({ query }) });
  const { data, errors } = parse(answer.body);
  expect([errors, query]).toEqual([undefined, query]);
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the grouping
  const valueAt = (group: any, index: number) => {
    const key = keys[index];
    if (key) return key.via.reduce((at, name) => at[name], group.key)[`k${index}`];
    const own = group[`v${index - keys.length}`];
    return figures[index - keys.length]!.fold === 'count' ? own : own.v;
  };
  const rows = data.found.groups.map((group: unknown) => texts([...keys, ...figures].map((_, index) => valueAt(group, index))));
  return { rows, total: Number(data.found.totalCount) };
};

/** REST only: fractions for integer columns. */
const isForRest = ({ having, top }: GroupQuery): boolean =>
  !top && having.some(([{ fold }, , value]) => fold !== 'sum' && value.includes('.'));
/** Integers are compared with integers. */
const settled = (groupQuery: GroupQuery): GroupQuery => ({
  ...groupQuery,
  having: groupQuery.having.map(
    ([figure, sign, value]) => [figure, sign, figure.fold === 'sum' ? value : String(Math.trunc(Number(value)))] as const,
  ),
});

const parts = 10;
const each = Math.ceil(rounds(1_200) / parts);
let compared = 0;

test.each(Array.from({ length: parts }, (_, part) => part))(
  `random groupings, part %i of ${parts}`,
  async (part) => {
    for (let index = 0; index < each; index++) {
      const seed = seedOf(part * each + index);
      const groupQuery = settled(await groupQueryOf(seed));
      const rows = await expected(groupQuery);
      const found =
        isForRest(groupQuery) || (!groupQuery.top && seed % 2 === 0)
          ? await overRest(groupQuery)
          : await overGraphql(groupQuery, seededRandom(seed));
      expect({ seed, sql: sqlOf(groupQuery), total: found.total, rows: found.rows }).toEqual({
        seed,
        sql: sqlOf(groupQuery),
        total: rows.length,
        rows: rows.slice(0, groupQuery.limit),
      });
      compared++;
    }
  },
  240_000,
);

/** Parts of the grammar in places where they may not belong. */
const noise = ['"', ',', ')', '(', ':', '=', '>=', '.', ':in(', ':sum(', '-', '\0', 'ü', ' ', '9'.repeat(60), 'NaN', ':percentile('];

test('damaged requests are answered or refused, never failed', async () => {
  const random = seededRandom(seedOf(7));
  const refused = new Set<number>();
  for (let index = 0; index < each * 2; index++) {
    const groupQuery = settled(await groupQueryOf(seedOf(index)));
    const query = restQuery(groupQuery);
    const names = [...new Set(query.keys())].filter((name) => ['by', 'value', 'where', 'having', 'order'].includes(name));
    const name = names[random(names.length)]!;
    const text = query.get(name)!;
    const at = random(text.length + 1);
    query.set(name, text.slice(0, at) + noise[random(noise.length)] + text.slice(at + random(3)));
    const { statusCode, body } = await ask({ url: `${pathOfTable(groupQuery.table)}/groups?${query}` });
    expect([[200, 400, 422], String(query), body.slice(0, 300)]).toEqual([
      expect.arrayContaining([statusCode]),
      String(query),
      body.slice(0, 300),
    ]);
    refused.add(statusCode);
  }
  expect(refused).toContain(422);
}, 240_000);

test('each grouping was compared', () => expect(compared).toBe(parts * each));
