/**
 * Statements by shape: a text is built once for all plans that differ in nothing but their values, and a request only binds
 * those.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { touchStatement } from '../database/prepared.ts';
import type { Asked } from './asked.ts';
import { shapeOfCondition } from './condition.ts';
import type { Plan } from './plan.ts';
import { build, deepOffset } from './query.ts';
import type { Place, Slot } from './select.ts';
import { traced } from './traced.ts';

/** Ready for `pg`: named, so that the server plans it once per connection; without a name it is planned each time. */
export interface BoundStatement {
  readonly text: string;
  readonly name: string;
  readonly values: readonly unknown[];
  /** What it answers; its rows are taken in the turn of the customer whom that is about (see `turns.ts`). */
  readonly asked?: Asked;
}

interface Shape {
  readonly text: string;
  readonly name: string;
  readonly places: readonly Place[];
}

const mebibyte = 2 ** 20;
/** Texts longer than this many characters are planned each time: kept, each takes a multiple of it in every backend. */
const longestNamed = 8_192;
const shapes = new LRUCache<string, Shape>({ maxSize: 8 * mebibyte, sizeCalculation: ({ text }, key) => text.length + key.length });

/** Stands in no name of the database and in no JSON text. */
const separator = '\0';

/** A plan without its values, but for its limit and which of its position's values are null; lists have their length ahead. */
const shapeOfPlan = ({ source, columns, where: condition, order, far, after, isBackward, offset, along, groups }: Plan): string =>
  [
    source.schema,
    source.name,
    source.cursor?.column,
    columns.length,
    ...columns,
    condition && JSON.stringify(shapeOfCondition(condition)),
    order.length,
    ...order.flatMap((each) => [each.column, each.isDescending, each.isNullable]),
    far && JSON.stringify(far),
    after && JSON.stringify(after.map((value) => value === null)),
    isBackward,
    Math.sign(offset) + Number(offset >= deepOffset),
    along.length,
    ...along.flatMap(({ on, link, plan }) => [on, link.column, shapeOfPlan(plan)]),
    // Of groups only the values of their condition are bound.
    groups && JSON.stringify({ ...groups, having: groups.having && shapeOfCondition(groups.having) }),
  ].join(separator);

/**
 * The name of a statement follows from its text, so that the server plans each text once per connection; empty for one that
 * is not kept.
 */
const statementName = (text: string): string =>
  text.length > longestNamed ? '' : `s_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;

const shapeOf = (asked: Asked): Shape => {
  const { question, plan, limit, parents, changes } = asked;
  const key = [question, limit, parents?.link.column, parents?.link.isUnique, changes?.key.column, shapeOfPlan(plan)].join(separator);
  const known = shapes.get(key);
  if (known) return known;
  const { sql: text, parameters } = build(asked).compile();
  const shape = { text, name: statementName(text), places: parameters.map((parameter) => (parameter as Slot).value) };
  shapes.set(key, shape);
  return shape;
};

/** The statement that answers a question about a plan. */
export const statementFor = (asked: Asked): BoundStatement => {
  const { text, name, places } = shapeOf(asked);
  return { text, name, values: places.map((place) => place(asked)), asked };
};

/** Asks for few rows, as decoded by the client; pages and documents take bytes (`wire.ts`). */
export const runStatement = async <Row extends object>(client: pg.ClientBase, asked: Asked): Promise<Row[]> => {
  const { text, name, values } = statementFor(asked);
  await touchStatement(client, name);
  const { rows } = await traced(client, asked, () => client.query<Row>({ text, name, values: [...values] }));
  return rows;
};
