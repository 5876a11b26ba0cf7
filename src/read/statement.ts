/**
 * How a plan is asked of the database: Kysely builds each shape of statement once, a request only binds values.
 *
 * A shape is everything of a plan but its values. Values are slots while the statement is built, and the places of the
 * slots among its parameters are kept with the text.
 */
import { createHash } from 'node:crypto';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Kind } from '../catalogue/column.ts';
import { controlSchema } from '../database/control.ts';
import type { ReadPlan } from './plan.ts';

/** Ready for `pg`: named, so that the server plans it once per connection. */
export interface BoundStatement {
  readonly text: string;
  readonly name: string;
  readonly values: readonly unknown[];
}

type SlotName = `filter ${number}` | 'after' | 'offset' | 'limit' | 'customer' | 'dataset' | 'kind' | 'known version' | 'known total';
class Slot {
  readonly name: SlotName;
  constructor(name: SlotName) {
    this.name = name;
  }
}

const mebibyte = 2 ** 20;

/** Texts longer than this many characters are planned each time: kept, each takes a multiple of it in every backend. */
const longestNamed = 8_192;
const names = new LRUCache<string, string>({ maxSize: 8 * mebibyte, sizeCalculation: (_name, text) => text.length });

/**
 * The name of a statement follows from its text, so that the server plans each text once per connection; empty for one that
 * is not kept.
 */
export const statementName = (text: string): string => {
  if (text.length > longestNamed) return '';
  const known = names.get(text);
  if (known) return known;
  const name = `s_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
  names.set(text, name);
  return name;
};

interface Shape {
  readonly text: string;
  readonly name: string;
  readonly slots: readonly SlotName[];
}

/** `page`: rows, each led by the summary; `rows`: rows alone; `summary`: what the headers of a page say, without its rows. */
export type StatementKind = 'page' | 'rows' | 'summary';

/** How many rows matched at some version of the data; spares counting them while the version stands. */
export interface KnownTotal {
  readonly version: number;
  readonly total: number;
}

/** Columns that precede a row's own on a page: the dataset's state, the total, and the cursor column's text. */
export const hiddenColumns = { page: 3, rows: 0 } as const;

/** Offsets from here on are reached over keys alone, without reading the rows that are skipped. */
export const deepOffset = 500;
const summaryColumns = ['state', 'total', 'boundary'] as const;

const compiler = new Kysely<Record<string, Record<string, unknown>>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** The type that a value of a column is bound as: the widest of its kind, so that no value fails to convert. */
export const parameterType: Record<Kind, string> = {
  integer: 'bigint',
  bigint: 'bigint',
  number: 'numeric',
  string: 'text',
  date: 'date',
  timestamp: 'timestamptz',
  boolean: 'boolean',
};

const slot = (name: SlotName, type: string): RawBuilder<unknown> => sql`${new Slot(name)}::${sql.raw(type)}`;

/** The state of the table's data, and how many rows match: counted only if the number is not known at this version. */
const stateAndTotal = (plan: ReadPlan, matches: RawBuilder<unknown>): readonly [RawBuilder<unknown>, RawBuilder<unknown>] => {
  const state = (expression: RawBuilder<unknown>) => sql`(select ${expression} from ${sql.table(`${controlSchema}.datasets`)}
    where customer_id = ${slot('customer', 'integer')} and kind = ${slot('kind', 'text')} and name = ${slot('dataset', 'text')})`;
  const { schema, name } = plan.source;
  const counted = sql`(select count(*) from ${sql.table(`${schema}.${name}`)} where ${matches})`;
  const total = isFiltered(plan)
    ? sql`case when ${state(sql`version`)} = ${slot('known version', 'bigint')} then ${slot('known total', 'bigint')} else ${counted} end`
    : state(sql`row_count`);
  return [state(sql`json_build_array(version, synced_at)`), total];
};

/** Whether a plan shows only some of the table's rows; all of them are counted when they are loaded. */
export const isFiltered = (plan: Pick<ReadPlan, 'filters' | 'nothing'>): boolean => plan.nothing || plan.filters.length > 0;

const build = (kind: StatementKind, plan: ReadPlan): RawBuilder<unknown> => {
  const { source } = plan;
  const { cursor } = source;
  const table = sql.table(`${source.schema}.${source.name}`);
  const column = (name: string) => sql.ref(`${source.schema}.${source.name}.${name}`);
  const order = source.sort.length > 0 ? sql.join(source.sort.map(column)) : sql`ctid`;
  const and = (conditions: readonly RawBuilder<unknown>[]) => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`);
  const matches = [
    ...(plan.nothing ? [sql`false`] : []),
    ...plan.filters.map(({ column: name, kind }, index) => sql`${column(name)} = ${slot(`filter ${index}`, parameterType[kind])}`),
  ];
  const behindCursor =
    plan.after === undefined || !cursor ? [] : [sql`${column(cursor.column)} > ${slot('after', parameterType[cursor.kind])}`];
  const reached = [...matches, ...behindCursor];
  const [offset, limit] = [slot('offset', 'bigint'), slot('limit', 'bigint')];
  const key = cursor ? sql`${column(cursor.column)}::text` : sql`null::text`;

  if (kind === 'summary') {
    // The last row of the page and the one behind it: whether the page is full, its cursor, and whether more follows.
    const boundary = sql`array(select coalesce(${key}, '') from ${table} where ${and(reached)} order by ${order} limit 2 offset ${offset} + ${limit} - 1)`;
    return sql`select ${sql.join([...stateAndTotal(plan, and(matches)), boundary].map((value, i) => sql`${value} as ${sql.ref(summaryColumns[i]!)}`))}`;
  }
  const hidden = kind === 'page' ? [...stateAndTotal(plan, and(matches)), key] : [];
  const columns = sql.join([...hidden, ...plan.columns.map(column)]);
  if (plan.offset < deepOffset || source.sort.length === 0)
    return sql`select ${columns} from ${table} where ${and(reached)} order by ${order} limit ${limit} offset ${offset}`;
  const firstKey = sql`(select ${order} from ${table} where ${and(reached)} order by ${order} limit 1 offset ${offset})`;
  return sql`select ${columns} from ${table} where ${and([...reached, sql`(${order}) >= ${firstKey}`])} order by ${order} limit ${limit}`;
};

const shapes = new LRUCache<string, Shape>({ maxSize: 8 * mebibyte, sizeCalculation: ({ text }, key) => text.length + key.length });

const shapeOf = (kind: StatementKind, plan: ReadPlan): Shape => {
  const key = JSON.stringify([
    kind,
    plan.source.schema,
    plan.source.name,
    plan.source.sort,
    plan.source.cursor,
    plan.columns,
    plan.filters.map((filter) => filter.column),
    plan.nothing,
    plan.after !== undefined,
    plan.offset >= deepOffset,
  ]);
  const known = shapes.get(key);
  if (known) return known;
  const compiled = build(kind, plan).compile(compiler);
  const shape = {
    text: compiled.sql,
    name: statementName(compiled.sql),
    slots: compiled.parameters.map((parameter) => (parameter as Slot).name),
  };
  shapes.set(key, shape);
  return shape;
};

/** The statement that answers a plan; `limit` is how many rows it may give (a page asks for one more than it shows). */
export const statementFor = (kind: StatementKind, plan: ReadPlan, limit: number, known?: KnownTotal): BoundStatement => {
  const { text, name, slots } = shapeOf(kind, plan);
  const bind = (name: SlotName): unknown => {
    switch (name) {
      case 'after':
        return plan.after;
      case 'offset':
        return plan.offset;
      case 'limit':
        return limit;
      case 'customer':
        return plan.source.customerId;
      case 'kind':
        return plan.source.kind;
      case 'dataset':
        return plan.source.name;
      case 'known version':
        return known?.version ?? null;
      case 'known total':
        return known?.total ?? null;
      default:
        return plan.filters[Number(name.slice('filter '.length))]?.value;
    }
  };
  return { text, name, values: slots.map(bind) };
};
