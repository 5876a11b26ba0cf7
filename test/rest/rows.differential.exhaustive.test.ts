/**
 * Random pages with `where`, `order` and `columns`, compared with another engine over the same rows: equal values, order, totals and pages
 * (contract: conditions, order and columns of rows).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Kind } from '../../src/catalogue/column.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { pathOfTable, type Table } from '../../src/catalogue/table.ts';
import { aggregatableColumns, operandColumns } from '../../src/plan/groups/groups.ts';
import { kindOfAggregate, rowFunctionNames, rowFunctions } from '../../src/plan/vocabulary/values.ts';
import { snakeCase } from '../../src/query/relation-names.ts';
import { ReferenceEngine } from '../plan/reference-engine.ts';
import { relationsOf, tableNamed } from '../scopes/guesses.ts';
import { Random } from '../support/random.ts';
import { rounds, seed } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

const requests = rounds(3_000);
const random = new Random(seed);

let service: TestService;
let other: ReferenceEngine;

/** Nulls, equal values and dangling references. */
const unusual = [
  'update customer_nord.orders set total_net = null, trade = null where order_id % 7 = 0',
  'update customer_nord.orders set total_net = 100, creditor_number = 999999 where order_id % 5 = 0',
  'update customer_nord.orders set is_insurance_claim = null, offer_hdr_id = null where order_id % 4 = 0',
  'update customer_nord.projects set parent_project_hdr_id = 1 where project_hdr_id % 2 = 0',
  `update customer_nord.tenants set changed_at = timestamptz '2025-03-30 00:30:00.123456+00' where tenant_id % 2 = 0`,
];

beforeAll(async () => {
  service = await startService({ environment: { RESPONSE_CACHE_MB: '0' } });
  for (const text of unusual) await service.database.pool.query(text);
  other = await ReferenceEngine.copyOf(service.database, 'customer_nord');
}, 180_000);
afterAll(() => service.stop());

/** A column of the table, or of the row that relations lead to, in both languages. */
interface Reached {
  readonly name: string;
  /** What `columns` has for it, if not its name. */
  readonly shown?: string;
  readonly sql: string;
  readonly table: Table;
  readonly column: string;
  readonly kind: Kind;
}

/** The joins of a statement. Each path is joined once. */
class Joins {
  readonly #joins = new Map<string, string>();

  /** A named function of two columns of the row or of related rows. */
  applied(start: Table, depth: number, name: string): Reached | undefined {
    const call = random.oneOf(rowFunctionNames);
    const operand = (): Reached | undefined => {
      const reached = this.reach(start, depth);
      const columns = operandColumns(reached.table, call);
      if (columns.length === 0) return undefined;
      const column = random.oneOf(columns);
      const name = [...reached.name.split('.').slice(0, -1), column].join('.');
      return { ...reached, name, sql: reached.sql.replace(/"[^"]+"$/, () => `"${column}"`), column };
    };
    const [one, two] = [operand(), operand()];
    if (!one || !two) return undefined;
    const { kind } = rowFunctions[call];
    const scaleOf = ({ table, column }: Reached) => table.columns[column]!.digits?.[1] ?? 0;
    const scale = scaleOf(one) + scaleOf(two);
    const factor = (of: Reached) => `(${of.sql})::decimal(19, ${scaleOf(of)})`;
    const product = `(${factor(one)} * ${factor(two)})::decimal(35, ${scale})`;
    const sql =
      call === 'days'
        ? `datediff('day', (${one.sql})::date, (${two.sql})::date)`
        : call === 'percentage'
          ? `${product} * 0.01::decimal(3, 2)`
          : product;
    return { name, shown: `${name}:${call}(${one.name},${two.name})`, sql, table: start, column: one.column, kind };
  }

  reach(start: Table, depth: number): Reached {
    let [table, alias] = [start, 't'];
    const via: string[] = [];
    while (via.length < depth && random.chance(0.4)) {
      const relations = relationsOf(table, 'to-one');
      if (relations.length === 0) break;
      const { name, target, targetColumn, column } = random.oneOf(relations);
      const next = `${alias}_${name}`;
      this.#joins.set(next, `left join ${target} ${next} on ${next}."${targetColumn}" = ${alias}."${column}"`);
      via.push(snakeCase(name));
      [table, alias] = [tableNamed(target), next];
    }
    const [column, { kind }] = random.oneOf(Object.entries(table.columns));
    return { name: [...via, column].join('.'), sql: `${alias}."${column}"`, table, column, kind };
  }

  get count(): number {
    return this.#joins.size;
  }

  get sql(): string {
    return [...this.#joins.values()].join(' ');
  }
}

/** A named aggregate of related rows that meet conditions. */
const aggregated = async (table: Table, name: string): Promise<Reached | undefined> => {
  const many = relationsOf(table, 'to-many');
  if (many.length === 0) return undefined;
  const relation = random.oneOf(many);
  const target = tableNamed(relation.target);
  const call = random.oneOf(['count', 'count', 'sum', 'min', 'max', 'distinct'] as const);
  const columns = call === 'count' ? [] : aggregatableColumns(target, call).filter((each) => target.columns[each]!.kind !== 'timestamp');
  if (call !== 'count' && columns.length === 0) return undefined;
  const column = columns.length > 0 ? random.oneOf(columns) : '';
  const kind = call === 'count' ? 'bigint' : kindOfAggregate(call, target.columns[column]!.kind);
  const conditions: Condition[] = [];
  for (let left = random.below(3); left > 0; left--) conditions.push(await comparison(reachIn(target, 'm')));
  const link = `m."${relation.targetColumn}" = t."${relation.column}"`;
  const holds = [link, ...conditions.map(({ sql }) => `(${sql})`)].join(' and ');
  const counted: Readonly<Record<string, string>> = { count: 'count(*)', distinct: `count(distinct m."${column}")` };
  const value = counted[call] ?? `${call}(m."${column}")`;
  const path = column === '' ? snakeCase(relation.name) : `${snakeCase(relation.name)}.${column}`;
  const shown = `${name}:${call}(${[path, ...conditions.map(({ text }) => text)]})`;
  return { name, shown, sql: `(select ${value} from ${target.name} m where ${holds})`, table, column, kind };
};

const unlikely: Partial<Record<Kind, string>> = {
  boolean: 'false',
  date: '2000-01-01',
  timestamp: '2000-01-01T00:00:00Z',
  string: 'a, "b" (c)',
};
const signs = ['=', '!=', '>', '>=', '<', '<='];

const literal = (kind: Kind, value: string): string => {
  if (kind === 'timestamp') return `timestamp '${value.slice(0, -1).replace('T', ' ')}'`;
  return kind === 'date' ? `date '${value}'` : kind === 'string' ? `'${value.replaceAll("'", "''")}'` : value;
};
const asText = (kind: Kind, sql: string): string =>
  kind === 'timestamp' ? `strftime(${sql}, '%Y-%m-%dT%H:%M:%S.%fZ')` : `(${sql})::varchar`;
const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;

const knownValues = async ({ table, column, kind }: Pick<Reached, 'table' | 'column' | 'kind'>): Promise<readonly string[]> => {
  const rows = await other.knownRows(
    `select distinct ${asText(kind, `"${column}"`)} from ${table.name} where "${column}" is not null order by 1 limit 60`,
  );
  return rows.map(([value]) => value!);
};

interface Condition {
  readonly text: string;
  readonly sql: string;
}

/** A comparison, a list, a search or a test for null. */
const comparison = async (reached: Reached): Promise<Condition> => {
  const { name, sql, kind } = reached;
  const known = await knownValues(reached);
  const value = () => (known.length > 0 && random.chance(0.85) ? random.oneOf(known) : (unlikely[kind] ?? '0'));
  const way = random.below(10);
  if (way === 0) return { text: `${name}:is_null`, sql: `${sql} is null` };
  if (way === 1) return { text: `${name}:is_not_null`, sql: `${sql} is not null` };
  if (way < 4) {
    const values = [value(), ...random.some([0, 0], 2).map(value)];
    const not = random.chance(0.5) ? 'not ' : '';
    const literals = values.map((each) => literal(kind, each));
    return { text: `${name}:${not ? 'not_in' : 'in'}(${values.map(quote)})`, sql: `${sql} ${not}in (${literals})` };
  }
  if (kind === 'string' && way < 7) {
    const whole = value();
    const part = whole.slice(0, 1 + random.below(4)) || whole;
    const call = random.oneOf(['contains', 'starts_with', 'icontains', 'istarts_with']);
    const isCaseless = call.startsWith('i');
    const search = isCaseless ? call.slice(1) : call;
    const own = isCaseless ? `lower(${sql})` : sql;
    const wanted = literal(kind, isCaseless ? part.toLowerCase() : part);
    return { text: `${name}:${call}(${quote(isCaseless ? part.toUpperCase() : part)})`, sql: `${search}(${own}, ${wanted})` };
  }
  const sign = random.oneOf(signs);
  const compared = value();
  return { text: `${name}${sign}${quote(compared)}`, sql: `${sql} ${sign} ${literal(kind, compared)}` };
};

/** Several conditions in a connective. */
const joinedBy = (call: 'any' | 'all', parts: readonly Condition[]): Condition => ({
  text: `${call}(${parts.map(({ text }) => text)})`,
  sql: `(${parts.map(({ sql }) => `(${sql})`).join(call === 'any' ? ' or ' : ' and ')})`,
});

/** A condition, or alternatives. Each of those can be several conditions, and so on. `outer` has the joins of the statement. */
const condition = async (table: Table, outer: Joins, depth = 2): Promise<Condition> => {
  if (depth === 0 || random.chance(0.7)) return single(table, outer);
  const parts: Condition[] = [];
  for (let left = 1 + random.below(3); left > 0; left--) parts.push(await condition(table, outer, depth - 1));
  return joinedBy(random.chance(0.7) ? 'any' : 'all', parts);
};

/** A condition on a row function, which is null without a related row. */
const compared = ({ name, shown = '', sql: value }: Reached): Condition => {
  const text = shown.slice(name.length + 1);
  if (random.chance(0.2)) return { text: `${text}:is_null`, sql: `${value} is null` };
  const number = random.below(2_000) - 300;
  if (random.chance(0.2)) return { text: `${text}:not_in(${number},0)`, sql: `${value} not in (${number}, 0)` };
  const sign = random.oneOf(signs);
  return { text: `${text}${sign}${number}`, sql: `${value} ${sign} ${number}` };
};

/** A condition on a row or, through relations, on the rows that it leads to. A condition through relations needs a related row. */
const single = async (table: Table, outer: Joins): Promise<Condition> => {
  const many = relationsOf(table, 'to-many');
  if (many.length > 0 && random.chance(0.3)) {
    const { name, target, targetColumn, column } = random.oneOf(many);
    const call = random.oneOf(['some', 'none', 'every']);
    const inner: Condition[] = [];
    for (let left = random.below(3); left > 0; left--) inner.push(await comparison(reachIn(tableNamed(target), 'm')));
    if (inner.length === 2 && random.chance(0.5)) inner.push(joinedBy('any', inner.splice(0)));
    const holds = inner.length > 0 ? inner.map(({ sql }) => `(${sql})`).join(' and ') : 'true';
    if (random.chance(0.3)) {
      const [sign, number] = [random.oneOf(signs), random.below(4)];
      const counted = `(select count(*) from ${target} m where m."${targetColumn}" = t."${column}" and (${holds}))`;
      return { text: `${snakeCase(name)}:count(${inner.map(({ text }) => text)})${sign}${number}`, sql: `${counted} ${sign} ${number}` };
    }
    const rows = (test: string) => `exists (select 1 from ${target} m where m."${targetColumn}" = t."${column}" and ${test})`;
    const sql = { some: rows(`(${holds})`), none: `not ${rows(`(${holds})`)}`, every: `not ${rows(`(${holds}) is not true`)}` }[call]!;
    return { text: `${snakeCase(name)}:${call}(${inner.map(({ text }) => text)})`, sql };
  }
  if (random.chance(0.2)) {
    const applied = outer.applied(table, 2, 'f');
    if (applied) return compared(applied);
  }
  const joins = new Joins();
  const reached = joins.reach(table, 3);
  const { text, sql } = await comparison(reached);
  if (joins.sql === '') return { text, sql };
  // The related row is found by a subquery of its own, so that its absence does not meet a condition on null.
  const inner = joins.sql.replaceAll('left join', 'join');
  return { text, sql: `exists (select 1 from (select 1) one ${inner} where ${sql})` };
};

const reachIn = (table: Table, alias: string): Reached => {
  const [column, { kind }] = random.oneOf(Object.entries(table.columns));
  return { name: column, sql: `${alias}."${column}"`, table, column, kind };
};

interface Question {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly sql: string;
  /** Names and kinds of the columns, in their order. */
  readonly shown: readonly Pick<Reached, 'name' | 'kind'>[];
  readonly limit: number;
}

const required: Readonly<Record<string, readonly Condition[]>> = {
  booking_header: [{ text: 'fiscal_year=2026', sql: 't.fiscal_year = 2026' }],
  booking_positions: [
    { text: 'fiscal_year=2026', sql: 't.fiscal_year = 2026' },
    { text: 'property_id=1001', sql: 't.property_id = 1001' },
  ],
};

const tables = [...catalogue.tables.values()];
/** The largest number of relations in an order and columns. */
const maxRelations = 8;

const questionOf = async (): Promise<Question> => {
  const table = random.oneOf([...tables, tableNamed('orders'), tableNamed('orders')]);
  const joins = new Joins();
  const conditions: Condition[] = [...(required[table.name] ?? [])];
  for (let left = random.below(3); left > 0; left--) conditions.push(await condition(table, joins));
  const order = random.some([0, 0, 0], 2).map(() => ({ ...joins.reach(table, 2), isDescending: random.chance(0.5) }));
  const chosen = random.chance(0.7) ? [0, ...random.some([0, 0, 0, 0], 5)].map(() => joins.reach(table, 2)) : [];
  const functions = [0, 1, 2].flatMap((at) => (chosen.length > 0 && random.chance(0.4) ? (joins.applied(table, 2, `f${at}`) ?? []) : []));
  chosen.push(...functions);
  const aggregates: Reached[] = [];
  for (const at of [3, 4])
    if (chosen.length > 0 && random.chance(0.3))
      aggregates.push(...[await aggregated(table, `f${at}`)].filter((each) => each !== undefined));
  chosen.push(...aggregates);
  if (aggregates[0] && random.chance(0.5)) order.unshift({ ...aggregates[0], isDescending: random.chance(0.5) });
  if (functions[0] && random.chance(0.5)) order.unshift({ ...functions[0], isDescending: random.chance(0.5) });
  if (joins.count > maxRelations) return questionOf();
  const shown =
    chosen.length > 0
      ? [...new Map(chosen.map((each) => [each.name, each])).values()]
      : Object.entries(table.columns).map(([name, { kind }]) => ({ name, kind, sql: `t."${name}"` }));
  const isDescending = order.at(-1)?.isDescending ?? false;
  const last = (table.sort.length > 0 ? table.sort : [table.key]).map((column) => ({ sql: `t."${column}"`, isDescending }));
  const by = [...order, ...last].map((each) => `${each.sql} ${each.isDescending ? 'desc' : 'asc'} nulls last`);
  const limit = random.oneOf([1, 2, 3, 7, 20, 1_000]);
  const query = new URLSearchParams({ limit: String(limit) });
  for (const { text } of conditions) query.append('where', text);
  if (order.length > 0) query.set('order', order.map((each) => (each.isDescending ? '-' : '') + each.name).join());
  if (chosen.length > 0) query.set('columns', shown.map((each) => ('shown' in each ? each.shown : undefined) ?? each.name).join());
  if (query.size === 1) query.set('order', '');
  const where = conditions.length > 0 ? `where ${conditions.map(({ sql }) => `(${sql})`).join(' and ')}` : '';
  const sql = `select ${shown.map((each) => asText(each.kind, each.sql))} from ${table.name} t ${joins.sql} ${where} order by ${by}`;
  return { path: pathOfTable(table), query, sql, shown, limit };
};

const ask = async (url: string) => {
  const { statusCode, headers, body } = await service.app.inject({ url, headers: { 'x-api-key': keys.nordEnterprise, host: 'localhost' } });
  expect([url, statusCode, body.slice(0, 400)]).toEqual([url, 200, expect.anything()]);
  return { headers, body };
};

/** JSON with numbers as text, in their original digits. */
const parse = (text: string): Record<string, unknown>[] => JSON.parse(text.replaceAll(/":(-?\d[\d.]*)(?=[,}\]])/g, '":"$1"'));

/** A value in the form of the other engine. */
const normal = (kind: Kind, value: unknown): string | null => {
  if (value === null) return null;
  if (kind !== 'timestamp') return String(value);
  const [, start, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(String(value))!;
  return `${start}.${fraction.padEnd(6, '0')}Z`;
};

const rowsOf = (body: string, isCsv: boolean, shown: Question['shown']): (string | null)[][] => {
  const names = shown.map(({ name }) => name);
  if (!isCsv)
    return parse(body).map((row) => {
      expect(Object.keys(row)).toEqual(names);
      return shown.map(({ name, kind }) => normal(kind, row[name]));
    });
  const [header, ...lines] = parseCsv(body);
  expect(header).toEqual(names);
  return lines.map((line) => line.map((value, at) => normal(shown[at]!.kind, value)));
};

/** The lines of CSV. A field without text and quotes is null. */
const parseCsv = (text: string): (string | null)[][] => {
  const lines: (string | null)[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)!.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? null : plain!));
    if (end !== ',') lines.push([]);
  }
  return lines.slice(0, -1);
};

/** At most this many pages are read, so that a walk of single rows ends. */
const maxPages = 12;

test(`${requests} random requests equal the other engine, on every page to the end`, { timeout: 3_600_000 }, async () => {
  let walked = 0;
  for (let index = 0; index < requests; index++) {
    const { path, query, sql, shown, limit } = await questionOf();
    const expected = await other.rows(sql);
    const isCsv = random.chance(0.3) && shown.length > 1;
    const byOffset = random.chance(0.3);
    if (isCsv) query.set('format', 'csv');
    const found: (string | null)[][] = [];
    for (let pages = 1; ; pages++) {
      const { headers, body } = await ask(`${path}?${query}`);
      found.push(...rowsOf(body, isCsv, shown));
      expect([sql, headers['x-total-count']]).toEqual([sql, String(expected.length)]);
      expect([sql, headers['x-has-more']]).toEqual([sql, String(found.length < expected.length)]);
      if (headers['x-has-more'] === 'false' || pages >= maxPages) break;
      const following = headers[byOffset ? 'x-next-offset' : 'x-next-cursor'];
      // Tables with a sort key of several columns have no cursors.
      const next = (following ?? headers['x-next-offset']) as string;
      query.delete('cursor');
      query.delete('offset');
      query.set(following && !byOffset ? 'cursor' : 'offset', next);
      if (pages === 1) walked++;
    }
    const wanted = expected.slice(0, Math.max(found.length, Math.min(limit, expected.length)));
    expect([`${path}?${query}`, sql, found]).toEqual([`${path}?${query}`, sql, wanted]);
  }
  expect(walked).toBeGreaterThan(requests / 10);
});
